internal import Stores

/// A loader that writes rows by position.
///
/// It prepares three statements once, and does not write unchanged rows.
final class SQLiteRowLoader: RowLoader {
    private let transaction: SQLiteTransaction
    private let table: EntityTable
    /// The attributes' positions in the entity, in the order of the values.
    private let indices: [Int]
    /// The position of the key in the values, and the statement that finds its row with the current values.
    private let key: (position: Int, find: SQLiteStatement)?
    private let insertion: SQLiteStatement
    private let update: SQLiteStatement

    init(_ transaction: SQLiteTransaction, _ table: EntityTable, _ attributes: [String], key: String?) throws
    {
        self.transaction = transaction
        self.table = table
        indices = try attributes.map { try table.index(of: $0) }
        guard !indices.isEmpty, Set(indices).count == indices.count else {
            throw StoreError(.invalidRequest, "a loader needs one or more attributes without duplicates")
        }
        let columns = indices.map { table.columns[$0] }.joined(separator: ", ")
        let marks = indices.map { _ in "?" }.joined(separator: ", ")
        let connection = transaction.connection
        insertion = try connection.takeStatement(
            "INSERT INTO \(table.name) (\(columns)) VALUES (\(marks))"
        )
        update = try connection.takeStatement(table.updateSQL(indices))
        guard let key else {
            self.key = nil
            return
        }
        let keyIndex = try table.entity.requiredKey(key)
        guard let position = indices.firstIndex(of: keyIndex) else {
            throw StoreError(
                .invalidRequest,
                "the key \(table.entity.place(keyIndex)) is not among the values"
            )
        }
        let sql =
            "SELECT \(EntityTable.idColumn), \(columns) FROM \(table.name) "
            + "WHERE \(table.columns[keyIndex]) = ?"
        self.key = (position, try connection.takeStatement(sql))
    }

    func put(_ values: [AttributeValue]) throws -> (id: RowID, outcome: RowOutcome) {
        let recorder = try transaction.requireWritable()
        guard values.count == indices.count else {
            throw StoreError(.invalidValue, "\(values.count) values for \(indices.count) attributes")
        }
        let row = try zip(indices, values).map { index, value in
            (offset: index, element: try table.entity.checkedValue(value, at: index))
        }
        guard let key else { return (try insert(row, recorder), .inserted) }
        let keyValue = try table.entity.checkedKey(row[key.position].element, at: row[key.position].offset)
        guard let (id, isSame) = try find(keyValue, row, key.find) else {
            return (try insert(row, recorder), .inserted)
        }
        if isSame { return (id, .unchanged) }
        try bind(row, to: update)
        try update.bind(.integer(id), at: row.count + 1)
        try transaction.change(update, of: table, recorder, id: id, row)
        _ = try transaction.hasChanged(id, of: table)
        return (id, .updated)
    }

    private typealias Values = [(offset: Int, element: AttributeValue)]

    private func find(
        _ keyValue: AttributeValue,
        _ row: Values,
        _ statement: SQLiteStatement
    ) throws -> (id: RowID, isSame: Bool)? {
        statement.reset()
        defer { statement.reset() }
        try statement.bind(keyValue, at: 1)
        guard try statement.step() else { return nil }
        let isSame = row.indices.allSatisfy { position in
            statement.value(position + 1, table.types[row[position].offset]) == row[position].element
        }
        return (statement.integer(0), isSame)
    }

    private func insert(_ row: Values, _ recorder: ChangeRecorder) throws -> RowID {
        for index in table.types.indices where !table.entity.attributes[index].isOptional {
            if !indices.contains(index) { _ = try table.entity.checkedValue(.null, at: index) }
        }
        try bind(row, to: insertion)
        try transaction.change(insertion, of: table, recorder, id: nil, row)
        return try transaction.insertedID(in: table)
    }

    private func bind(_ row: Values, to statement: SQLiteStatement) throws {
        statement.reset()
        for (position, value) in row.enumerated() { try statement.bind(value.element, at: position + 1) }
    }
}
