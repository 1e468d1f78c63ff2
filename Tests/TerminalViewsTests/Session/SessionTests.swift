import DataSources
import Foundation
import Testing

@testable import TerminalViews

@Suite("Sessions")
struct SessionTests {
    @Test("T1 leaving the screen is the exact inverse of entering it")
    func inverse() {
        var emulator = ScreenEmulator(columns: 20, rows: 4)
        emulator.feed(Array("$ earlier".utf8))
        let before = (emulator.cells, emulator.modes, emulator.keyboardDepth, emulator.titleDepth)
        emulator.feed(TerminalModes.enter)
        #expect(emulator.modes.isSuperset(of: [1049, 2004, 1000, 1002, 1006, 1004]))
        #expect(emulator.modes.isDisjoint(with: [25, 7]))
        #expect((emulator.keyboardDepth, emulator.titleDepth) == (1, 1))
        // In the middle of a frame, of a scroll region and of a string.
        emulator.feed(Array("\u{1B}[?2026h\u{1B}[2;3r\u{1B}[1;31mtext\u{1B}]52;c;abc".utf8))
        emulator.feed(TerminalModes.leave)
        #expect(emulator.cells == before.0)
        #expect(emulator.modes == before.1)
        #expect((emulator.keyboardDepth, emulator.titleDepth) == (before.2, before.3))
        #expect(emulator.region == 0..<4)
        #expect(emulator.style.isEmpty)
        #expect(emulator.unknown.isEmpty)
    }

    @Test("T1 the Kitty keyboard is popped before the other modes are left")
    func order() {
        let leave = String(decoding: TerminalModes.leave, as: UTF8.self)
        let pop = leave.range(of: "\u{1B}[<u")
        let screen = leave.range(of: "\u{1B}[?1049l")
        #expect(pop.map { pop in screen.map { pop.upperBound <= $0.lowerBound } ?? false } == true)
        #expect(leave.range(of: "\u{1B}[?1004l").map { $0.lowerBound == pop?.upperBound } == true)
    }

    @Test("T3 Ctrl-Z leaves, stops, and enters again with the size of then")
    func suspend() throws {
        let run = try BrowserRun(count: 100)
        var modesWhileStopped: Set<Int> = []
        run.terminal.whileStopped = { terminal in
            modesWhileStopped = terminal.emulator.modes
            terminal.emulator.resize(columns: 40, rows: 6)
        }
        try run.send("\u{1A}")
        try run.turn()
        #expect(run.terminal.stops == 1)
        #expect(modesWhileStopped == [7, 25])
        #expect(run.terminal.emulator.modes.contains(1049))
        #expect(run.lines.count == 6)
        #expect(run.lines[1].contains("name 0"))
        #expect(run.status.contains("1/100"))
    }

    @Test("T3 a continuation without a stop that was seen paints everything again")
    func continued() throws {
        let run = try BrowserRun(count: 100)
        let depth = run.terminal.emulator.keyboardDepth
        run.terminal.emulator.feed(Array("\u{1B}[H$ fg\u{1B}[K".utf8))
        try run.session.turn(.continued)
        // Before it writes anything.
        #expect(run.terminal.foregroundWaits.count == 1)
        #expect(run.terminal.foregroundWaits.first?.contains(1049) == true)
        try run.turn()
        #expect(run.lines[0].contains("name"))
        #expect(run.terminal.emulator.keyboardDepth == depth)
    }

    @Test("T2 a requested end handles no further keys, so that the state is the one of the last frame")
    func requestedEnd() throws {
        let run = try BrowserRun(count: 100)
        run.terminal.input += Array("G".utf8)
        try run.session.turn([.ended, .input])
        #expect(run.session.isFinished)
        #expect(run.browser.focusedPath?.item == 0)
        #expect(try run.browser.savedState() != nil)
        #expect(TerminalReadiness(signals: Array("me".utf8)) == .ended)
    }

