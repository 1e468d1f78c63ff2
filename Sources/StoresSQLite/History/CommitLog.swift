internal import CSQLite
internal import Stores

/// A commit's additions to the change log, besides the rows that triggers write.
struct CommitLog {
    private let connection: SQLiteConnection
    private let start: ChangeLog.Position?
    private let changesBefore: Int64
    private let schemaBefore: Int64

    /// Records the state of the log inside the transaction, before any changes.
    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        start = try ChangeLog.head(of: connection)
        changesBefore = sqlite3_total_changes64(connection.handle)
        schemaBefore = try ChangeLog.schemaVersion(of: connection)
    }

    /// Completes the log before the commit: appends the author of the logged rows, or marks that something else was
    /// changed.
    ///
    /// - Returns: The end of the log if rows were logged, and the schema version.
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

    /// Completes the log of a migration with a gap, because rows have a new schema and cannot be reported individually.
    func closeMigration(_ schema: StoreSchema) throws {
        try ChangeLog.follow(schema, from: schemaBefore, in: connection)
        _ = try ChangeLog.append(.gap, MissedHistory.schemaChanged.rawValue, in: connection)
    }
}
