internal import CSQLite
internal import Stores

/// One connection to a database, with its prepared statements.
///
/// It is opened without SQLite's own lock, so it is used by one thread at a time: the owner of the write
/// lock, or the thread that a reader was lent to.
// @unchecked Sendable because the write lock and the reader pool hand it from one thread to the next.
final class SQLiteConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// The database as messages name it.
    let place: String
    private var idle: [String: SQLiteStatement] = [:]
    private var lastList = 0
    /// Prepared before a transaction begins: undoing must not fail for want of memory, since a transaction that
    /// stays open keeps the writers of all other processes out.
    private var rollback: OpaquePointer?
    /// How many pages the log had after the last commit of this connection.
    var logPages = 0
    /// Which of the files that stood at the path one after the other this is open on.
    var generation = 0
    /// How a limit has ended the statement that runs, for the error that it gives.
    var endedBy: (any Error)?
    /// Whether what runs must not be ended half-way: the beginning and the end of transactions.
    var isUninterruptible = false
    var busyTimeoutMilliseconds = 0
    /// The files of the store, by which is found out whether they stand there still; only of the connection that writes.
    var files: OpenFiles?

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or `:memory:`.
    ///   - configuration: How long to wait for others.
    ///   - isReadOnly: Whether it can never write, and the file must be there.
    /// - Throws: ``StoreError`` where the file cannot be opened.
    init(path: String, configuration: SQLiteConfiguration, isReadOnly: Bool = false) throws {
        place = path == ":memory:" ? "the memory store" : path
        var opened: OpaquePointer?
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened else { throw StoreError(.failed, "\(place): out of memory") }
        handle = opened
        // From here on deinit closes the handle: SQLite gives one even when it could not open the file.
        guard code == SQLITE_OK else { throw error(code) }
        askLimits(busyTimeoutMilliseconds: configuration.busyTimeoutMilliseconds)
        try addFunctions()
        // A double-quoted name that is not a column must be an error, never a text value.
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

    /// Whether no transaction is open.
    ///
    /// SQLite ends one by itself after some errors.
    var isInAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Begins a transaction that writes.
    func beginImmediate() throws {
        if rollback == nil || CSQLite_expired(rollback) != 0 {
            sqlite3_finalize(rollback)
            rollback = nil
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            try check(sqlite3_prepare_v3(handle, "ROLLBACK", -1, flags, &rollback, nil))
        }
        try control("BEGIN IMMEDIATE")
    }

    /// Undoes the transaction that is open.
    func rollBack() throws {
        guard let rollback else { return try control("ROLLBACK") }
        let code = uninterrupted { sqlite3_step(rollback) }
        sqlite3_reset(rollback)
        guard code == SQLITE_DONE || isInAutocommit else { throw error(code) }
    }

    /// Counts the log's pages from now on, instead of moving the log inside a commit.
    func countLogPages() {
        // Unretained because the hook goes with the connection's own handle.
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

    /// Runs a body with a prepared statement, kept for the next use of the same text.
    func withStatement<Result>(
        _ sql: String,
        _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        let statement = try takeStatement(sql)
        defer { giveBack(statement) }
        return try body(statement)
    }

    /// A prepared statement for the taker alone, until ``giveBack(_:)``.
    func takeStatement(_ sql: String) throws -> SQLiteStatement {
        if let statement = idle[sql], !statement.isTaken {
            statement.isTaken = true
            return statement
        }
        return try SQLiteStatement(sql, connection: self)
    }

    /// Keeps a statement for its next use.
    func giveBack(_ statement: SQLiteStatement) {
        statement.reset()
        // One that was lent from here is still here: then nothing is looked up a second time.
        guard !statement.isTaken else {
            statement.isTaken = false
            return
        }
        // Few texts occur in practice; a caller that makes up ever new ones must not fill the memory.
        if idle.count >= 128 { idle = [:] }
        idle[statement.sql] = statement
    }

    /// Runs a statement that gives no rows.
    func run(_ sql: String, _ values: AttributeValue...) throws {
        try withStatement(sql) { statement in
            for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
            while try statement.step() {}
        }
    }

    /// Runs a statement that gives one row with one whole number.
    func integer(_ sql: String) throws -> Int64 {
        try withStatement(sql) { try $0.step() ? $0.integer(0) : 0 }
    }

    /// Runs a statement that begins or ends a transaction or a savepoint, which no limit ends half-way.
    func control(_ sql: String) throws { try uninterrupted { try run(sql) } }

    /// Runs statements of our own once, without keeping them.
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

    /// The table that long lists of a request are put into: SQLite bounds the number of variables, not its
    /// rows.
    static let listTable =
        #"CREATE TEMP TABLE IF NOT EXISTS "$list""#
        + "(list INTEGER NOT NULL, value NOT NULL, PRIMARY KEY (list, value)) WITHOUT ROWID"

    private func keepList(_ values: [AttributeValue]) throws -> Int {
        lastList += 1
        try withStatement(#"INSERT OR IGNORE INTO temp."$list" VALUES (?, ?)"#) { insert in
            for value in values {
                try insert.bind(.integer(Int64(lastList)), at: 1)
                try insert.bind(value, at: 2)
                while try insert.step() {}
                insert.reset()
            }
        }
        return lastList
    }
}
