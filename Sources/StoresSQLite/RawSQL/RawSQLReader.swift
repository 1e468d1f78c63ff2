internal import BridgeValues
internal import CSQLite
internal import Foundation
public import Stores

/// A reader of a store for external SQL, within the limits of a ``RawSQLGrant``.
///
/// It has its own read-only connection, so a query can neither change the store nor block its writers. When a query is
/// prepared, everything outside of the grant is refused: other tables, `ATTACH`, `PRAGMA`, and functions that access
/// external resources or create large values. A query sees the last commit.
///
/// SQLite cannot distinguish a `WITH` name from a table if the query uses no column of it. Therefore `count(*)` of a
/// `WITH` name is refused as well; count a column instead.
public final class RawSQLReader {
    /// The result of a query.
    public struct Result: Sendable, Hashable {
        /// The names of the columns.
        public let columns: [String]
        /// The rows: numbers as stored, Booleans as 0 and 1, dates as seconds since 1970.
        public let rows: [[AttributeValue]]
    }

    private let grant: RawSQLGrant
    private let authorizer: SQLAuthorizer
    private var connection: SQLiteConnection?
    private let lock = NSLock()

    init(path: String, _ grant: RawSQLGrant, tables: Set<String>, _ configuration: SQLiteConfiguration) throws
    {
        self.grant = grant
        authorizer = SQLAuthorizer(tables: tables)
        let connection = try SQLiteConnection(path: path, configuration: configuration, isReadOnly: true)
        // Data that exceeds the cache goes to temporary files, so that a query cannot exhaust memory.
        try connection.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -4096; PRAGMA query_only = ON")
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, grant.maximumValueBytes), (SQLITE_LIMIT_SQL_LENGTH, grant.maximumSQLBytes),
            (SQLITE_LIMIT_COLUMN, 100), (SQLITE_LIMIT_EXPR_DEPTH, 50), (SQLITE_LIMIT_COMPOUND_SELECT, 10),
            (SQLITE_LIMIT_VDBE_OP, 25_000), (SQLITE_LIMIT_FUNCTION_ARG, 16), (SQLITE_LIMIT_ATTACHED, 0),
            (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100), (SQLITE_LIMIT_VARIABLE_NUMBER, 100),
            (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ] as [(Int32, Int)] {
            sqlite3_limit(connection.handle, limit, Int32(clamping: max(0, value)))
        }
        authorizer.attach(to: connection.handle)
        self.connection = connection
    }

    deinit {
        // Released before the objects that its callbacks reference.
        connection = nil
    }

    /// Runs one query.
    ///
    /// - Parameters:
    ///   - sql: One `SELECT` statement, with `?` placeholders for values.
    ///   - values: The values, in order.
    /// - Returns: The names of the columns, and the rows.
    /// - Throws: ``StoreError``: `denied` for operations outside of the grant; `invalidRequest` for an invalid query,
    ///   more than one statement, or a result with too many rows or too long a duration.
    public func query(_ sql: String, _ values: [AttributeValue] = []) throws -> Result {
        try lock.withLock {
            guard let connection else { throw StoreError(.closed, "the store is closed") }
            authorizer.begin()
            return try WorkLimit.withLimit(timeLimit()) {
                let statement = try prepare(sql, connection)
                defer { sqlite3_finalize(statement) }
                try bind(values, to: statement, connection)
                return try rows(of: statement, connection)
            }
        }
    }

    private func timeLimit() -> () throws -> Void {
        let limit = grant.timeLimit
        let end = ContinuousClock.now + limit.withinCentury
        return {
            guard end < .now else { return }
            throw StoreError(.invalidRequest, "a query exceeded its time limit of \(limit)")
        }
    }

    private func prepare(_ sql: String, _ connection: SQLiteConnection) throws -> OpaquePointer {
        guard !sql.utf8.contains(0) else {
            throw StoreError(.invalidRequest, "a query contains a NUL character")
        }
        var statement: OpaquePointer?
        var rest = 0
        let code = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(connection.handle, text, -1, 0, &statement, &tail)
            rest = tail.map { strlen($0) } ?? 0
            return code
        }
        guard code == SQLITE_OK else { throw error(code, connection) }
        let isAlone = sql.utf8.suffix(rest).allSatisfy { [0x20, 0x09, 0x0A, 0x0D, 0x3B].contains($0) }
        guard let statement, isAlone, sqlite3_stmt_readonly(statement) != 0,
            sqlite3_column_count(statement) > 0
        else {
            sqlite3_finalize(statement)
            throw StoreError(.invalidRequest, "a query must be one SELECT statement")
        }
        return statement
    }

    private func bind(
        _ values: [AttributeValue],
        to statement: OpaquePointer,
        _ connection: SQLiteConnection
    ) throws {
        guard Int(sqlite3_bind_parameter_count(statement)) == values.count else {
            throw StoreError(
                .invalidRequest,
                "a query has \(sqlite3_bind_parameter_count(statement)) placeholders for \(values.count) values"
            )
        }
        for (index, value) in values.enumerated() {
            let code = SQLiteStatement.bind(value, to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code, connection) }
        }
    }

    private func rows(of statement: OpaquePointer, _ connection: SQLiteConnection) throws -> Result {
        let columns = (0..<sqlite3_column_count(statement)).map { index in
            sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
        }
        var rows: [[AttributeValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_DONE: return Result(columns: columns, rows: rows)
            case SQLITE_ROW:
                guard rows.count < grant.maximumRows else {
                    throw StoreError(
                        .invalidRequest,
                        "a query returned too many rows (limit \(grant.maximumRows))"
                    )
                }
                rows.append(columns.indices.map { Self.value(statement, Int32($0)) })
            case let code: throw error(code, connection)
            }
        }
    }

    private static func value(_ statement: OpaquePointer, _ column: Int32) -> AttributeValue {
        let count = { Int(sqlite3_column_bytes(statement, column)) }
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(statement, column) else { return .string("") }
            return .string(String(decoding: UnsafeBufferPointer(start: bytes, count: count()), as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(statement, column) else { return .data(Data()) }
            return .data(Data(bytes: bytes, count: count()))
        default: return .null
        }
    }

    private func error(_ code: Int32, _ connection: SQLiteConnection) -> any Error {
        if let refusal = authorizer.refusal {
            return StoreError(
                .denied,
                "the grant does not allow \(refusal) in a query",
                forScripts: "the grant does not allow this query"
            )
        }
        switch code & 0xFF {
        case SQLITE_AUTH: return StoreError(.denied, "the grant does not allow this query")
        case SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE:
            let detail = String(cString: sqlite3_errmsg(connection.handle))
            return StoreError(
                .invalidRequest,
                "invalid query: \(MessageText.quoted(detail))",
                forScripts: "invalid query"
            )
        default: return connection.error(code)
        }
    }
}

// @unchecked Sendable because the connection and its callbacks are only used while the lock is held.
extension RawSQLReader: @unchecked Sendable {}

extension SQLiteStore {
    /// Opens a reader for external SQL.
    ///
    /// - Parameter grant: The entities that may be read, and the limits.
    /// - Returns: The reader.
    /// - Throws: ``StoreError`` `schema` for an unknown entity; `invalidRequest` for a store in memory, which cannot
    ///   have a second connection.
    public func rawSQLReader(_ grant: RawSQLGrant) throws -> RawSQLReader {
        guard location != .memory else {
            throw StoreError(.invalidRequest, "raw SQL cannot read a store in memory: use a file")
        }
        let schema = committed.withLock { $0.schema }
        let tables = try grant.readableEntities.map { try schema.table($0).physicalName }
        return try RawSQLReader(path: path, grant, tables: Set(tables), configuration)
    }
}
