import Testing

@testable import TerminalViews

@Suite("Colors")
struct ColorTests {
    @Test(
        "T7 the environment chooses the colors",
        arguments: [
            (["COLORTERM": "truecolor", "TERM": "xterm"], ColorCapability.trueColor),
            (["COLORTERM": "24bit", "TERM": "xterm-256color"], .trueColor),
            (["COLORTERM": "", "TERM": "tmux-256color"], .indexed),
            (["TERM": "xterm-direct"], .trueColor), (["TERM": "xterm"], .ansi), (["TERM": "linux"], .ansi),
            (["TERM": "vt100"], .none), (["TERM": "dumb"], .none), ([:], .none), (["TERM": "xterm-m"], .none),
            (["COLORTERM": "truecolor", "TERM": "xterm", "NO_COLOR": "1"], .none),
            (["COLORTERM": "truecolor", "TERM": "xterm", "NO_COLOR": ""], .trueColor),
        ]
    )
    func choice(environment: [String: String], colors: ColorCapability) {
        #expect(ColorCapability(environment: environment) == colors)
    }

    @Test(
        "T7 one screen in four captures",
        arguments: [
            (ColorCapability.none, ["1;4", "7", "1;4;7"]),
            (.ansi, ["1;4;33", "7;31;100", "1;4;7;33"]),
            (.indexed, ["1;4;38;5;172", "7;38;5;160;48;5;240", "1;4;7;38;5;172"]),
            (.trueColor, ["1;4;38;2;196;134;12", "7;38;2;205;49;49;48;2;88;88;88", "1;4;7;38;2;196;134;12"]),
        ]
    )
    func captures(colors: ColorCapability, styles: [String]) {
        let text = TerminalText()
        var screen = TerminalScreen(size: TerminalSize(columns: 3, rows: 1))
        let all = [
            CellStyle(foreground: .yellow, attributes: [.bold, .underline]),
            CellStyle(foreground: .red, background: .bar, attributes: .reverse),
            CellStyle(foreground: .yellow, attributes: [.bold, .underline, .reverse]),
        ]
        for (column, style) in all.enumerated() {
            screen.draw("x", row: 0, column: column, within: 0..<3, style: style, text: text)
        }
        var emulator = ScreenEmulator(columns: 3, rows: 1)
        emulator.feed(ScreenUpdate.bytes(from: nil, to: screen, text: text, colors: colors))
        #expect(emulator.cells[0].map(\.style) == styles)
    }

    @Test("T7 focus and marks are visible without colors", arguments: ColorCapability.allCases)
    func marks(colors: ColorCapability) throws {
        let run = try BrowserRun(count: 5, colors: colors)
        try run.type(" ")
        let cells = run.terminal.emulator.cells
        let attributes = cells.map { row in row[3].style.split(separator: ";").map(String.init) }
        #expect(run.lines[1].hasPrefix("*"))
        #expect(Set(attributes[1]).isSuperset(of: ["1", "4"]))
        #expect(attributes[2].contains("7"))
        #expect(!attributes[3].contains("7"))
        // A color parameter begins with 3, 4, 9 or 10, attributes are 1, 2, 4 and 7.
        let hasColors = cells.joined().contains { $0.style.split(separator: ";").contains { $0.count > 1 } }
        #expect(hasColors == (colors != .none))
    }
}
