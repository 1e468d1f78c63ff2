internal import CSQLite
internal import Foundation

/// An authorizer that checks a statement while SQLite prepares it.
///
/// It allows reading granted tables and calling harmless functions.
///
/// It uses an allow list, never a deny list.
final class SQLAuthorizer {
    private let tables: Set<String>
    /// A description of the last refused operation.
    private(set) var refusal: String?

    /// The allowed functions, which only compute results from given values.
    ///
    /// Functions that create large values from nothing, describe the library, or access external resources are
    /// excluded.
    private static let functions: Set<String> = [
        "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "avg", "ceil", "ceiling",
        "coalesce",
        "concat", "cos", "cosh", "count", "cume_dist", "date", "datetime", "degrees", "dense_rank", "exp",
        "first_value", "floor", "glob", "group_concat", "hex", "ifnull", "iif", "instr", "julianday", "lag",
        "last_value", "lead", "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower",
        "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif", "percent_rank", "pi", "pow", "power",
        "printf",
        "format", "quote", "radians", "rank", "replace", "round", "row_number", "rtrim", "sign", "sin",
        "sinh",
        "sqrt", "strftime", "substr", "substring", "sum", "tan", "tanh", "time", "total", "trim", "trunc",
        "typeof",
        "unicode", "unlikely", "upper", "char", "unixepoch",
    ]

    init(tables: Set<String>) { self.tables = tables }

    /// Starts authorizing for a connection, which must not outlive this object.
    func attach(to handle: OpaquePointer) {
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let authorizer = Unmanaged<SQLAuthorizer>.fromOpaque(context).takeUnretainedValue()
                let words = (first.map { String(cString: $0) }, second.map { String(cString: $0) })
                return authorizer.allows(action, words.0 ?? "", words.1 ?? "") ? SQLITE_OK : SQLITE_DENY
            },
            // Unretained because the owner of both releases the connection first.
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Clears the last refusal.
    func begin() { refusal = nil }

    private func allows(_ action: Int32, _ first: String, _ second: String) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return true
        case SQLITE_READ:
            if tables.contains(first) { return true }
            refusal = "reading '\(first)'"
        case SQLITE_FUNCTION:
            if Self.functions.contains(second.lowercased()) { return true }
            refusal = "the function '\(second)'"
        case SQLITE_ATTACH: refusal = "ATTACH"
        case SQLITE_PRAGMA: refusal = "PRAGMA \(first)"
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: refusal = "changing '\(first)'"
        default: refusal = "operations other than reading"
        }
        return false
    }
}
