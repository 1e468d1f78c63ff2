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
    func codeFrame(sourceURL: String?, line: Int?, column: Int?) -> String? {
        guard let sourceURL, let line, let source = sources[sourceURL] else { return nil }
        let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
        let index = line - source.startingLine
        guard lines.indices.contains(index) else { return nil }
        let shown = max(0, index - 2)...min(lines.count - 1, index + 1)
        let width = String(shown.upperBound + source.startingLine).count
        var result: [String] = []
        for current in shown {
            let number = String(current + source.startingLine)
            let padding = String(repeating: " ", count: width - number.count)
            result.append(
                "\(current == index ? ">" : " ") \(padding)\(number) | \(Self.shortened(lines[current]))"
            )
            if current == index, let column, column >= 1 {
                let before = lines[current].utf16.prefix(column - 1).map { $0 == 9 ? "\t" : " " }.joined()
                result.append("  \(String(repeating: " ", count: width)) | \(before)^")
            }
        }
        return result.joined(separator: "\n")
    }

    // Minified scripts have lines of any length.
    private static func shortened(_ line: Substring) -> String {
        line.count > 200 ? String(line.prefix(200)) + " ..." : String(line)
    }
}
