internal import CSQLite
internal import Stores

extension ChangeLog {
    /// Creates or repairs the log and its triggers, inside the caller's transaction.
    ///
    /// - Returns: Whether the log existed, so that its history continues.
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
            // These tables existed before their new triggers, so earlier changes were not logged.
            _ = try append(.gap, MissedHistory.schemaChanged.rawValue, in: connection)
        }
        try noteSchema(in: connection)
        return isPresent
    }

    /// Updates the log after this package changed the schema, inside its transaction.
    ///
    /// `earlier` is the schema version before the change.
    static func follow(
        _ schema: StoreSchema,
        from earlier: Int64,
        in connection: SQLiteConnection
    ) throws {
        // If another program had changed the schema before, that change must still be detected.
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
        // If another program emptied the table, the log could never become whole again.
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

    /// Creates missing triggers, and replaces those that differ from the expected ones.
    ///
    /// - Returns: Whether a table that may have rows lacked a trigger.
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
            // Triggers over a column that another program renamed would make its writes fail, so such a table is
            // compared instead.
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

    /// Returns the triggers of a table by name, with their SQL as SQLite stores it.
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
        // REPLACE deletes conflicting rows without firing triggers, so they are logged before. If they are not deleted
        // after all, their values turn out to be unchanged.
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
