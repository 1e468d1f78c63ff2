import TestSupport
import Testing

@testable import TerminalViews

@Suite("Keys")
struct KeyParserTests {
    private func events(_ string: String) -> [TerminalEvent] {
        var parser = KeyParser()
        return parser.feed(Array(string.utf8), at: .zero) + parser.expire(at: .seconds(1))
    }

    private static let keys: [(String, KeyPress)] = [
        ("\u{1B}[A", KeyPress(.up)), ("\u{1B}OA", KeyPress(.up)), ("\u{1B}[B", KeyPress(.down)),
        ("\u{1B}[H", KeyPress(.home)), ("\u{1B}[1~", KeyPress(.home)), ("\u{1B}[7~", KeyPress(.home)),
        ("\u{1B}OH", KeyPress(.home)), ("\u{1B}[F", KeyPress(.end)), ("\u{1B}[4~", KeyPress(.end)),
        ("\u{1B}[8~", KeyPress(.end)), ("\u{1B}[5~", KeyPress(.pageUp)), ("\u{1B}[6~", KeyPress(.pageDown)),
        ("\u{1B}[3~", KeyPress(.delete)), ("\u{1B}[1;2A", KeyPress(.up, .shift)),
        ("\u{1B}[1;5C", KeyPress(.right, .control)), ("\u{1B}[6;3~", KeyPress(.pageDown, .alt)),
        ("\u{1B}[Z", KeyPress(.tab, .shift)), ("\t", KeyPress(.tab)), ("\r", KeyPress(.enter)),
        ("\u{7F}", KeyPress(.backspace)), ("\u{4}", KeyPress(.character("d"), .control)),
        ("\u{0}", KeyPress(.character(" "), .control)), ("x", KeyPress(.character("x"))),
        ("é", KeyPress(.character("é"))), ("漢", KeyPress(.character("漢"))), ("😀", KeyPress(.character("😀"))),
        ("\u{1B}x", KeyPress(.character("x"), .alt)), ("\u{1B}é", KeyPress(.character("é"), .alt)),
        ("\u{1B}", KeyPress(.escape)), ("\u{1B}[27u", KeyPress(.escape)),
        ("\u{1B}[100;5u", KeyPress(.character("d"), .control)),
        ("\u{1B}[97;3u", KeyPress(.character("a"), .alt)), ("\u{1B}[13u", KeyPress(.enter)),
        ("\u{1B}[9;2u", KeyPress(.tab, .shift)), ("\u{1B}[47:63;2u", KeyPress(.character("?"))),
        ("\u{1B}[57399u", KeyPress(.character("0"))), ("\u{1B}OP", KeyPress(.function(1))),
        ("\u{1B}[11~", KeyPress(.function(1))), ("\u{1B}[[A", KeyPress(.function(1))),
        ("\u{1B}[24~", KeyPress(.function(12))), ("\u{1B}[1;2R", KeyPress(.function(3), .shift)),
    ]

