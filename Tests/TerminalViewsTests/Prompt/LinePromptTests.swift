import BridgeValues
import Synchronization
import Testing

@testable import TerminalViews

/// A prompt on a screen: what the user sees after keys, output and changes of the width.
@Suite struct LinePromptTests {
    /// A prompt with its terminal.
    private final class Run {
        let device: PromptTestDevice
        let prompt: LinePrompt
        private var parser = KeyParser()
        private var actions: AsyncStream<LinePrompt.Action>.AsyncIterator
        private let interrupts: InterruptCount

        final class InterruptCount: Sendable {
            let count = Mutex(0)
        }

        init(columns: Int = 40, rows: Int = 24, history: [String] = []) {
            device = PromptTestDevice(columns: columns, rows: rows)
            let interrupts = InterruptCount()
            self.interrupts = interrupts
            prompt = LinePrompt(device: device, history: history, clock: TestClock()) {
                interrupts.count.withLock { $0 += 1 }
            }
            actions = prompt.actions.makeAsyncIterator()
            prompt.show()
        }

        var interruptCount: Int { interrupts.count.withLock { $0 } }
        func type(_ bytes: String) { prompt.receive(parser.feed(Array(bytes.utf8), at: .zero)) }
        func action() async -> LinePrompt.Action? { await actions.next() }
        var text: [String] { device.screen.text }
        var cursor: [Int] { [device.screen.row, device.screen.column] }
    }

    @Test("thousands of lines that arrive without the marks of a paste are all inputs, in their order")
    func fastLines() async throws {
        let run = Run()
        let inputs = (0..<2_000).map { "globalThis.q\($0)=\($0);" }
        run.type(inputs.joined(separator: "\r") + "\r")
        for input in inputs {
            #expect(await run.action() == .submit(input))
            _ = run.prompt.accept()
            run.prompt.show()
        }
    }

    @Test("a line is shown behind the prompt, and wrapped at the width with its wide characters whole")
    func wrapping() {
        let run = Run(columns: 10)
        run.type("abcdefg")
        #expect(run.text == ["> abcdefg"] && run.cursor == [0, 9])
        run.type("漢")
        #expect(run.text == ["> abcdefg", "漢"] && run.cursor == [1, 2])
        run.type("字字字字")
        #expect(run.text == ["> abcdefg", "漢字字字字", ""] && run.cursor == [2, 0])
        run.type("\u{01}x")
        #expect(run.text == ["> xabcdefg", "漢字字字字"] && run.cursor == [0, 3])
        run.type("\u{0B}")
        #expect(run.text == ["> x"] && run.cursor == [0, 3])
        #expect(run.device.screen.unknown.isEmpty)
    }

    @Test("an input is reported, continued or accepted, and what is typed meanwhile is for the next prompt")
    func submitting() async {
        let run = Run()
        run.type("if (a) {\r")
        #expect(await run.action() == .submit("if (a) {"))
        run.type("b }\rnext")
        #expect(run.text == ["> if (a) {"])
        run.prompt.continueInput()
        #expect(await run.action() == .submit("if (a) {\nb }"))
        #expect(run.prompt.accept() == "if (a) {\nb }")
        run.prompt.write("result\n")
        #expect(run.text == ["> if (a) {", "... b }", "result", ""])
        run.prompt.show()
        #expect(run.text == ["> if (a) {", "... b }", "result", "> next"] && run.cursor == [3, 6])
    }

    @Test("output is printed above the line that is edited") func output() {
        let run = Run(columns: 10)
        run.type("1234567890")
        run.type("\u{02}\u{02}")
        run.prompt.write("one\ntwo\n")
        #expect(run.text == ["one", "two", "> 12345678", "90"] && run.cursor == [3, 0])
        run.type("x")
        #expect(run.text == ["one", "two", "> 12345678", "x90"])
    }

    @Test("Ctrl-C discards the line at the prompt, and interrupts a running input") func interrupting() async
    {
        let run = Run()
        run.type("abc\u{03}")
        #expect(run.text == ["> abc", ">"] && run.interruptCount == 1)
        run.type("for(;;);\r")
        #expect(await run.action() == .submit("for(;;);"))
        _ = run.prompt.accept()
        run.type("typed ahead\u{03}")
        #expect(run.interruptCount == 2)
        run.prompt.show()
        #expect(run.text == ["> abc", "> for(;;);", ">"])
    }

    @Test("Ctrl-D ends at an empty prompt") func ending() async {
        let run = Run()
        run.type("\u{04}")
        #expect(await run.action() == .end)
        run.prompt.close()
        run.prompt.close()
        #expect(await run.action() == nil)
        #expect(!run.device.isEntered && run.text == [">", ""])
    }

    @Test("names complete the text, or are listed") func completing() async {
        let run = Run(columns: 20)
        run.type("Math.ma\t")
        #expect(await run.action() == .complete("Math.ma"))
        run.prompt.complete(with: ["max"], replacing: 2)
        #expect(run.text == ["> Math.max"])
        run.type(" + con\t")
        #expect(await run.action() == .complete("Math.max + con"))
        run.prompt.complete(with: ["console", "const"], replacing: 3)
        #expect(run.text == ["> Math.max + cons"])
        run.type("\t")
        _ = await run.action()
        run.prompt.complete(with: ["console", "const"], replacing: 4)
        #expect(run.text == ["console  const", "> Math.max + cons"])
        run.type("\t")
        _ = await run.action()
        run.prompt.complete(with: [], replacing: 4)
        #expect(run.text == ["console  const", "> Math.max + cons"])
    }

    @Test("the line is whole after each change of the width") func resizing() {
        let run = Run(columns: 30)
        run.prompt.write("earlier\n")
        run.type("abcdefghijklmnopqrstuvwxyz")
        for columns in [12, 9, 30, 17] {
            run.device.resize(columns: columns)
            run.prompt.resize()
            let whole = run.text.joined()
            #expect(whole == "earlier> abcdefghijklmnopqrstuvwxyz", "\(columns)")
        }
    }

    @Test("an input that is longer than the screen is shown around the cursor") func longInput() {
        let run = Run(columns: 20, rows: 5)
        run.type("\u{1B}[200~" + (0..<200).map { "line \($0)" }.joined(separator: "\n") + "\u{1B}[201~")
        #expect(run.text == (195..<200).map { "... line \($0)" } && run.cursor == [4, 12])
        run.type("\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A")
        #expect(run.text.contains("... line 194") && run.text.count == 5)
    }

    @Test("a search shows its query; Ctrl-L clears; Ctrl-Z stops and draws again") func otherKeys() {
        let run = Run(history: ["first", "second"])
        run.type("\u{12}ir")
        #expect(run.text == ["(reverse-i-search)`ir': first"])
        run.type("x")
        #expect(run.text == ["(failed reverse-i-search)`irx': first"])
        run.type("\u{07}\u{1A}")
        #expect(run.device.stops == 1 && run.text.last == ">")
    }

    @Test("control characters of an input are shown as symbols") func controlCharacters() {
        let run = Run(history: ["a\u{1B}[31mb"])
        run.type("\u{1B}[A")
        #expect(run.text == ["> a␛[31mb"])
    }
}