    @Test("T6 while the terminal takes nothing one frame waits, and the next one is the newest")
    func slow() throws {
        let run = try BrowserRun(count: 1_000)
        let before = run.session.frameCount
        run.terminal.capacity = 10
        for _ in 0..<50 { try run.type("j") }
        #expect(run.session.frameCount == before + 1)
        run.terminal.capacity = nil
        try run.turn()
        #expect(run.session.frameCount == before + 2)
        #expect(run.status.contains("51/1,000"))
        #expect(run.focusedLine != nil)
    }

    @Test("T6 q ends the session while the terminal takes nothing")
    func quitWhileSlow() throws {
        let run = try BrowserRun(count: 1_000)
        run.terminal.capacity = 0
        try run.type("jjjq")
        #expect(run.session.isFinished)
    }

    @Test("T6 any number of bytes at a time gives the same screen")
    func parts() throws {
        let run = try BrowserRun(count: 1_000)
        for part in [1, 2, 3, 7, 50] {
            run.terminal.capacity = part
            try run.type("jjG")
            while run.session.isWriting {
                run.terminal.capacity = part
                try run.session.turn([])
            }
            run.terminal.capacity = nil
            try run.type("g")
            #expect(run.names.first == "0 name 0 even")
            #expect(run.terminal.emulator.unknown.isEmpty)
        }
    }

    @Test("T8 the session measures the terminal before the first frame", arguments: [2, 6])
    func probe(family: Int) throws {
        let profile = ScreenEmulator.Profile(family: family, skinTone: 2, heart: 2, flag: 2)
        let run = try BrowserRun(MemoryTable(count: 3), profile: profile)
        #expect(run.browser.text.widths.joinsFamilies == (family == 2))
        #expect(run.browser.text.widths.joinsSkinTones)
        #expect(run.browser.text.widths.widensPresentation)
        #expect(run.lines[0].contains("name"))
    }

    @Test("T8 a terminal that does not answer delays the first frame by 100 ms")
    func silent() throws {
        let source = MemoryTable(count: 3)
        let terminal = RecordedTerminal(columns: 40, rows: 6)
        terminal.answers = false
        let clock = TestClock()
        let content = TableContent(source, work: TableWork(wake: {}, run: { $0() }))
        let browser = TerminalBrowser(view: content.view, content: content)
        let session = TerminalSession(browser, device: terminal, clock: clock, colors: .none)
        try session.begin()
        clock.advance(by: .milliseconds(99))
        try session.turn([])
        #expect(session.frameCount == 0)
        clock.advance(by: .milliseconds(1))
        try session.turn([])
        #expect(session.frameCount == 1)
        #expect(terminal.emulator.lines[1].contains("name 0"))
        // An answer that is late counts too.
        terminal.input += Array("\u{1B}[1;3R\u{1B}[1;3R\u{1B}[1;3R\u{1B}[1;3R\u{1B}[?1;2c".utf8)
        try session.turn([])
        #expect(browser.text.widths.joinsSkinTones)
    }

    /// Begins a session in a terminal that answers nothing by itself, and types q.
    private func quitEarly(_ terminal: RecordedTerminal, _ clock: TestClock) throws -> TerminalSession {
        terminal.answers = false
        let content = TableContent(MemoryTable(count: 3), work: TableWork(wake: {}, run: { $0() }))
        let browser = TerminalBrowser(view: content.view, content: content)
        let session = TerminalSession(browser, device: terminal, clock: clock, colors: .none)
        try session.begin()
        terminal.input += Array("q".utf8)
        try session.turn([])
        #expect(session.isFinished)
        return session
    }

    @Test("T1 an answer that is late is not left to the shell, and what is typed after it is")
    func lateAnswer() throws {
        let terminal = RecordedTerminal(columns: 40, rows: 6)
        let clock = TestClock()
        let session = try quitEarly(terminal, clock)
        var parts = ["\u{1B}[1;3R\u{1B}[1;3R\u{1B}[1", ";3R\u{1B}[1;3R\u{1B}[?1;2", "cls\r"]
        terminal.whileWaiting = { terminal, deadline in
            #expect(deadline == .milliseconds(100))
            terminal.input += Array(parts.removeFirst().utf8)
        }
        session.awaitAnswer()
        #expect(parts.isEmpty)
        #expect(String(decoding: terminal.input, as: UTF8.self) == "ls\r")
    }

