internal import Stores

// Services that a context provides to its children.
extension ManagedObjectContext {
    /// Receives the changes of a child as one step of the undo history.
    ///
    /// If the body throws, none of the changes are kept.
    func push(from child: ManagedObjectContext, _ body: () throws -> Void) throws {
        children.setPushing(child)
        defer { children.setPushing(nil) }
        try recording(body)
    }

    /// Notifies the children of the rows that a change affects.
    func notifyChildren(_ step: ContextChange) {
        guard !children.isEmpty else { return }
        var content = ContextInbox.Content()
        switch step {
        case .value(let row, _, _, _), .insertion(let row, _), .deletion(let row, _):
            content.rows[model.entities[row.entity].name] = [row.key]
        case .pair(let pair, _):
            for (side, entity) in model.pairEnds[pair.pairs].enumerated() {
                content.rows[model.entities[entity].name, default: []].insert(pair.end(side))
            }
        }
        notifyChildren(content)
    }

    /// Notifies the children that any row may have changed.
    func notifyChildrenOfUnknownChanges() {
        var content = ContextInbox.Content()
        content.isMissed = true
        notifyChildren(content)
    }

    private func notifyChildren(_ content: ContextInbox.Content) {
        for child in children.receivers { child.inbox.note(content) }
    }

    /// Replaces temporary identities with permanent ones, here and in the children, after the parent has saved.
    func rename(_ keys: [RowKey: Int64]) {
        guard !keys.isEmpty else { return }
        let renaming = KeyRenaming(keys: keys, model: model)
        var objects = registered.values.compactMap(\.object)
        objects += deletions.removedObjects.filter { $0.managedObjectContext == nil }
        for object in objects {
            let row = object.row
            if keys[row] != nil {
                registered[row] = nil
                object.row = renaming.renamed(row)
                registered[object.row] = object.managedObjectContext.map { _ in WeakObject(object: object) }
                // Its index in the window belongs to the temporary identity.
                object.window = nil
            }
            object.committed = object.committed.map { renaming.renamed($0, row.entity) }
            for (attribute, value) in object.changes {
                object.changes[attribute] = renaming.renamed(value, attribute, object.plan)
            }
            object.members = [:]
        }
        deletions.renameEffects(renaming)
        changed.updateRows()
        deletions.updateRows()
        links.rename(renaming)
        undoHistory?.rename(keys)
        var names: [String: [Int64: Int64]] = [:]
        for (row, key) in keys { names[model.entities[row.entity].name, default: [:]][row.key] = key }
        inbox.rename(names)
        merges.advance()
        for child in children.living { child.rename(keys) }
    }
}
