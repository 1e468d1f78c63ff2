internal import Stores

/// The effects of an unsaved deletion.
struct PendingDeletion {
    /// The rows that the pairs of its `deny` relationships referred to, by relationship name.
    var denied: [String: [Int64]] = [:]
    /// The objects that its `cascade` relationships deleted as well.
    var taken: [ManagedObject] = []
    /// The deletion itself, and the changes to objects that referred to the deleted object.
    var steps: [ContextChange] = []

    /// Returns a copy with permanent identities in place of temporary ones.
    func renamed(_ renaming: KeyRenaming, _ plan: EntityPlan) -> PendingDeletion {
        var departure = self
        departure.steps = steps.map { renaming.renamed($0) }
        for relationship in plan.relationships {
            let name = relationship.description.name
            departure.denied[name] = denied[name]?.map {
                renaming.renamed(RowKey(entity: relationship.target, key: $0)).key
            }
        }
        return departure
    }
}

extension ManagedObjectContext {
    /// Reverts unsaved deletions with all their effects.
    ///
    /// Objects deleted by a cascade return. References to the objects are restored, unless they were changed to refer
    /// elsewhere since.
    ///
    /// - Returns: The rows that are no longer deleted.
    func revertDeletions(of objects: [ManagedObject]) throws -> Set<RowKey> {
        var back: [(object: ManagedObject, departure: PendingDeletion)] = []
        var rows: Set<RowKey> = []
        var waiting = objects
        while let object = waiting.popLast() {
            guard object.isDeleted || object.managedObjectContext == nil,
                rows.insert(object.row).inserted
            else { continue }
            let departure = deletions.effects(of: object.row) ?? PendingDeletion()
            back.append((object, departure))
            waiting += departure.taken
        }
        // Restores all objects first, so that no reference is restored before its target.
        for (object, departure) in back {
            if !object.isDeleted { deletions.keep(object) }
            for case .deletion(let row, let values) in departure.steps {
                try carryOut(.insertion(row, values))
            }
            if object.isDeleted { try carryOut(.insertion(object.row, [])) }
        }
        for (_, departure) in back {
            for step in departure.steps.reversed() where try isAsLeft(by: step) {
                try carryOut(step.inverse)
            }
        }
        return rows
    }

    /// Returns whether the reference that a step removed is still missing and its target is available.
    private func isAsLeft(by step: ContextChange) throws -> Bool {
        switch step {
        case .insertion, .deletion, .pair(_, isAdded: true): return false
        case .pair(let pair, isAdded: false):
            let ends = model.pairEnds[pair.pairs]
            return canBeLedTo(RowKey(entity: ends[0], key: pair.first))
                && canBeLedTo(RowKey(entity: ends[1], key: pair.second))
        case .value(let row, let attribute, let old, let new):
            guard let object = present(row), !object.isDeleted,
                let relationship = object.plan.relationshipsByAttribute[attribute], let key = old.rowID,
                canBeLedTo(RowKey(entity: object.plan.relationships[relationship].target, key: key))
            else { return false }
            return try unlessGone { try object.current(attribute) } == new
        }
    }

    private func canBeLedTo(_ row: RowKey) -> Bool {
        deleted[row] == nil && (inserted[row] != nil || existsInParent(row))
    }
}
