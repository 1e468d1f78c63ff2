/// A terminal as a value: it interprets bytes as a terminal does, and judges what the package writes.
///
/// It shares no code with the package: it has its own decoder, its own widths and its own modes.
struct ScreenEmulator {
    struct Cell: Hashable {
        var text = " "
        var style = ""
        /// Set for the cells of a wide character after its first one.
        var isRest = false

        /// True for the clusters of the tests whose width differs between terminals.
        var isUncertain: Bool {
            text.unicodeScalars.count != 1 || ["❤", "👍", "🏽"].contains(text)
                || "\u{900}" <= text && text < "\u{980}"
        }

        /// True if nothing is seen: no character, no underline, no reverse, no background.
        var isBlank: Bool {
            text == " " && !style.split(separator: ";").contains { ["4", "7", "48", "100"].contains($0) }
        }
    }

    /// The widths in which a terminal differs from others.
    struct Profile: Hashable {
        var family = 2
        var skinTone = 4
        var heart = 1
        var flag = 2
    }

    private(set) var columns: Int
    private(set) var rows: Int
    private(set) var cells: [[Cell]]
    private(set) var cursor = (row: 0, column: 0)
    private(set) var style = ""
    /// The modes that are set, with `1049` for the alternate screen.
    private(set) var modes: Set<Int> = [7, 25]
    private(set) var keyboardDepth = 0
    private(set) var titleDepth = 0
    private(set) var region: Range<Int>
    /// The answers that the terminal has sent.
    var replies: [UInt8] = []
    /// The strings of OSC 52.
    private(set) var clipboard: [String] = []
    /// Sequences that the emulator does not know; a test fails on them.
    private(set) var unknown: [String] = []
    /// The rows that were blank after a scroll.
    var blankedRows: Set<Int> = []
    /// A closure that is called with each row after each visible change of it.
    var observer: ((ScreenEmulator, Int) -> Void)?
    private var primary: (cells: [[Cell]], cursor: (row: Int, column: Int))?
    private let profile: Profile
    private var pending: [UInt8] = []

    init(columns: Int, rows: Int, profile: Profile = Profile()) {
        self.columns = columns
        self.rows = rows
        self.profile = profile
        cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
        region = 0..<rows
    }

