internal import CollectionViews

/// The columns of a table as they are shown: their widths, and the one with the focus.
struct TableColumns {
    /// The width of a column that is not shown in full.
    static let maximumWidth = 32
    /// The number of rows that are remembered as measured.
    static let maximumMeasured = 10_000
    /// The cells between two columns.
    static let spacing = 2

    /// The columns with the names that are shown: a column without a name has its number.
    let all: [TableColumn]
    /// The column with the focus.
    private(set) var current = 0 { didSet { knownHeader = nil } }
    /// The first visible column.
    private var first = 0 { didSet { knownHeader = nil } }
    private var widths: [Int] = [] { didSet { knownHeader = nil } }
    private var areNumbers: [Bool] = [] { didSet { knownHeader = nil } }
    /// The header of these columns, with the sort and the widths of characters that it was made for; `nil` after a change.
    var knownHeader: (sort: ViewSort?, generation: Int, text: StyledText)?
    private var full: Set<Int> = []
    /// The rows that columns were widened for last, so that each is measured once.
    private var measured: Set<Int> = []
    /// The number of cells for all columns.
    private var room = 80 { didSet { knownHeader = nil } }

    init(_ columns: [TableColumn]) {
        all = columns.enumerated().map { index, column in
            TableColumn(column.name.isEmpty ? "column \(index + 1)" : TableContent.shortened(column.name))
        }
    }

    /// Chooses the widths by the names and some rows.
    mutating func fit(_ rows: [[String]], room: Int, text: TerminalText) {
        self.room = room
        measured = []
        widths = all.indices.map { column in
            let values = rows.map { column < $0.count ? $0[column] : "" }
            let limit = full.contains(column) ? max(1, room) : Self.maximumWidth
            // The mark of the sorted column needs a cell beside the name.
            return ([all[column].name + " "] + values).map { text.width(of: $0, upTo: limit) }.max() ?? 1
        }
        areNumbers = all.indices.map { column in
            let values = rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
            return !values.isEmpty && values.allSatisfy { Double($0) != nil }
        }
        showCurrent()
    }

    /// Returns the rows that were not measured since the columns were fitted, and remembers them.
    mutating func unmeasured(_ numbers: [Int]) -> [Int] {
        let new = numbers.filter { !measured.contains($0) }
        guard !new.isEmpty else { return [] }
        // Old ones are measured again when they return.
        if measured.count > Self.maximumMeasured { measured = Set(numbers) } else { measured.formUnion(new) }
        return new
    }

    /// Measures rows again that have other values.
    mutating func remeasure(_ numbers: [Int]) { measured.subtract(numbers) }

    /// Widens columns for a row, and returns whether one has become wider.
    ///
    /// Columns never become narrower by rows.
    mutating func widen(for row: [String], text: TerminalText) -> Bool {
        var isWider = false
        for (column, start, width) in visible where column < row.count {
            // The last visible column may be cut by the edge.
            guard width == widths[column], width < Self.maximumWidth, !row[column].isEmpty else { continue }
            let needed = text.width(of: row[column], upTo: Self.maximumWidth)
            guard needed > width else { continue }
            // A column that grew beyond the edge would look as cut as before.
            guard start + width < room else { continue }
            widths[column] = needed
            isWider = true
        }
        if isWider { showCurrent() }
        return isWider
    }

    mutating func select(_ column: Int) {
        current = max(0, min(all.count - 1, column))
        showCurrent()
    }

    /// Shows the column with the focus in full, or not.
    mutating func toggleFull() {
        if full.remove(current) == nil { full.insert(current) }
    }

    /// A visible column: its number, its first cell and its width.
    typealias Visible = (column: Int, start: Int, width: Int)

    /// The columns that are visible, from left to right; the last one may be cut.
    var visible: [Visible] {
        var result: [Visible] = []
        var start = 0
        for column in first..<max(first, widths.count) where start < room {
            result.append((column, start, min(widths[column], room - start)))
            start += widths[column] + Self.spacing
        }
        return result
    }

    func alignment(_ column: Int) -> TerminalText.Alignment {
        areNumbers.indices.contains(column) && areNumbers[column] ? .trailing : .leading
    }

    private mutating func showCurrent() {
        first = min(first, current)
        while first < current {
            guard let last = visible.last(where: { $0.column == current }) else {
                first += 1
                continue
            }
            guard last.width < widths[current] else { return }
            first += 1
        }
    }
}
