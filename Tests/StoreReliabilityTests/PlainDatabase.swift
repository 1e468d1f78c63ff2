import CSQLite
import Foundation
import Stores

/// A database that is read directly through SQLite's C interface, as a reference for the content of the file.
///
/// It shares nothing with the store but the library, and reads with the system's own file calls, without faults.
struct PlainDatabase {
    let path: String

    /// Returns every row of every entity table as a string, in order.
    func content() throws -> [String] {
        try withConnection { database in
            let tables = try Self.rows(
                database,
                #"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('$store', 'sqlite_sequence') "#
                    + "ORDER BY name"
            )
            return try tables.flatMap { table in
                let name = table[0]
                let quoted = name.replacingOccurrences(of: "\"", with: "\"\"")
                return try Self.rows(database, "SELECT * FROM \"\(quoted)\"")
                    .map { "\(name): \($0.joined(separator: " | "))" }
                    .sorted()
            }
        }
    }

    /// Returns the result of SQLite's integrity check: `ok` without problems.
    func integrity() throws -> String {
        try withConnection {
            try Self.rows($0, "PRAGMA integrity_check").map { $0[0] }.joined(separator: ", ")
        }
    }

    /// Returns the rows of a query, with each value as a string.
    func rows(_ sql: String) throws -> [[String]] { try withConnection { try Self.rows($0, sql) } }

    private func withConnection<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &database, flags, "unix") == SQLITE_OK, let database else {
            throw StoreError(.cannotOpen, "\(path) cannot be opened by plain SQLite")
        }
        sqlite3_busy_timeout(database, 5_000)
        return try body(database)
    }

    private static func rows(_ database: OpaquePointer, _ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw StoreError(.failed, "plain SQLite: \(String(cString: sqlite3_errmsg(database))) in \(sql)")
        }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                    }
                )
            case SQLITE_DONE: return rows
            default:
                throw StoreError(
                    .failed,
                    "plain SQLite: \(String(cString: sqlite3_errmsg(database))) in \(sql)"
                )
            }
        }
    }
}
