public import CollectionViews

extension BarChart {
    /// The width of a chart without a terminal, in cells.
    package static let plainWidth = 72

    /// Returns the chart as lines: the title, then a line for each bar with its label, its value and the bar.
    ///
    /// - Parameters:
    ///   - width: The width of the lines, in cells; at least 20 are used.
    ///   - text: The widths of characters.
    ///   - isPlain: Whether bars are drawn with `#` instead of blocks with a resolution of an eighth of a cell.
    /// - Returns: The lines. A bar has the style that its chart gives it.
    public func lines(width: Int, text: TerminalText = TerminalText(), isPlain: Bool = false) -> [StyledText]
    {
        let figures = bars.map { Self.figure($0.value) }
        let figureWidth = figures.map(\.count).max() ?? 0
        let available = max(20, width - 1)
        let widest = bars.map { text.width(of: $0.label) }.max() ?? 0
        // A third is enough for labels; the bars are more important.
        let labelWidth = min(widest, max(14, available / 3))
        let barWidth = max(4, available - labelWidth - figureWidth - 2)
        var lines = title.map { [StyledText(text.printable($0), style: .strong)] } ?? []
        if bars.isEmpty { lines.append("(nothing to draw)") }
        for (index, length) in lengths.enumerated() {
            let label = text.fitted(bars[index].label, to: labelWidth)
            let figure = text.fitted(figures[index], to: figureWidth, .trailing)
            let drawn = Self.drawn(abs(length), in: barWidth, isPlain: isPlain)
            var line = StyledText("\(label) \(figure)\(drawn.isEmpty ? "" : " ")")
            if !drawn.isEmpty { line.spans.append(.init(drawn, style: bars[index].style)) }
            lines.append(line)
        }
        return lines
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
}
