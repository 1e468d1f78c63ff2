internal import Foundation
internal import Stores

/// The entities of a store as its file describes them.
struct StoreSchema: Sendable {
    private(set) var tables: [String: EntityTable] = [:]
    /// The entities by name.
    private(set) var entities: [String: EntityDescription] = [:]

    /// The table of an entity, or the error that names it and the names that come close.
    func table(_ entityName: String) throws -> EntityTable {
        if let table = tables[entityName] { return table }
        let suggestion = MessageText.suggestion(for: entityName, among: tables.keys)
        let problem = "the store has no entity \(MessageText.quoted(entityName))"
        // A suggestion could name an entity that is not granted to a script.
        throw StoreError(.schema, problem + suggestion, forScripts: problem)
    }

    /// Adds an entity to the database and to this description, inside the caller's transaction.
    ///
    /// - Throws: ``StoreError`` for names that cannot be used.
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

    /// Takes an entity out of this description and of the database's; its table stays.
    mutating func forget(_ name: String, in connection: SQLiteConnection) throws {
        try connection.run(#"DELETE FROM "$attributes" WHERE entity = ?"#, .string(name))
        try connection.execute(Self.descriptions)
        try connection.run(#"DELETE FROM "$descriptions" WHERE entity = ?"#, .string(name))
        tables[name] = nil
        entities[name] = nil
    }

    // MARK: - What columns cannot tell

    /// The table with the descriptions of entities that have more than names and types.
    ///
    /// Made when it is needed, so that a store without such entities is as it always was.
    private static let descriptions =
        #"CREATE TABLE IF NOT EXISTS "$descriptions""#
        + "(entity TEXT NOT NULL PRIMARY KEY, description TEXT NOT NULL) STRICT, WITHOUT ROWID"

    /// Keeps all that is to know of an entity.
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
