internal import CollectionViews
internal import JavaScriptEngine

/// A progress bar of an import, in one line of a terminal.
struct ProgressBar {
    /// The state to draw.
    struct State: Hashable {
        var label: String
        var done: Int
        /// The total amount of work, or `nil` if it is unknown.
        var total: Int?
        var rows: Int
    }

    /// The minimum time between two drawings: 20 per second.
    static let interval = Duration.milliseconds(50)
    /// The sequence that returns to the beginning of the line and clears it.
    static let erasure = "\r\u{1B}[K"

    private var lastDrawn: Duration?

    /// Returns the text that draws a state, or `nil` if the last drawing is too recent.
    mutating func drawing(of state: State, columns: Int, at now: Duration) -> String? {
        if let lastDrawn, now - lastDrawn < Self.interval { return nil }
        lastDrawn = now
        return Self.erasure + Self.line(state, columns: columns)
    }

    /// Returns the line: name, bar, percentage and count of rows, as far as they fit.
    ///
    /// The last column stays free, because some terminals begin a new line there.
    static func line(_ state: State, columns: Int) -> String {
        let available = max(0, columns - 1)
        let rows = "  \(rowCount(state.rows))"
        guard let total = state.total, total > 0 else {
            return fitting(label: state.label, before: rows, in: available)
        }
        let part = min(1, max(0, Double(state.done) / Double(total)))
        let percentage = "\(Int(part * 100))%"
        let figures = String(repeating: " ", count: 4 - percentage.count) + percentage
        for end in [rows, ""] {
            // Space for millions from the start, so that the bar keeps its length while the count grows.
            let room = end.isEmpty ? 0 : max(end.count, 16)
            let bar = min(40, available - DisplayWidth.of(state.label) - figures.count - room - 5)
            guard bar >= 8 else { continue }
            let filled = Int(part * Double(bar))
            let drawn = String(repeating: "#", count: filled) + String(repeating: ".", count: bar - filled)
            return "\(state.label)  [\(drawn)] \(figures)\(end)"
        }
        return fitting(label: state.label, before: " \(figures)", in: available)
    }

    /// Returns a count of rows with its unit.
    static func rowCount(_ rows: Int) -> String { "\(Grouped.text(rows)) \(rows == 1 ? "row" : "rows")" }

    private static func fitting(label: String, before figures: String, in columns: Int) -> String {
        guard figures.count <= columns else { return String(figures.drop { $0 == " " }.prefix(columns)) }
        let space = columns - figures.count
        guard DisplayWidth.of(label) > space else { return label + figures }
        var cut = Substring(label)
        while !cut.isEmpty, DisplayWidth.of(String(cut)) + 3 > space { cut.removeLast() }
        return (cut.isEmpty ? "" : "\(cut)...") + figures
    }
}
