internal import Stores

/// A writer for the changes of a context, to a transaction of the store or to a parent.
///
/// It first deletes pairs and rows, so that unique values become available. Then it updates rows and inserts new ones.
/// Finally it writes the references to new rows, whose identities are known only then.
struct SaveWriter {
    let context: ManagedObjectContext
    /// The identities assigned to new rows.
    private(set) var keys: [RowKey: Int64] = [:]
    /// The current values of written rows, by their current identity.
    private(set) var rows: [RowKey: [AttributeValue]] = [:]
    /// The objects whose changes were discarded.
    private(set) var dropped: Set<RowKey> = []
    var conflicts: [MergeConflict] = []
    /// The changed objects whose rows were deleted and are inserted again.
    private(set) var revived: Set<RowKey> = []
    /// The rows that new references refer to but that others have deleted.
    var lost: Set<RowKey> = []
    /// The consequent changes of references in rows that are not changed here, mostly references to deleted rows.
    var followed: [(row: RowKey, attribute: Int, value: AttributeValue)] = []
    /// The references of new rows that are written with other targets than their objects have.
    var amended: [RowKey: [Int: AttributeValue]] = [:]
    /// The rows whose deletion was reverted.
    private(set) var returned: Set<RowKey> = []
    /// The rows with a reverted deletion that others have changed.
    private var changedByOthers: Set<RowKey> = []
    /// The references to rows that have no identity yet.
    private var open: [(row: RowKey, attribute: Int, target: RowKey)] = []

    init(_ context: ManagedObjectContext) { self.context = context }

    mutating func run(_ target: any SaveTarget) throws {
        let changed = try revertDeletions(target)
        var updates = try mergedUpdates(target)
        conflicts += changed
        let deletions = context.deletedObjects
        try agree(&updates, deletions, target)
        try findLost(updates, target)
        try findCleared(deletions, updates, target)
        try findPairs(of: deletions, target)
        if context.mergePolicy == .error, !conflicts.isEmpty {
            throw MergeConflictError(conflicts: conflicts)
        }
        try writePairs(target, isAdded: false)
        try writeFollowed(target)
        try removePairs(of: deletions, target)
        for object in deletions { try target.delete(object.plan, object.row.key) }
        for update in updates { try write(update, target) }
        for object in context.insertedObjects { try insert(object, target) }
        try closeReferences(target)
        try writePairs(target, isAdded: true)
    }

    // MARK: - Merging

    struct Update {
        let object: ManagedObject
        /// The values of the row in the store.
        let stored: [AttributeValue]
        /// The values to write, by attribute.
        var values: [Int: AttributeValue]
    }

    private func stored(
        _ objects: [ManagedObject],
        _ target: any SaveTarget
    ) throws -> [RowKey: [AttributeValue]] {
        var found: [RowKey: [AttributeValue]] = [:]
        for (entity, objects) in Dictionary(grouping: objects, by: \.row.entity) {
            let keys = objects.map(\.row.key)
            let rows = try target.rows(of: context.model.entities[entity], keys)
            for (key, row) in zip(keys, rows) { found[RowKey(entity: entity, key: key)] = row }
        }
        return found
    }

