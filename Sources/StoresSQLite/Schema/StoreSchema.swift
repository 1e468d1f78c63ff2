internal import Foundation
internal import Stores

/// The entities of a store, as described in its file.
struct StoreSchema: Sendable {
    private(set) var tables: [String: EntityTable] = [:]
    /// The entities by name.
    private(set) var entities: [String: EntityDescription] = [:]

    /// Returns the table of an entity, or throws an error that names it and suggests similar names.
    func table(_ entityName: String) throws -> EntityTable {
        if let table = tables[entityName] { return table }
        let suggestion = MessageText.suggestion(for: entityName, among: tables.keys)
        let problem = "the store has no entity \(MessageText.quoted(entityName))"
        // A suggestion could reveal an entity that is not granted to a script.
        throw StoreError(.schema, problem + suggestion, forScripts: problem)
    }

    /// Adds an entity to the database and to this schema, inside the caller's transaction.
    ///
    /// - Throws: ``StoreError`` for invalid names.
    mutating func add(
        _ entity: EntityDescription,
        in connection: SQLiteConnection,
        withIndexes: Bool = true
    ) throws {
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
        if withIndexes { for statement in table.indexSQL { try connection.execute(statement) } }
        if !entity.isPlain { try Self.keep(entity, in: connection) }
        tables[entity.name] = table
        entities[entity.name] = entity
    }

    /// Removes an entity from this schema and from the database's descriptions; its table is kept.
    mutating func forget(_ name: String, in connection: SQLiteConnection) throws {
        try connection.run(#"DELETE FROM "$attributes" WHERE entity = ?"#, .string(name))
        try connection.execute(Self.descriptions)
        try connection.run(#"DELETE FROM "$descriptions" WHERE entity = ?"#, .string(name))
        tables[name] = nil
        entities[name] = nil
    }

    // MARK: - Full descriptions

    /// The table of descriptions for entities that have more than names and types.
    ///
    /// It is created on demand, so that the format of stores without such entities is unchanged.
    private static let descriptions =
        #"CREATE TABLE IF NOT EXISTS "$descriptions""#
        + "(entity TEXT NOT NULL PRIMARY KEY, description TEXT NOT NULL) STRICT, WITHOUT ROWID"

    /// Saves the full description of an entity.
    private static func keep(_ entity: EntityDescription, in connection: SQLiteConnection) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(entity), as: UTF8.self)
        try connection.execute(descriptions)
        try connection.run(
            #"INSERT OR REPLACE INTO "$descriptions" VALUES (?, ?)"#,
            .string(entity.name),
            .string(text)
        )
    }

    private static func described(in connection: SQLiteConnection) throws -> [String: EntityDescription] {
        let name = #"SELECT count(*) FROM sqlite_schema WHERE name = '$descriptions'"#
        guard try connection.integer(name) > 0 else { return [:] }
        var found: [String: EntityDescription] = [:]
        try connection.withStatement(#"SELECT entity, description FROM "$descriptions""#) { statement in
            while try statement.step() {
                let text = Data(statement.text(1).utf8)
                guard let entity = try? JSONDecoder().decode(EntityDescription.self, from: text) else {
                    throw StoreError(
                        .notADatabase,
                        "\(connection.place) has a description of entity "
                            + "\(MessageText.quoted(statement.text(0))) that cannot be read"
                    )
                }
                found[statement.text(0)] = entity
            }
        }
        return found
    }

    /// Reads the schema from the database.
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
        let described = try Self.described(in: connection)
        tables = Dictionary(
            uniqueKeysWithValues: attributes.map { name, attributes in
                let plain = EntityDescription(name: name, attributes: attributes)
                return (name, EntityTable(described[name] ?? plain))
            }
        )
        entities = tables.mapValues(\.entity)
    }
}
