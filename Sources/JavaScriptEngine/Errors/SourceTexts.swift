/// The texts of the scripts that a context evaluated under a name, to show the place of an error in them.
struct SourceTexts {
    private struct Source {
        let text: String
        let startingLine: Int
    }

    // Bounded, so that a host that evaluates for ever under new names does not grow for ever.
    private static let maximumCount = 64
    private static let maximumLength = 4 * 1024 * 1024
    private var sources: [String: Source] = [:]
    private var order: [String] = []

    /// Notes a source; one of the same name is replaced.
    mutating func note(_ text: String, sourceURL: String, startingLine: Int) {
        guard text.utf8.count <= Self.maximumLength else { return }
        if sources.updateValue(Source(text: text, startingLine: startingLine), forKey: sourceURL) == nil {
            order.append(sourceURL)
        }
        if order.count > Self.maximumCount { sources[order.removeFirst()] = nil }
    }

    /// The lines around a place, numbered, with a mark under the column.
    ///
    /// Of a line that is too long to be read, as minified scripts have them, it shows the part around the
    /// column.
    func codeFrame(sourceURL: String?, line: Int?, column: Int?) -> String? {
        guard let sourceURL, let line, let source = sources[sourceURL] else { return nil }
        let (index, overflow) = line.subtractingReportingOverflow(source.startingLine)
        guard !overflow, index >= 0, index < Int.max - 2 else { return nil }
        // One split more than the lines that are shown: the rest of the source stays whole.
        let lines = source.text.utf8.split(
            separator: 10,
            maxSplits: index + 2,
            omittingEmptySubsequences: false
        )
        guard lines.indices.contains(index) else { return nil }
        let shown = max(0, index - 2)...min(lines.count - 1, index + 1)
        let width = String(shown.upperBound + source.startingLine).count
        var result: [String] = []
        for current in shown {
            let number = String(current + source.startingLine)
            let padding = String(repeating: " ", count: width - number.count)
            let isMarked = current == index
            let excerpt = LineExcerpt(of: Substring(lines[current]), around: isMarked ? column : nil)
            result.append("\(isMarked ? ">" : " ") \(padding)\(number) | \(excerpt.text)")
            if let indentation = excerpt.indentation {
                result.append("  \(String(repeating: " ", count: width)) | \(indentation)^")
            }
        }
        return result.joined(separator: "\n")
    }
}

/// The part of a line that is shown.
private struct LineExcerpt {
    private static let maximumLength = 200
    private static let cut = "... "
    var text: String
    /// What stands before the mark under the text; `nil` where nothing is marked.
    var indentation: String?

    init(of line: Substring, around column: Int?) {
        let units = Array(line.utf16.last == 13 ? line.utf16.dropLast() : line.utf16)
        let place = column.flatMap { $0 >= 1 ? min($0 - 1, units.count) : nil }
        var start = 0
        if units.count > Self.maximumLength, let place, place >= Self.maximumLength * 3 / 4 {
            start = min(place - Self.maximumLength / 2, units.count - Self.maximumLength)
        }
        var end = min(units.count, start + Self.maximumLength)
        // A pair of surrogates is one character: never half of one.
        if start > 0, units[start] & 0xFC00 == 0xDC00 { start -= 1 }
        if end < units.count, units[end] & 0xFC00 == 0xDC00 { end -= 1 }
        text = String(decoding: units[start..<end], as: UTF16.self)
        if start > 0 { text = Self.cut + text }
        if end < units.count { text += " ..." }
        indentation = place.map { place in
            (start > 0 ? String(repeating: " ", count: Self.cut.count) : "")
                + units[start..<min(place, end)].map { $0 == 9 ? "\t" : " " }.joined()
        }
    }
}
