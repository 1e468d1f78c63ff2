internal import Stores

/// The table of an entity: its quoted names, and the statements for single rows.
final class EntityTable: Sendable {
    /// The column of the row's identity.
    ///
    /// Names that begin with `$` are reserved; see ``physicalName(_:)``.
    static let idColumn = #""$id""#

    let entity: EntityDescription
    /// The unquoted name of the table, as the preupdate hook reports it.
    let physicalName: String
    /// The quoted name of the table.
    let name: String
    /// The quoted columns of the attributes.
    let columns: [String]
    let types: [AttributeType]
    let insertSQL: String
    let insertWithIDSQL: String
    let deleteSQL: String
    let selectSQL: String
    /// The statements that set one attribute, which most updates need.
    private let updateOneSQL: [String]
    private let indices: [String: Int]

    init(_ entity: EntityDescription) {
        self.entity = entity
        physicalName = Self.physicalName(entity.name)
        name = Self.quoted(physicalName)
        columns = entity.attributes.map { Self.quoted(Self.physicalName($0.name)) }
        types = entity.attributes.map(\.type)
        indices = Dictionary(
            uniqueKeysWithValues: entity.attributes.enumerated().map { ($0.element.name, $0.offset) }
        )
        updateOneSQL = columns.indices.map { [name, columns] in Self.updateSQL([$0], name, columns) }
        let all = columns.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        insertSQL = "INSERT INTO \(name) (\(all)) VALUES (\(marks))"
        insertWithIDSQL = "INSERT INTO \(name) (\(Self.idColumn), \(all)) VALUES (?, \(marks))"
        deleteSQL = "DELETE FROM \(name) WHERE \(Self.idColumn) = ?"
        selectSQL = "SELECT \(all) FROM \(name) WHERE \(Self.idColumn) = ?"
    }

    /// Returns the position of an attribute, or throws an error that names it.
    func index(of attribute: String) throws -> Int {
        guard let index = indices[attribute] else { throw entity.unknownAttribute(attribute) }
        return index
    }

    /// Returns the row in a statement whose columns contain the attributes from `firstColumn` on.
    func row(id: RowID, in statement: SQLiteStatement, from firstColumn: Int) -> Row {
        var values: [AttributeValue] = []
        values.reserveCapacity(types.count)
        for index in types.indices { values.append(statement.value(firstColumn + index, types[index])) }
        return Row(id: id, values: values, entity: entity)
    }

    /// Returns the statement that sets some attributes of one row.
    func updateSQL(_ indices: [Int]) -> String {
        if indices.count == 1 { return updateOneSQL[indices[0]] }
        return Self.updateSQL(indices, name, columns)
    }

    private static func updateSQL(_ indices: [Int], _ name: String, _ columns: [String]) -> String {
        let assignments = indices.map { "\(columns[$0]) = ?" }.joined(separator: ", ")
        return "UPDATE \(name) SET \(assignments) WHERE \(idColumn) = ?"
    }

    /// Returns the statement that finds a row by a unique attribute.
    func findSQL(_ index: Int) -> String {
        "SELECT \(Self.idColumn) FROM \(name) WHERE \(columns[index]) = ?"
    }

    /// The statement that creates the table.
    ///
    /// `AUTOINCREMENT` prevents the reuse of a deleted row's identity.
    var createSQL: String {
        let definitions = zip(entity.attributes, columns).map { attribute, column in
            "\(column) \(Self.columnType(attribute.type))"
                + (attribute.isOptional ? "" : " NOT NULL") + (attribute.isUnique ? " UNIQUE" : "")
        }
        let identity = "\(Self.idColumn) INTEGER PRIMARY KEY AUTOINCREMENT"
        return "CREATE TABLE \(name) (\(([identity] + definitions).joined(separator: ", "))) STRICT"
    }

    /// The statements that create its indexes, one for each reference, because rows are searched by their references.
    var indexSQL: [String] {
        entity.relationships.filter { !$0.isToMany }.compactMap { relationship in
            indices[relationship.name].map { index in
                let index = (
                    name: Self.quoted("$index \(physicalName).\(relationship.name)"), column: columns[index]
                )
                return "CREATE INDEX IF NOT EXISTS \(index.name) ON \(name) (\(index.column))"
            }
        }
    }

    /// Returns the position of an attribute, or `nil` if the entity has no attribute of that name.
    func position(of attribute: String) -> Int? { indices[attribute] }

    /// Returns the name of a table or column for a name that a user chose.
    ///
    /// Any name is allowed. Names that begin with `$` (reserved) or, in any case, with `sqlite_` (SQLite's) get another
    /// `$` as a prefix. Different names stay different.
    static func physicalName(_ name: String) -> String {
        let isReserved = name.utf8.first == UInt8(ascii: "$") || name.asciiLowercased.hasPrefix("sqlite_")
        return isReserved ? "$" + name : name
    }

    /// Returns a name as a quoted SQL identifier.
    static func quoted(_ name: String) -> String {
        // Bytewise, so that a combining mark after a quotation mark does not hide it.
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in name.utf8 {
            bytes.append(byte)
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        }
        return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
    }

    private static func columnType(_ type: AttributeType) -> String {
        switch type {
        case .boolean, .integer: "INTEGER"
        case .double, .date: "REAL"
        case .string: "TEXT"
        case .data: "BLOB"
        }
    }
}