    /// The rows as strings without the spaces at their ends.
    var lines: [String] {
        cells.map { row in
            var line = row.filter { !$0.isRest }.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The cells as they look: a space without underline, reverse and background has no style.
    var looks: [[Cell]] {
        cells.map { row in row.map { $0.isBlank ? Cell() : $0 } }
    }

    /// Returns whether nothing is seen in a row.
    func isBlank(_ row: Int) -> Bool { cells[row].allSatisfy(\.isBlank) }

    /// Changes the size as a terminal does: rows and columns are cut, or blank ones are added.
    mutating func resize(columns newColumns: Int, rows newRows: Int) {
        cells = (0..<newRows).map { row in
            (0..<newColumns).map { column in
                row < rows && column < columns ? cells[row][column] : Cell()
            }
        }
        (columns, rows, region) = (newColumns, newRows, 0..<newRows)
        cursor = (min(cursor.row, newRows - 1), min(cursor.column, newColumns - 1))
    }

    // MARK: - Bytes

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        while !pending.isEmpty {
            let length = step()
            guard length > 0 else { return }
            pending.removeFirst(length)
        }
    }

    private mutating func step() -> Int {
        let byte = pending[0]
        if byte == 0x1B { return escape() }
        if byte < 0x20 || byte == 0x7F {
            unknown.append("control \(byte)")
            return 1
        }
        return printCharacter()
    }

    private mutating func escape() -> Int {
        guard pending.count > 1 else { return 0 }
        // Another sequence ends one that is not complete, except a string.
        if pending[1] == 0x1B { return 1 }
        if pending[1] == UInt8(ascii: "["),
            let other = pending.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }),
            pending[other] == 0x1B
        {
            return other
        }
        switch pending[1] {
        case UInt8(ascii: "["):
            guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                return 0
            }
            control(
                String(decoding: pending[2..<end], as: UTF8.self),
                Character(Unicode.Scalar(pending[end]))
            )
            return end + 1
        case UInt8(ascii: "]"):
            var end = 2
            while end < pending.count, pending[end] != 0x07, pending[end] != 0x1B { end += 1 }
            guard end < pending.count, pending[end] == 0x07 || end + 1 < pending.count else { return 0 }
            let string = String(decoding: pending[2..<end], as: UTF8.self)
            if string.hasPrefix("52;") { clipboard.append(string) } else { unknown.append("OSC \(string)") }
            return pending[end] == 0x07 ? end + 1 : end + 2
        case UInt8(ascii: "\\"): return 2
        default:
            unknown.append("ESC \(pending[1])")
            return 2
        }
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        func number(_ index: Int, _ standard: Int = 1) -> Int {
            numbers.indices.contains(index) ? numbers[index] ?? standard : standard
        }
        switch (parameters.first, final) {
        case ("?", "h"), ("?", "l"): setModes(parameters.dropFirst(), final == "h")
        case (">", "u"): keyboardDepth += 1
        case ("<", "u"): keyboardDepth = max(0, keyboardDepth - 1)
        case (_, "t") where parameters == "22;0": titleDepth += 1
        case (_, "t") where parameters == "23;0": titleDepth -= 1
        case (_, "c"): replies += Array("\u{1B}[?1;2c".utf8)
        case (_, "n") where parameters == "6":
            replies += Array("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)R".utf8)
        case (_, "H"): cursor = (min(rows, number(0)) - 1, min(columns, number(1)) - 1)
        case (_, "G"): cursor.column = min(columns, number(0)) - 1
        case (_, "K"): eraseToEnd()
        case (_, "m"): style = parameters.split(separator: ";").filter { $0 != "0" }.joined(separator: ";")
        case (_, "r"):
            region = parameters.isEmpty ? 0..<rows : number(0) - 1..<min(rows, number(1))
            cursor = (0, 0)
        case (_, "S"): scroll(number(0))
        case (_, "T"): scroll(-number(0))
        default: unknown.append("CSI \(parameters)\(final)")
        }
    }

    private mutating func setModes(_ parameters: Substring, _ isSet: Bool) {
        for mode in parameters.split(separator: ";").compactMap({ Int($0) }) {
            if mode == 1049 {
                if isSet, primary == nil {
                    primary = (cells, cursor)
                    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
                } else if !isSet, let saved = primary {
                    (cells, cursor) = saved
                    primary = nil
                }
            }
            if isSet { modes.insert(mode) } else { modes.remove(mode) }
        }
    }

    private mutating func eraseToEnd() {
        for column in cursor.column..<columns {
            cells[cursor.row][column] = Cell(text: " ", style: background)
        }
        observer?(self, cursor.row)
    }

    // An erased cell has the background only.
    private var background: String {
        let parts = style.split(separator: ";").map(String.init)
        guard let start = parts.firstIndex(where: { $0 == "48" || (40...47).contains(Int($0) ?? 0) }) else {
            return ""
        }
        return parts[start...].joined(separator: ";")
    }

    private mutating func scroll(_ distance: Int) {
        let blank = Array(repeating: Cell(text: " ", style: background), count: columns)
        let old = cells
        for row in region {
            let source = row + distance
            cells[row] = region.contains(source) ? old[source] : blank
            if cells[row].allSatisfy(\.isBlank) { blankedRows.insert(row) }
            observer?(self, row)
        }
    }

    // MARK: - Characters

    private mutating func printCharacter() -> Int {
        let first = pending[0]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard pending.count >= length else { return 0 }
        let string = String(decoding: pending[..<length], as: UTF8.self)
        guard let scalar = string.unicodeScalars.first, string != "\u{FFFD}" || length == 3 else {
            unknown.append("invalid UTF-8")
            return 1
        }
        put(scalar)
        return length
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        // The cell before the cursor, to which a combining code point belongs.
        var head = cursor.column - 1
        while head > 0, cells[cursor.row][head].isRest { head -= 1 }
        let previous = head >= 0 ? cells[cursor.row][head].text.unicodeScalars : "".unicodeScalars
        let joins = previous.last?.value == 0x200D && profile.family == 2
        let isFlag =
            (0x1F1E6...0x1F1FF).contains(value) && previous.count == 1 && profile.flag == 2
            && (0x1F1E6...0x1F1FF).contains(previous.first?.value ?? 0)
        let isTone = (0x1F3FB...0x1F3FF).contains(value) && profile.skinTone == 2 && !previous.isEmpty
        let width = Self.width(value)
        if head >= 0, width == 0 || joins || isFlag || isTone {
            cells[cursor.row][head].text.unicodeScalars.append(scalar)
            if isFlag { advance(from: head, width: 2) }
            if value == 0xFE0F, profile.heart == 2, previous.count == 1 { advance(from: head, width: 2) }
            observer?(self, cursor.row)
            return
        }
        guard cursor.column + width <= columns else { return }
        erasePartners(cursor.column, width)
        cells[cursor.row][cursor.column] = Cell(text: String(Character(scalar)), style: style)
        for rest in 1..<max(1, width) where cursor.column + rest < columns {
            cells[cursor.row][cursor.column + rest] = Cell(text: "", style: style, isRest: true)
        }
        cursor.column = min(columns, cursor.column + max(1, width))
        if cursor.column == columns { cursor.column = columns }
        observer?(self, cursor.row)
    }

    private mutating func advance(from head: Int, width: Int) {
        for column in head + 1..<min(columns, head + width) {
            cells[cursor.row][column] = Cell(text: "", style: style, isRest: true)
        }
        cursor.column = min(columns, head + width)
    }

    /// Blanks the other cells of wide characters that are partly overwritten.
    private mutating func erasePartners(_ start: Int, _ width: Int) {
        if cells[cursor.row][start].isRest {
            var head = start - 1
            while head > 0, cells[cursor.row][head].isRest { head -= 1 }
            for column in head..<start { cells[cursor.row][column] = Cell() }
        }
        var after = start + max(1, width)
        while after < columns, cells[cursor.row][after].isRest {
            cells[cursor.row][after] = Cell()
            after += 1
        }
    }

    private static func width(_ value: UInt32) -> Int {
        switch value {
        case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F, 0x20D0...0x20FF, 0x1160...0x11FF,
            0xE0100...0xE01EF,
            0x93F, 0x94D, 0x64B...0x65F, 0xE31, 0xE34...0xE3A, 0x202A...0x202E, 0x2066...0x2069:
            0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFF01...0xFF60, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x1F680...0x1F6FF:
            2
        // Emoji of Unicode 16 that a terminal does not know.
        case 0x1FAE9: 0
        default: 1
        }
    }
}
