internal import Stores

extension ManagedObjectContext {
    /// Runs a body that changes objects, and registers its changes as one step of the undo history.
    ///
    /// If the body throws, all its changes are reverted.
    func recording<Result>(_ body: () throws -> Result) throws -> Result {
        let mark = steps.count
        recordingDepth += 1
        defer {
            recordingDepth -= 1
            if recordingDepth == 0 {
                undoHistory?.register(steps)
                steps = []
                if undoHistory == nil { removedObjects = [:] }
            }
        }
        do {
            return try body()
        } catch {
            let undone = steps[mark...].reversed().map(\.inverse)
            for step in undone { try? carryOut(step) }
            steps.removeLast(steps.count - mark)
            throw error
        }
    }

    /// Sets an attribute's value.
    func set(_ value: AttributeValue, at attribute: Int, of object: ManagedObject) throws {
        try recording { try assign(value, at: attribute, of: object) }
    }

    /// Sets a value as part of a change in progress.
    func assign(_ value: AttributeValue, at attribute: Int, of object: ManagedObject) throws {
        guard !object.isDeleted else {
            throw StoreError(.notFound, "\(object.objectID) is deleted and cannot be changed")
        }
        let old = try object.current(attribute)
        guard old != value else { return }
        try carryOut(.value(object.row, attribute, old: old, new: value))
    }

    /// Applies one change, and records it.
    ///
    /// The change affects only one object; its consequences for other objects are separate changes.
    func carryOut(_ step: ContextChange) throws {
        defer { notifyChildren(step) }
        switch step {
        case .value(let row, let attribute, _, let new):
            guard let object = present(row) else { return }
            let committed = try object.readCommitted()
            let old = try object.current(attribute)
            object.changes[attribute] = new == committed[attribute] ? nil : new
            if object.changes[attribute] == nil { catchUp(object) }
            if object.plan.relationshipsByAttribute[attribute] != nil {
                moveReference(
                    of: object,
                    attribute,
                    from: old.rowID,
                    to: new.rowID,
                    committed: object.isInserted ? nil : committed[attribute].rowID
                )
            }
            noteUpdate(of: object)
            steps.append(.value(row, attribute, old: old, new: new))
        case .insertion(let row, let values):
            try arrive(row, values)
            steps.append(step)
        case .deletion(let row, _):
            guard let object = present(row) else { return }
            let values = try object.currentValues()
            leave(object)
            steps.append(.deletion(row, values))
        case .pair(let pair, let isAdded):
            setPair(pair, isAdded)
            steps.append(step)
        }
    }

    /// Returns the object of a row, as a fault if necessary; `nil` for a new object that no longer exists.
    func present(_ row: RowKey) -> ManagedObject? {
        if let object = registered[row]?.object { return object }
        return existsInParent(row) ? fault(row) : nil
    }

    func noteUpdate(of object: ManagedObject) {
        updated[object.row] = object.isUpdated ? object : nil
    }

    /// Makes the next merge include the changes that others saved meanwhile, because the object has no change of its
    /// own any more.
    func catchUp(_ object: ManagedObject) {
        guard object.isBehind else { return }
        object.isBehind = false
        inbox.putBack([object.plan.name: [object.row.key]])
    }

    // MARK: - Inserting and removing

    private func arrive(_ row: RowKey, _ values: [AttributeValue]) throws {
        let object: ManagedObject
        if let pending = deleted.removeValue(forKey: row) {
            object = pending
            object.isDeleted = false
            catchUp(object)
        } else {
            object = removedObjects.removeValue(forKey: row) ?? fault(row)
            object.managedObjectContext = self
            registered[row] = WeakObject(object: object)
            object.isInserted = true
            object.committed = Array(repeating: .null, count: values.count)
            object.changes = [:]
            for (index, value) in values.enumerated() where !value.isNull { object.changes[index] = value }
            inserted[row] = object
        }
        noteUpdate(of: object)
        for attribute in object.plan.relationshipsByAttribute.keys {
            moveReference(
                of: object,
                attribute,
                from: nil,
                to: try object.current(attribute).rowID,
                committed: object.isInserted ? nil : object.committed?[attribute].rowID
            )
        }
    }

    private func leave(_ object: ManagedObject) {
        for attribute in object.plan.relationshipsByAttribute.keys {
            moveReference(
                of: object,
                attribute,
                from: (try? object.current(attribute))?.rowID,
                to: nil,
                committed: object.isInserted ? nil : object.committed?[attribute].rowID
            )
        }
        updated[object.row] = nil
        if object.isInserted {
            inserted[object.row] = nil
            object.isInserted = false
            unregister(object)
            if undoHistory != nil || recordingDepth > 0 { removedObjects[object.row] = object }
        } else {
            object.isDeleted = true
            deleted[object.row] = object
        }
    }

    // MARK: - References

    /// Records that an object's reference has a new target.
    private func moveReference(
        of object: ManagedObject,
        _ attribute: Int,
        from old: Int64?,
        to new: Int64?,
        committed: Int64?
    ) {
        guard old != new else { return }
        func change(_ target: Int64, _ edit: (inout MemberChanges) -> Void) {
            let key = ReferenceKey(entity: object.row.entity, attribute: attribute, target: target)
            // Edited in place: a copy would take O(n) in the members.
            edit(&references[key, default: MemberChanges()])
            if references[key]?.isEmpty == true { references[key] = nil }
        }
        let source = object.row.key
        if let old {
            change(old) { if old == committed { $0.removed.insert(source) } else { $0.added.remove(source) } }
        }
        if let new {
            change(new) { if new == committed { $0.removed.remove(source) } else { $0.added.insert(source) } }
        }
    }

    private func setPair(_ pair: PairKey, _ isAdded: Bool) {
        let isBack = pairChanges[pair] == !isAdded
        pairChanges[pair] = isBack ? nil : isAdded
        for side in 0...1 {
            let key = PairSide(pairs: pair.pairs, side: side, key: pair.end(side))
            let other = pair.end(1 - side)
            pairSides[key, default: MemberChanges()].set(other, isBack ? nil : isAdded)
            if pairSides[key]?.isEmpty == true { pairSides[key] = nil }
        }
    }
}
