internal import CSQLite
internal import Stores

extension SQLiteTransaction: WriteTransaction {
    func insert(into entityName: String, _ values: [String: AttributeValue]) throws -> RowID {
        let (table, recorder) = try writable(entityName)
        var row = [AttributeValue](repeating: .null, count: table.types.count)
        for (attribute, value) in values { row[try table.index(of: attribute)] = value }
        for index in row.indices { row[index] = try table.entity.checkedValue(row[index], at: index) }
        return try connection.withStatement(table.insertSQL) { statement in
            for (index, value) in row.enumerated() { try statement.bind(value, at: index + 1) }
            try change(statement, of: table, recorder, id: nil, Array(row.enumerated()))
            return try insertedID(in: table)
        }
    }

    func insert(into entityName: String, id: RowID, _ values: [String: AttributeValue]) throws {
        let (table, recorder) = try writable(entityName)
        guard id > 0 else {
            throw StoreError(.invalidRequest, "the identity of a row is a positive number, not \(id)")
        }
        var row = [AttributeValue](repeating: .null, count: table.types.count)
        for (attribute, value) in values { row[try table.index(of: attribute)] = value }
        for index in row.indices { row[index] = try table.entity.checkedValue(row[index], at: index) }
        guard try rows(of: entityName, ids: [id]) == [nil] else {
            throw StoreError(
                .notUnique,
                "\(MessageText.quoted(entityName)) has a row with the identity \(id) already"
            )
        }
        try connection.withStatement(table.insertWithIDSQL) { statement in
            try statement.bind(.integer(id), at: 1)
            for (index, value) in row.enumerated() { try statement.bind(value, at: index + 2) }
            try change(statement, of: table, recorder, id: nil, Array(row.enumerated()))
            _ = try insertedID(in: table)
        }
    }

    func update(_ entityName: String, id: RowID, _ values: [String: AttributeValue]) throws -> Bool {
        let (table, recorder) = try writable(entityName)
        let new = try checked(values, table)
        guard !new.isEmpty else { return try rows(of: entityName, ids: [id]) != [nil] }
        return try connection.withStatement(table.updateSQL(new.map(\.offset))) { statement in
            for (position, value) in new.enumerated() { try statement.bind(value.element, at: position + 1) }
            try statement.bind(.integer(id), at: new.count + 1)
            try change(statement, of: table, recorder, id: id, new)
            return try hasChanged(id, of: table)
        }
    }

    func delete(from entityName: String, id: RowID) throws -> Bool {
        let (table, recorder) = try writable(entityName)
        return try connection.withStatement(table.deleteSQL) { statement in
            try statement.bind(.integer(id), at: 1)
            try change(statement, of: table, recorder, id: id, [])
            return try hasChanged(id, of: table)
        }
    }

    func upsert(
        into entityName: String,
        by uniqueAttribute: String,
        _ values: [String: AttributeValue]
    ) throws -> RowID {
        let (table, _) = try writable(entityName)
        let index = try table.entity.requiredKey(uniqueAttribute)
        let key = try table.entity.checkedKey(values[uniqueAttribute] ?? .null, at: index)
        guard let id = try find(index, key, in: table) else { return try insert(into: entityName, values) }
        _ = try update(entityName, id: id, values)
        return id
    }

    func makeLoader(for entityName: String, attributes: [String], key: String?) throws -> any RowLoader {
        let (table, _) = try writable(entityName)
        return try SQLiteRowLoader(self, table, attributes, key: key)
    }

    // MARK: - Steps

    /// Adds an entity, or changes nothing where one of the same shape is there.
    func createEntity(_ entity: EntityDescription) throws {
        let recorder = try requireWritable()
        // Read anew, since another process may have added it.
        schema = try StoreSchema(from: connection)
        if let table = schema.tables[entity.name] {
            guard table.entity == entity else {
                throw StoreError(
                    .schema,
                    "the store has an entity \(MessageText.quoted(entity.name)) of another shape"
                )
            }
        } else {
            try schema.add(entity, in: connection)
        }
        recorder.watch(schema)
    }

