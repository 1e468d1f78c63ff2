/// The bytes that turn one screen into another on a terminal, as few as possible.
///
/// A frame is one run of bytes between the marks of synchronized output (mode 2026). It contains changed cells only,
/// moves rows by a scroll region where that is shorter, and never erases what it then draws again.
// Noncopyable, because the compiler would otherwise copy the screens in the loop over cells (17 % of a frame, measured).
struct ScreenUpdate: ~Copyable {
    private let text: TerminalText
    private let colors: ColorCapability
    private let new: TerminalScreen
    // The screen as the terminal has it, with the rows that it has moved.
    private var shown: TerminalScreen
    // The present row as the terminal has it, and as it will be.
    private var old: [ScreenCell] = []
    private var cells: [ScreenCell] = []
    private let isFull: Bool
    private var bytes: [UInt8] = []
    // The position of the cursor and the selected style, or nil if they are unknown.
    private var cursor: (row: Int, column: Int)?
    private var style: CellStyle?

    /// Returns the bytes of a frame, or an empty array if nothing has changed.
    ///
    /// - Parameters:
    ///   - old: The screen that the terminal shows, or `nil` if that is unknown.
    ///   - new: The screen to show.
    ///   - text: The converter that made the glyphs of both.
    ///   - colors: The colors of the terminal.
    /// - Returns: The bytes.
    static func bytes(
        from old: TerminalScreen?,
        to new: TerminalScreen,
        text: TerminalText,
        colors: ColorCapability
    ) -> [UInt8] {
        var update = ScreenUpdate(from: old, to: new, text: text, colors: colors)
        update.run()
        guard !update.bytes.isEmpty else { return [] }
        return Array("\u{1B}[?2026h".utf8) + update.bytes + Array("\u{1B}[?2026l".utf8)
    }

    private init(
        from old: TerminalScreen?,
        to new: TerminalScreen,
        text: TerminalText,
        colors: ColorCapability
    ) {
        self.new = new
        self.text = text
        self.colors = colors
        isFull = old?.size != new.size
        shown = isFull ? TerminalScreen(size: new.size) : old ?? new
    }

    private mutating func run() {
        if !isFull, let shift = ScreenShift.find(from: shown, to: new) { scroll(shift) }
        for row in 0..<new.size.rows where isFull || shown.rows[row] != new.rows[row] { drawRow(row) }
    }

    private mutating func scroll(_ shift: ScreenShift) {
        // New rows are erased in the selected style.
        select(.plain)
        let count = abs(shift.distance)
        let direction = shift.distance > 0 ? "S" : "T"
        append("\u{1B}[\(shift.rows.lowerBound + 1);\(shift.rows.upperBound)r")
        append("\u{1B}[\(count == 1 ? "" : "\(count)")\(direction)\u{1B}[r")
        shown.scroll(shift.rows, by: shift.distance)
        cursor = nil
    }

    // MARK: - Rows

    private mutating func drawRow(_ row: Int) {
        old = shown.rows[row].cells
        cells = new.rows[row].cells
        let range = cells.indices
        dirty = Int.max..<Int.max
        keepFromBlank(range, row)
        var index = range.lowerBound
        // The first index of the blanks at the end of the row, which one sequence erases.
        let blanks = startOfBlanks(range)
        while index < range.upperBound {
            index = nextChange(after: index, range)
            guard index < range.upperBound else { return }
            if index >= blanks, range.upperBound - index > 3 {
                move(to: index, row)
                select(.plain)
                append("\u{1B}[K")
                return
            }
            index = drawRun(from: head(of: index), range, row, blanks)
        }
    }

    /// Draws one cell first, in a row of which nothing that is visible stays, so that it is never blank in between.
    private mutating func keepFromBlank(_ range: Range<Int>, _ row: Int) {
        guard !isFull else { return }
        var wasVisible = false
        for column in range where isVisible(old[column]) {
            if old[column] == cells[column] { return }
            wasVisible = true
        }
        guard wasVisible else { return }
        var index = range.lowerBound
        while index < range.upperBound, !(isVisible(cells[index]) && isCertain(cells[index])) { index += 1 }
        guard index < range.upperBound else { return }
        move(to: index, row)
        _ = draw(index, range, row)
    }

