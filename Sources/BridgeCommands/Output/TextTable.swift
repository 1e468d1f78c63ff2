internal import BridgeValues
internal import JavaScriptEngine

/// A table of text with columns of the same width.
struct TextTable {
    /// The side of a column on which its cells begin.
    enum Alignment {
        case left
        case right
    }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Creates a table with the alignment of each column.
    init(_ alignments: [Alignment]) { self.alignments = alignments }

    /// Adds a row; control characters of its cells are shown as such.
    mutating func add(_ cells: String...) { rows.append(cells.map { Printable.text($0) }) }

    /// The lines, without spaces at their ends.
    var lines: [String] {
        let widths = alignments.indices.map { column in
            rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - DisplayWidth.of(cell))
                line +=
                    (column == 0 ? "" : "  ") + (alignments[column] == .left ? cell + space : space + cell)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// Numbers for people.
enum FigureText {
    /// Returns a size in bytes with a unit: `31.3 KB`.
    static func bytes(_ count: Int) -> String {
        let sign = count < 0 ? "-" : ""
        var value = Double(count.magnitude)
        for unit in ["B", "KB", "MB"] {
            if value < 1000 || unit == "MB" && value < 10_000 {
                return unit == "B" ? "\(sign)\(Int(value)) B" : "\(sign)\(DecimalText.of(value)) \(unit)"
            }
            value /= 1000
        }
        return "\(sign)\(DecimalText.of(value)) GB"
    }

    /// Returns a part of a whole in percent.
    static func percent(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "-" : "\(DecimalText.of(Double(part) * 100 / Double(whole))) %"
    }

    /// Returns a number of things: `1 object`, `2 objects`.
    static func count(_ number: Int, _ noun: String, _ nouns: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : nouns ?? noun + "s")"
    }
}
