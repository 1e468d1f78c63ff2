import CollectionViews
import Foundation
import Testing

@testable import TerminalViews

/// A browser of a table with its session, in a recorded terminal.
final class BrowserRun {
    let terminal: RecordedTerminal
    let clock = TestClock()
    let work = HeldWork()
    let source: any TableSource
    let content: TableContent
    let browser: TerminalBrowser
    let session: TerminalSession

    init(
        _ source: any TableSource,
        columns: Int = 60,
        rows: Int = 10,
        colors: ColorCapability = .none,
        profile: ScreenEmulator.Profile = .init(),
        recording: TerminalRecording? = nil,
        isLoaded: Bool = true
    ) throws {
        self.source = source
        terminal = RecordedTerminal(columns: columns, rows: rows, profile: profile)
        content = TableContent(source, work: TableWork(wake: {}, run: { [work] in work.add($0) }))
        browser = TerminalBrowser(view: content.view, content: content)
        session = TerminalSession(
            browser,
            device: terminal,
            clock: clock,
            colors: colors,
            recording: recording
        )
        if isLoaded { work.runAll() }
        try session.begin()
        try turn()
    }

    convenience init(count: Int, columns: Int = 60, rows: Int = 10, colors: ColorCapability = .none) throws {
        try self.init(MemoryTable(count: count), columns: columns, rows: rows, colors: colors)
    }

    /// Handles what has arrived, and draws until nothing is left to write, as the loop of a session does.
    func turn() throws {
        repeat { try session.turn([]) } while session.isWriting && terminal.capacity != 0
    }

    /// Runs the work of other threads, and shows its results.
    func settle() throws {
        for _ in 0..<4 {
            work.runAll()
            try turn()
        }
    }

    /// Types characters one after the other.
    func type(_ string: String) throws {
        for character in string {
            terminal.input += Array(String(character).utf8)
            try turn()
        }
    }

    /// Sends bytes, for example the sequence of a key.
    func send(_ bytes: String) throws {
        terminal.input += Array(bytes.utf8)
        try turn()
    }

    /// Presses Escape, and lets the time pass by which it is a key.
    func escape() throws {
        try send("\u{1B}")
        clock.advance(by: .milliseconds(30))
        try turn()
    }

    /// Uses the mouse at a cell, from 0.
    func mouse(_ code: Int, column: Int, row: Int, isRelease: Bool = false) throws {
        try send("\u{1B}[<\(code);\(column + 1);\(row + 1)\(isRelease ? "m" : "M")")
    }

    var lines: [String] { terminal.emulator.lines }
    /// The rows between header and status line, each without its first column.
    var names: [String] {
        lines.dropFirst().dropLast().filter { !$0.isEmpty }.map { line in
            line.split(separator: " ").filter { !["*", "|", "+", "~", "↕"].contains($0) }.joined(
                separator: " "
            )
        }
    }
    var status: String { lines.last ?? "" }
    /// The item with the focus.
    var focus: IndexPath? { browser.view.focusedIndexPath }
    /// The number of the row of the screen with the focus, by its reversed cells.
    var focusedLine: Int? {
        // The focus of the header is that of a column.
        terminal.emulator.cells.dropFirst().dropLast().firstIndex { row in
            row.contains { $0.style.split(separator: ";").contains("7") }
        }
    }
}
