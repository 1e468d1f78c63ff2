internal import Foundation
internal import JavaScriptEngine
internal import Synchronization

/// The entries of other threads for the loop of a server, and the pipe that wakes it.
final class ServerInbox: Sendable {
    enum Entry: Sendable {
        case event(InspectorEvent, InspectorTarget)
        /// A script with a source map, which is held until the entry is handled.
        case script(String, @Sendable (String) -> ScriptSourceMap?, InspectorTarget)
        /// The trace of a pause, whose event follows.
        case trace(PausedTrace, InspectorTarget)
        /// The script of a program that was restarted begins when the continuation is resumed.
        case restarted(CheckedContinuation<Void, Never>)
        /// A signal is about to end the process, which waits until clients were notified.
        case ending(DispatchSemaphore)
        case close(exitCode: Int?)
    }

    /// The number of entries beyond which lines of the console are dropped.
    static let maximumCount = 100_000

    private struct State {
        var entries: [Entry] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// The end of the pipe that is readable when there are entries.
    let reader: Int32
    private let writer: Int32

    init() throws(DebugServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw DebugServerError("cannot open a pipe: \(String(cString: strerror(errno)))")
        }
        (reader, writer) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        Foundation.close(reader)
        Foundation.close(writer)
    }

    /// Adds an entry, from any thread; after ``close()`` it does nothing.
    func add(_ entry: Entry) {
        let (mustWake, isClosed) = state.withLock { state in
            if state.isClosed { return (false, true) }
            if case .event(.console, _) = entry, state.entries.count >= Self.maximumCount {
                return (false, false)
            }
            state.entries.append(entry)
            return (state.entries.count == 1, false)
        }
        if isClosed { release(entry) }
        guard mustWake else { return }
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Removes and returns the entries.
    func take() -> [Entry] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
        return state.withLock { state in
            defer { state.entries = [] }
            return state.entries
        }
    }

    /// Drops the entries and all later ones, and lets the scripts run that are held.
    func close() {
        state.withLock { $0.isClosed = true }
        for entry in take() { release(entry) }
    }

    /// Lets the thread continue that waits for an entry.
    private func release(_ entry: Entry) {
        switch entry {
        case .script(_, _, let target): target.releaseScript()
        case .restarted(let continuation): continuation.resume()
        case .ending(let sent): sent.signal()
        default: break
        }
    }
}
