import TestSupport
import Testing

@testable import TerminalViews

@Suite("Updates of a screen")
struct ScreenUpdateTests {
    private static let pieces = [
        "a", "Z", "0", " ", "   ", "hello", "漢字", "é", "…", "─", "👩‍👩‍👧", "👍🏽", "❤\u{FE0F}", "🇩🇪", "क्षि", "e\u{301}",
        "x ",
    ]

    /// Returns a screen of random pieces, in which most rows are those of another one, moved by a distance.
    private func random(_ numbers: inout SeededGenerator, _ text: TerminalText, near old: TerminalScreen?)
        -> TerminalScreen
    {
        var screen = old ?? TerminalScreen(size: TerminalSize(columns: 24, rows: 9))
        if old != nil, Bool.random(using: &numbers) {
            screen.scroll(1..<8, by: Int.random(in: -4...4, using: &numbers))
        }
        let count = Int.random(in: 0...(old == nil ? 60 : 12), using: &numbers)
        for _ in 0..<count {
            var style = CellStyle.plain
            style.attributes = CellStyle.Attributes(rawValue: UInt8.random(in: 0..<16, using: &numbers))
            style.foreground = TerminalColor.allCases.randomElement(using: &numbers) ?? .standard
            style.background = Bool.random(using: &numbers) ? .standard : .bar
            screen.draw(
                Self.pieces.randomElement(using: &numbers) ?? "",
                row: Int.random(in: 0..<9, using: &numbers),
                column: Int.random(in: -2..<24, using: &numbers),
                within: 0..<24,
                style: style,
                text: text
            )
        }
        return screen
    }

    @Test(
        "T4 an update shows what a repaint shows, and no row is blank in between",
        arguments: ColorCapability.allCases
    )
    func updates(colors: ColorCapability) {
        var numbers = SeededGenerator.fromEnvironment()
        for _ in 0..<100 {
            let text = TerminalText()
            text.widths = ClusterWidths(measured: [2, 4, 1, 2])
            let first = random(&numbers, text, near: nil)
            let second = random(&numbers, text, near: first)
            var emulator = ScreenEmulator(columns: 24, rows: 9)
            emulator.feed(ScreenUpdate.bytes(from: nil, to: first, text: text, colors: colors))
            let before = (0..<9).map { emulator.isBlank($0) }
            var repainted = ScreenEmulator(columns: 24, rows: 9)
            repainted.feed(ScreenUpdate.bytes(from: nil, to: second, text: text, colors: colors))
            // A row with nothing but clusters of uncertain width is blank before they are drawn.
            let after = (0..<9).map { row in
                let cells = repainted.cells[row]
                // The cells of such a cluster that it does not fill are spaces with its style.
                let isUncertain = cells.contains(where: \.isUncertain)
                return cells.allSatisfy { $0.isBlank || $0.isUncertain || isUncertain && $0.text == " " }
            }
            var flashed: Set<Int> = []
            emulator.observer = { state, row in
                guard state.isBlank(row), !before[row], !after[row] else { return }
                // A row that a scroll has brought in is blank until it is drawn.
                if !state.blankedRows.contains(row) { flashed.insert(row) }
            }
            emulator.feed(ScreenUpdate.bytes(from: first, to: second, text: text, colors: colors))
            #expect(emulator.looks == repainted.looks, "\(numbers.origin)")
            #expect(flashed.isEmpty, "\(numbers.origin)")
            #expect(emulator.unknown.isEmpty)
        }
    }

    @Test("T4 a repaint shows the text that was drawn")
    func repaint() {
        let text = TerminalText()
        var screen = TerminalScreen(size: TerminalSize(columns: 12, rows: 3))
        screen.draw("漢字 and more text", row: 0, column: 0, within: 0..<12, style: .plain, text: text)
        screen.draw("right", row: 2, column: 7, within: 0..<12, style: .plain, text: text)
        var emulator = ScreenEmulator(columns: 12, rows: 3)
        emulator.feed(ScreenUpdate.bytes(from: nil, to: screen, text: text, colors: .none))
        #expect(emulator.lines == ["漢字 and mor", "", "       right"])
        #expect(emulator.modes.contains(2026) == false)
    }

    @Test("T5 one cell takes at most 60 bytes, and no change none")
    func oneCell() {
        let text = TerminalText()
        for colors in ColorCapability.allCases {
            var first = TerminalScreen(size: TerminalSize(columns: 120, rows: 40))
            for row in 0..<40 {
                let line = String(repeating: "row \(row) ", count: 12)
                first.draw(line, row: row, column: 0, within: 0..<120, style: .plain, text: text)
            }
            #expect(ScreenUpdate.bytes(from: first, to: first, text: text, colors: colors).isEmpty)
            var second = first
            let style = CellStyle(foreground: .red, background: .bar)
            second.draw("X", row: 39, column: 119, within: 0..<120, style: style, text: text)
            #expect(ScreenUpdate.bytes(from: first, to: second, text: text, colors: colors).count <= 60)
        }
    }

    @Test("T4 a shift of rows is found, and none of half of the screen")
    func shifts() {
        let text = TerminalText()
        func screen(_ first: Int) -> TerminalScreen {
            var screen = TerminalScreen(size: TerminalSize(columns: 20, rows: 20))
            screen.draw("header", row: 0, column: 0, within: 0..<20, style: .plain, text: text)
            for row in 1..<19 {
                screen.draw(
                    "row \(first + row)",
                    row: row,
                    column: 0,
                    within: 0..<20,
                    style: .plain,
                    text: text
                )
            }
            screen.draw("status \(first)", row: 19, column: 0, within: 0..<20, style: .plain, text: text)
            return screen
        }
        #expect(ScreenShift.find(from: screen(5), to: screen(6)) == ScreenShift(rows: 1..<19, distance: 1))
        #expect(ScreenShift.find(from: screen(5), to: screen(2)) == ScreenShift(rows: 1..<19, distance: -3))
        #expect(ScreenShift.find(from: screen(5), to: screen(16)) == nil)
        #expect(ScreenShift.find(from: screen(5), to: screen(5)) == nil)
    }
}
