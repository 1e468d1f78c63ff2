internal import CollectionViews
internal import TerminalViews

extension BarChart {
    /// Returns the chart as text for an output.
    ///
    /// - Parameters:
    ///   - width: The width in columns; `nil` for that of the output's terminal, or 72 without one.
    ///   - output: The output.
    ///   - isColored: Whether styles are shown by the colors of a terminal.
    /// - Returns: The lines, without a line break at the end.
    func text(width: Int?, on output: CommandOutput, isColored: Bool) -> String {
        let lines = lines(
            width: width ?? output.terminalColumns ?? Self.plainWidth,
            isPlain: output.terminalColumns == nil
        )
        return lines.map { isColored ? $0.colored : $0.string }.joined(separator: "\n")
    }
}

extension StyledText {
    /// The text with the control sequences of a terminal for its styles.
    fileprivate var colored: String {
        spans.map { span in
            span.style.code.map { "\u{1B}[\($0)m\(span.string)\u{1B}[0m" } ?? span.string
        }.joined()
    }
}

extension StyledText.Style {
    /// The parameter of the control sequence SGR; `nil` for plain text.
    fileprivate var code: Int? {
        switch self {
        case .plain: nil
        case .strong: 1
        case .secondary: 90
        case .failure, .deleted: 31
        case .match, .inserted: 32
        case .updated: 33
        case .moved: 34
        case .accent: 36
        }
    }
}
