internal import CSQLite
internal import Foundation
internal import Stores

/// The log of changed rows in a store's file: a table that triggers of every entity write, whoever changes
/// a row, so that one process can tell what another one did.
///
/// A row of the log has what a changed row was before. What it became stands in the next log row about it, or
/// is what it is now. A commit of this package ends with a row that says whose it was; log rows without such
/// an end are another program's. Each row is marked with a random number, so that the same sequence in a copy
/// of the file that went another way is not taken for it. The last row is never deleted.
enum ChangeLog {
    /// What a log row is about.
    enum Kind: Int64 {
        /// A row that was not there.
        case insert = 0
        /// A row that was there, with its values.
        case update = 1
        /// A row that was there and is gone, with its values.
        case delete = 2
        /// The end of a commit: the author in place of the entity, the first log row of the commit in place of
        /// the identity, then the time and the process.
        case commit = 3
        /// What happened until here is not all in the log: the reason in place of the entity.
        case gap = 4
    }

    /// A place in the log: a row of it, and how it is marked.
    struct Position: Sendable, Equatable {
        var sequence: Int64
        var mark: Int64
    }

    /// How many columns stand before those of a row's values.
    static let leadingColumns = 5

    static func isPresent(in connection: SQLiteConnection) throws -> Bool {
        try connection.integer(
            #"SELECT count(*) FROM sqlite_schema WHERE name IN ('$changes', '$history')"#
        ) == 2
    }

    /// The last row; `nil` where somebody emptied the log.
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

    /// Adds a row that is not about a row of an entity.
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

    /// Notes a commit that changed something else than rows of entities.
    ///
    /// Without the note a process that follows could not tell it from one that bypassed the triggers.
    static func noteOther(in connection: SQLiteConnection) throws {
        try connection.run(#"UPDATE "$history" SET revision = revision + 1"#)
    }

    /// Deletes what is older than a number of changes.
    static func prune(keeping limit: Int, in connection: SQLiteConnection) throws {
        guard let head = try head(of: connection) else { return }
        try connection.run(
            #"DELETE FROM "$changes" WHERE sequence <= ?"#,
            .integer(head.sequence - Int64(max(1, limit)))
        )
        try noteOther(in: connection)
    }

    // MARK: - Whether it is whole

    /// What a commit leaves behind in any case, if the log is written as it should be.
    struct State: Sendable, Equatable {
        var head: Position?
        var revision: Int64
        /// The number of the present schema, which SQLite raises with every change of a table or trigger.
        var schema: Int64
        /// The number that the schema had when this package last looked after its triggers.
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
