internal import CSQLite
internal import Foundation
internal import Stores

/// The log of changed rows in a store's file.
///
/// Triggers of every entity write it, no matter which program changes a row, so one process can follow the changes of
/// another.
///
/// A log row contains the old values of a changed row. The new values are in the next log row for it, or are its
/// current values. A commit of this package ends with a log row that names its author; log rows without such an end
/// come from other programs. Each log row has a random mark, which distinguishes equal sequence numbers in diverged
/// copies of the file. The last log row is never deleted.
enum ChangeLog {
    /// The kind of a log row.
    enum Kind: Int64 {
        /// An inserted row.
        case insert = 0
        /// An updated row, with its old values.
        case update = 1
        /// A deleted row, with its old values.
        case delete = 2
        /// The end of a commit.
        ///
        /// The author takes the place of the entity, and the first log row of the commit that of the identity; the time
        /// and the process follow.
        case commit = 3
        /// A gap: earlier changes may be missing from the log.
        ///
        /// The reason takes the place of the entity.
        case gap = 4
    }

    /// A position in the log: the sequence number and the mark of a log row.
    struct Position: Sendable, Equatable {
        var sequence: Int64
        var mark: Int64
    }

    /// The number of columns before those for a row's values.
    static let leadingColumns = 5

    static func isPresent(in connection: SQLiteConnection) throws -> Bool {
        try connection.integer(
            #"SELECT count(*) FROM sqlite_schema WHERE name IN ('$changes', '$history')"#
        ) == 2
    }

    /// Returns the position of the last log row; `nil` if another program emptied the log.
    static func head(of connection: SQLiteConnection) throws -> Position? {
        try connection.withStatement(selectHead) { statement in
            try statement.step()
                ? Position(sequence: statement.integer(0), mark: statement.integer(1)) : nil
        }
    }

    private static let selectHead =
        #"SELECT sequence, mark FROM "$changes" ORDER BY sequence DESC LIMIT 1"#

    static func oldest(of connection: SQLiteConnection) throws -> Int64 {
        try connection.integer(#"SELECT min(sequence) FROM "$changes""#)
    }

    // MARK: - Writing

    /// Appends a log row that does not describe a row of an entity.
    static func append(
        _ kind: Kind,
        _ name: String?,
        first: Int64? = nil,
        in connection: SQLiteConnection
    ) throws -> Position {
        let mark = Int64.random(in: .min ... .max)
        try connection.run(
            #"INSERT INTO "$changes" (mark, kind, entity, id, "0", "1") VALUES (?, ?, ?, ?, ?, ?)"#,
            .integer(mark),
            .integer(kind.rawValue),
            name.map { .string($0) } ?? .null,
            first.map { .integer($0) } ?? .null,
            .date(Date()),
            .integer(Int64(ProcessInfo.processInfo.processIdentifier))
        )
        return Position(sequence: sqlite3_last_insert_rowid(connection.handle), mark: mark)
    }

    /// Marks a commit that changed something other than rows of entities.
    ///
    /// Without the mark, processes that follow the log would take it for a commit that bypassed the triggers.
    static func noteOther(in connection: SQLiteConnection) throws {
        try connection.run(#"UPDATE "$history" SET revision = revision + 1"#)
    }

    /// Deletes the changes that exceed a number of recent ones.
    static func prune(keeping limit: Int, in connection: SQLiteConnection) throws {
        guard let head = try head(of: connection) else { return }
        try connection.run(
            #"DELETE FROM "$changes" WHERE sequence <= ?"#,
            .integer(head.sequence - Int64(max(1, limit)))
        )
        try noteOther(in: connection)
    }

    // MARK: - Integrity

    /// A summary of the log that changes with every commit, provided that the log is written correctly.
    struct State: Sendable, Equatable {
        var head: Position?
        var revision: Int64
        /// The current schema version, which SQLite increases with every change of a table or trigger.
        var schema: Int64
        /// The schema version when this package last checked its triggers.
        var knownSchema: Int64
    }

    static func schemaVersion(of connection: SQLiteConnection) throws -> Int64 {
        try connection.integer("PRAGMA schema_version")
    }

    static func state(of connection: SQLiteConnection) throws -> State {
        guard try isPresent(in: connection) else {
            return State(head: nil, revision: 0, schema: try schemaVersion(of: connection), knownSchema: -1)
        }
        let (revision, known) = try connection.withStatement(
            #"SELECT revision, schema FROM "$history""#
        ) { statement in
            try statement.step() ? (statement.integer(0), statement.integer(1)) : (0, -1)
        }
        return State(
            head: try head(of: connection),
            revision: revision,
            schema: try schemaVersion(of: connection),
            knownSchema: known
        )
    }
}
