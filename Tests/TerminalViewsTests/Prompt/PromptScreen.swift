import BridgeValues
import Synchronization

@testable import TerminalViews

/// A terminal that keeps its earlier lines: a value that interprets what a prompt writes.
struct PromptScreen {
    private(set) var columns: Int
    let rows: Int
    private(set) var lines: [[Character]] = [[]]
    private(set) var row = 0
    private(set) var column = 0
    /// The sequences that the screen does not know; a test fails on them.
    private(set) var unknown: [String] = []

    /// The rest of a wide character.
    private static let rest: Character = "\u{0}"

    init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

    /// All lines, also those that were scrolled away, without the spaces at their ends.
    var text: [String] {
        lines.map { line in
            var string = String(line.filter { $0 != Self.rest })
            while string.last == " " { string.removeLast() }
            return string
        }
    }

    mutating func feed(_ string: String) {
        var rest = Substring(string)
        while let character = rest.popFirst() {
            switch character {
            case "\r": column = 0
            // The system sends a carriage return with each line end.
            case "\n", "\r\n":
                column = 0
                moveDown()
            case "\u{1B}":
                let parameters = rest.dropFirst().prefix { !($0.isLetter) }
                let final = rest.dropFirst(1 + parameters.count).first ?? " "
                rest = rest.dropFirst(2 + parameters.count)
                control(String(parameters), final)
            default: put(character)
            }
        }
    }

    private mutating func moveDown() {
        row += 1
        while lines.count <= row { lines.append([]) }
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        let number = Int(parameters) ?? 1
        switch final {
        // Not above the top of the screen, whose earlier lines are out of reach.
        case "A": row = max(0, lines.count - rows, row - number)
        case "B": row = min(lines.count - 1, row + number)
        case "C": column = min(columns - 1, column + number)
        case "J" where parameters.isEmpty:
            lines.removeSubrange((row + 1)...)
            lines[row] = Array(lines[row].prefix(column))
        case "h", "l": break
        default: unknown.append("\(parameters)\(final)")
        }
    }

    private mutating func put(_ character: Character) {
        let value = character.unicodeScalars.first?.value ?? 0
        let width = (0x1100...0xFFDC).contains(value) || value > 0x1F000 ? 2 : 1
        if column + width > columns {
            column = 0
            moveDown()
        }
        while lines[row].count < column + width { lines[row].append(" ") }
        lines[row][column] = character
        if width == 2 { lines[row][column + 1] = Self.rest }
        column += width
    }

    /// Changes the width as terminals do that wrap their lines again.
    mutating func resize(columns newColumns: Int) {
        var wrapped: [[Character]] = []
        var cursor = (row: 0, column: 0)
        for (index, line) in lines.enumerated() {
            if index == row { cursor = (wrapped.count + column / newColumns, column % newColumns) }
            var rest = line[...]
            repeat {
                wrapped.append(Array(rest.prefix(newColumns)))
                rest = rest.dropFirst(newColumns)
            } while !rest.isEmpty
        }
        lines = wrapped
        (row, column) = cursor
        columns = newColumns
    }
}

/// A terminal of a prompt without a process.
final class PromptTestDevice: PromptDevice {
    private let state: Mutex<(screen: PromptScreen, enters: Int, leaves: Int, stops: Int)>

    init(columns: Int, rows: Int = 24) {
        state = Mutex((PromptScreen(columns: columns, rows: rows), 0, 0, 0))
    }

    var screen: PromptScreen { state.withLock { $0.screen } }
    var stops: Int { state.withLock { $0.stops } }
    var isEntered: Bool { state.withLock { $0.enters > $0.leaves } }
    var size: TerminalSize {
        state.withLock { TerminalSize(columns: $0.screen.columns, rows: $0.screen.rows) }
    }
    func resize(columns: Int) { state.withLock { $0.screen.resize(columns: columns) } }
    func enter() { state.withLock { $0.enters += 1 } }
    func leave() { state.withLock { $0.leaves += 1 } }
    func write(_ string: String) { state.withLock { $0.screen.feed(string) } }
    func stop() { state.withLock { $0.stops += 1 } }
    // The tests pass events themselves.
    func read() -> [UInt8]? { nil }
    func wait(until deadline: Duration?) -> TerminalReadiness { [] }
    func wake() {}
}
