/// The number of columns and rows of a terminal; at least 1 each.
struct TerminalSize: Sendable, Hashable {
    /// The maximum number of columns and of rows, so that a false answer of a terminal cannot exhaust memory.
    static let maximum = 2_000

    /// The number of columns.
    let columns: Int
    /// The number of rows.
    let rows: Int

    /// Creates a size, limited to 1 through ``maximum``.
    init(columns: Int, rows: Int) {
        self.columns = min(max(1, columns), Self.maximum)
        self.rows = min(max(1, rows), Self.maximum)
    }
}

/// The cells of a terminal as a value.
struct TerminalScreen: Sendable, Hashable {
    let size: TerminalSize
    private(set) var rows: [ScreenRow]

    /// Creates a blank screen.
    init(size: TerminalSize) {
        self.size = size
        rows = Array(repeating: ScreenRow(columns: size.columns), count: size.rows)
    }

    subscript(row: Int, column: Int) -> ScreenCell { rows[row].cells[column] }

    /// Draws a string from a column on, and returns the column after it.
    ///
    /// Nothing is drawn outside of the range of columns. A wide character that is cut by it becomes spaces.
    @discardableResult
    mutating func draw(
        _ string: String,
        row: Int,
        column: Int,
        within range: Range<Int>,
        style: CellStyle,
        text: TerminalText
    ) -> Int {
        guard rows.indices.contains(row) else { return column }
        return rows[row].draw(string, column: column, within: range, style: style, text: text)
    }

    /// Changes a row by a closure, and returns its result; `nil` for a row that does not exist.
    mutating func draw<Result>(row: Int, _ change: (inout ScreenRow) -> Result) -> Result? {
        rows.indices.contains(row) ? change(&rows[row]) : nil
    }

    /// Fills a range of columns with spaces.
    mutating func fill(row: Int, _ range: Range<Int>, style: CellStyle) {
        guard rows.indices.contains(row) else { return }
        rows[row].fill(range, style: style)
    }

    /// Puts cells that were drawn before at a column.
    mutating func place(_ drawn: ScreenRow, row: Int, column: Int) {
        guard rows.indices.contains(row) else { return }
        rows[row].place(drawn, at: column)
    }

    /// Moves the rows of a range by a distance, up if it is positive; rows without a source become blank.
    mutating func scroll(_ range: Range<Int>, by distance: Int) {
        let old = rows
        for row in range {
            rows[row] =
                range.contains(row + distance) ? old[row + distance] : ScreenRow(columns: size.columns)
        }
    }

    /// Remembers the digests of the rows, so that the next update does not compute them again.
    mutating func rememberDigests() {
        for row in rows.indices { rows[row].rememberDigest() }
    }
}
