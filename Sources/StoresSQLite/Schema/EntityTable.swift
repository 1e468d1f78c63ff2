internal import Stores

/// An entity as a table: its quoted names and the statements that every row uses.
final class EntityTable: Sendable {
    /// The column with the row's identity.
    ///
    /// Names that begin with `$` are ours; see ``physicalName(_:)``.
    static let idColumn = #""$id""#

    let entity: EntityDescription
    /// The table's name, not quoted, as the change hook gives it.
    let physicalName: String
    /// The table's name, quoted.
    let name: String
    /// The attributes' columns, quoted.
    let columns: [String]
    let types: [AttributeType]
    let insertSQL: String
    let insertWithIDSQL: String
    let deleteSQL: String
    let selectSQL: String
    /// The statements that set one attribute, which are what most updates need.
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

    /// The position of an attribute, or the error that names it.
    func index(of attribute: String) throws -> Int {
        guard let index = indices[attribute] else { throw entity.unknownAttribute(attribute) }
        return index
    }

    /// The row in a statement whose columns from one on are the attributes.
    func row(id: RowID, in statement: SQLiteStatement, from firstColumn: Int) -> Row {
        var values: [AttributeValue] = []
        values.reserveCapacity(types.count)
        for index in types.indices { values.append(statement.value(firstColumn + index, types[index])) }
        return Row(id: id, values: values, entity: entity)
    }

    /// The statement that sets some attributes of one row.
    func updateSQL(_ indices: [Int]) -> String {
        if indices.count == 1 { return updateOneSQL[indices[0]] }
        return Self.updateSQL(indices, name, columns)
    }

    private static func updateSQL(_ indices: [Int], _ name: String, _ columns: [String]) -> String {
        let assignments = indices.map { "\(columns[$0]) = ?" }.joined(separator: ", ")
        return "UPDATE \(name) SET \(assignments) WHERE \(idColumn) = ?"
    }

    /// The statement that finds a row by a unique attribute.
    func findSQL(_ index: Int) -> String {
        "SELECT \(Self.idColumn) FROM \(name) WHERE \(columns[index]) = ?"
    }

    /// The statement that makes the table.
    ///
    /// `AUTOINCREMENT` is what keeps an identity from being used again after its row was deleted.
    var createSQL: String {
        let definitions = zip(entity.attributes, columns).map { attribute, column in
            "\(column) \(Self.columnType(attribute.type))"
                + (attribute.isOptional ? "" : " NOT NULL") + (attribute.isUnique ? " UNIQUE" : "")
        }
        let identity = "\(Self.idColumn) INTEGER PRIMARY KEY AUTOINCREMENT"
        return "CREATE TABLE \(name) (\(([identity] + definitions).joined(separator: ", "))) STRICT"
    }

    /// The statements that make its indexes: of every reference, since rows are found by what they lead to.
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

    /// The position of an attribute, or `nil` where the entity has none of that name.
    func position(of attribute: String) -> Int? { indices[attribute] }

    /// The name of a table or column for a name that a user chose.
    ///
    /// Any name is allowed: those that begin with `$` (ours) or, in any case, `sqlite_` (SQLite's) get one
    /// more `$`. No two names become one by this.
    static func physicalName(_ name: String) -> String {
        let isReserved = name.utf8.first == UInt8(ascii: "$") || name.asciiLowercased.hasPrefix("sqlite_")
        return isReserved ? "$" + name : name
    }

    /// A name as an SQL identifier.
    static func quoted(_ name: String) -> String {
        // By bytes, so that a combining mark after a quote does not hide it.
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
