/// An escaper of foreign strings for terminals: they cannot contain control sequences, or pass for output of the
/// program.
package enum Printable {
    /// Returns a string as a single line.
    package static func text(_ text: String) -> String {
        escaped(text) { isControl($0) || $0 == "\n" || $0 == "\t" }
    }

    /// Returns a string that keeps its lines.
    package static func lines(_ text: String) -> String { escaped(text, isControl) }

    /// Returns a string that keeps its lines, all but the first indented: an entry of a list.
    package static func entry(_ text: String) -> String { lines(text).replacing("\n", with: "\n    ") }

    /// Returns a string in quotes, as a person shall compare it.
    ///
    /// It is one line, with escapes for quotes, backslashes, and all that has no ink except for single spaces.
    ///
    /// - Parameters:
    ///   - text: The string.
    ///   - columns: The maximum width; the middle of a wider string is cut, with a note outside the quotes. Characters
    ///     other than ASCII count as two columns.
    /// - Returns: The quoted string.
    package static func literal(_ text: String, columns: Int) -> String {
        var previous: Unicode.Scalar?
        let parts = text.unicodeScalars.map { scalar -> String in
            defer { previous = scalar }
            switch scalar {
            case "\n": return "\\n"
            case "\"", "\\": return "\\\(scalar)"
            case " ": return previous == " " ? "\\u{20}" : " "
            default: return isControl(scalar) || isBlank(scalar) ? code(scalar) : String(scalar)
            }
        }
        let widths = parts.map { part in part.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) } }
        guard widths.reduce(0, +) > columns else { return "\"\(parts.joined())\"" }
        // Room for the note and its quotes.
        let half = max(1, (columns - 30) / 2)
        let head = parts[..<count(widths, upTo: half)]
        let tail = parts.suffix(count(widths.reversed(), upTo: half))
        let note = "... \(parts.count - head.count - tail.count) characters ..."
        return "\"\(head.joined())\" \(note) \"\(tail.joined())\""
    }

    /// Returns how many of the parts fit.
    private static func count(_ widths: [Int], upTo limit: Int) -> Int {
        var sum = 0
        return widths.prefix { width in
            sum += width
            return sum <= limit
        }.count
    }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16))}"
    }

    private static func escaped(_ text: String, _ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        return text.unicodeScalars.map { scalar in
            guard isEscaped(scalar) else { return String(scalar) }
            return scalar == "\n" ? "\\n" : code(scalar)
        }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // Source text is indented with tabs; emoji and many scripts need joiners.
        case "\n", "\t", "\u{200C}", "\u{200D}": return false
        // Letters and symbols without ink: fillers of Hangul, and the empty pattern of Braille.
        case "\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}", "\u{2800}": return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// Returns whether a character looks like a space, or like nothing.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\t" || scalar.properties.isDefaultIgnorableCodePoint { return true }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .privateUse, .unassigned: return true
        default: return false
        }
    }
}
