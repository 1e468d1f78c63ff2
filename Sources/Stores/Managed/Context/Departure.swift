/// What the deletion of an object has brought along, until it is saved.
struct Departure {
    /// What its relationships that deny led to by pairs, by name.
    var denied: [String: [Int64]] = [:]
    /// The objects that its relationships that cascade have taken along.
    var taken: [ManagedObject] = []
    /// What was done: the deletion itself, and what led to the object.
    var steps: [ContextChange] = []

    /// The same with permanent identities where temporary ones were.
    func renamed(_ renaming: KeyRenaming, _ plan: EntityPlan) -> Departure {
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
    /// Takes deletions back that are not saved, with all that they have brought along: what a cascade took comes back, and
    /// what led to the objects leads there again, unless it was made to lead elsewhere since.
    ///
    /// - Returns: The rows that are not deleted any more.
    func takeBackDeletions(of objects: [ManagedObject]) throws -> Set<RowKey> {
        var back: [(object: ManagedObject, departure: Departure)] = []
        var rows: Set<RowKey> = []
        var waiting = objects
        while let object = waiting.popLast() {
            guard object.isDeleted || object.managedObjectContext == nil,
                rows.insert(object.row).inserted
            else { continue }
            let departure = departures[object.row] ?? Departure()
            back.append((object, departure))
            waiting += departure.taken
        }
        // First all of them, so that nothing leads to what is not there yet.
        for (object, departure) in back {
            if !object.isDeleted { departed[object.row] = object }
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

    /// Whether a step has made something lead nowhere that still does, and could lead there again.
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
        deleted[row] == nil && (inserted[row] != nil || isBelow(row))
    }
}