    @Test("T10 each spelling of a key is the key", arguments: keys)
    func spellings(bytes: String, key: KeyPress) { #expect(events(bytes) == [.key(key)]) }

    @Test("T10 a mouse event of the old form types nothing, and side buttons do not click")
    func oldMouse() {
        #expect(events("\u{1B}[M !!x") == [.key(KeyPress(.character("x")))])
        #expect(events("\u{1B}OM") == [.key(KeyPress(.enter))])
        #expect(events("\u{1B}[<128;5;8M").isEmpty)
    }

    @Test("T10 a paste without its end is over after 2 s of silence")
    func endlessPaste() {
        var parser = KeyParser()
        #expect(parser.feed(Array("\u{1B}[200~abc".utf8), at: .zero) == [.paste("abc")])
        #expect(parser.feed(Array("d".utf8), at: .seconds(1)) == [.paste("d")])
        #expect(parser.deadline == .seconds(3))
        #expect(parser.expire(at: .seconds(3)).isEmpty)
        #expect(parser.feed(Array("q".utf8), at: .seconds(4)) == [.key(KeyPress(.character("q")))])
    }

    @Test("T10 the rest of a character may arrive 400 ms later")
    func slowCharacter() {
        var parser = KeyParser()
        #expect(parser.feed([0xC3], at: .zero).isEmpty)
        #expect(parser.expire(at: .milliseconds(400)).isEmpty)
        #expect(parser.feed([0xA9], at: .milliseconds(400)) == [.key(KeyPress(.character("é")))])
    }

    @Test("T10 mouse, focus and answers")
    func others() {
        #expect(events("\u{1B}[<0;5;8M") == [.mouse(MouseEvent(.press(0), column: 4, row: 7))])
        #expect(events("\u{1B}[<0;5;8m") == [.mouse(MouseEvent(.release(0), column: 4, row: 7))])
        #expect(events("\u{1B}[<32;5;8M") == [.mouse(MouseEvent(.drag(0), column: 4, row: 7))])
        #expect(events("\u{1B}[<64;1;1M") == [.mouse(MouseEvent(.wheel(-1), column: 0, row: 0))])
        #expect(events("\u{1B}[<65;0;0M") == [.mouse(MouseEvent(.wheel(1), column: 0, row: 0))])
        #expect(events("\u{1B}[<35;1;1M").isEmpty)
        #expect(events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
        #expect(events("\u{1B}[?1;2c") == [.reply(.deviceAttributes)])
        #expect(events("\u{1B}[?2026;2$y").isEmpty)
        #expect(events("\u{1B}[?1u").isEmpty)
        #expect(events("\u{1B}[97;1:3u").isEmpty)
        var parser = KeyParser()
        parser.expectsCursorReport = true
        #expect(parser.feed(Array("\u{1B}[1;3R".utf8), at: .zero) == [.reply(.cursor(row: 0, column: 2))])
    }

    @Test("T10 an escape byte alone is a key after 25 ms, and not before")
    func escape() {
        var parser = KeyParser()
        #expect(parser.feed([0x1B], at: .milliseconds(100)).isEmpty)
        #expect(parser.deadline == .milliseconds(125))
        #expect(parser.expire(at: .milliseconds(124)).isEmpty)
        #expect(parser.expire(at: .milliseconds(125)) == [.key(KeyPress(.escape))])
        #expect(parser.deadline == nil)
        // Bytes that follow in time are one sequence.
        #expect(parser.feed([0x1B], at: .milliseconds(200)).isEmpty)
        #expect(parser.feed(Array("[A".utf8), at: .milliseconds(210)) == [.key(KeyPress(.up))])
        // The beginning of a sequence that never ends gives none.
        #expect(parser.feed(Array("\u{1B}[12".utf8), at: .milliseconds(300)).isEmpty)
        #expect(parser.expire(at: .seconds(1)).isEmpty)
        #expect(parser.feed(Array("j".utf8), at: .seconds(2)) == [.key(KeyPress(.character("j")))])
    }

    @Test("T10 paste is text, never keys")
    func paste() {
        #expect(
            events("\u{1B}[200~q\r\u{1B}[A\u{3}é\u{1B}[201~j") == [
                .paste("q\r\u{1B}[A\u{3}é"), .key(KeyPress(.character("j"))),
            ]
        )
        // A paste of any length takes no more memory than its parts.
        var parser = KeyParser()
        _ = parser.feed(Array("\u{1B}[200~".utf8), at: .zero)
        var length = 0
        for _ in 0..<100 {
            for case .paste(let part) in parser.feed(
                Array(repeating: UInt8(ascii: "q"), count: 10_000),
                at: .zero
            ) {
                length += part.count
            }
        }
        #expect(length == 1_000_000)
        #expect(parser.deadline == .seconds(2))
    }

    @Test("T10 strings of a terminal are skipped, also endless ones")
    func strings() {
        #expect(events("\u{1B}]11;rgb:00/00/00\u{7}j") == [.key(KeyPress(.character("j")))])
        #expect(events("\u{1B}P1$r0m\u{1B}\\j") == [.key(KeyPress(.character("j")))])
        let long = "\u{1B}]" + String(repeating: "x", count: 100_000)
        #expect(events(long + "\u{1B}[A") == [.key(KeyPress(.up))])
        let parameters = "\u{1B}[" + String(repeating: "1;", count: 100_000)
        #expect(events(parameters + "\u{1B}[A").last == .key(KeyPress(.up)))
    }

    @Test("T10 any bytes are read, and give the same events however they are cut")
    func fuzz() {
        var numbers = SeededGenerator.fromEnvironment()
        let seeds =
            Self.keys.map { Array($0.0.utf8) } + [
                Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8), Array("\u{1B}[<0;5;8M".utf8),
                Array("\u{1B}]52;c;".utf8),
                [0xFF], [0xE6, 0xBC], [0xF0, 0x9F, 0x98], [0xC0, 0x80], [0x9B], [0x7], [0x1B, 0x1B],
            ]
        for _ in 0..<4_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1..<12, using: &numbers) {
                if Bool.random(using: &numbers) {
                    bytes += seeds.randomElement(using: &numbers) ?? []
                } else {
                    bytes.append(UInt8.random(in: 0...255, using: &numbers))
                }
            }
            var whole = KeyParser()
            let expected = whole.feed(bytes, at: .zero) + whole.expire(at: .seconds(9))
            var cut = KeyParser()
            var events: [TerminalEvent] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...4, using: &numbers))
                events += cut.feed(part, at: .zero)
                rest = rest.dropFirst(part.count)
            }
            events += cut.expire(at: .seconds(9))
            #expect(joined(events) == joined(expected), "\(bytes) \(numbers.origin)")
        }
    }

    /// Joins the parts of a paste.
    private func joined(_ events: [TerminalEvent]) -> [TerminalEvent] {
        events.reduce(into: []) { result, event in
            if case .paste(let part) = event, case .paste(let before)? = result.last {
                result[result.count - 1] = .paste(before + part)
            } else {
                result.append(event)
            }
        }
    }
}
