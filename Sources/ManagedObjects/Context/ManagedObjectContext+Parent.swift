internal import Stores

/// A row as a context reads it from its parent or from the store.
struct ParentRow {
    let key: Int64
    let values: [AttributeValue]
}

// Reading from the level below a context: its parent, including the parent's unsaved changes, or the store.
extension ManagedObjectContext {
    /// Returns whether a row may exist below: it is saved, or it is new in a parent.
    func existsInParent(_ row: RowKey) -> Bool {
        guard row.isTemporary else { return true }
        guard let parent else { return false }
        return parent.inserted[row] != nil || parent.existsInParent(row)
    }

    /// Returns the values of rows; `nil` for a row that does not exist.
    func rowsInParent(_ plan: EntityPlan, _ keys: [Int64]) throws -> [[AttributeValue]?] {
        guard let parent else {
            let rows = try container.store.read { try $0.rows(of: plan.name, ids: keys) }
            try check(rows, plan)
            return rows.map { $0?.values }
        }
        let known = keys.filter { parent.present(RowKey(entity: plan.number, key: $0)) != nil }
        // Reads the objects together, so that the parent fires its faults in one batch.
        let objects = parent.objects(plan.number, known, batchSize: known.count)
        var found: [Int64: [AttributeValue]] = [:]
        for object in objects where !object.isDeleted {
            found[object.row.key] = try parent.unlessGone { try object.currentValues() }
        }
        return keys.map { found[$0] }
    }

    /// Returns the rows of a request.
    func fetchFromParent(_ request: FetchRequest, _ plan: EntityPlan) throws -> [ParentRow] {
        if let parent {
            return try parent.fetch(request).map {
                ParentRow(key: $0.row.key, values: try $0.currentValues())
            }
        }
        let rows = try container.store.read { try $0.fetch(request) }
        try check(rows, plan)
        return rows.map { ParentRow(key: $0.id, values: $0.values) }
    }

    /// Returns the identities of a request's rows.
    func keysInParent(_ request: FetchRequest) throws -> [Int64] {
        if let parent { return try parent.fetch(request).map(\.row.key) }
        var keys: [Int64] = []
        try container.store.read { transaction in
            try transaction.scan(request, attributes: []) { id, _ in keys.append(id) }
        }
        return keys
    }

    /// Returns the number of a request's rows.
    func countInParent(_ request: FetchRequest) throws -> Int {
        if let parent { return try parent.count(for: request) }
        return try container.store.read { try $0.count(request) }
    }

    /// Returns the rows that refer to a row by an attribute.
    func referrersInParent(_ entity: Int, _ attribute: Int, _ target: Int64) throws -> [Int64] {
        guard let parent else { return try storedReferrers(entity, attribute, target) }
        return try parent.presentReferrers(entity, attribute, target)
    }

    /// Returns the rows that refer to a row by an attribute, including this context's unsaved changes.
    func presentReferrers(_ entity: Int, _ attribute: Int, _ target: Int64) throws -> [Int64] {
        referrers(try referrersInParent(entity, attribute, target), entity, attribute, target)
    }

    /// Returns the rows that pairs join with a row.
    func relatedRowsInParent(_ pairs: Int, _ near: Int, _ key: Int64) throws -> [Int64] {
        guard let parent else { return try storedRelatedRows(pairs, near, key) }
        return try parent.presentRelatedRows(pairs, near, key).sorted()
    }

    /// Returns the rows that pairs join with a row, including this context's unsaved changes.
    func presentRelatedRows(_ pairs: Int, _ near: Int, _ key: Int64) throws -> [Int64] {
        partners(try relatedRowsInParent(pairs, near, key), PairSide(pairs: pairs, side: near, key: key))
    }
}
