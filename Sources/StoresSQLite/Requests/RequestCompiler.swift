internal import Stores

/// A compiler from a request to SQL: names are resolved in the entity and quoted, values are bound.
struct RequestCompiler {
    let table: EntityTable
    let request: FetchRequest
    private let predicates: PredicateCompiler

    init(table: EntityTable, request: FetchRequest, schema: StoreSchema) {
        self.table = table
        self.request = request
        predicates = PredicateCompiler(table: table, schema: schema)
    }

    /// Returns the SQL expression for the value of a key, and its type.
    func column(_ key: String) throws -> (sql: String, type: AttributeType) {
        let operand = try predicates.operand(key)
        return (operand.sql, operand.type)
    }

    /// Returns a query for the row's identity and columns, in the order of the request.
    func rows(columns: [String]) throws -> SQLFragment {
        var query = try selection(
            (["\(table.name).\(EntityTable.idColumn)"] + columns).joined(separator: ", ")
        )
        query.append(try order())
        query.append(try bounds())
        return query
    }

    /// Returns a query for the number of rows.
    func count() throws -> SQLFragment {
        // The order does not matter here, but its errors should be the same for all methods.
        _ = try order()
        guard request.fetchLimit != nil || request.fetchOffset != 0 else { return try selection("count(*)") }
        var query = SQLFragment("SELECT count(*) FROM (")
        query.append(try selection("1"))
        query.append(try bounds())
        query.text += ")"
        return query
    }

    private func selection(_ columns: String) throws -> SQLFragment {
        for key in request.sectionKeys { _ = try column(key) }
        var query = SQLFragment("SELECT \(columns) FROM \(table.name)")
        if let predicate = request.predicate {
            query.text += " WHERE "
            query.append(try predicates.compile(predicate))
        }
        return query
    }

    // SQLite sorts null first when ascending and last when descending, which is the order of this package.
    private func order() throws -> SQLFragment {
        var terms = try request.sortDescriptors.map { descriptor in
            try column(descriptor.key).sql + (descriptor.ascending ? "" : " DESC")
        }
        terms.append("\(table.name).\(EntityTable.idColumn)")
        return SQLFragment(" ORDER BY " + terms.joined(separator: ", "))
    }

    private func bounds() throws -> SQLFragment {
        let limit = request.fetchLimit ?? -1
        guard request.fetchLimit ?? 0 >= 0, request.fetchOffset >= 0 else {
            throw StoreError(
                .invalidRequest,
                "a request for \(MessageText.quoted(request.entityName)) has fetch limit \(limit) and "
                    + "offset \(request.fetchOffset); neither may be negative"
            )
        }
        guard request.fetchLimit != nil || request.fetchOffset > 0 else { return SQLFragment("") }
        return SQLFragment(
            " LIMIT ? OFFSET ?",
            [.value(.integer(Int64(limit))), .value(.integer(Int64(request.fetchOffset)))]
        )
    }
}