    @Test("T1 a terminal that does not answer delays the end by 100 ms, one that took no question not at all")
    func noAnswer() throws {
        let clock = TestClock()
        let terminal = RecordedTerminal(columns: 40, rows: 6)
        let session = try quitEarly(terminal, clock)
        terminal.whileWaiting = { _, deadline in clock.advance(by: (deadline ?? .zero) - clock.now) }
        session.awaitAnswer()
        #expect(clock.now == .milliseconds(100))

        let stuck = RecordedTerminal(columns: 40, rows: 6)
        stuck.capacity = 0
        // A wait would stop the test.
        try quitEarly(stuck, TestClock()).awaitAnswer()
    }

    @Test("T11 a storm of sizes ends in one right frame, and the focus stays visible")
    func resizes() throws {
        let run = try BrowserRun(count: 10_000)
        try run.type(":5000\r")
        for size in [(1, 1), (500, 200), (2, 2), (80, 24), (3, 1), (1, 3), (200, 5), (60, 10)] {
            run.terminal.emulator.resize(columns: size.0, rows: size.1)
            try run.session.turn(.resized)
        }
        try run.turn()
        #expect(run.names.contains("4999 name 4999 odd"))
        #expect(run.focus == IndexPath(item: 4_999, section: 0))
        #expect(run.terminal.emulator.unknown.isEmpty)
    }

    @Test("T11 every small size is drawn, in every mode")
    func small() throws {
        for (columns, rows) in [(1, 1), (1, 2), (2, 1), (3, 3), (5, 2), (1, 100), (300, 1), (150, 40)] {
            let run = try BrowserRun(MemoryTable(count: 300), columns: columns, rows: rows)
            for keys in [
                "jjkG", "/name\r", "fodd\r", "b", "[", "]", "\t", "m", "\u{1B}", "v", "?", "q", "o", "\r",
                "q", ":7\r",
            ] {
                for key in keys { try run.send(String(key)) }
                run.clock.advance(by: .milliseconds(30))
                try run.settle()
            }
            try run.mouse(0, column: columns - 1, row: rows - 1)
            try run.mouse(32, column: 0, row: 0)
            try run.mouse(0, column: 0, row: 0, isRelease: true)
            #expect(run.terminal.emulator.unknown.isEmpty)
            #expect(!run.session.isFinished)
        }
    }

    @Test("T6 a terminal that is gone ends the session")
    func gone() throws {
        let run = try BrowserRun(count: 10)
        run.terminal.isGone = true
        try run.session.turn(.input)
        #expect(run.session.isFinished)
    }

    @Test("T16 a recording replays to the same screen")
    func recording() throws {
        let path = NSTemporaryDirectory() + "recording-\(UUID().uuidString).cast"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recording = try TerminalRecording(path: path)
        let rows = [["1", "quote \" backslash \\ end"], ["2", "漢字 é 👍🏽"]]
        let table = MemoryTable(columns: ["id", "text"], rows: rows)
        let run = try BrowserRun(table, colors: .trueColor, recording: recording)
        try run.type("j")
        run.clock.advance(by: .milliseconds(1_500))
        try run.type("/quote\r")
        try run.settle()
        try recording.close()
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            Data($0.utf8)
        }
        let header = try JSONSerialization.jsonObject(with: lines.removeFirst()) as? [String: Any]
        #expect(header?["version"] as? Int == 2)
        #expect(header?["width"] as? Int == 60)
        #expect(header?["height"] as? Int == 10)
        var emulator = ScreenEmulator(columns: 60, rows: 10)
        var last = 0.0
        for line in lines.dropFirst() {
            let event = try #require(try JSONSerialization.jsonObject(with: line) as? [Any])
            let time = try #require(event[0] as? Double)
            #expect(time >= last)
            last = time
            if event[1] as? String == "o" { emulator.feed(Array((event[2] as? String ?? "").utf8)) }
        }
        #expect(last >= 1.5)
        #expect(emulator.cells == run.terminal.emulator.cells)
    }
}
