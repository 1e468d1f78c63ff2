internal import Stores

extension ManagedObjectContext {
    /// Runs a body that changes objects, and registers its changes as one step of the undo history.
    ///
    /// If the body throws, all its changes are reverted.
    func recording<Result>(_ body: () throws -> Result) throws -> Result {
        let mark = recorder.begin()
        defer { if recorder.end(), undoHistory == nil { deletions.forgetRemovedObjects() } }
        do {
            return try body()
        } catch {
            let undone = recorder.steps[mark...].reversed().map(\.inverse)
            for step in undone { try? carryOut(step) }
            recorder.removeSteps(from: mark)
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
            recorder.append(.value(row, attribute, old: old, new: new))
        case .insertion(let row, let values):
            try arrive(row, values)
            recorder.append(step)
        case .deletion(let row, _):
            guard let object = present(row) else { return }
            let values = try object.currentValues()
            leave(object)
            recorder.append(.deletion(row, values))
        case .pair(let pair, let isAdded):
            links.setPair(pair, isAdded)
            recorder.append(step)
        }
    }

    /// Returns the object of a row, as a fault if necessary; `nil` for a new object that no longer exists.
    func present(_ row: RowKey) -> ManagedObject? {
        if let object = registered[row]?.object { return object }
        return existsInParent(row) ? fault(row) : nil
    }

    func noteUpdate(of object: ManagedObject) {
        changed.setUpdated(object, object.isUpdated)
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
        if let pending = changed.takeDeleted(row) {
            object = pending
            object.isDeleted = false
            catchUp(object)
        } else {
            object = deletions.takeRemoved(row) ?? fault(row)
            object.managedObjectContext = self
            registered[row] = WeakObject(object: object)
            object.isInserted = true
            object.committed = Array(repeating: .null, count: values.count)
            object.changes = [:]
            for (index, value) in values.enumerated() where !value.isNull { object.changes[index] = value }
            changed.insert(object)
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
        if object.isInserted {
            changed.removeInserted(object)
            object.isInserted = false
            unregister(object)
            if undoHistory != nil || recorder.isRecording { deletions.keep(object) }
        } else {
            object.isDeleted = true
            changed.delete(object)
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
        links.moveReference(
            of: object.row.key,
            (object.row.entity, attribute),
            from: old,
            to: new,
            committed: committed
        )
    }
}
