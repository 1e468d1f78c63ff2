package import BridgeValues
internal import Foundation
internal import Synchronization

/// A prompt in the terminal of the process, between the lines that a program prints.
///
/// A thread reads the keys, also while the program works on an input: what is typed meanwhile is for the next prompt, and
/// Ctrl-C is reported immediately. Any thread may print by ``write(_:)``; the line that is edited stays below.
package final class LinePrompt: Sendable {
    /// A request of the user.
    package enum Action: Sendable, Hashable {
        /// An input was entered: ``accept()``, ``continueInput()`` or ``show()`` follows.
        case submit(String)
        /// Names are wanted that continue the text before the cursor: ``complete(with:replacing:)`` follows.
        case complete(String)
        /// The user has pressed Ctrl-D, or the terminal is gone.
        case end
    }

    private enum Mode {
        /// Keys change the input.
        case editing
        /// An action was reported, and its answer is missing.
        case waiting
        /// Nothing is shown: the program works on an input.
        case hidden
    }

    private struct State {
        var editor: PromptEditor
        var mode = Mode.hidden
        /// The events that arrived outside of editing, for the next prompt.
        var queue: [TerminalEvent] = []
        var shown: PromptFrame?
        var isClosed = false
    }

    /// The maximum number of events that are kept for the next prompt; further ones are discarded.
    ///
    /// It is more than a person types or pastes while a script runs.
    private static let maximumQueue = 200_000
    private static let interruption = TerminalEvent.key(KeyPress(.character("c"), .control))
    private static let suspension = TerminalEvent.key(KeyPress(.character("z"), .control))
    /// The maximum number of names that are listed.
    private static let maximumNames = 200

    /// The requests of the user, in their order.
    package let actions: AsyncStream<Action>
    private let report: AsyncStream<Action>.Continuation
    private let device: any PromptDevice
    private let clock: any MonotonicClock
    private let interrupt: @Sendable () -> Void
    private let state: Mutex<State>

    /// Opens the terminal of the process; ``begin()`` follows.
    ///
    /// - Parameters:
    ///   - history: The earlier inputs, the oldest first.
    ///   - clock: The clock that separates the Escape key from sequences that begin with it.
    ///   - interrupt: Called on the thread of the keys when Ctrl-C is pressed.
    /// - Throws: ``TerminalError`` if the process has no terminal.
    package convenience init(
        history: [String],
        clock: any MonotonicClock,
        interrupt: @escaping @Sendable () -> Void
    ) throws {
        self.init(
            device: try PromptTerminal(clock: clock),
            history: history,
            clock: clock,
            interrupt: interrupt
        )
    }

    init(
        device: any PromptDevice,
        history: [String],
        clock: any MonotonicClock,
        interrupt: @escaping @Sendable () -> Void
    ) {
        self.device = device
        self.clock = clock
        self.interrupt = interrupt
        (actions, report) = AsyncStream.makeStream()
        state = Mutex(State(editor: PromptEditor(history: PromptHistory(history))))
    }

    /// The width of the terminal in columns.
    package var columns: Int { device.size.columns }

    /// Enters the terminal, and begins to read keys on a thread of its own.
    package func begin() {
        device.enter()
        Thread.detachNewThread { [self] in readKeys() }
    }

    /// Restores the terminal below the prompt.
    package func close() {
        state.withLock { close(&$0) }
        report.finish()
        device.wake()
    }

    /// Restores the terminal before a signal ends the process.
    ///
    /// It does not wait for a terminal that takes no output: then only the attributes are restored.
    package func closeOnExit() {
        for _ in 0..<100 {
            if state.withLockIfAvailable({ close(&$0) }) != nil { return }
            usleep(1_000)
        }
        device.leave()
    }

    private func close(_ state: inout State) {
        guard !state.isClosed else { return }
        state.isClosed = true
        if let shown = state.shown { device.write(shown.departure) }
        state.shown = nil
        device.leave()
    }

    // MARK: - Answers of the program

    /// Shows the prompt, with what was typed meanwhile.
    package func show() { edit { $0.mode = .editing } }

    /// Takes the input as complete: it stays on the screen, and the program's output follows.
    ///
    /// - Returns: The input, if it is to be added to the file of the history.
    package func accept() -> String? {
        state.withLock { state in
            let text = state.editor.text
            state.mode = .hidden
            draw(&state)
            if let shown = state.shown { device.write(shown.departure) }
            state.shown = nil
            return state.editor.finish() ? text : nil
        }
    }

    /// Begins another line of an input that is not complete.
    package func continueInput() {
        edit { state in
            state.editor.moveToEnd()
            state.editor.insert("\n")
            state.mode = .editing
        }
    }

    /// Completes the text before the cursor: by the only name, by what all names have in common, or by listing them.
    ///
    /// - Parameters:
    ///   - names: The names, sorted.
    ///   - count: The number of characters before the cursor that they replace.
    package func complete(with names: [String], replacing count: Int) {
        edit { state in
            state.mode = .editing
            guard let first = names.first else { return }
            let common = names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
            if names.count == 1 || common.count > count {
                state.editor.complete(common, replacing: count)
            } else {
                print(list(of: names), &state)
            }
        }
    }

    private func list(of names: [String]) -> String {
        let text = TerminalText()
        let shown = names.prefix(Self.maximumNames).map(text.printable)
        let width = (shown.map(text.width).max() ?? 0) + 2
        let perRow = max(1, device.size.columns / width)
        var lines: [String] = []
        for start in stride(from: 0, to: shown.count, by: perRow) {
            let row = shown[start..<min(start + perRow, shown.count)]
            let padded = row.map { $0 + String(repeating: " ", count: width - text.width(of: $0)) }
            lines.append(padded.joined().trimmingCharacters(in: .whitespaces))
        }
        if names.count > shown.count { lines.append("... \(names.count - shown.count) more") }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Output

    /// Prints whole lines above the prompt.
    package func write(_ text: String) { state.withLock { print(text, &$0) } }

    private func print(_ text: String, _ state: inout State) {
        let erasure = state.shown?.erasure ?? ""
        let shown = state.shown
        state.shown = nil
        device.write(erasure + text)
        if shown != nil { draw(&state) }
    }

    private func draw(_ state: inout State) {
        guard !state.isClosed else { return }
        let size = device.size
        let frame = PromptFrame(
            state.editor,
            columns: size.columns,
            screenRows: size.rows,
            text: TerminalText()
        )
        device.write(frame.update(from: state.shown))
        state.shown = frame
    }

    /// Changes the state, applies the events that have waited for it, and draws the prompt.
    private func edit(_ change: (inout State) -> Void) {
        let reported = state.withLock { state in
            change(&state)
            let reported = apply(&state)
            if state.mode != .hidden { draw(&state) }
            return reported
        }
        if let reported { report.yield(reported) }
    }

    // MARK: - Keys

    private func readKeys() {
        var parser = KeyParser()
        while true {
            let readiness = device.wait(until: parser.deadline)
            guard !state.withLock(\.isClosed) else { return }
            if readiness.contains(.stopped) { suspend() }
            if readiness.contains(.continued) { enterAgain() }
            if readiness.contains(.resized) { resize() }
            guard let bytes = device.read() else {
                report.yield(.end)
                return
            }
            receive(parser.feed(bytes, at: clock.now) + parser.expire(at: clock.now))
        }
    }

    /// Takes events of the terminal.
    func receive(_ events: [TerminalEvent]) {
        guard !events.isEmpty else { return }
        var isInterrupted = false
        edit { state in
            for event in events {
                let isHeldBack = state.mode != .editing
                if isHeldBack, event == Self.interruption {
                    state.queue = []
                    isInterrupted = true
                } else if isHeldBack, event == Self.suspension {
                    suspend(&state)
                } else if state.queue.count < Self.maximumQueue {
                    state.queue.append(event)
                }
            }
        }
        if isInterrupted { interrupt() }
    }

    /// Applies the waiting events until one needs an answer of the program, which is returned.
    private func apply(_ state: inout State) -> Action? {
        var used = 0
        defer { state.queue.removeFirst(used) }
        while state.mode == .editing, used < state.queue.count {
            let event = state.queue[used]
            used += 1
            // The typed text stays on the screen.
            if event == Self.interruption { draw(&state) }
            switch state.editor.handle(event) {
            case .edited: continue
            case .submitted:
                state.mode = .waiting
                return .submit(state.editor.text)
            case .asksForCompletion:
                state.mode = .waiting
                return .complete(state.editor.textBeforeCursor)
            case .interrupted: discard(&state)
            case .ended:
                state.mode = .waiting
                return .end
            case .clearsScreen:
                device.write("\u{1B}[H\u{1B}[2J")
                state.shown = nil
            case .suspends: suspend(&state)
            }
        }
        return nil
    }

    /// Leaves the discarded input on the screen, and begins an empty one below it.
    private func discard(_ state: inout State) {
        guard let shown = state.shown else { return }
        device.write(shown.departure)
        state.shown = nil
        // A script that runs in the background, for example in a timer, may be in an endless loop.
        interrupt()
    }

    private func suspend() { state.withLock { suspend(&$0) } }

    private func suspend(_ state: inout State) {
        guard !state.isClosed else { return }
        if let shown = state.shown { device.write(shown.departure) }
        device.leave()
        device.stop()
        device.enter()
        redraw(&state)
    }

    private func enterAgain() {
        state.withLock { state in
            guard !state.isClosed else { return }
            device.leave()
            device.enter()
            redraw(&state)
        }
    }

    private func redraw(_ state: inout State) {
        state.shown = nil
        if state.mode != .hidden { draw(&state) }
    }

    /// Draws the prompt for a new width of the terminal.
    func resize() {
        state.withLock { state in
            guard let shown = state.shown else { return }
            state.shown = shown.wrapped(at: device.size.columns)
            draw(&state)
        }
    }
}
