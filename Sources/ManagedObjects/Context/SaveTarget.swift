internal import Stores

/// A target for the changes of a save: a transaction of the store, or a parent context.
protocol SaveTarget {
    /// Returns the values of rows; `nil` for a row that does not exist.
    func rows(of plan: EntityPlan, _ keys: [Int64]) throws -> [[AttributeValue]?]
    /// Returns those rows of some that exist.
    func present(_ plan: EntityPlan, _ keys: [Int64]) throws -> Set<Int64>
    /// Returns the rows that refer to some rows by an attribute, with their targets.
    func referrers(
        _ plan: EntityPlan,
        _ attribute: Int,
        to targets: [Int64]
    ) throws -> [(key: Int64, target: Int64)]

    /// Returns the rows that pairs join with some rows at one side.
    func partners(_ pairs: Int, _ side: Int, of keys: [Int64]) throws -> [(key: Int64, other: Int64)]

    /// Inserts a row, and returns its final identity.
    func insert(_ plan: EntityPlan, _ key: Int64, _ values: [AttributeValue]) throws -> Int64
    /// Updates a row.
    func update(_ plan: EntityPlan, _ key: Int64, _ values: [Int: AttributeValue]) throws
    /// Deletes a row.
    func delete(_ plan: EntityPlan, _ key: Int64) throws
    /// Adds or removes a pair; does nothing if the pair is already in that state.
    func setPair(_ pair: PairKey, isAdded: Bool) throws
    /// Removes all pairs that have some rows at one side.
    func removePairs(_ pairs: Int, _ side: Int, of keys: [Int64]) throws
}

/// A save target that writes to the store.
struct StoreTarget: SaveTarget {
    private let context: ManagedObjectContext
    private let transaction: any WriteTransaction

    init(_ context: ManagedObjectContext, _ transaction: any WriteTransaction) {
        self.context = context
        self.transaction = transaction
    }

    func rows(of plan: EntityPlan, _ keys: [Int64]) throws -> [[AttributeValue]?] {
        let rows = try transaction.rows(of: plan.name, ids: keys)
        try context.check(rows, plan)
        return rows.map { $0?.values }
    }

    func present(_ plan: EntityPlan, _ keys: [Int64]) throws -> Set<Int64> {
        var found: Set<Int64> = []
        let request = FetchRequest(entityName: plan.name, predicate: .idIsIn(keys))
        try transaction.scan(request, attributes: []) { id, _ in found.insert(id) }
        return found
    }

    func referrers(
        _ plan: EntityPlan,
        _ attribute: Int,
        to targets: [Int64]
    ) throws -> [(key: Int64, target: Int64)] {
        let name = plan.entity.attributes[attribute].name
        let request = FetchRequest(
            entityName: plan.name,
            predicate: .isIn(name, targets.map { .integer($0) })
        )
        var found: [(key: Int64, target: Int64)] = []
        try transaction.scan(request, attributes: [name]) { id, values in
            if let target = values[0].rowID { found.append((id, target)) }
        }
        return found
    }

    func partners(_ pairs: Int, _ side: Int, of keys: [Int64]) throws -> [(key: Int64, other: Int64)] {
        let description = context.model.pairs[pairs]
        let names = [side, 1 - side].map { description.attributes[$0].name }
        let request = FetchRequest(
            entityName: description.name,
            predicate: .isIn(names[0], keys.map { .integer($0) })
        )
        var found: [(key: Int64, other: Int64)] = []
        try transaction.scan(request, attributes: names) { _, values in
            if let key = values[0].rowID, let other = values[1].rowID { found.append((key, other)) }
        }
        return found
    }

    func insert(_ plan: EntityPlan, _ key: Int64, _ values: [AttributeValue]) throws -> Int64 {
        let named = Dictionary(uniqueKeysWithValues: zip(plan.entity.attributes.map(\.name), values))
        guard key > 0 else { return try transaction.insert(into: plan.name, named) }
        try transaction.insert(into: plan.name, id: key, named)
        return key
    }

    func update(_ plan: EntityPlan, _ key: Int64, _ values: [Int: AttributeValue]) throws {
        guard !values.isEmpty else { return }
        let named = values.map { (plan.entity.attributes[$0].name, $1) }
        try transaction.update(plan.name, id: key, Dictionary(uniqueKeysWithValues: named))
    }

