/// One cell of a terminal.
struct ScreenCell: Sendable, Hashable {
    var glyph = Glyph.space
    var style = CellStyle.plain

    static let blank = ScreenCell()
}

/// The number of columns and rows of a terminal; at least 1 each.
public struct TerminalSize: Sendable, Hashable {
    /// The maximum number of columns and of rows, so that a false answer of a terminal cannot exhaust memory.
    public static let maximum = 2_000

    /// The number of columns.
    public let columns: Int
    /// The number of rows.
    public let rows: Int

    /// Creates a size, limited to 1 through ``maximum``.
    public init(columns: Int, rows: Int) {
        self.columns = min(max(1, columns), Self.maximum)
        self.rows = min(max(1, rows), Self.maximum)
    }
}

/// The cells of a terminal as a value.
struct TerminalScreen: Sendable, Hashable {
    let size: TerminalSize
    private(set) var cells: [ScreenCell]

    /// Creates a blank screen.
    init(size: TerminalSize) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    subscript(row: Int, column: Int) -> ScreenCell { cells[row * size.columns + column] }

    /// Returns the range of a row in ``cells``.
    func range(ofRow row: Int) -> Range<Int> { row * size.columns..<(row + 1) * size.columns }

    /// Draws a string from a column on, and returns the column after it.
    ///
    /// Nothing is drawn outside of the range of columns. A wide character that is cut by it becomes spaces.
    @discardableResult
    mutating func draw(
        _ string: String,
        row: Int,
        column start: Int,
        within range: Range<Int>,
        style: CellStyle,
        text: TerminalText
    ) -> Int {
        guard row >= 0, row < size.rows else { return start }
        let range = range.clamped(to: 0..<size.columns)
        if let end = drawASCII(string, row: row, column: start, within: range, style: style) { return end }
        var column = start
        text.forEachGlyph(in: string) { glyph, width in
            guard column < range.upperBound else { return false }
            if column >= range.lowerBound, column + width <= range.upperBound {
                set(glyph, width, style, row, column)
            } else {
                for part in range.clamped(to: column..<column + width) { set(.space, 1, style, row, part) }
            }
            column += width
            return true
        }
        return column
    }

    /// Fills a range of columns with spaces.
    mutating func fill(row: Int, _ range: Range<Int>, style: CellStyle) {
        guard row >= 0, row < size.rows else { return }
        let columns = range.clamped(to: 0..<size.columns)
        guard !columns.isEmpty else { return }
        let start = row * size.columns
        splitWide(before: start + columns.lowerBound, after: start + columns.upperBound, row)
        let cell = ScreenCell(glyph: .space, style: style)
        cells.withUnsafeMutableBufferPointer { cells in
            for column in columns { cells[start + column] = cell }
        }
    }

    /// Draws a string of printable ASCII, the usual case, and returns the column after it; `nil` for other strings.
    private mutating func drawASCII(
        _ string: String,
        row: Int,
        column: Int,
        within range: Range<Int>,
        style: CellStyle
    ) -> Int? {
        let start = row * size.columns
        let drawn = string.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
            let columns = range.clamped(to: column..<column + bytes.count)
            guard !columns.isEmpty else { return column + bytes.count }
            splitWide(before: start + columns.lowerBound, after: start + columns.upperBound, row)
            cells.withUnsafeMutableBufferPointer { cells in
                for target in columns {
                    cells[start + target] = ScreenCell(
                        glyph: Glyph(ascii: bytes[target - column]),
                        style: style
                    )
                }
            }
            return column + bytes.count
        }
        return drawn ?? nil
    }

    /// Makes spaces of what remains of wide characters of which a range of indices overwrites a part.
    private mutating func splitWide(before first: Int, after end: Int, _ row: Int) {
        if cells[first].glyph == .continuation {
            var head = first - 1
            while cells[head].glyph == .continuation { head -= 1 }
            for index in head..<first { cells[index].glyph = .space }
        }
        var after = end
        while after < (row + 1) * size.columns, cells[after].glyph == .continuation {
            cells[after].glyph = .space
            after += 1
        }
    }

    /// Moves the rows of a range by a distance, up if it is positive; rows without a source become blank.
    mutating func scroll(_ rows: Range<Int>, by distance: Int) {
        let old = cells
        for row in rows {
            let target = range(ofRow: row)
            if rows.contains(row + distance) {
                cells.replaceSubrange(target, with: old[range(ofRow: row + distance)])
            } else {
                cells.replaceSubrange(target, with: repeatElement(.blank, count: size.columns))
            }
        }
    }

    private mutating func set(_ glyph: Glyph, _ width: Int, _ style: CellStyle, _ row: Int, _ column: Int) {
        let first = row * size.columns + column
        splitWide(before: first, after: first + width, row)
        cells[first] = ScreenCell(glyph: glyph, style: style)
        for index in first + 1..<max(first + 1, first + width) {
            cells[index] = ScreenCell(glyph: .continuation, style: style)
        }
    }
}
