import TestSupport
import Testing

@testable import TerminalViews

@Suite("Strings in cells")
struct TextTests {
    @Test("T9 control characters and bidirectional controls are shown as symbols")
    func symbols() {
        let text = TerminalText()
        #expect(text.printable("a\u{1B}]52;c;x\u{7}b") == "a␛]52;c;x␇b")
        #expect(text.printable("\u{7F}\u{85}\u{9B}31m") == "␡\u{FFFD}\u{FFFD}31m")
        #expect(text.printable("tab\tline\nboth\r\nend") == "tab␉line␊both␍␊end")
        #expect(text.printable("\u{202E}gnp.exe\u{2066}\u{200F}") == "↔gnp.exe↔↔")
        #expect(text.printable("zero\u{200B}soft\u{AD}bom\u{FEFF}") == "zero·soft·bom·")
        #expect(text.printable("\u{2028}\u{2029}") == "␤␤")
    }

    @Test("T9 a combining mark never starts a cell, and a cell has a limited number of marks")
    func marks() {
        let text = TerminalText()
        #expect(text.printable("\u{301}a") == "◌\u{301}a")
        #expect(text.width(of: "\u{301}a") == 2)
        let heap = "Z" + String(repeating: "\u{335}", count: 5_000)
        #expect(text.width(of: heap) == 1)
        #expect(text.printable(heap).unicodeScalars.count == TerminalText.maximumScalars)
    }

    @Test(
        "T8 measured clusters have the measured width",
        arguments: [
            ("a", 1, 1), ("e\u{301}", 1, 1), ("한", 2, 2), ("漢", 2, 2), ("Ａ", 2, 2), ("😀", 2, 2), ("👩‍👩‍👧", 6, 2),
            ("🇩🇪", 2, 2),
            ("❤", 1, 1), ("❤\u{FE0F}", 1, 2), ("1\u{FE0F}\u{20E3}", 1, 2), ("👍🏽", 4, 2), ("±", 1, 1),
            ("─", 1, 1),
            ("⌚", 2, 2), ("لا", 2, 2),
        ]
    )
    func widths(string: String, unmeasured: Int, joined: Int) {
        #expect(TerminalText().width(of: string) == unmeasured)
        #expect(TerminalText(widths: ClusterWidths(measured: [2, 2, 2, 2])).width(of: string) == joined)
    }

    @Test("T9 a wide character that is cut becomes a space")
    func cut() {
        let text = TerminalText()
        #expect(text.fitted("漢字漢字", to: 5) == "漢字…")
        #expect(text.fitted("漢字漢字", to: 4) == "漢 …")
        #expect(text.fitted("漢字", to: 4) == "漢字")
        #expect(text.fitted("漢", to: 1) == "…")
        #expect(text.fitted("abc", to: 5) == "abc  ")
        #expect(text.fitted("abc", to: 5, .trailing) == "  abc")
        #expect(text.fitted("abc", to: 0) == "")
        var screen = TerminalScreen(size: TerminalSize(columns: 4, rows: 2))
        screen.draw("漢字字", row: 0, column: -1, within: 0..<4, style: .plain, text: text)
        var emulator = ScreenEmulator(columns: 4, rows: 2)
        emulator.feed(ScreenUpdate.bytes(from: nil, to: screen, text: text, colors: .none))
        #expect(emulator.lines[0] == " 字")
    }

    @Test("T9 of a string with megabytes only the beginning is read, and it is cut like a shorter one")
    func long() {
        let text = TerminalText()
        for part in ["y,z\n", "x", "漢", "e\u{301}", "👩‍👩‍👧"] {
            let long = String(repeating: part, count: 1 << 18)
            let short = String(repeating: part, count: 100)
            #expect(text.fitted(long, to: 20) == text.fitted(short, to: 20))
            #expect(text.width(of: long, upTo: 32) == 32)
            let lines = text.wrapped(long, to: 10)
            #expect(lines.count == 1_001)
            #expect(lines[0] == text.wrapped(short, to: 10)[0])
            #expect(lines.last == "… (more is not shown)")
        }
        // A cluster that no terminal shows.
        let heap = "Z" + String(repeating: "\u{335}", count: 1 << 20)
        #expect(text.width(of: text.fitted(heap + "a", to: 5)) == 5)
        #expect(text.width(of: "abc", upTo: 2) == 2)
        #expect(text.width(of: "漢字", upTo: 3) == 3)
    }

    @Test("T9 any string fits exactly, and writes no control character")
    func fuzz() {
        var numbers = SeededGenerator.fromEnvironment()
        let text = TerminalText()
        for _ in 0..<3_000 {
            var string = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<20, using: &numbers) {
                let range: ClosedRange<UInt32> =
                    [
                        0...0x7F, 0x80...0x2FF, 0x300...0x36F, 0x600...0x6FF, 0x900...0x97F, 0x1100...0x11FF,
                        0x2000...0x206F,
                        0x4E00...0x4E20, 0xFE00...0xFEFF, 0x1F1E6...0x1F6FF, 0xE0000...0xE01EF, 0...0x10FFFF,
                    ].randomElement(using: &numbers) ?? 0...0x7F
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &numbers)) {
                    string.append(scalar)
                }
            }
            let cells = Int.random(in: 1..<30, using: &numbers)
            let fitted = text.fitted(String(string), to: cells)
            #expect(text.width(of: fitted) == cells, "\(numbers.origin)")
            let isSafe = fitted.unicodeScalars.allSatisfy { scalar in
                scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
                    && !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
            }
            #expect(isSafe, "\(numbers.origin)")
        }
    }
}
