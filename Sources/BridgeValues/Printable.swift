/// Texts of others as a terminal can show them: nothing in them is taken for a command, and none passes for a line of ours.
package enum Printable {
    /// A text in one line.
    package static func text(_ text: String) -> String {
        escaped(text) { isControl($0) || $0 == "\n" || $0 == "\t" }
    }

    /// A text whose lines stay apart.
    package static func lines(_ text: String) -> String { escaped(text, isControl) }

    /// A text whose lines stay apart, all but the first set in: an entry of a list.
    package static func entry(_ text: String) -> String { lines(text).replacing("\n", with: "\n    ") }

    private static func escaped(_ text: String, _ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        return text.unicodeScalars.map { scalar in
            guard isEscaped(scalar) else { return String(scalar) }
            return scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // Source text is set in with tabs; emoji and many scripts are written with joiners.
        case "\n", "\t", "\u{200C}", "\u{200D}": return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