    private func isCertain(_ cell: ScreenCell) -> Bool {
        cell.glyph != .continuation && !text.isUncertain(cell.glyph)
    }

    private func isVisible(_ cell: ScreenCell) -> Bool {
        cell.glyph != .space || !cell.style.attributes.isDisjoint(with: [.underline, .reverse])
            || cell.style.background != .standard && colors != .none
    }

    /// Draws cells up to the next ones that need no drawing, and returns the index after them.
    private mutating func drawRun(from start: Int, _ range: Range<Int>, _ row: Int, _ blanks: Int) -> Int {
        var index = start
        move(to: index, row)
        while index < range.upperBound, index < blanks || range.upperBound - index <= 3 {
            if index > start, !isChanged(index) {
                // Cells that are the same are drawn again if that is shorter than moving the cursor.
                let next = nextChange(after: index, range)
                guard next - index <= 4, next < range.upperBound, isPlainInStyle(index..<next) else {
                    return index
                }
            }
            let end = draw(index, range, row)
            // The terminal may have drawn the cluster wider than it is here, over cells that have not changed.
            if text.isUncertain(cells[index].glyph) || isUncertainBefore(index) {
                dirty = min(dirty.lowerBound, end)..<range.upperBound
            }
            index = end
        }
        return index
    }

    /// Returns whether cells are ASCII in the selected style.
    private func isPlainInStyle(_ range: Range<Int>) -> Bool {
        for index in range where !cells[index].glyph.isASCII || cells[index].style != style { return false }
        return true
    }

    // Cells at the end of the present row that must be drawn although they have not changed.
    private var dirty = Int.max..<Int.max

    /// Draws the glyph at an index, and returns the index after it.
    private mutating func draw(_ index: Int, _ range: Range<Int>, _ row: Int) -> Int {
        let cell = cells[index]
        var end = index + 1
        while end < range.upperBound, cells[end].glyph == .continuation { end += 1 }
        select(cell.style)
        if text.isUncertain(cell.glyph) {
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: end - index))
            setColumn(index)
            text.append(cell.glyph, to: &bytes)
            if end < range.upperBound { setColumn(end) }
        } else {
            text.append(cell.glyph, to: &bytes)
        }
        cursor = end < range.upperBound ? (row, end) : nil
        return end
    }

    // MARK: - Changes

    private func isChanged(_ index: Int) -> Bool {
        isFull || old[index] != cells[index] || dirty.contains(index)
    }

    private func isUncertainBefore(_ index: Int) -> Bool {
        !isFull && old[index] != cells[index] && text.isUncertain(old[index].glyph)
    }

    private func nextChange(after index: Int, _ range: Range<Int>) -> Int {
        guard !isFull else { return index }
        let end = min(range.upperBound, max(index, dirty.lowerBound))
        return old.withUnsafeBufferPointer { old in
            cells.withUnsafeBufferPointer { cells in
                var next = index
                while next < end, old[next] == cells[next] { next += 1 }
                return next
            }
        }
    }

    /// Returns the index of the first cell of the glyph at an index.
    private func head(of index: Int) -> Int {
        var head = index
        while cells[head].glyph == .continuation { head -= 1 }
        return head
    }

    private func startOfBlanks(_ range: Range<Int>) -> Int {
        var start = range.upperBound
        while start > range.lowerBound {
            let cell = cells[start - 1]
            guard cell.glyph == .space, cell.style.isPlainOnSpaces else { break }
            start -= 1
        }
        return start
    }

    // MARK: - Sequences

    private mutating func move(to column: Int, _ row: Int) {
        guard cursor?.row != row || cursor?.column != column else { return }
        if cursor?.row == row {
            setColumn(column)
        } else {
            append(column == 0 ? "\u{1B}[\(row + 1)H" : "\u{1B}[\(row + 1);\(column + 1)H")
        }
        cursor = (row, column)
    }

    private mutating func setColumn(_ column: Int) { append("\u{1B}[\(column + 1)G") }

    private mutating func select(_ wanted: CellStyle) {
        guard style != wanted else { return }
        style = wanted
        colors.append(wanted, to: &bytes)
    }

    private mutating func append(_ sequence: String) { bytes.append(contentsOf: sequence.utf8) }
}