    /// Runs a statement that changes rows.
    ///
    /// One that fails half-way is undone by SQLite, so what was recorded of it is forgotten as well.
    ///
    /// - Parameters:
    ///   - statement: The statement, its values bound.
    ///   - table: The table that it changes.
    ///   - recorder: The record of changes.
    ///   - id: The row that it changes; `nil` for a new one.
    ///   - values: The values that it writes, with their positions in the entity: what an error names.
    /// - Throws: ``StoreError``; nothing of the statement has happened then.
    func change(
        _ statement: SQLiteStatement,
        of table: EntityTable,
        _ recorder: ChangeRecorder,
        id: RowID?,
        _ values: [(offset: Int, element: AttributeValue)]
    ) throws {
        do {
            try undoable(recorder) { while try statement.step() {} }
        } catch let error as StoreError where error.code == .notUnique {
            statement.reset()
            throw try notUnique(table, id, values) ?? error
        }
    }

    /// The identity of the row that the last statement has added.
    ///
    /// - Throws: ``StoreError`` `denied` where it has added none: a trigger of the file can make SQLite leave a row out
    ///   without an error.
    func insertedID(in table: EntityTable) throws -> RowID {
        guard sqlite3_changes(connection.handle) > 0 else { throw ignored("added to", table) }
        return sqlite3_last_insert_rowid(connection.handle)
    }

    /// Whether the last statement has changed or deleted a row, which it has not if there is none.
    ///
    /// - Throws: ``StoreError`` `denied` where the row is there and stays as it is.
    func hasChanged(_ id: RowID, of table: EntityTable) throws -> Bool {
        if sqlite3_changes(connection.handle) > 0 { return true }
        guard try rows(of: table.entity.name, ids: [id]) == [nil] else { throw ignored("changed in", table) }
        return false
    }

    private func ignored(_ verb: String, _ table: EntityTable) -> StoreError {
        let problem =
            "a trigger of the file keeps a row from being \(verb) \(MessageText.quoted(table.entity.name))"
        return StoreError(.denied, "\(connection.place): \(problem)", forScripts: problem)
    }

    /// The identity of the row that has a value of a unique attribute.
    func find(_ index: Int, _ value: AttributeValue, in table: EntityTable) throws -> RowID? {
        try connection.withStatement(table.findSQL(index)) { statement in
            try statement.bind(value, at: 1)
            return try statement.step() ? statement.integer(0) : nil
        }
    }

    /// Runs SQL of a test's own as part of the transaction, with the same record of its changes.
    package func execute(_ sql: String) throws {
        let recorder = try requireWritable()
        try undoable(recorder) { try connection.execute(sql) }
    }

    private func checked(
        _ values: [String: AttributeValue],
        _ table: EntityTable
    ) throws -> [(offset: Int, element: AttributeValue)] {
        // In the order of attributes, so that the same names give the same statement.
        try values
            .map { (offset: try table.index(of: $0.key), element: $0.value) }
            .sorted { $0.offset < $1.offset }
            .map { (offset: $0.offset, element: try table.entity.checkedValue($0.element, at: $0.offset)) }
    }

    // SQLite names a column, which may be any text; asking for the rows is surer than reading its sentence.
    private func notUnique(
        _ table: EntityTable,
        _ id: RowID?,
        _ values: [(offset: Int, element: AttributeValue)]
    ) throws -> StoreError? {
        for (index, value) in values where table.entity.attributes[index].isUnique && !value.isNull {
            guard let other = try find(index, value, in: table), other != id else { continue }
            return StoreError(
                .notUnique,
                "\(table.entity.place(index)) must be unique, and another row has \(value.kindAndText) already"
            )
        }
        return nil
    }
}
