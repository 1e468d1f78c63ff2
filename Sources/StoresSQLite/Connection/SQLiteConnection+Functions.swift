internal import BridgeValues
internal import CSQLite
internal import Foundation

extension SQLiteConnection {
    /// The SQL function that tests whether a string contains another: `$contains(text, part)`.
    ///
    /// SQLite's own `instr` takes time proportional to the product of both lengths for repetitive strings, and cannot
    /// be interrupted.
    static let containsFunction = #""$contains""#
    /// The SQL function that returns its argument: `$value(?)`.
    ///
    /// While SQLite compiles a statement, it compares each constant with all others, which takes quadratic time. SQLite
    /// does not treat the result of this function as a constant.
    static let valueFunction = #""$value""#

    /// Registers the functions that conditions call; views and triggers of the file cannot call them.
    func addFunctions() throws {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
        try check(
            sqlite3_create_function_v2(
                handle,
                "$contains",
                2,
                flags | SQLITE_DETERMINISTIC,
                context,
                { context, _, arguments in
                    guard let context, let arguments, let connection = sqlite3_user_data(context) else {
                        return
                    }
                    Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue()
                        .contains(context, arguments[0], arguments[1])
                },
                nil,
                nil,
                nil
            )
        )
        try check(
            sqlite3_create_function_v2(
                handle,
                "$value",
                1,
                flags,
                nil,
                { context, _, arguments in sqlite3_result_value(context, arguments?[0]) },
                nil,
                nil,
                nil
            )
        )
    }

    private func contains(_ context: OpaquePointer, _ text: OpaquePointer?, _ part: OpaquePointer?) {
        guard sqlite3_value_type(text) != SQLITE_NULL, sqlite3_value_type(part) != SQLITE_NULL else {
            return sqlite3_result_null(context)
        }
        do {
            let isThere = try ByteSearch.find(Self.bytes(part), in: Self.bytes(text))
            sqlite3_result_int(context, isThere ? 1 : 0)
        } catch {
            endedBy = error
            sqlite3_result_error_code(context, SQLITE_INTERRUPT)
        }
    }

    private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        // Read as a blob: SQLite would copy text to append a zero byte.
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}
