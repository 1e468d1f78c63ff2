import CBenchSQLite
import Foundation

/// A database through its bare C API, as a careful author would use it: the plain work of stores.
final class PlainSQLite {
    private let handle: OpaquePointer
    private let begin: OpaquePointer
    private let commit: OpaquePointer
    private var update: OpaquePointer?
    private var select: OpaquePointer?
    private var selectRow: OpaquePointer?
    private var selectAll: OpaquePointer?

    init(_ path: String) throws {
        var opened: OpaquePointer?
        guard sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            let opened
        else { throw PlainSQLiteError(text: "\(path) cannot be opened") }
        handle = opened
        sqlite3_exec(opened, "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY", nil, nil, nil)
        begin = try Self.prepare(opened, "BEGIN IMMEDIATE")
        commit = try Self.prepare(opened, "COMMIT")
    }

    deinit {
        let statements: [OpaquePointer?] = [begin, commit, update, select, selectRow, selectAll]
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw PlainSQLiteError(text: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// Reads all sort keys and primary keys in order, and returns the number of rows.
    func selectInOrder() throws -> Int {
        let statement: OpaquePointer
        if let select {
            statement = select
        } else {
            statement = try Self.prepare(
                handle,
                #"SELECT country, name, "$id" FROM person ORDER BY country, name, "$id""#
            )
            select = statement
        }
        var count = 0
        var sum: Int64 = 0
        while sqlite3_step(statement) == SQLITE_ROW {
            for column in 0..<2 as Range<Int32> {
                guard let text = sqlite3_column_text(statement, column) else { continue }
                sum &+= Int64(text[0]) + Int64(sqlite3_column_bytes(statement, column))
            }
            sum &+= sqlite3_column_int64(statement, 2)
            count += 1
        }
        sqlite3_reset(statement)
        return sum == 0 ? 0 : count
    }

    /// Reads all columns of the first rows in order, and returns their number.
    func selectRows(_ count: Int) throws -> Int {
        let statement: OpaquePointer
        if let selectAll {
            statement = selectAll
        } else {
            statement = try Self.prepare(
                handle,
                #"""
                SELECT "$id", country, name, age, note FROM person ORDER BY country, name, "$id" LIMIT ?
                """#
            )
            selectAll = statement
        }
        sqlite3_bind_int64(statement, 1, Int64(count))
        var found = 0
        var sum: Int64 = 0
        while sqlite3_step(statement) == SQLITE_ROW {
            for column in [1, 2, 4] as [Int32] {
                guard let text = sqlite3_column_text(statement, column) else { continue }
                sum &+= Int64(text[0]) + Int64(sqlite3_column_bytes(statement, column))
            }
            sum &+= sqlite3_column_int64(statement, 0) &+ sqlite3_column_int64(statement, 3)
            found += 1
        }
        sqlite3_reset(statement)
        return sum == 0 ? 0 : found
    }

    /// Changes the names of rows in one transaction.
    func update(_ changes: [(id: Int64, name: String)]) throws {
        let statement: OpaquePointer
        if let update {
            statement = update
        } else {
            statement = try Self.prepare(handle, #"UPDATE person SET name = ? WHERE "$id" = ?"#)
            update = statement
        }
        try run(begin)
        for (id, name) in changes {
            var name = name
            name.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    // Static, because the string outlives the step.
                    _ = sqlite3_bind_text(statement, 1, bytes.baseAddress, Int32(bytes.count), nil)
                    sqlite3_bind_int64(statement, 2, id)
                    sqlite3_step(statement)
                    sqlite3_reset(statement)
                }
            }
        }
        try run(commit)
    }

    /// Reads all values of some rows by their primary keys, and returns a sum over them.
    func readWindow(_ ids: ArraySlice<Int64>) throws -> Double {
        let statement: OpaquePointer
        if let selectRow {
            statement = selectRow
        } else {
            statement = try Self.prepare(
                handle,
                #"SELECT country, name, age, note FROM person WHERE "$id" = ?"#
            )
            selectRow = statement
        }
        var sum: Int64 = 0
        for id in ids {
            sqlite3_bind_int64(statement, 1, id)
            guard sqlite3_step(statement) == SQLITE_ROW else {
                throw PlainSQLiteError(text: "row \(id) is not there")
            }
            _ = sqlite3_column_text(statement, 0)
            _ = sqlite3_column_text(statement, 3)
            let name = sqlite3_column_text(statement, 1)
            sum += id + Int64(sqlite3_column_bytes(statement, 0)) + sqlite3_column_int64(statement, 2)
            sum += Int64(sqlite3_column_bytes(statement, 3)) + (name?[0] != 0 ? 1 : 0)
            sqlite3_reset(statement)
        }
        return Double(sum)
    }

    private func run(_ statement: OpaquePointer) throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else {
            throw PlainSQLiteError(text: String(cString: sqlite3_errmsg(handle)))
        }
    }

    private static func prepare(_ handle: OpaquePointer, _ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
                == SQLITE_OK,
            let statement
        else { throw PlainSQLiteError(text: String(cString: sqlite3_errmsg(handle))) }
        return statement
    }
}

struct PlainSQLiteError: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
