internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Synchronization

/// A file of a run's trace, written event by event: its content is readable however the process ends.
final class TraceFile: Sendable {
    private struct State {
        var writer: TraceWriter
        var output: (any TextOutput)?
        var hasFailed = false
        var figures: @Sendable () -> TraceStatistics? = { nil }
    }

    private let state: Mutex<State>
    private let descriptor: Int32?
    /// A closure that is called once, with the reason, if the trace cannot be written any more.
    private let onFailure: @Sendable (String) -> Void

    /// Opens the file and truncates it.
    ///
    /// - Throws: ``BridgeError`` with the path and the reason why the file cannot be written, also if another run
    ///   writes it.
    init(
        _ options: RunOptions.Trace,
        system: CommandSystem,
        onFailure: @escaping @Sendable (String) -> Void
    ) throws {
        let output: any TextOutput
        switch options.target {
        case .errorOutput:
            descriptor = nil
            output = system.errorOutput
        case .file(let path):
            let opened: Int32
            do throws(FileWriting.Problem) {
                opened = try FileWriting.openEmpty(path, mode: 0o600)
            } catch {
                throw BridgeError(.invalidArgument, "the trace \(path) cannot be written: \(error.reason)")
            }
            descriptor = opened
            output = FileOutput(descriptor: opened)
        }
        state = Mutex(State(writer: TraceWriter(format: options.format), output: output))
        self.onFailure = onFailure
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// A Boolean value that indicates whether a write failed; a closed reader is not a failure.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Writes an event.
    func write(_ event: TraceEvent) {
        write { $0.text(for: event) }
    }

    /// Sets the source of the statistics that end the trace.
    func takeFigures(from figures: @escaping @Sendable () -> TraceStatistics?) {
        state.withLock { $0.figures = figures }
    }

    /// Writes the end of the trace, once; later events are dropped.
    func end() {
        // Outside the lock, because the bridge may be writing an event just then.
        let statistics = state.withLock { $0.figures }()
        write(isLast: true) { $0.ending(statistics) }
    }

    private func write(isLast: Bool = false, _ text: (inout TraceWriter) -> String) {
        let failure = state.withLock { state -> OutputError? in
            guard let output = state.output else { return nil }
            // In the same step, so that no event of another thread follows the end.
            if isLast { state.output = nil }
            let text = text(&state.writer)
            guard !text.isEmpty else { return nil }
            do throws(OutputError) {
                try output.write(text)
                return nil
            } catch {
                state.output = nil
                state.hasFailed = error != .closed
                return error
            }
        }
        switch failure {
        case .failed(let reason): onFailure(reason)
        case .closed: onFailure("its reader has gone")
        case nil: break
        }
    }
}
