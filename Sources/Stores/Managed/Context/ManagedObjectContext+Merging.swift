extension ManagedObjectContext {
    /// What is called when others have saved something, on the thread that did: the place to schedule
    /// ``mergeChanges()``.
    ///
    /// It is called once, and again only after the changes were taken in.
    public var changesPending: (@Sendable () -> Void)? {
        get { inbox.handler }
        set { inbox.handler = newValue }
    }

    /// Takes in what others have saved: objects without changes get their new values, others those of the
    /// attributes that are not changed here, so that ``save()`` still finds what both have changed.
    ///
    /// Objects without changes whose rows are gone belong to no context afterwards. Where it is not known what
    /// others have changed (``TransactionChanges/missedHistory``), the rows of all objects that are here are
    /// read.
    ///
    /// - Returns: The identities of the objects that were refreshed or let go.
    /// - Throws: ``StoreError`` where the store cannot be read; what was not taken in is taken in next time.
    @discardableResult
    public func mergeChanges() throws -> [ManagedObjectID] {
        if let parent, parent.automaticallyMergesChanges { try parent.mergeChanges() }
        guard !inbox.isEmpty else { return [] }
        let content = inbox.take()
        for child in children { child.context?.inbox.note(content) }
        var waiting = changedRows(content)
        defer { inbox.putBack(waiting) }
        generation += 1
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
                rows = try rowsBelow(plan, objects.map(\.row.key))
            } catch {
                // A fault is always right: it is read when it is asked for.
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

    /// Has an object read its values anew when they are asked for, or at once if its changes are to stay.
    ///
    /// - Parameters:
    ///   - object: The object; a new one stays as it is.
    ///   - mergeChanges: Whether its changes stay; else they are dropped, and it becomes a fault.
    /// - Throws: ``StoreError`` where the store cannot be read.
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
            steps = recordingDepth == 0 ? [] : steps
            object.isBehind = false
            object.committed = nil
            tellChildrenOfAnything()
            return
        }
        tellChildrenOfAnything()
        merge(try rowsBelow(object.plan, [object.row.key])[0], into: object)
    }

    /// Has all objects without changes read their values anew when they are asked for.
    public func refreshAllObjects() {
        generation += 1
        for entry in registered.values {
            guard let object = entry.object, !object.hasChanges else { continue }
            object.committed = nil
        }
        tellChildrenOfAnything()
    }

    /// Drops all changes that are not saved, and the undo history with them.
    ///
    /// New objects belong to no context afterwards.
    public func rollback() {
        for object in inserted.values {
            object.isInserted = false
            unregister(object)
        }
        for object in deleted.values { object.isDeleted = false }
        departures = [:]
        for object in Array(deleted.values) + Array(updated.values) {
            object.changes = [:]
            catchUp(object)
        }
        departed = [:]
        forgetChanges()
        undoHistory?.removeAllActions()
        tellChildrenOfAnything()
    }

    /// Forgets all objects, their changes and the undo history: they belong to no context afterwards.
    public func reset() {
        rollback()
        for entry in registered.values {
            if let object = entry.object { object.managedObjectContext = nil }
        }
        registered = [:]
        generation += 1
        tellChildrenOfAnything()
    }
}
