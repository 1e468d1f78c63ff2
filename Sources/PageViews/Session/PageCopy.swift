/// Rows for other programs.
public struct PageCopy: Sendable, Hashable {
    /// The number of bytes beyond which the two forms are refused together; no content needs to make more.
    public static let maximumByteCount = PageAnswer.maximumByteCount

    /// The rows as plain text.
    public var text: String
    /// The rows as lines with tabs between the fields.
    public var tabSeparatedValues: String

    /// Creates the two forms of some rows.
    public init(text: String, tabSeparatedValues: String) {
        self.text = text
        self.tabSeparatedValues = tabSeparatedValues
    }

    /// Creates the two forms of rows, whose fields have one line each.
    public init(rows: [[String]]) {
        self.init(
            text: rows.map { $0.joined(separator: "  ") }.joined(separator: "\n"),
            tabSeparatedValues: rows.map { $0.joined(separator: "\t") }.joined(separator: "\n")
        )
    }

    /// Returns a field without tabs and line ends, which become spaces.
    public static func oneLine(_ field: String) -> String {
        String(field.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
}
