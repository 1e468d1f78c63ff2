internal import Foundation
internal import JavaScriptEngine

/// Bars of text, one below the other: a label, a bar, a figure.
struct BarChart: Hashable {
    /// One bar.
    struct Bar: Hashable {
        var label: String
        var value: Double
    }

    /// How wide a chart is where there is no terminal.
    static let plainColumns = 72

    var title: String?
    var bars: [Bar]

    /// Draws the chart.
    ///
    /// - Parameters:
    ///   - columns: How many columns there are.
    ///   - isPlain: Whether bars are drawn with `#` instead of blocks that are an eighth of a character fine.
    /// - Returns: Its lines, without a line break at the end.
    func text(columns: Int, isPlain: Bool) -> String {
        let figures = bars.map { Self.figure($0.value) }
        let figureWidth = figures.map(\.count).max() ?? 0
        let available = max(20, columns - 1)
        let widest = bars.map { DisplayWidth.of($0.label) }.max() ?? 0
        // A third for labels is enough, and a few words; the bars are what is looked at.
        let labelWidth = min(widest, max(14, available / 3))
        let barWidth = max(4, available - labelWidth - figureWidth - 2)
        // One without end fills its line, and is no measure for the others.
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
            // What is there is seen, however small.
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

    /// A number as a person writes it: whole ones with commas, others with at most four digits that count.
    static func figure(_ value: Double) -> String {
        if let whole = Int(exactly: value), abs(whole) < 1_000_000_000_000 {
            return ProgressBar.grouped(whole)
        }
        return String(format: "%.4g", value)
    }
}
