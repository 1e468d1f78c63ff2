internal import Stores

extension ManagedObjectContext {
    /// A closure that is called when another context, thread or process has saved changes.
    ///
    /// It runs on the committing thread and should schedule ``mergeChanges()``.
    ///
    /// It is called once, and again only after the changes were merged.
    public var changesPending: (@Sendable () -> Void)? {
        get { inbox.handler }
        set { inbox.handler = newValue }
    }

    /// Merges the changes that others have saved.
    ///
    /// Objects without changes get their new values. Changed objects get the new values of attributes that are not
    /// changed here, and ``save()`` still detects attributes that both sides changed.
    ///
    /// Objects without changes whose rows were deleted no longer belong to a context. If the changes are unknown
    /// (``TransactionChanges/missedHistory``), the rows of all registered objects are read.
    ///
    /// - Returns: The identities of the objects that were refreshed or removed from the context.
    /// - Throws: ``StoreError`` if the store cannot be read; the next merge includes the remaining changes.
    @discardableResult
    public func mergeChanges() throws -> [ManagedObjectID] {
        if let parent, parent.automaticallyMergesChanges { try parent.mergeChanges() }
        guard !inbox.isEmpty else { return [] }
        let content = inbox.take()
        for child in children.living { child.inbox.note(content) }
        var waiting = changedRows(content)
        defer { inbox.putBack(waiting) }
        merges.advance()
        var touched: [ManagedObjectID] = []
        for (name, ids) in waiting.sorted(by: { $0.key < $1.key }) {
            guard let plan = model.entityIfAny(name) else {
                waiting[name] = nil
                continue
            }
            let objects = ids.sorted().compactMap { id -> ManagedObject? in
                let object = registered[RowKey(entity: plan.number, key: id)]?.object
                return object?.isInserted == true ? nil : object
            }
            guard !objects.isEmpty else {
                waiting[name] = nil
                continue
            }
            let rows: [[AttributeValue]?]
            do {
                rows = try rowsInParent(plan, objects.map(\.row.key))
            } catch {
                // A fault never has outdated values, because it is read when it is accessed.
                for object in objects where !object.hasChanges { object.committed = nil }
                throw error
            }
            waiting[name] = nil
            for (object, row) in zip(objects, rows) {
                touched.append(object.objectID)
                merge(row, into: object)
            }
        }
        return touched
    }

    private func changedRows(_ content: ContextInbox.Content) -> [String: Set<RowID>] {
        guard content.isMissed else { return content.rows }
        var rows: [String: Set<RowID>] = [:]
        for row in registered.keys where inserted[row] == nil {
            rows[model.entities[row.entity].name, default: []].insert(row.key)
        }
        return rows
    }

    private func merge(_ row: [AttributeValue]?, into object: ManagedObject) {
        guard let row else {
            if object.hasChanges { object.isBehind = true } else { unregister(object) }
            return
        }
        guard let committed = object.committed else { return }
        guard !object.isDeleted else {
            object.isBehind = object.isBehind || committed != row
            return
        }
        if object.changes.keys.contains(where: { committed[$0] != row[$0] }) { object.isBehind = true }
        object.committed = row.enumerated().map { index, value in
            object.changes[index] == nil ? value : committed[index]
        }
    }

    /// Discards an object's values, so that they are read again.
    ///
    /// If its changes are kept, they are read immediately.
    ///
    /// - Parameters:
    ///   - object: The object; a new or deleted object is not refreshed.
    ///   - mergeChanges: Whether to keep its changes. If not, they are discarded and the object becomes a fault.
    /// - Throws: ``StoreError`` if the store cannot be read.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        guard object.managedObjectContext === self, !object.isInserted, !object.isDeleted else { return }
        object.members = [:]
        guard !object.isFault else { return }
        guard mergeChanges else {
            for (attribute, _) in object.changes {
                guard let value = object.committed?[attribute] else { continue }
                let old = try object.current(attribute)
                try carryOut(.value(object.row, attribute, old: old, new: value))
            }
            recorder.dropStraySteps()
            object.isBehind = false
            object.committed = nil
            notifyChildrenOfUnknownChanges()
            return
        }
        notifyChildrenOfUnknownChanges()
        merge(try rowsInParent(object.plan, [object.row.key])[0], into: object)
    }

    /// Turns all objects without changes into faults, so that their values are read again on access.
    public func refreshAllObjects() {
        merges.advance()
        for entry in registered.values {
            guard let object = entry.object, !object.hasChanges else { continue }
            object.committed = nil
        }
        notifyChildrenOfUnknownChanges()
    }

    /// Discards all unsaved changes, and the undo history.
    ///
    /// New objects no longer belong to a context afterwards.
    public func rollback() {
        for object in inserted.values {
            object.isInserted = false
            unregister(object)
        }
        for object in deleted.values { object.isDeleted = false }
        deletions.forgetEffects()
        for object in Array(deleted.values) + Array(updated.values) {
            object.changes = [:]
            catchUp(object)
        }
        deletions.forgetRemovedObjects()
        forgetChanges()
        undoHistory?.removeAllActions()
        notifyChildrenOfUnknownChanges()
    }

    /// Discards all objects, their changes and the undo history.
    ///
    /// The objects no longer belong to a context afterwards.
    public func reset() {
        rollback()
        for entry in registered.values {
            if let object = entry.object { object.managedObjectContext = nil }
        }
        registered = [:]
        merges.advance()
        notifyChildrenOfUnknownChanges()
    }
}
