/// An excerpt of a source around a position, for people.
struct CodeFrame {
    let text: String
    /// The number of the first line.
    let startingLine: Int

    /// Returns the numbered lines around a position, with a caret under the column.
    ///
    /// A line ends with LF, CRLF, CR, or one of the two separators of Unicode, as in JavaScript. Of a long line, as in
    /// minified scripts, only the part around the column is shown. The caret is also placed correctly after wide
    /// characters, which a terminal draws in two columns each.
    func around(line: Int?, column: Int?) -> String? {
        guard let line else { return nil }
        let (index, overflow) = line.subtractingReportingOverflow(startingLine)
        guard !overflow, index >= 0, index < Int.max - 2 else { return nil }
        let first = max(0, index - 2)
        let lines = SourceLines(text).lines(from: first, through: index + 1)
        guard lines.count > index - first else { return nil }
        let width = String(first + lines.count - 1 + startingLine).count
        var result: [String] = []
        for (offset, units) in lines.enumerated() {
            let number = String(first + offset + startingLine)
            let padding = String(repeating: " ", count: width - number.count)
            let isMarked = first + offset == index
            let excerpt = LineExcerpt(of: units, around: isMarked ? column : nil)
            result.append("\(isMarked ? ">" : " ") \(padding)\(number) | \(excerpt.text)")
            if let indentation = excerpt.indentation {
                result.append("  \(String(repeating: " ", count: width)) | \(indentation)^")
            }
        }
        return result.joined(separator: "\n")
    }
}

/// The lines of a text by JavaScript's rules.
struct SourceLines {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Returns a range of lines without their terminators; fewer if the text has fewer.
    func lines(from first: Int, through last: Int) -> [[UInt16]] {
        var result: [[UInt16]] = []
        var current: [UInt16] = []
        var number = 0
        var previous: UInt16 = 0
        for unit in text.utf16 {
            defer { previous = unit }
            if unit == 10, previous == 13 { continue }
            guard unit == 10 || unit == 13 || unit == 0x2028 || unit == 0x2029 else {
                if number >= first { current.append(unit) }
                continue
            }
            if number >= first { result.append(current) }
            current = []
            number += 1
            if number > last { return result }
        }
        if number >= first { result.append(current) }
        return result
    }
}

/// The part of a line that is shown.
private struct LineExcerpt {
    private static let maximumLength = 200
    private static let cut = "... "
    var text: String
    /// The text before the caret in the line below; `nil` if there is none.
    var indentation: String?

    init(of units: [UInt16], around column: Int?) {
        let place = column.flatMap { $0 >= 1 ? min($0 - 1, units.count) : nil }
        var start = 0
        if units.count > Self.maximumLength, let place, place >= Self.maximumLength * 3 / 4 {
            start = min(place - Self.maximumLength / 2, units.count - Self.maximumLength)
        }
        var end = min(units.count, start + Self.maximumLength)
        // Never splits a surrogate pair.
        if start > 0, units[start] & 0xFC00 == 0xDC00 { start -= 1 }
        if end < units.count, units[end] & 0xFC00 == 0xDC00 { end -= 1 }
        text = Self.shown(units[start..<end])
        if start > 0 { text = Self.cut + text }
        if end < units.count { text += " ..." }
        indentation = place.map { place in
            let before = start > 0 ? Self.cut.count : 0
            return String(repeating: " ", count: before) + Self.blank(units[start..<min(place, end)])
        }
    }

    // A script is untrusted, so characters that a terminal would interpret as commands are replaced.
    private static func shown(_ units: ArraySlice<UInt16>) -> String {
        let text = String(decoding: units, as: UTF16.self)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 })
        )
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\t" && (scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value))
    }

    // As wide as the text: tabs stay tabs.
    private static func blank(_ units: ArraySlice<UInt16>) -> String {
        units.split(separator: 9, omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: DisplayWidth.of(shown($0))) }
            .joined(separator: "\t")
    }
}
