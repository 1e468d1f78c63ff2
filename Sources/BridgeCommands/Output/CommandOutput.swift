internal import BridgeValues
internal import JavaScriptEngine
internal import Synchronization

/// Both outputs of a command, and the progress that is drawn between their lines.
///
/// It may be used from any thread; lines stay whole and in order, and a progress bar is erased before
/// anything is written.
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

    /// How many columns the terminal of standard output has; `nil` where it is none.
    var terminalColumns: Int? { output.terminalColumns }

    /// How values are shown: in colors on a terminal, unless `NO_COLOR` says otherwise.
    func consoleStyle(environment: [String: String]) -> ConsoleStyle {
        var style = ConsoleStyle(columns: output.terminalColumns)
        // https://no-color.org: whatever its value, unless that is empty.
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
    /// Nobody can be told when that fails.
    func printError(_ line: String) {
        state.withLock { state in
            erase(&state)
            try? errorOutput.write(line + "\n")
        }
    }

    /// Shows how far an import is: a bar on a terminal; elsewhere a line when it is done.
    ///
    /// - Parameters:
    ///   - progress: How far it is.
    ///   - end: How it ended; `nil` while it goes on.
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
                // The next import draws at once.
                state.bar = ProgressBar()
                return
            }
            guard let text = state.bar.drawing(of: progress, columns: columns, at: now) else { return }
            state.isBarShown = true
            try? errorOutput.write(text)
        }
    }

    /// Erases the bar unless another thread is writing: a signal must not wait for a pipe that nobody reads.
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

/// How an import ended.
enum ImportEnd: Hashable {
    case done
    case failed
}
