internal import Foundation
internal import JavaScriptEngine

/// A bar chart as text: one line per bar, with a label, a number and a bar.
struct BarChart: Hashable {
    /// One bar.
    struct Bar: Hashable {
        var label: String
        var value: Double
    }

    /// The width of a chart without a terminal, in columns.
    static let plainColumns = 72

    var title: String?
    var bars: [Bar]

    /// Returns the chart as text.
    ///
    /// - Parameters:
    ///   - columns: The width in columns.
    ///   - isPlain: Whether bars are drawn with `#` instead of blocks with a resolution of an eighth of a character.
    /// - Returns: The lines, without a line break at the end.
    func text(columns: Int, isPlain: Bool) -> String {
        let figures = bars.map { Self.figure($0.value) }
        let figureWidth = figures.map(\.count).max() ?? 0
        let available = max(20, columns - 1)
        let widest = bars.map { DisplayWidth.of($0.label) }.max() ?? 0
        // A third is enough for labels; the bars are more important.
        let labelWidth = min(widest, max(14, available / 3))
        let barWidth = max(4, available - labelWidth - figureWidth - 2)
        // An infinite value fills its line and does not scale the others.
        let largest = bars.map { abs($0.value) }.filter(\.isFinite).max() ?? 0
        var lines = title.map { [$0] } ?? []
        if bars.isEmpty { lines.append("(nothing to draw)") }
        for (bar, figure) in zip(bars, figures) {
            let label = Self.padded(bar.label, to: labelWidth)
            let gap = String(repeating: " ", count: figureWidth - figure.count)
            let part =
                bar.value.isInfinite ? 1 : largest > 0 && !bar.value.isNaN ? abs(bar.value) / largest : 0
            let drawn = Self.drawn(part, in: barWidth, isPlain: isPlain)
            lines.append("\(label) \(gap)\(figure)\(drawn.isEmpty ? "" : " ")\(drawn)")
        }
        return lines.joined(separator: "\n")
    }

    private static func drawn(_ part: Double, in width: Int, isPlain: Bool) -> String {
        if isPlain {
            // A value above zero is visible, however small.
            let length = part > 0 ? max(1, Int((part * Double(width)).rounded())) : 0
            return String(repeating: "#", count: length)
        }
        let eighths = part > 0 ? max(1, Int((part * Double(width * 8)).rounded())) : 0
        let rest = ["", "\u{258F}", "\u{258E}", "\u{258D}", "\u{258C}", "\u{258B}", "\u{258A}", "\u{2589}"]
        return String(repeating: "\u{2588}", count: eighths / 8) + rest[eighths % 8]
    }

    private static func padded(_ label: String, to width: Int) -> String {
        var cut = Substring(label)
        if DisplayWidth.of(label) > width {
            while !cut.isEmpty, DisplayWidth.of(String(cut)) + 3 > width { cut.removeLast() }
            cut += "..."
        }
        return cut + String(repeating: " ", count: max(0, width - DisplayWidth.of(String(cut))))
    }

    /// Returns a number for people: integers with commas, others with at most four significant digits.
    static func figure(_ value: Double) -> String {
        if let whole = Int(exactly: value), abs(whole) < 1_000_000_000_000 {
            return ProgressBar.grouped(whole)
        }
        return String(format: "%.4g", value)
    }
}
