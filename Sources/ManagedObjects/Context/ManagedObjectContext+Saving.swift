internal import Stores

extension ManagedObjectContext {
    /// Writes all changes in one transaction.
    ///
    /// If it throws, nothing is written and all changes are still pending.
    ///
    /// A context with a ``parent`` pushes its changes to the parent instead, with the same guarantees.
    ///
    /// The objects are validated first. Then ``mergePolicy`` decides about attributes and rows that others have changed
    /// since the objects were read. Afterwards new objects have permanent identities. Do not call this inside a write
    /// on the same thread, because that write could be rolled back.
    ///
    /// - Returns: The saved objects and the settled conflicts.
    /// - Throws: ``ValidationError``, ``MergeConflictError``, ``StoreError``, or the error of an object's
    ///   ``ManagedObject/validateForSave()``.
    @discardableResult
    public func save() throws -> SavedObjects {
        guard hasChanges else { return SavedObjects() }
        try validate()
        var writer = SaveWriter(self)
        defer { inbox.setOwn(version: nil) }
        // A merge policy may revert deletions. That is not an undoable user action, and it is rolled back if the save
        // fails.
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
            if undoHistory != nil { deletions.keep(object) }
        }
        for (row, attribute, value) in writer.followed {
            registered[row]?.object?.committed?[attribute] = value
        }
        for row in writer.returned where writer.rows[row] == nil { registered[row]?.object?.committed = nil }
        let renaming = KeyRenaming(keys: writer.keys, model: model)
        // Undone deletions may be redone.
        let canRedo = undoHistory?.canRedo == true
        deletions.keepEffects { canRedo && registered[$0] != nil }
        deletions.renameEffects(renaming)
        forgetChanges()
        undoHistory?.rename(writer.keys)
        for object in deletions.removedObjects {
            if let key = writer.keys[object.row] { object.row.key = key }
        }
        deletions.updateRows()
        merges.advance()
        let permanent = writer.keys.filter { $0.key.key != $0.value }
        for child in children.living { child.rename(permanent) }
        // Only this notifies the children of the settled conflicts.
        if !writer.conflicts.isEmpty { notifyChildrenOfUnknownChanges() }
        return saved
    }

    /// Discards the records of unsaved changes after they were saved or rolled back.
    func forgetChanges() {
        // The objects' deinitializers may use the context, so they run after the records have changed.
        let old = changed
        changed = ChangedObjects()
        links.removeAll()
        withExtendedLifetime(old) {}
    }

    // MARK: - Validation

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
                    problem: "must refer to at least one object"
                )
            )
        }
    }

    /// Returns the saved objects whose required to-many relationships lost members.
    private func ownersOfChangedMembers() -> [ManagedObject] {
        var rows: Set<RowKey> = []
        for plan in model.entities {
            for relationship in plan.relationships where !relationship.description.isOptional {
                switch relationship.place {
                case .own: break
                case .inverse(let attribute):
                    for (key, members) in links.references
                    where key.entity == relationship.target && key.attribute == attribute {
                        if !members.removed.isEmpty {
                            rows.insert(RowKey(entity: plan.number, key: key.target))
                        }
                    }
                case .pairs(let pairs, let near):
                    for (side, members) in links.pairSides where side.pairs == pairs && side.side == near {
                        if !members.removed.isEmpty {
                            rows.insert(RowKey(entity: plan.number, key: side.key))
                        }
                    }
                }
            }
        }
        return rows.filter { deleted[$0] == nil && inserted[$0] == nil && existsInParent($0) }
            .compactMap { present($0) }
            .sorted { $0.objectID.uri < $1.objectID.uri }
    }

    private func checkDenied(_ object: ManagedObject) throws {
        for relationship in object.plan.relationships where relationship.description.deleteRule == .deny {
            var led = try members(of: object, relationship)
            // The deletion removed the pairs, so their rows are taken from the record of the deletion.
            if case .pairs = relationship.place {
                led = deletions.effects(of: object.row)?.denied[relationship.description.name] ?? []
            }
            let keys = led.filter { key in
                let row = RowKey(entity: relationship.target, key: key)
                return deleted[row] == nil && (existsInParent(row) || inserted[row] != nil)
            }
            guard let first = keys.first else { continue }
            let other = ManagedObjectID(
                storeIdentifier: container.store.identifier,
                entityName: relationship.description.destination,
                key: first
            )
            throw StoreError(
                .denied,
                "\(object.objectID) cannot be deleted: its '\(relationship.description.name)' refers to "
                    + "\(other)" + (keys.count > 1 ? " and \(keys.count - 1) more" : "")
            )
        }
    }
}
