/// A row as a context reads it from what lies below it.
struct RowBelow {
    let key: Int64
    let values: [AttributeValue]
}

// What lies below a context: the store or, with all that is not saved there, its parent.
extension ManagedObjectContext {
    /// Whether a row may be there below: a saved one, or one that is new in a parent.
    func isBelow(_ row: RowKey) -> Bool {
        guard row.isTemporary else { return true }
        guard let parent else { return false }
        return parent.inserted[row] != nil || parent.isBelow(row)
    }

    /// The values of rows; `nil` for one that is not there.
    func rowsBelow(_ plan: EntityPlan, _ keys: [Int64]) throws -> [[AttributeValue]?] {
        guard let parent else {
            let rows = try container.store.read { try $0.rows(of: plan.name, ids: keys) }
            try check(rows, plan)
            return rows.map { $0?.values }
        }
        let known = keys.filter { parent.present(RowKey(entity: plan.number, key: $0)) != nil }
        // Together, so that the parent reads its faults together.
        let objects = parent.objects(plan.number, known, batchSize: known.count)
        var found: [Int64: [AttributeValue]] = [:]
        for object in objects where !object.isDeleted {
            found[object.row.key] = try parent.unlessGone { try object.currentValues() }
        }
        return keys.map { found[$0] }
    }

    /// The rows of a request.
    func fetchBelow(_ request: FetchRequest, _ plan: EntityPlan) throws -> [RowBelow] {
        if let parent {
            return try parent.fetch(request).map { RowBelow(key: $0.row.key, values: try $0.currentValues()) }
        }
        let rows = try container.store.read { try $0.fetch(request) }
        try check(rows, plan)
        return rows.map { RowBelow(key: $0.id, values: $0.values) }
    }

    /// The rows of a request by identity alone.
    func keysBelow(_ request: FetchRequest) throws -> [Int64] {
        if let parent { return try parent.fetch(request).map(\.row.key) }
        var keys: [Int64] = []
        try container.store.read { transaction in
            try transaction.scan(request, attributes: []) { id, _ in keys.append(id) }
        }
        return keys
    }

    /// How many rows a request has.
    func countBelow(_ request: FetchRequest) throws -> Int {
        if let parent { return try parent.count(for: request) }
        return try container.store.read { try $0.count(request) }
    }

    /// The rows that lead to a row by an attribute.
    func referrersBelow(_ entity: Int, _ attribute: Int, _ target: Int64) throws -> [Int64] {
        guard let parent else { return try storedReferrers(entity, attribute, target) }
        return try parent.presentReferrers(entity, attribute, target)
    }

    /// The rows that lead to a row by an attribute, as this context sees it.
    func presentReferrers(_ entity: Int, _ attribute: Int, _ target: Int64) throws -> [Int64] {
        referrers(try referrersBelow(entity, attribute, target), entity, attribute, target)
    }

    /// The rows that pairs join with a row.
    func partnersBelow(_ pairs: Int, _ near: Int, _ key: Int64) throws -> [Int64] {
        guard let parent else { return try storedPartners(pairs, near, key) }
        return try parent.presentPartners(pairs, near, key).sorted()
    }

    /// The rows that pairs join with a row, as this context sees it.
    func presentPartners(_ pairs: Int, _ near: Int, _ key: Int64) throws -> [Int64] {
        partners(try partnersBelow(pairs, near, key), PairSide(pairs: pairs, side: near, key: key))
    }
}
