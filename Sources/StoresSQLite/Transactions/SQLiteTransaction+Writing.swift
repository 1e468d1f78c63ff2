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

    /// Creates an entity; does nothing if an equal entity exists.
    func createEntity(_ entity: EntityDescription) throws {
        let recorder = try requireWritable()
        // Read again, because another process may have added it.
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
    /// If it fails, SQLite reverts its changes, and the recorded changes are discarded as well.
    ///
    /// - Parameters:
    ///   - statement: The statement with bound values.
    ///   - table: The table that it changes.
    ///   - recorder: The recorder of changes.
    ///   - id: The identity of the changed row; `nil` for a new one.
    ///   - values: The written values with their positions in the entity, for error messages.
    /// - Throws: ``StoreError``; the statement has changed nothing then.
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

    /// Returns the identity of the row that the last statement has inserted.
    ///
    /// - Throws: ``StoreError`` `denied` if it has inserted none: a trigger of the file can make SQLite skip a row
    ///   without an error.
    func insertedID(in table: EntityTable) throws -> RowID {
        guard sqlite3_changes(connection.handle) > 0 else { throw ignored("added to", table) }
        return sqlite3_last_insert_rowid(connection.handle)
    }

    /// Returns whether the last statement has changed or deleted a row; false if the row does not exist.
    ///
    /// - Throws: ``StoreError`` `denied` if the row exists but was not changed.
    func hasChanged(_ id: RowID, of table: EntityTable) throws -> Bool {
        if sqlite3_changes(connection.handle) > 0 { return true }
        guard try rows(of: table.entity.name, ids: [id]) == [nil] else { throw ignored("changed in", table) }
        return false
    }

    private func ignored(_ verb: String, _ table: EntityTable) -> StoreError {
        let problem =
            "a trigger of the file prevents a row from being \(verb) \(MessageText.quoted(table.entity.name))"
        return StoreError(.denied, "\(connection.place): \(problem)", forScripts: problem)
    }

    /// Returns the identity of the row that has a value of a unique attribute.
    func find(_ index: Int, _ value: AttributeValue, in table: EntityTable) throws -> RowID? {
        try connection.withStatement(table.findSQL(index)) { statement in
            try statement.bind(value, at: 1)
            return try statement.step() ? statement.integer(0) : nil
        }
    }

    /// Runs SQL of a test as part of the transaction, and records its changes.
    package func execute(_ sql: String) throws {
        let recorder = try requireWritable()
        try undoable(recorder) { try connection.execute(sql) }
    }

    private func checked(
        _ values: [String: AttributeValue],
        _ table: EntityTable
    ) throws -> [(offset: Int, element: AttributeValue)] {
        // In the order of attributes, so that the same names result in the same statement.
        try values
            .map { (offset: try table.index(of: $0.key), element: $0.value) }
            .sorted { $0.offset < $1.offset }
            .map { (offset: $0.offset, element: try table.entity.checkedValue($0.element, at: $0.offset)) }
    }

    // SQLite's message names a column, which may be any string; searching for the rows is more reliable than parsing
    // it.
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
