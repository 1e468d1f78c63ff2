internal import CSQLite
internal import Foundation
internal import Stores

/// A connection to a database, with its prepared statements.
///
/// It is opened without SQLite's own mutex, so one thread at a time uses it: the owner of the write lock, or the thread
/// that took it from the reader pool.
// @unchecked Sendable because the write lock and the reader pool pass it from one thread to the next.
final class SQLiteConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// The name of the database in messages.
    let place: String
    private var idle: [String: SQLiteStatement] = [:]
    private var lastList = 0
    /// The statement that rolls back, prepared before a transaction begins, because a rollback must not fail for lack
    /// of memory.
    ///
    /// A transaction that stays open would block the writers of all other processes.
    private var rollback: OpaquePointer?
    /// The number of pages in the log after the last commit of this connection.
    var logPages = 0
    /// The number of the file that this connection has open; it increases when the file at the path is replaced.
    var generation = 0
    /// The error of the limit that interrupted the running statement.
    var endedBy: (any Error)?
    /// A Boolean value that indicates whether statements must not be interrupted, as at the beginning and end of
    /// transactions.
    var isUninterruptible = false
    var busyTimeoutMilliseconds = 0
    /// The open files of the store, for detecting replacement; only set for the writing connection.
    var files: OpenFiles?

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or `:memory:`.
    ///   - configuration: The configuration, with the time to wait for other processes.
    ///   - isReadOnly: Whether the connection cannot write; then the file must exist.
    /// - Throws: ``StoreError`` if the file cannot be opened.
    init(path: String, configuration: SQLiteConfiguration, isReadOnly: Bool = false) throws {
        place = path == ":memory:" ? "the memory store" : path
        var opened: OpaquePointer?
        let isReadOnly = isReadOnly || configuration.access != .write
        let isImmutable = configuration.access == .readImmutable
        var flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        if isImmutable { flags |= SQLITE_OPEN_URI }
        let name = isImmutable ? URL(fileURLWithPath: path).absoluteString + "?immutable=1" : path
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard let opened else { throw StoreError(.failed, "\(place): out of memory") }
        handle = opened
        // From here on deinit closes the handle, which SQLite returns even if it could not open the file.
        guard code == SQLITE_OK else { throw openingError(code, path) }
        askLimits(busyTimeoutMilliseconds: configuration.busyTimeoutMilliseconds)
        try addFunctions()
        // Makes a double-quoted name that is not a column an error instead of a string.
        for (option, isOn) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
        ] as [(Int32, Int32)] {
            try check(CSQLite_db_config(handle, option, isOn))
        }
    }

    deinit {
        idle = [:]
        sqlite3_finalize(rollback)
        sqlite3_close_v2(handle)
    }

    /// A Boolean value that indicates whether no transaction is open.
    ///
    /// SQLite rolls back automatically after some errors.
    var isInAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Begins a write transaction.
    func beginImmediate() throws {
        if rollback == nil || CSQLite_expired(rollback) != 0 {
            sqlite3_finalize(rollback)
            rollback = nil
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            try check(sqlite3_prepare_v3(handle, "ROLLBACK", -1, flags, &rollback, nil))
        }
        try control("BEGIN IMMEDIATE")
    }

    /// Rolls back the open transaction.
    func rollBack() throws {
        guard let rollback else { return try control("ROLLBACK") }
        let code = uninterrupted { sqlite3_step(rollback) }
        sqlite3_reset(rollback)
        guard code == SQLITE_DONE || isInAutocommit else { throw error(code) }
    }

    /// Starts counting the log's pages, and disables automatic checkpoints inside commits.
    func countLogPages() {
        // Unretained because the hook is removed with the connection's own handle.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            },
            context
        )
    }

    // MARK: - Statements

    /// Runs a body with a prepared statement, which is cached by its SQL.
    func withStatement<Result>(
        _ sql: String,
        _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        let statement = try takeStatement(sql)
        defer { giveBack(statement) }
        return try body(statement)
    }

    /// Returns a prepared statement for the caller's exclusive use, until ``giveBack(_:)``.
    func takeStatement(_ sql: String) throws -> SQLiteStatement {
        if let statement = idle[sql], !statement.isTaken {
            statement.isTaken = true
            return statement
        }
        return try SQLiteStatement(sql, connection: self)
    }

    /// Caches a statement for its next use.
    func giveBack(_ statement: SQLiteStatement) {
        statement.reset()
        // A statement taken from the cache is still in it, so it need not be stored again.
        guard !statement.isTaken else {
            statement.isTaken = false
            return
        }
        // Programs use few different statements; the limit protects against a caller that creates new ones all the
        // time.
        if idle.count >= 128 { idle = [:] }
        idle[statement.sql] = statement
    }

    /// Runs a statement that returns no rows.
    func run(_ sql: String, _ values: AttributeValue...) throws {
        try withStatement(sql) { statement in
            for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
            while try statement.step() {}
        }
    }

    /// Runs a statement that returns one row with one integer.
    func integer(_ sql: String) throws -> Int64 {
        try withStatement(sql) { try $0.step() ? $0.integer(0) : 0 }
    }

    /// Runs a statement that begins or ends a transaction or savepoint; limits do not interrupt it.
    func control(_ sql: String) throws { try uninterrupted { try run(sql) } }

    /// Runs internal statements once, without caching them.
    func execute(_ script: String) throws { try check(sqlite3_exec(handle, script, nil, nil, nil)) }

    /// Runs a compiled request.
    func query<Result>(
        _ query: SQLFragment,
        _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        var lists: [Int] = []
        defer {
            for list in lists {
                try? uninterrupted {
                    try run(#"DELETE FROM temp."$list" WHERE list = ?"#, .integer(Int64(list)))
                }
            }
        }
        return try withStatement(query.text) { statement in
            for (index, binding) in query.bindings.enumerated() {
                switch binding {
                case .value(let value): try statement.bind(value, at: index + 1)
                case .text(let bytes): try statement.bind(text: bytes, at: index + 1)
                case .list(let values):
                    lists.append(try keepList(values))
                    try statement.bind(.integer(Int64(lastList)), at: index + 1)
                }
            }
            return try body(statement)
        }
    }

    /// The table for long arrays of a request, because SQLite limits the number of variables but not of rows.
    static let listTable =
        #"CREATE TEMP TABLE IF NOT EXISTS "$list""#
        + "(list INTEGER NOT NULL, value NOT NULL, PRIMARY KEY (list, value)) WITHOUT ROWID"

    private func keepList(_ values: [AttributeValue]) throws -> Int {
        lastList += 1
        // A read of a store in memory has no transaction. SQLite would then commit each row alone, with a journal in a
        // file.
        let isAlone = isInAutocommit
        if isAlone { try control("BEGIN") }
        do {
            try insertList(values)
            if isAlone { try control("COMMIT") }
        } catch {
            if isAlone, !isInAutocommit { try? rollBack() }
            throw error
        }
        return lastList
    }

    private func insertList(_ values: [AttributeValue]) throws {
        try withStatement(#"INSERT OR IGNORE INTO temp."$list" VALUES (?, ?)"#) { insert in
            for value in values {
                try insert.bind(.integer(Int64(lastList)), at: 1)
                try insert.bind(value, at: 2)
                while try insert.step() {}
                insert.reset()
            }
        }
    }
}
