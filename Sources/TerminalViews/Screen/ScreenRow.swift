/// One cell of a terminal.
struct ScreenCell: Sendable, Hashable {
    var glyph = Glyph.space
    var style = CellStyle.plain

    static let blank = ScreenCell()
}

/// The cells of one row of a terminal, whose copies share their storage until one is drawn into.
struct ScreenRow: Sendable, Hashable {
    private(set) var cells: [ScreenCell]
    // The digest of the cells; nil after they were drawn into.
    private var knownDigest: Int?

    /// Creates a blank row.
    init(columns: Int) { cells = Array(repeating: .blank, count: columns) }

    /// Returns whether both rows have the same cells.
    static func == (left: ScreenRow, right: ScreenRow) -> Bool {
        if let first = left.knownDigest, let second = right.knownDigest, first != second { return false }
        return left.cells == right.cells
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    // MARK: - Digest

    /// A number that is the same for the same cells, and mostly another one for others.
    var digest: Int { knownDigest ?? Self.digest(of: cells) }

    mutating func rememberDigest() {
        if knownDigest == nil { knownDigest = Self.digest(of: cells) }
    }

    private static func digest(of cells: [ScreenCell]) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for cell in cells {
            let style =
                UInt64(cell.style.foreground.rawValue) << 16 | UInt64(cell.style.background.rawValue) << 8
                | UInt64(cell.style.attributes.rawValue)
            hash = (hash ^ (UInt64(cell.glyph.rawValue) << 24 | style)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return Int(truncatingIfNeeded: hash)
    }

    // MARK: - Drawing

    /// Draws a string from a column on, and returns the column after it.
    mutating func draw(
        _ string: String,
        column start: Int,
        within range: Range<Int>,
        style: CellStyle,
        text: TerminalText
    ) -> Int {
        let range = range.clamped(to: cells.indices)
        if let end = drawASCII(string, column: start, within: range, style: style) { return end }
        knownDigest = nil
        var column = start
        text.forEachGlyph(in: string) { glyph, width in
            guard column < range.upperBound else { return false }
            if column >= range.lowerBound, column + width <= range.upperBound {
                set(glyph, width, style, column)
            } else {
                for part in range.clamped(to: column..<column + width) { set(.space, 1, style, part) }
            }
            column += width
            return true
        }
        return column
    }

    /// Fills a range of columns with spaces.
    mutating func fill(_ range: Range<Int>, style: CellStyle) {
        let columns = range.clamped(to: cells.indices)
        guard !columns.isEmpty else { return }
        knownDigest = nil
        splitWide(before: columns.lowerBound, after: columns.upperBound)
        let cell = ScreenCell(glyph: .space, style: style)
        cells.withUnsafeMutableBufferPointer { cells in
            for column in columns { cells[column] = cell }
        }
    }

    /// Puts the cells of another row, which no wide character leaves, at a column.
    mutating func place(_ other: ScreenRow, at column: Int) {
        if column == 0, other.cells.count == cells.count {
            self = other
            return
        }
        let columns = (column..<column + other.cells.count).clamped(to: cells.indices)
        guard !columns.isEmpty else { return }
        knownDigest = nil
        splitWide(before: columns.lowerBound, after: columns.upperBound)
        cells.replaceSubrange(
            columns,
            with: other.cells[columns.lowerBound - column..<columns.upperBound - column]
        )
    }

    /// Draws a string of printable ASCII, the usual case, and returns the column after it; `nil` for other strings.
    private mutating func drawASCII(
        _ string: String,
        column: Int,
        within range: Range<Int>,
        style: CellStyle
    ) -> Int? {
        let drawn = string.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
            let columns = range.clamped(to: column..<column + bytes.count)
            guard !columns.isEmpty else { return column + bytes.count }
            knownDigest = nil
            splitWide(before: columns.lowerBound, after: columns.upperBound)
            cells.withUnsafeMutableBufferPointer { cells in
                for target in columns {
                    cells[target] = ScreenCell(glyph: Glyph(ascii: bytes[target - column]), style: style)
                }
            }
            return column + bytes.count
        }
        return drawn ?? nil
    }

    /// Makes spaces of what remains of wide characters of which a range of columns overwrites a part.
    private mutating func splitWide(before first: Int, after end: Int) {
        if cells[first].glyph == .continuation {
            var head = first - 1
            while cells[head].glyph == .continuation { head -= 1 }
            for index in head..<first { cells[index].glyph = .space }
        }
        var after = end
        while after < cells.count, cells[after].glyph == .continuation {
            cells[after].glyph = .space
            after += 1
        }
    }

    private mutating func set(_ glyph: Glyph, _ width: Int, _ style: CellStyle, _ column: Int) {
        splitWide(before: column, after: column + width)
        cells[column] = ScreenCell(glyph: glyph, style: style)
        for index in column + 1..<max(column + 1, column + width) {
            cells[index] = ScreenCell(glyph: .continuation, style: style)
        }
    }
}
