internal import Stores

/// The entities of a store as its file describes them.
struct StoreSchema: Sendable {
    private(set) var tables: [String: EntityTable] = [:]

    /// The table of an entity, or the error that names it and the names that come close.
    func table(_ entityName: String) throws -> EntityTable {
        if let table = tables[entityName] { return table }
        let suggestion = MessageText.suggestion(for: entityName, among: tables.keys)
        throw StoreError(.schema, "the store has no entity \(MessageText.quoted(entityName))\(suggestion)")
    }

    /// Adds an entity to the database and to this description, inside the caller's transaction.
    mutating func add(_ entity: EntityDescription, in connection: SQLiteConnection) throws {
        try entity.checkNames()
        let table = EntityTable(entity)
        let folded = table.physicalName.asciiLowercased
        if let other = tables.values.first(where: { $0.physicalName.asciiLowercased == folded }) {
            throw StoreError(
                .schema,
                "entity \(MessageText.quoted(entity.name)) and entity \(MessageText.quoted(other.entity.name)) "
                    + "differ only in the case of letters"
            )
        }
        try connection.execute(table.createSQL)
        for (position, attribute) in entity.attributes.enumerated() {
            try connection.run(
                #"INSERT INTO "$attributes" VALUES (?, ?, ?, ?, ?, ?)"#,
                .string(entity.name),
                .integer(Int64(position)),
                .string(attribute.name),
                .string(attribute.type.rawValue),
                .boolean(attribute.isOptional),
                .boolean(attribute.isUnique)
            )
        }
        tables[entity.name] = table
    }

    /// Reads the description from the database.
    init(from connection: SQLiteConnection) throws {
        var attributes: [String: [AttributeDescription]] = [:]
        try connection.withStatement(
            #"SELECT entity, name, type, "optional", "unique" FROM "$attributes" ORDER BY entity, position"#
        ) { statement in
            while try statement.step() {
                guard let type = AttributeType(rawValue: statement.text(2)) else {
                    throw StoreError(
                        .notADatabase,
                        "\(connection.place) describes an attribute of unknown type "
                            + MessageText.quoted(statement.text(2))
                    )
                }
                let attribute = AttributeDescription(
                    statement.text(1),
                    type,
                    isOptional: statement.integer(3) != 0,
                    isUnique: statement.integer(4) != 0
                )
                attributes[statement.text(0), default: []].append(attribute)
            }
        }
        tables = Dictionary(
            uniqueKeysWithValues: attributes.map { name, attributes in
                (name, EntityTable(EntityDescription(name: name, attributes: attributes)))
            }
        )
    }
}
