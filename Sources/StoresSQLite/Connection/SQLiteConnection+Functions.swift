internal import BridgeValues
internal import CSQLite
internal import Foundation

extension SQLiteConnection {
    /// Whether a text has another one in it: `$contains(text, part)`.
    ///
    /// SQLite's own `instr` takes the product of both lengths where the text repeats itself, and cannot be ended.
    static let containsFunction = #""$contains""#
    /// Gives its argument: `$value(?)`.
    ///
    /// SQLite compares each constant of a statement with all others as it compiles it, so that many of them take the
    /// square of their number; what this gives is not a constant to it.
    static let valueFunction = #""$value""#

    /// Adds the functions that conditions call; a view or trigger of the file cannot call them.
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
        // As a blob: text would be copied to put a zero byte behind it.
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}