    private mutating func mergedUpdates(_ target: any SaveTarget) throws -> [Update] {
        let objects = context.updatedObjects
        let stored = try stored(objects, target)
        var updates: [Update] = []
        for object in objects {
            let committed = object.committed ?? []
            guard let theirs = stored[object.row] else {
                conflicts.append(conflict(object, .deletedInStore))
                switch context.mergePolicy {
                case .error: break
                case .rollback, .mergeByPropertyStoreTrump: dropped.insert(object.row)
                case .mergeByPropertyObjectTrump, .overwrite:
                    revived.insert(object.row)
                    let values = try object.currentValues()
                    let all = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0, $1) })
                    updates.append(Update(object: object, stored: values, values: all))
                }
                continue
            }
            var update = Update(object: object, stored: theirs, values: object.changes)
            var hasConflict = changedByOthers.contains(object.row)
            for (attribute, ours) in object.changes.sorted(by: { $0.key < $1.key })
            where theirs[attribute] != committed[attribute] && theirs[attribute] != ours {
                hasConflict = true
                conflicts.append(conflict(object, .bothChanged, attribute, ours, theirs))
                if context.mergePolicy == .mergeByPropertyStoreTrump { update.values[attribute] = nil }
            }
            if hasConflict, context.mergePolicy == .rollback {
                dropped.insert(object.row)
                continue
            }
            if hasConflict, context.mergePolicy == .overwrite {
                for (attribute, value) in try object.currentValues().enumerated() {
                    update.values[attribute] = value
                }
            }
            updates.append(update)
        }
        return updates
    }

    /// Finds the objects deleted here that others have changed.
    ///
    /// If the policy discards the deletions, they are reverted with all their effects.
    private mutating func revertDeletions(_ target: any SaveTarget) throws -> [MergeConflict] {
        let objects = context.deletedObjects
        let stored = try stored(objects, target)
        let changed = objects.filter { object in
            guard let theirs = stored[object.row], let committed = object.committed else { return false }
            return theirs != committed
        }
        let found = changed.map { conflict($0, .deletedHere) }
        switch context.mergePolicy {
        case .error, .mergeByPropertyObjectTrump, .overwrite: break
        case .rollback, .mergeByPropertyStoreTrump:
            changedByOthers = Set(changed.map(\.row))
            returned = try context.revertDeletions(of: changed)
        }
        return found
    }

    func conflict(
        _ object: ManagedObject,
        _ kind: MergeConflict.Kind,
        _ attribute: Int? = nil,
        _ ours: AttributeValue = .null,
        _ theirs: [AttributeValue] = []
    ) -> MergeConflict {
        MergeConflict(
            objectID: object.objectID,
            kind: kind,
            attribute: attribute.map { object.entity.attributes[$0].name },
            original: attribute.flatMap { object.committed?[$0] } ?? .null,
            ours: ours,
            theirs: attribute.map { theirs[$0] } ?? .null
        )
    }

    // MARK: - Writing

    private mutating func write(_ update: Update, _ target: any SaveTarget) throws {
        let object = update.object
        var values: [Int: AttributeValue] = [:]
        var row = update.stored
        for (attribute, value) in update.values {
            values[attribute] = settled(value, attribute, of: object)
            row[attribute] = values[attribute] ?? .null
        }
        for reference in followed where reference.row == object.row {
            row[reference.attribute] = reference.value
        }
        rows[object.row] = row
        if revived.contains(object.row) {
            _ = try target.insert(object.plan, object.row.key, row)
        } else {
            try target.update(object.plan, object.row.key, values)
        }
    }

    private mutating func insert(_ object: ManagedObject, _ target: any SaveTarget) throws {
        let values = try object.currentValues().enumerated().map { attribute, value in
            settled(amended[object.row]?[attribute] ?? value, attribute, of: object)
        }
        let key = try target.insert(object.plan, object.row.key, values)
        if object.row.isTemporary { keys[object.row] = key }
        rows[RowKey(entity: object.row.entity, key: key)] = values
    }

    /// Returns the value to write now; references to rows without an identity are null now and written later.
    private mutating func settled(
        _ value: AttributeValue,
        _ attribute: Int,
        of object: ManagedObject
    ) -> AttributeValue {
        guard let relationship = object.plan.relationshipsByAttribute[attribute],
            let key = value.rowID
        else { return value }
        let target = RowKey(entity: object.plan.relationships[relationship].target, key: key)
        guard !context.existsInParent(target) else { return lost.contains(target) ? .null : value }
        if let known = keys[target] { return .integer(known) }
        open.append((object.row, attribute, target))
        return .null
    }

    private mutating func closeReferences(_ writing: any SaveTarget) throws {
        for (row, attribute, target) in open {
            // A reference to a new object that was deleted stays null.
            guard let key = keys[target] else { continue }
            let present = RowKey(entity: row.entity, key: keys[row] ?? row.key)
            try writing.update(
                context.model.entities[row.entity],
                present.key,
                [attribute: .integer(key)]
            )
            rows[present]?[attribute] = .integer(key)
        }
    }

    // MARK: - Pairs

    private func writePairs(_ target: any SaveTarget, isAdded: Bool) throws {
        let changes = context.links.pairs.filter { $0.value == isAdded }.keys.sorted {
            ($0.pairs, $0.first, $0.second) < ($1.pairs, $1.first, $1.second)
        }
        for pair in changes where !isAdded || !isLost(pair) {
            let ends = [pair.first, pair.second].enumerated().map { side, key in
                let row = RowKey(entity: context.model.pairEnds[pair.pairs][side], key: key)
                return keys[row] ?? (context.existsInParent(row) ? key : nil)
            }
            guard let first = ends[0], let second = ends[1] else { continue }
            try target.setPair(
                PairKey(pairs: pair.pairs, first: first, second: second),
                isAdded: isAdded
            )
        }
    }
}
