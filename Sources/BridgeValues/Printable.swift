/// Escapes foreign strings for terminals: they cannot contain control sequences, or pass for output of the program.
package enum Printable {
    /// Returns a string as a single line.
    package static func text(_ text: String) -> String {
        escaped(text) { isControl($0) || $0 == "\n" || $0 == "\t" }
    }

    /// Returns a string that keeps its lines.
    package static func lines(_ text: String) -> String { escaped(text, isControl) }

    /// Returns a string that keeps its lines, all but the first indented: an entry of a list.
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
        // Source text is indented with tabs; emoji and many scripts need joiners.
        case "\n", "\t", "\u{200C}", "\u{200D}": return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
