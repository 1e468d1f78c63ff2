extension ManagedObjectContext {
    /// Writes all changes in one transaction: all of them or, if it throws, none, and then they are still here.
    ///
    /// A context with a ``parent`` pushes them there instead, in the same way.
    ///
    /// The objects are checked first. Then what others have changed since the objects were read is looked at, as
    /// ``mergePolicy`` says. New objects have their permanent identities afterwards. It is not to be called
    /// inside a write on the same thread, which might be rolled back.
    ///
    /// - Returns: What was done.
    /// - Throws: ``ValidationError``, ``MergeConflictError``, ``StoreError``, or what an object's
    ///   ``ManagedObject/validateForSave()`` throws.
    @discardableResult
    public func save() throws -> SavedObjects {
        guard hasChanges else { return SavedObjects() }
        try validate()
        var writer = SaveWriter(self)
        defer { inbox.setOwn(version: nil) }
        // A policy may take deletions back, which is no change of the user's, and is none at all where the save fails.
        undoHistory?.disableUndoRegistration()
        defer { undoHistory?.enableUndoRegistration() }
        try recording {
            if let parent {
                try parent.push(from: self) { try writer.run(ParentTarget(parent)) }
            } else {
                try container.store.write { transaction in
                    inbox.setOwn(version: transaction.version + 1)
                    try writer.run(StoreTarget(self, transaction))
                }
            }
        }
        return finish(writer)
    }

    private func finish(_ writer: SaveWriter) -> SavedObjects {
        var saved = SavedObjects()
        saved.settledConflicts = writer.conflicts
        let (new, changed, gone) = (insertedObjects, updatedObjects, deletedObjects)
        for object in new {
            let old = object.objectID
            if let key = writer.keys[object.row] {
                registered[object.row] = nil
                object.row.key = key
                registered[object.row] = WeakObject(object: object)
                if object.objectID != old { saved.permanentIDs[old] = object.objectID }
            }
            object.isInserted = false
            object.committed = writer.rows[object.row] ?? object.committed
            object.changes = [:]
            saved.inserted.append(object.objectID)
        }
        for object in changed {
            object.changes = [:]
            object.isBehind = false
            if let values = writer.rows[object.row] {
                object.committed = values
                saved.updated.append(object.objectID)
            } else if writer.dropped.contains(object.row) {
                object.committed = nil
            }
        }
        for object in gone {
            object.isDeleted = false
            object.isBehind = false
            saved.deleted.append(object.objectID)
            unregister(object)
            if undoHistory != nil { departed[object.row] = object }
        }
        for (row, attribute, value) in writer.followed {
            registered[row]?.object?.committed?[attribute] = value
        }
        for row in writer.returned where writer.rows[row] == nil { registered[row]?.object?.committed = nil }
        let renaming = KeyRenaming(keys: writer.keys, model: model)
        // Those that were undone may be done again.
        departures = departures.filter { undoHistory?.canRedo == true && registered[$0.key] != nil }
        renameDepartures(renaming)
        forgetChanges()
        undoHistory?.rename(writer.keys)
        departed = Dictionary(
            uniqueKeysWithValues: departed.map { row, object in
                if let key = writer.keys[row] { object.row.key = key }
                return (object.row, object)
            }
        )
        generation += 1
        let permanent = writer.keys.filter { $0.key.key != $0.value }
        for child in children { child.context?.rename(permanent) }
        // What was settled here is seen by nobody else's word.
        if !writer.conflicts.isEmpty { tellChildrenOfAnything() }
        return saved
    }

    /// Forgets what is not saved, when it is saved or dropped.
    func forgetChanges() {
        inserted = [:]
        updated = [:]
        deleted = [:]
        references = [:]
        pairChanges = [:]
        pairSides = [:]
    }

    // MARK: - Checking

    private func validate() throws {
        for object in insertedObjects + updatedObjects { try object.validateForSave() }
        var failures: [ValidationError.Failure] = []
        for object in insertedObjects + updatedObjects { try check(object, &failures) }
        for object in ownersOfChangedMembers() { try checkMembers(of: object, &failures) }
        guard failures.isEmpty else { throw ValidationError(failures: failures) }
        for object in deletedObjects { try checkDenied(object) }
    }

    private func check(_ object: ManagedObject, _ failures: inout [ValidationError.Failure]) throws {
        let entity = object.entity
        for (index, attribute) in entity.attributes.enumerated() {
            guard object.isInserted || object.changes[index] != nil else { continue }
            let value = try object.current(index)
            var problem = attribute.validation?.problem(with: value)
            let isRequired =
                entity.relationship(attribute.name).map { !$0.isOptional } ?? !attribute.isOptional
            if value.isNull, isRequired { problem = "must have a value" }
            if let problem {
                failures.append(.init(objectID: object.objectID, key: attribute.name, problem: problem))
            }
        }
        if object.isInserted { try checkMembers(of: object, &failures) }
    }

    private func checkMembers(of object: ManagedObject, _ failures: inout [ValidationError.Failure]) throws {
        for relationship in object.plan.relationships where relationship.description.isToMany {
            guard !relationship.description.isOptional, try members(of: object, relationship).isEmpty else {
                continue
            }
            failures.append(
                .init(
                    objectID: object.objectID,
                    key: relationship.description.name,
                    problem: "must lead to at least one object"
                )
            )
        }
    }

    /// The objects that others were taken from, new ones left out.
    private func ownersOfChangedMembers() -> [ManagedObject] {
        var rows: Set<RowKey> = []
        for plan in model.entities {
            for relationship in plan.relationships where !relationship.description.isOptional {
                switch relationship.place {
                case .own: break
                case .inverse(let attribute):
                    for (key, members) in references
                    where key.entity == relationship.target && key.attribute == attribute {
                        if !members.removed.isEmpty {
                            rows.insert(RowKey(entity: plan.number, key: key.target))
                        }
                    }
                case .pairs(let pairs, let near):
                    for (side, members) in pairSides where side.pairs == pairs && side.side == near {
                        if !members.removed.isEmpty {
                            rows.insert(RowKey(entity: plan.number, key: side.key))
                        }
                    }
                }
            }
        }
        return rows.filter { deleted[$0] == nil && inserted[$0] == nil && isBelow($0) }
            .compactMap { present($0) }
            .sorted { $0.objectID.uri < $1.objectID.uri }
    }

    private func checkDenied(_ object: ManagedObject) throws {
        for relationship in object.plan.relationships where relationship.description.deleteRule == .deny {
            var led = try members(of: object, relationship)
            // Pairs went with the object; what they led to is still there or not.
            if case .pairs = relationship.place {
                led = departures[object.row]?.denied[relationship.description.name] ?? []
            }
            let keys = led.filter { key in
                let row = RowKey(entity: relationship.target, key: key)
                return deleted[row] == nil && (isBelow(row) || inserted[row] != nil)
            }
            guard let first = keys.first else { continue }
            let other = ManagedObjectID(
                storeIdentifier: container.store.identifier,
                entityName: relationship.description.destination,
                key: first
            )
            throw StoreError(
                .denied,
                "\(object.objectID) cannot be deleted: its '\(relationship.description.name)' leads to "
                    + "\(other)" + (keys.count > 1 ? " and \(keys.count - 1) more" : "")
            )
        }
    }
}
