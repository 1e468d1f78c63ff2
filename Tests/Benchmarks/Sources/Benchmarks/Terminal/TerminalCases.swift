import BenchmarkHarness
import CBenchCurses
import CollectionViews
import Foundation
@_spi(Benchmarks) import TerminalViews

/// Frames of a table of 1,000,000 rows in a terminal of 120 x 40 cells with 24-bit colors.
@MainActor let terminalCases = [
    BenchmarkCase(
        "term.scroll",
        baseline:
            "a C program that draws the same rows with ncursesw; both scroll by one row in a pseudo-terminal",
        wanted: 4
    ) {
        let table = TerminalTable()
        let terminal = try BenchPseudoTerminal()
        let ours = try BrowsedTable(table) { terminal.write($0) }
        let plain = try PlainBrowser(table)
        return Contest(
            plain: .synchronous { operations in
                Outcome(Double((0..<operations).count { _ in plain.scroll() }))
            },
            ours: .synchronous { operations in
                let before = ours.session.frameCount
                for _ in 0..<operations { try ours.session.type([UInt8(ascii: "j")]) }
                return Outcome(Double(ours.session.frameCount - before))
            },
            expected: Double.init
        )
    },
    BenchmarkCase(
        "term.bytes",
        baseline: "the bytes of a frame that scrolls by one row, for each byte of one that draws everything",
        figure: .amount("of a repaint"),
        granularity: 100,
        wanted: 0.125
    ) {
        var count = 0
        let browsed = try BrowsedTable(TerminalTable()) { bytes in
            count += bytes.count
            return bytes.count
        }
        return Contest(
            plain: nil,
            ours: .synchronous { operations in
                func bytes(_ key: UInt8) throws -> Double {
                    let before = (count, browsed.session.frameCount)
                    for _ in 0..<operations { try browsed.session.type([key]) }
                    return Double(count - before.0) / Double(browsed.session.frameCount - before.1)
                }
                let repaint = try bytes(0x0C)
                return Outcome(Double(operations), amount: try bytes(UInt8(ascii: "j")) / repaint)
            },
            expected: Double.init
        )
    },
    BenchmarkCase(
        "term.slow",
        baseline:
            "the frames that are made while 100 keys a second are typed, for each that a reader of 10 kB/s draws",
        figure: .amount("made for each drawn"),
        granularity: 10_000,
        wanted: 1.25
    ) {
        // What the terminal still takes: 10 bytes more in each millisecond.
        var capacity = 1 << 20
        let browsed = try BrowsedTable(TerminalTable()) { bytes in
            let taken = min(capacity, bytes.count)
            capacity -= taken
            return taken
        }
        return Contest(
            plain: nil,
            ours: .synchronous { milliseconds in
                capacity = 0
                let before = browsed.session.frameCount
                for time in 0..<milliseconds {
                    capacity += 10
                    let key = time % 200 == 0 ? UInt8(0x06) : UInt8(ascii: "j")
                    try browsed.session.type(time % 10 == 0 ? [key] : [])
                }
                let made = browsed.session.frameCount - before
                let drawn = made - (browsed.session.isWriting ? 1 : 0)
                return Outcome(Double(milliseconds), amount: Double(made) / Double(drawn))
            },
            expected: Double.init
        )
    },
]

/// A browser of the table, all rows of which were found, with the focus in the last visible row.
private final class BrowsedTable {
    let session: MeasuredSession

    @MainActor
    init(_ table: TerminalTable, write: @escaping (ArraySlice<UInt8>) -> Int) throws {
        let content = TableContent(table, wake: {})
        let browser = TerminalBrowser(view: content.view, content: content)
        session = try MeasuredSession(browser, columns: 120, rows: 40, colors: .trueColor, write: write)
        while !content.isSettled {
            usleep(1_000)
            try session.type([])
        }
        for _ in 0..<40 { try session.type([UInt8(ascii: "j")]) }
    }
}

/// A pseudo-terminal whose other end a thread reads.
private final class BenchPseudoTerminal {
    let terminal: OpaquePointer

    init() throws {
        guard let terminal = BenchTerminal_open(120, 40) else { throw POSIXError(.ENXIO) }
        self.terminal = terminal
    }

    deinit { BenchTerminal_close(terminal) }

    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes {
            max(0, Foundation.write(BenchTerminal_descriptor(terminal), $0.baseAddress, $0.count))
        }
    }
}

/// The plain program: it draws all visible rows for each frame, and ncursesw finds the difference.
private final class PlainBrowser {
    private let terminal: BenchPseudoTerminal
    private let fields: PlainFields
    private let curses: OpaquePointer
    private var first: Int32 = 0

    init(_ table: TerminalTable) throws {
        terminal = try BenchPseudoTerminal()
        fields = PlainFields(table)
        let columns = [(2, 6, 1), (10, 13, 0), (25, 9, 0), (36, 11, 0), (49, 10, 0), (61, 30, 0)].map {
            BenchColumn(start: Int32($0.0), width: Int32($0.1), isNumber: Int32($0.2))
        }
        let context = Unmanaged.passUnretained(fields).toOpaque()
        var names: [UnsafePointer<CChar>?] = fields.names
        let begun = BenchCurses_begin(
            terminal.terminal,
            context,
            { context, row, column in
                guard let context else { return nil }
                return Unmanaged<PlainFields>.fromOpaque(context).takeUnretainedValue()[Int(row), Int(column)]
            },
            columns,
            Int32(columns.count),
            &names
        )
        guard let begun else { throw POSIXError(.ENXIO) }
        curses = begun
    }

    deinit { BenchCurses_end(curses) }

    func scroll() -> Bool {
        first += 1
        return BenchCurses_draw(curses, first, first + 37, Int32(TerminalTable.count))
    }
}

/// The fields of a table as strings of C.
private final class PlainFields {
    private let pointers: [[UnsafePointer<CChar>]]
    let names: [UnsafePointer<CChar>?]

    init(_ table: TerminalTable) {
        pointers = table.rows.map { $0.map { UnsafePointer(strdup($0)) } }
        names = table.columns.map { UnsafePointer(strdup($0.name)) }
    }

    deinit {
        for pointer in pointers.joined() { free(UnsafeMutablePointer(mutating: pointer)) }
        for name in names { free(UnsafeMutablePointer(mutating: name)) }
    }

    subscript(row: Int, column: Int) -> UnsafePointer<CChar> { pointers[row % pointers.count][column] }
}

/// A table of six columns, one of them not ASCII, whose rows are made once.
private final class TerminalTable: TableSource {
    static let count = 1_000_000
    let name = "people"
    let columns = ["id", "name", "city", "country", "born", "note"].map { TableColumn($0) }
    let firstRowCount = 64
    let rows: [[String]]

    init() {
        let cities = ["Zürich", "Paris", "Köln", "Berlin", "São Paulo", "Lyon", "Wien"]
        let countries = ["Switzerland", "France", "Germany", "Brazil"]
        rows = (0..<100_000).map { number in
            [
                "\(number)", "Person \(number * 7_919 % 100_003)", cities[number % 7], countries[number % 4],
                "19\(10 + number % 90)-0\(1 + number % 9)-1\(number % 10)",
                "note number \(number % 1_000) of some length",
            ]
        }
    }

    func load(_ report: (TableLoad) -> Bool) throws { _ = report(TableLoad(rowCount: Self.count)) }

    func row(_ number: Int) -> [String] { rows[number % rows.count] }

    func scan(_ range: Range<Int>, _ body: (Int, any TableFields) throws -> Bool) throws {}
}
