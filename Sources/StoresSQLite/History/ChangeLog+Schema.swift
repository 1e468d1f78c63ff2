internal import CSQLite
internal import Stores

extension ChangeLog {
    /// Makes the log and its triggers where they are missing or not as they should be, inside the caller's
    /// transaction.
    ///
    /// - Returns: Whether there was a log already, whose history goes on.
    @discardableResult
    static func install(_ schema: StoreSchema, in connection: SQLiteConnection) throws -> Bool {
        let isPresent = try isPresent(in: connection)
        let known = try isPresent ? state(of: connection) : nil
        if !isPresent { try create(in: connection) }
        try addColumns(for: schema, in: connection)
        let hasChanged = try installTriggers(schema, in: connection)
        if let known, known.schema != known.knownSchema || known.head == nil {
            _ = try append(.gap, MissedHistory.schemaChanged.rawValue, in: connection)
        } else if hasChanged || !isPresent {
            // New triggers on tables that were there before: what they would have logged is not known.
            _ = try append(.gap, MissedHistory.schemaChanged.rawValue, in: connection)
        }
        try noteSchema(in: connection)
        return isPresent
    }

    /// Goes on after a change of the schema by this package itself, which began from the schema of a number,
    /// inside its transaction.
    static func follow(
        _ schema: StoreSchema,
        from earlier: Int64,
        in connection: SQLiteConnection
    ) throws {
        // Where somebody else had changed it before, this is left to be found.
        guard try connection.integer(#"SELECT schema FROM "$history""#) == earlier else { return }
        try addColumns(for: schema, in: connection)
        if try installTriggers(schema, in: connection) {
            _ = try append(.gap, MissedHistory.schemaChanged.rawValue, in: connection)
        }
        try noteSchema(in: connection)
    }

    private static func create(in connection: SQLiteConnection) throws {
        try connection.execute(
            #"""
            DROP TABLE IF EXISTS "$history";
            CREATE TABLE IF NOT EXISTS "$changes" (
                sequence INTEGER PRIMARY KEY, mark INTEGER NOT NULL DEFAULT (random()), kind INTEGER NOT NULL,
                entity TEXT, id INTEGER, "0" ANY, "1" ANY
            ) STRICT;
            CREATE TABLE "$history" (schema INTEGER NOT NULL, revision INTEGER NOT NULL, stamped INTEGER) STRICT;
            INSERT INTO "$history" VALUES (-1, 0, NULL)
            """#
        )
    }

    private static func noteSchema(in connection: SQLiteConnection) throws {
        // Somebody may have emptied it: nothing would ever be whole again.
        try connection.run(
            #"INSERT INTO "$history" SELECT -1, 0, NULL WHERE NOT EXISTS (SELECT 1 FROM "$history")"#
        )
        try connection.run(
            #"UPDATE "$history" SET revision = revision + 1, schema = ?"#,
            .integer(try schemaVersion(of: connection))
        )
    }

    private static func addColumns(for schema: StoreSchema, in connection: SQLiteConnection) throws {
        let needed = schema.tables.values.map(\.types.count).max() ?? 0
        let present = try connection.integer("SELECT count(*) FROM pragma_table_info('$changes')")
        for number in max(0, Int(present) - leadingColumns)..<max(needed, Int(present) - leadingColumns) {
            try connection.execute(#"ALTER TABLE "$changes" ADD COLUMN "\#(number)" ANY"#)
        }
    }

    /// Makes missing triggers, and makes others anew that are not as they should be.
    ///
    /// - Returns: Whether a table that may have rows had not all of its triggers.
    private static func installTriggers(
        _ schema: StoreSchema,
        in connection: SQLiteConnection
    ) throws -> Bool {
        var found: [String: String] = [:]
        try connection.withStatement(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '$changes.%'"
        ) { statement in
            while try statement.step() { found[statement.text(0)] = statement.text(1) }
        }
        var hasGap = false
        for table in schema.tables.values {
            // Triggers over a column that somebody renamed would refuse every write of theirs; what lacks them is compared.
            guard try hasColumns(of: table, in: connection) else {
                hasGap = true
                continue
            }
            var isWhole = true
            for (name, sql) in triggers(of: table) where found.removeValue(forKey: name) != sql {
                isWhole = false
                try connection.execute("DROP TRIGGER IF EXISTS \(EntityTable.quoted(name)); \(sql)")
            }
            if !isWhole, try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table.name))") != 0 {
                hasGap = true
            }
        }
        for name in found.keys { try connection.execute("DROP TRIGGER \(EntityTable.quoted(name))") }
        return hasGap
    }

    private static func hasColumns(of table: EntityTable, in connection: SQLiteConnection) throws -> Bool {
        var present: Set<String> = []
        try connection.withStatement("SELECT name FROM pragma_table_info(?)") { statement in
            try statement.bind(.string(table.physicalName), at: 1)
            while try statement.step() { present.insert(EntityTable.quoted(statement.text(0))) }
        }
        return present.isSuperset(of: table.columns)
    }

    /// The triggers of a table, by name, as SQLite keeps their text.
    static func triggers(of table: EntityTable) -> [(name: String, sql: String)] {
        let entity =
            "'"
            + table.entity.name.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''") + "'"
        let id = EntityTable.idColumn
        let columns = (["kind", "entity", "id"] + table.columns.indices.map { "\"\($0)\"" })
            .joined(separator: ", ")
        func logOld(_ kind: Kind) -> String {
            let values = (["\(kind.rawValue)", entity] + ([id] + table.columns).map { "OLD.\($0)" })
                .joined(separator: ", ")
            return "INSERT INTO \"$changes\" (\(columns)) VALUES (\(values))"
        }
        let logNew = #"INSERT INTO "$changes" (kind, entity, id) VALUES (0, \#(entity), NEW.\#(id))"#
        // REPLACE deletes the rows that are in its way without a trigger, so they are noted before. Where they
        // stay after all, their values will turn out to be the same.
        let unique = [id] + zip(table.entity.attributes, table.columns).filter(\.0.isUnique).map(\.1)
        let inTheWay = unique.map { "\($0) = NEW.\($0)" }.joined(separator: " OR ")
        let logInTheWay =
            "INSERT INTO \"$changes\" (\(columns)) SELECT \(Kind.update.rawValue), \(entity), "
            + ([id] + table.columns).joined(separator: ", ") + " FROM \(table.name) WHERE (\(inTheWay))"
        let bodies: [(String, String, String)] = [
            ("insert", "AFTER INSERT ON \(table.name)", logNew),
            ("update", "AFTER UPDATE ON \(table.name)", logOld(.update)),
            ("identity", "AFTER UPDATE OF \(id) ON \(table.name) WHEN NEW.\(id) <> OLD.\(id)", logNew),
            ("delete", "AFTER DELETE ON \(table.name)", logOld(.delete)),
            ("replace", "BEFORE INSERT ON \(table.name)", logInTheWay),
            (
                "displace", "BEFORE UPDATE OF \(unique.joined(separator: ", ")) ON \(table.name)",
                "\(logInTheWay) AND \(id) <> OLD.\(id)"
            ),
        ]
        return bodies.map { verb, event, body in
            let name = "$changes.\(verb).\(table.physicalName)"
            return (name, "CREATE TRIGGER \(EntityTable.quoted(name)) \(event) BEGIN \(body); END")
        }
    }
}
