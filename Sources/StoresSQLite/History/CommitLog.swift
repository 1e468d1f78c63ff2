internal import CSQLite
internal import Stores

/// What one commit adds to the log of changes beside the rows that triggers log.
struct CommitLog {
    private let connection: SQLiteConnection
    private let start: ChangeLog.Position?
    private let changesBefore: Int64
    private let schemaBefore: Int64

    /// Begins, inside the transaction and before it changes anything.
    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        start = try ChangeLog.head(of: connection)
        changesBefore = sqlite3_total_changes64(connection.handle)
        schemaBefore = try ChangeLog.schemaVersion(of: connection)
    }

    /// Ends, before the commit: says whose the logged rows are, or that something else was changed.
    ///
    /// - Returns: The end of the log, if rows were logged, and the number of the schema.
    func close(
        hasRows: Bool,
        _ schema: StoreSchema,
        author: String?
    ) throws -> (position: ChangeLog.Position?, schemaVersion: Int64) {
        if try ChangeLog.schemaVersion(of: connection) != schemaBefore {
            try ChangeLog.follow(schema, from: schemaBefore, in: connection)
        } else if !hasRows, sqlite3_total_changes64(connection.handle) != changesBefore {
            try ChangeLog.noteOther(in: connection)
        }
        let first = (start?.sequence ?? 0) + 1
        let position =
            try hasRows ? ChangeLog.append(.commit, author, first: first, in: connection) : nil
        return (position, try ChangeLog.schemaVersion(of: connection))
    }

    /// Ends a migration: rows have other shapes now, so that nobody can be told of them one by one.
    func closeMigration(_ schema: StoreSchema) throws {
        try ChangeLog.follow(schema, from: schemaBefore, in: connection)
        _ = try ChangeLog.append(.gap, MissedHistory.schemaChanged.rawValue, in: connection)
    }
}
