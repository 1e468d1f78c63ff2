internal import BridgeValues
internal import JavaScriptEngine
internal import Synchronization

/// The two outputs of a command, and the progress bar that is drawn between their lines.
///
/// It may be used from any thread. Lines stay whole and in order, and a progress bar is erased before anything is
/// written.
final class CommandOutput: Sendable {
    private struct State {
        var bar = ProgressBar()
        var isBarShown = false
        var importStart: Duration?
    }

    private let output: any TextOutput
    private let errorOutput: any TextOutput
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    init(output: any TextOutput, errorOutput: any TextOutput, clock: any MonotonicClock) {
        self.output = output
        self.errorOutput = errorOutput
        self.clock = clock
    }

    /// The width of standard output's terminal in columns, or `nil` if it is not a terminal.
    var terminalColumns: Int? { output.terminalColumns }

    /// Returns the style of values: in colors on a terminal, unless `NO_COLOR` is set; `FORCE_COLOR` has priority.
    func consoleStyle(environment: [String: String]) -> ConsoleStyle {
        var style = ConsoleStyle(columns: output.terminalColumns)
        // As in Node: 1, 2 and 3 are numbers of colors, any other value means none.
        if let forced = environment["FORCE_COLOR"] {
            let isColored = ["", "1", "2", "3", "true"].contains(forced)
            style.coloredLevels = isColored ? Set(ConsoleMessage.Level.allCases) : []
            return style
        }
        // https://no-color.org: with any value that is not empty.
        guard environment["NO_COLOR", default: ""].isEmpty, environment["TERM"] != "dumb" else {
            return style
        }
        if output.terminalColumns != nil { style.coloredLevels.formUnion([.debug, .log, .info]) }
        if errorOutput.terminalColumns != nil { style.coloredLevels.formUnion([.warn, .error]) }
        return style
    }

    /// Writes a line to standard output.
    func print(_ line: String) throws(OutputError) {
        try state.withLock { state throws(OutputError) in
            erase(&state)
            try output.write(line + "\n")
        }
    }

    /// Writes a line to standard error.
    ///
    /// A failure cannot be reported.
    func printError(_ line: String) {
        state.withLock { state in
            erase(&state)
            try? errorOutput.write(line + "\n")
        }
    }

    /// Writes bytes as they are to standard output or standard error.
    func write(_ bytes: [UInt8], toErrorOutput isError: Bool) throws(OutputError) {
        try state.withLock { state throws(OutputError) in
            erase(&state)
            try (isError ? errorOutput : output).write(bytes: bytes)
        }
    }

    /// Runs a closure while nothing else is written: a script must not change what a question looks like.
    func withSilence<Result>(_ body: () -> Result) -> Result {
        state.withLock { state in
            erase(&state)
            return body()
        }
    }

    /// Shows the progress of an import: a bar on a terminal; otherwise one line at the end.
    ///
    /// - Parameters:
    ///   - progress: The progress.
    ///   - end: The end of the import; `nil` while it continues.
    func showImport(_ progress: ProgressBar.State, end: ImportEnd? = nil) {
        state.withLock { state in
            let now = clock.now
            let start = state.importStart ?? now
            state.importStart = end == nil ? start : nil
            guard let columns = errorOutput.terminalColumns else {
                guard end == .done else { return }
                let seconds = Self.seconds(now - start)
                try? errorOutput.write(
                    "\(progress.label): \(ProgressBar.rowCount(progress.rows)) in \(seconds) s\n"
                )
                return
            }
            guard end == nil else {
                erase(&state)
                // The next import draws immediately.
                state.bar = ProgressBar()
                return
            }
            guard let text = state.bar.drawing(of: progress, columns: columns, at: now) else { return }
            state.isBarShown = true
            try? errorOutput.write(text)
        }
    }

    /// Erases the bar unless another thread is writing: a signal must not wait for a pipe without an active reader.
    func eraseProgressIfPossible() {
        state.withLockIfAvailable { erase(&$0) }
    }

    private func erase(_ state: inout State) {
        guard state.isBarShown else { return }
        state.isBarShown = false
        try? errorOutput.write(ProgressBar.erasure)
    }

    private static func seconds(_ duration: Duration) -> String {
        let hundredths =
            (duration.components.seconds * 100) + duration.components.attoseconds / 10_000_000_000_000_000
        let fraction = String(hundredths % 100)
        return "\(hundredths / 100).\(fraction.count < 2 ? "0" : "")\(fraction)"
    }
}

/// The end of an import.
enum ImportEnd: Hashable {
    case done
    case failed
}
