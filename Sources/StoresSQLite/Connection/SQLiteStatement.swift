internal import CSQLite
internal import Foundation
internal import Stores

/// A prepared statement: bind, step, read, reset.
final class SQLiteStatement {
    let sql: String
    /// A Boolean value that indicates whether the statement is currently taken from its connection's cache.
    var isTaken = false
    private let handle: OpaquePointer
    // Unowned because a statement exists only in its connection's cache, or in a use that ends before the connection's
    // owner releases it.
    private unowned let connection: SQLiteConnection

    init(_ sql: String, connection: SQLiteConnection) throws {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &prepared,
            nil
        )
        guard code == SQLITE_OK, let prepared else { throw connection.error(code) }
        self.sql = sql
        self.connection = connection
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Advances to the next row; returns false if there are no more rows.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code)
        }
    }

    /// Resets the statement for its next run.
    ///
    /// Bound values are kept until they are bound again.
    func reset() { sqlite3_reset(handle) }

    // MARK: - Binding values

    /// Binds a value; positions start at 1.
    func bind(_ value: AttributeValue, at position: Int) throws {
        let code = Self.bind(value, to: handle, at: Int32(position))
        if code != SQLITE_OK { throw connection.error(code) }
    }

    /// Binds a value to a statement and returns SQLite's result code.
    static func bind(_ value: AttributeValue, to handle: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .boolean(let flag): sqlite3_bind_int64(handle, index, flag ? 1 : 0)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .double(let number): sqlite3_bind_double(handle, index, number)
        case .date(let date): sqlite3_bind_double(handle, index, date.timeIntervalSince1970)
        case .string(var text):
            text.withUTF8 { CSQLite_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) }
        case .data(let data):
            data.withUnsafeBytes { CSQLite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
        }
    }

    /// Binds bytes as text, which may contain incomplete UTF-8 sequences.
    func bind(text bytes: [UInt8], at position: Int) throws {
        let code = bytes.withUnsafeBytes {
            CSQLite_bind_text(handle, Int32(position), $0.baseAddress, UInt64($0.count))
        }
        if code != SQLITE_OK { throw connection.error(code) }
    }

    // MARK: - Reading columns

    /// Returns the integer in a column; columns start at 0.
    func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// Returns the string in a column.
    func text(_ column: Int) -> String {
        // Read as a blob: SQLite would copy text to append a zero byte. If allocating the copy failed, the text would
        // be empty without an error.
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, Int32(column)),
            count: Int(sqlite3_column_bytes(handle, Int32(column)))
        )
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the value in a column of an attribute's type.
    func value(_ column: Int, _ type: AttributeType) -> AttributeValue {
        let index = Int32(column)
        if sqlite3_column_type(handle, index) == SQLITE_NULL { return .null }
        switch type {
        case .boolean: return .boolean(sqlite3_column_int64(handle, index) != 0)
        case .integer: return .integer(sqlite3_column_int64(handle, index))
        case .double: return .double(sqlite3_column_double(handle, index))
        case .date: return .date(Date(timeIntervalSince1970: sqlite3_column_double(handle, index)))
        case .string: return .string(text(column))
        case .data:
            guard let bytes = sqlite3_column_blob(handle, index) else { return .data(Data()) }
            return .data(Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, index))))
        }
    }

    /// Appends the value in a column to a sort key, directly from SQLite's memory.
    func append(_ column: Int, _ field: OrderKeyFormat.Field, to key: inout OrderKeyBuffer) {
        let index = Int32(column)
        if sqlite3_column_type(handle, index) == SQLITE_NULL { return key.appendNull(field.isAscending) }
        switch field.type {
        case .boolean, .integer: key.append(sqlite3_column_int64(handle, index), field.isAscending)
        case .double: key.append(sqlite3_column_double(handle, index), field.isAscending)
        case .date:
            // Converted to a date and back, so that it has the same precision as the values of changed rows.
            let date = Date(timeIntervalSince1970: sqlite3_column_double(handle, index))
            key.append(date.timeIntervalSince1970, field.isAscending)
        case .string, .data:
            // Read as a blob: SQLite would copy text to append a zero byte.
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(handle, index),
                count: Int(sqlite3_column_bytes(handle, index))
            )
            if field.type == .string {
                key.append(text: bytes, field.isAscending)
            } else {
                key.append(data: bytes, field.isAscending)
            }
        }
    }

    /// Appends the value in a column to a table, directly from SQLite's memory.
    func append(_ column: Int, _ type: AttributeType, to table: RowTable) {
        let index = Int32(column)
        if sqlite3_column_type(handle, index) == SQLITE_NULL { return table.appendNull() }
        switch type {
        case .boolean: table.append(number: sqlite3_column_int64(handle, index) != 0 ? 1 : 0)
        case .integer: table.append(integer: sqlite3_column_int64(handle, index))
        case .double: table.append(number: sqlite3_column_double(handle, index))
        case .date: table.append(seconds: sqlite3_column_double(handle, index))
        case .string:
            let bytes = sqlite3_column_blob(handle, index)
            table.append(
                text: UnsafeBufferPointer(
                    start: bytes?.assumingMemoryBound(to: UInt8.self),
                    count: Int(sqlite3_column_bytes(handle, index))
                )
            )
        case .data:
            let bytes = sqlite3_column_blob(handle, index)
            let count = Int(sqlite3_column_bytes(handle, index))
            table.append(data: bytes.map { Data(bytes: $0, count: count) } ?? Data())
        }
    }
}
