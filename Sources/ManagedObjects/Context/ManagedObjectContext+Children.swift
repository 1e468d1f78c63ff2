internal import Stores

/// A weak reference from a context to a child.
struct WeakContext {
    weak var context: ManagedObjectContext?
}

// Services that a context provides to its children.
extension ManagedObjectContext {
    /// Receives the changes of a child as one step of the undo history.
    ///
    /// If the body throws, none of the changes are kept.
    func push(from child: ManagedObjectContext, _ body: () throws -> Void) throws {
        pushing = child
        defer { pushing = nil }
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
        for child in children {
            guard let context = child.context, context !== pushing else { continue }
            context.inbox.note(content)
        }
    }

    /// Replaces temporary identities with permanent ones, here and in the children, after the parent has saved.
    func rename(_ keys: [RowKey: Int64]) {
        guard !keys.isEmpty else { return }
        let renaming = KeyRenaming(keys: keys, model: model)
        var objects = registered.values.compactMap(\.object)
        objects += removedObjects.values.filter { $0.managedObjectContext == nil }
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
        renameDepartures(renaming)
        updated = Self.byRow(updated)
        deleted = Self.byRow(deleted)
        removedObjects = Self.byRow(removedObjects)
        renameLinks(renaming)
        undoHistory?.rename(keys)
        var names: [String: [Int64: Int64]] = [:]
        for (row, key) in keys { names[model.entities[row.entity].name, default: [:]][row.key] = key }
        inbox.rename(names)
        generation += 1
        for child in children { child.context?.rename(keys) }
    }

    func renameDepartures(_ renaming: KeyRenaming) {
        pendingDeletions = Dictionary(
            uniqueKeysWithValues: pendingDeletions.map { row, departure in
                (renaming.renamed(row), departure.renamed(renaming, model.entities[row.entity]))
            }
        )
    }

    private static func byRow(_ objects: [RowKey: ManagedObject]) -> [RowKey: ManagedObject] {
        Dictionary(uniqueKeysWithValues: objects.values.map { ($0.row, $0) })
    }

    private func renameLinks(_ renaming: KeyRenaming) {
        func renamed(_ entity: Int, _ key: Int64) -> Int64 {
            renaming.renamed(RowKey(entity: entity, key: key)).key
        }
        func renamed(_ members: MemberChanges, _ entity: Int) -> MemberChanges {
            MemberChanges(
                added: Set(members.added.map { renamed(entity, $0) }),
                removed: Set(members.removed.map { renamed(entity, $0) })
            )
        }
        references = Dictionary(
            uniqueKeysWithValues: references.map { key, members in
                let plan = model.entities[key.entity]
                let target = plan.relationshipsByAttribute[key.attribute].map {
                    plan.relationships[$0].target
                }
                let place = ReferenceKey(
                    entity: key.entity,
                    attribute: key.attribute,
                    target: renamed(target ?? key.entity, key.target)
                )
                return (place, renamed(members, key.entity))
            }
        )
        pairChanges = Dictionary(
            uniqueKeysWithValues: pairChanges.map { (renaming.renamed($0.key), $0.value) }
        )
        pairSides = Dictionary(
            uniqueKeysWithValues: pairSides.map { side, members in
                let ends = model.pairEnds[side.pairs]
                let place = PairSide(
                    pairs: side.pairs,
                    side: side.side,
                    key: renamed(ends[side.side], side.key)
                )
                return (place, renamed(members, ends[1 - side.side]))
            }
        )
    }
}
