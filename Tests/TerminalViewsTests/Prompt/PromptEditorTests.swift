import Testing

@testable import TerminalViews

/// The input of a prompt: bytes of keys in, text and cursor out.
@Suite struct PromptEditorTests {
    /// Types bytes, and returns the text with `|` at the cursor.
    private static func typed(_ bytes: String, _ editor: inout PromptEditor) -> String {
        var parser = KeyParser()
        for event in parser.feed(Array(bytes.utf8), at: .zero) + parser.expire(at: .seconds(1)) {
            _ = editor.handle(event)
        }
        var characters = editor.characters
        characters.insert("|", at: editor.position)
        return String(characters)
    }

    private static func typed(_ bytes: String, history: [String] = []) -> String {
        var editor = PromptEditor(history: PromptHistory(history))
        return typed(bytes, &editor)
    }

    static let keys: [(String, String)] = [
        ("abc", "abc|"), ("漢字é👍🏽", "漢字é👍🏽|"),
        // Moves.
        ("abc\u{01}x", "x|abc"), ("abc\u{01}\u{05}x", "abcx|"), ("abc\u{02}\u{02}x", "ax|bc"),
        ("abc\u{01}\u{06}x", "ax|bc"), ("abc\u{1B}[D\u{1B}[Dx", "ax|bc"), ("abc\u{1B}[H\u{1B}[Cx", "ax|bc"),
        ("abc\u{1B}OH\u{1B}[Fx", "abcx|"), ("漢字\u{1B}[Dx", "漢x|字"), ("\u{1B}[D\u{1B}[Cx", "x|"),
        ("ab.cd ef\u{1B}bx", "ab.cd x|ef"), ("ab.cd ef\u{1B}b\u{1B}bx", "ab.x|cd ef"),
        ("ab.cd\u{01}\u{1B}fx", "abx|.cd"), ("ab cd\u{1B}[1;5Dx", "ab x|cd"),
        ("ab cd\u{01}\u{1B}[1;5Cx", "abx| cd"),
        // Removals.
        ("abc\u{7F}", "ab|"), ("abc\u{08}", "ab|"), ("\u{7F}", "|"), ("abc\u{01}\u{04}", "|bc"),
        ("abc\u{01}\u{1B}[3~", "|bc"), ("abc def\u{17}", "abc |"), ("abc de.f\u{1B}\u{7F}", "abc de.|"),
        ("abc def\u{15}", "|"), ("abc def\u{1B}b\u{0B}", "abc |"), ("ab cd\u{01}\u{1B}d", "| cd"),
        // Removed text comes back; removals in a row belong together.
        ("abc def\u{17}\u{19}\u{19}", "abc defdef|"), ("a b c\u{17}\u{17}\u{19}", "a b c|"),
        ("ab cd\u{01}\u{1B}d\u{1B}d\u{19}", "ab cd|"), ("ab cd\u{17}x\u{17}\u{19}", "ab x|"),
        // Transposition.
        ("abc\u{14}", "acb|"), ("abc\u{02}\u{14}", "acb|"), ("a\u{14}", "a|"),
        // Several lines.
        ("ab\u{1B}\rcd", "ab\ncd|"), ("ab\u{1B}\rcd\u{01}x", "ab\nx|cd"),
        ("abc\u{1B}\rd\u{1B}[Ax", "ax|bc\nd"),
        ("abc\u{1B}\rd\u{1B}\refg\u{1B}[A\u{1B}[Ax", "abcx|\nd\nefg"),
        ("a\u{1B}\rbc\u{1B}[A\u{1B}[Bx", "a\nbcx|"),
        ("ab\u{1B}\rcd\u{1B}[A\u{05}\u{0B}", "ab|cd"), ("ab\u{1B}\rcd\u{15}\u{15}", "ab\n|"),
        // A paste is text, also its control characters.
        ("\u{1B}[200~a\rb\u{03}\tc\u{1B}[201~d", "a\nb\tcd|"),
        ("x\u{1B}[200~a\r\nb\n\u{1B}[201~", "xa\nb\n|"),
        ("{\u{1B}\r\t\ta", "{\n    a|"),
        // Keys without a meaning.
        ("a\u{1B}[15~\u{1B}[5~\u{1B}xb", "ab|"),
    ]

    @Test("keys edit the text", arguments: keys)
    func edits(bytes: String, expected: String) { #expect(Self.typed(bytes) == expected) }

    static let historyKeys: [(String, String)] = [
        ("\u{1B}[A", "three|"), ("\u{1B}[A\u{1B}[A", "two\nlines|"), ("x\u{1B}[A\u{1B}[B", "x|"),
        ("\u{1B}[A\u{1B}[A\u{1B}[A", "two|\nlines"), ("\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A", "one|"),
        ("\u{10}\u{0E}", "|"), ("\u{1B}[B", "|"),
        // Search.
        ("\u{12}ne", "two\nlines|"), ("\u{12}ne\u{12}", "one|"), ("\u{12}ne\u{12}\u{12}", "one|"),
        ("\u{12}nex\u{7F}", "two\nlines|"), ("draft\u{12}thr\u{07}", "draft|"),
        ("\u{12}thr\u{05}!", "three!|"),
        ("draft\u{12}zzz", "draft|"), ("draft\u{12}thr\u{03}", "draft|"),
    ]

    @Test("earlier inputs are found by arrows and by a search", arguments: historyKeys)
    func history(bytes: String, expected: String) {
        #expect(Self.typed(bytes, history: ["one", "two\nlines", "three"]) == expected)
    }

    @Test("keys ask for more than text") func outcomes() {
        func outcome(_ bytes: String) -> PromptEditor.Outcome? {
            var editor = PromptEditor()
            var parser = KeyParser()
            return parser.feed(Array(bytes.utf8), at: .zero).map { editor.handle($0) }.last
        }
        #expect(outcome("a\r") == .submitted && outcome("a\n") == .submitted)
        #expect(outcome("a\t") == .asksForCompletion && outcome("a\u{03}") == .interrupted)
        #expect(outcome("\u{04}") == .ended && outcome("a\u{04}") == .edited)
        #expect(outcome("\u{0C}") == .clearsScreen && outcome("\u{1A}") == .suspends)
        #expect(outcome("\u{12}a\r") == .submitted)
    }

    @Test("an input is kept once in the history, and a blank one is not") func finishing() {
        var editor = PromptEditor()
        for (input, isNew) in [("a", true), ("a", false), (" ", false), ("b", true), ("a", true)] {
            editor.insert(input)
            #expect(editor.finish() == isNew, "\(input)")
            #expect(editor.text.isEmpty)
        }
        #expect(editor.history.entries == ["a", "b", "a"])
        let many = PromptHistory((0..<2_000).map(String.init))
        #expect(many.entries.count == PromptHistory.maximumEntries && many.entries.last == "1999")
    }

    @Test("a text beyond the limit is cut") func limit() {
        var editor = PromptEditor()
        editor.insert(String(repeating: "x", count: PromptEditor.maximumCharacters + 5))
        editor.insert("y")
        #expect(editor.characters.count == PromptEditor.maximumCharacters)
    }
}