    func delete(_ plan: EntityPlan, _ key: Int64) throws { try transaction.delete(from: plan.name, id: key) }

    func setPair(_ pair: PairKey, isAdded: Bool) throws {
        let name = context.model.pairs[pair.pairs].name
        let values: [String: AttributeValue] = [
            "first": .integer(pair.first), "second": .integer(pair.second),
        ]
        let same = FetchRequest(
            entityName: name,
            predicate: .and([
                .compare("first", .equal, .integer(pair.first)),
                .compare("second", .equal, .integer(pair.second)),
            ])
        )
        let present = try transaction.fetch(same)
        if isAdded {
            // Others may have added the same pair.
            if present.isEmpty { try transaction.insert(into: name, values) }
        } else {
            for row in present { try transaction.delete(from: name, id: row.id) }
        }
    }

    func removePairs(_ pairs: Int, _ side: Int, of keys: [Int64]) throws {
        let description = context.model.pairs[pairs]
        let request = FetchRequest(
            entityName: description.name,
            predicate: .isIn(description.attributes[side].name, keys.map { .integer($0) })
        )
        var rest: [RowID] = []
        try transaction.scan(request, attributes: []) { id, _ in rest.append(id) }
        for id in rest { try transaction.delete(from: description.name, id: id) }
    }
}

/// A save target that pushes to a parent.
///
/// The child has already applied all consequences of its changes, so each is a separate step here.
struct ParentTarget: SaveTarget {
    private let parent: ManagedObjectContext

    init(_ parent: ManagedObjectContext) { self.parent = parent }

    /// Returns the object of a row with its values read; `nil` if it does not exist.
    private func object(_ plan: EntityPlan, _ key: Int64) throws -> ManagedObject? {
        guard let object = parent.present(RowKey(entity: plan.number, key: key)), !object.isDeleted else {
            return nil
        }
        return try parent.unlessGone { try object.readCommitted() } == nil ? nil : object
    }

    func rows(of plan: EntityPlan, _ keys: [Int64]) throws -> [[AttributeValue]?] {
        try keys.map { try object(plan, $0)?.currentValues() }
    }

    func present(_ plan: EntityPlan, _ keys: [Int64]) throws -> Set<Int64> {
        Set(try keys.filter { try object(plan, $0) != nil })
    }

    func referrers(
        _ plan: EntityPlan,
        _ attribute: Int,
        to targets: [Int64]
    ) throws -> [(key: Int64, target: Int64)] {
        try targets.flatMap { target in
            try parent.presentReferrers(plan.number, attribute, target).map { ($0, target) }
        }
    }

    func partners(_ pairs: Int, _ side: Int, of keys: [Int64]) throws -> [(key: Int64, other: Int64)] {
        try keys.flatMap { key in try parent.presentRelatedRows(pairs, side, key).map { (key, $0) } }
    }

    func insert(_ plan: EntityPlan, _ key: Int64, _ values: [AttributeValue]) throws -> Int64 {
        let row = RowKey(entity: plan.number, key: key)
        try parent.carryOut(.insertion(row, values))
        // A row whose deletion is unsaved in the parent returns with its former values, which are overwritten here.
        try update(plan, key, Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0, $1) }))
        return key
    }

    func update(_ plan: EntityPlan, _ key: Int64, _ values: [Int: AttributeValue]) throws {
        guard let object = try object(plan, key) else { return }
        for (attribute, value) in values.sorted(by: { $0.key < $1.key }) {
            try parent.assign(value, at: attribute, of: object)
        }
    }

    func delete(_ plan: EntityPlan, _ key: Int64) throws {
        guard try object(plan, key) != nil else { return }
        try parent.carryOut(.deletion(RowKey(entity: plan.number, key: key), []))
    }

    func setPair(_ pair: PairKey, isAdded: Bool) throws {
        let isThere = try parent.presentRelatedRows(pair.pairs, 0, pair.first).contains(pair.second)
        if isThere != isAdded { try parent.carryOut(.pair(pair, isAdded: isAdded)) }
    }

    func removePairs(_ pairs: Int, _ side: Int, of keys: [Int64]) throws {
        for key in keys {
            for other in try parent.presentRelatedRows(pairs, side, key) {
                let pair = PairKey(
                    pairs: pairs,
                    first: side == 0 ? key : other,
                    second: side == 0 ? other : key
                )
                try parent.carryOut(.pair(pair, isAdded: false))
            }
        }
    }
}
