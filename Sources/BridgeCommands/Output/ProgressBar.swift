internal import JavaScriptEngine

/// Draws how far an import is, in one line of a terminal.
struct ProgressBar {
    /// What there is to draw.
    struct State: Hashable {
        var label: String
        var done: Int
        /// How much there is to do; `nil` where nobody knows.
        var total: Int?
        var rows: Int
    }

    /// The shortest time between two drawings: 20 in a second are enough for an eye.
    static let interval = Duration.milliseconds(50)
    /// Goes to the beginning of the line and clears it.
    static let erasure = "\r\u{1B}[K"

    private var lastDrawn: Duration?

    /// Gives what to write to show a state, or `nil` where the last drawing is too young.
    mutating func drawing(of state: State, columns: Int, at now: Duration) -> String? {
        if let lastDrawn, now - lastDrawn < Self.interval { return nil }
        lastDrawn = now
        return Self.erasure + Self.line(state, columns: columns)
    }

    /// The line: name, bar, percentage and count of rows, as much of it as fits.
    ///
    /// It leaves the last column free, where some terminals begin a new line.
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
            // Room for millions from the start, so that the bar keeps its length while the count grows.
            let room = end.isEmpty ? 0 : max(end.count, 16)
            let bar = min(40, available - DisplayWidth.of(state.label) - figures.count - room - 5)
            guard bar >= 8 else { continue }
            let filled = Int(part * Double(bar))
            let drawn = String(repeating: "#", count: filled) + String(repeating: ".", count: bar - filled)
            return "\(state.label)  [\(drawn)] \(figures)\(end)"
        }
        return fitting(label: state.label, before: " \(figures)", in: available)
    }

    /// A count of rows in words.
    static func rowCount(_ rows: Int) -> String { "\(grouped(rows)) \(rows == 1 ? "row" : "rows")" }

    private static func fitting(label: String, before figures: String, in columns: Int) -> String {
        guard figures.count <= columns else { return String(figures.drop { $0 == " " }.prefix(columns)) }
        let space = columns - figures.count
        guard DisplayWidth.of(label) > space else { return label + figures }
        var cut = Substring(label)
        while !cut.isEmpty, DisplayWidth.of(String(cut)) + 3 > space { cut.removeLast() }
        return (cut.isEmpty ? "" : "\(cut)...") + figures
    }

    /// A count with commas between thousands.
    static func grouped(_ number: Int) -> String {
        var groups: [Substring] = []
        var digits = Substring(String(number.magnitude))
        while digits.count > 3 {
            groups.append(digits.suffix(3))
            digits = digits.dropLast(3)
        }
        groups.append(digits)
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }
}
