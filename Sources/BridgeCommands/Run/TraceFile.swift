internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Synchronization

/// Where a run's trace is written, event by event: what is there when the process ends in any way can be read.
final class TraceFile: Sendable {
    private struct State {
        var writer: TraceWriter
        var output: (any TextOutput)?
        var hasFailed = false
        var figures: @Sendable () -> TraceStatistics? = { nil }
    }

    private let state: Mutex<State>
    private let descriptor: Int32?
    /// Called once, with the reason, if no more can be written.
    private let onFailure: @Sendable (String) -> Void

    /// Opens the file, which is emptied if it is there.
    ///
    /// - Throws: ``BridgeError`` that names the file and says why it cannot be written, also where another run writes it.
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

    /// Whether something of it could not be written; that its reader had enough is no failure.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Writes an event.
    func write(_ event: TraceEvent) {
        write { $0.text(for: event) }
    }

    /// Says where the figures are that stand at the end, however that comes.
    func takeFigures(from figures: @escaping @Sendable () -> TraceStatistics?) {
        state.withLock { $0.figures = figures }
    }

    /// Writes what stands at the end, once; what comes afterwards is dropped.
    func end() {
        // Outside the lock: a bridge that is asked may be writing an event just then.
        let statistics = state.withLock { $0.figures }()
        write(isLast: true) { $0.ending(statistics) }
    }

    private func write(isLast: Bool = false, _ text: (inout TraceWriter) -> String) {
        let failure = state.withLock { state -> OutputError? in
            guard let output = state.output else { return nil }
            // In the same step: an event of another thread must not come behind the end.
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
