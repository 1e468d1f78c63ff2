internal import Synchronization

/// The single end of a run, by whichever cause comes first.
final class RunEnding: Sendable {
    private struct State {
        var isOver = false
        var statusOfSuccess = ExitStatus.success
        var status: Int32?
        var waiter: CheckedContinuation<Int32, Never>?
    }

    private let state = Mutex(State())

    /// A Boolean value that indicates whether the run has ended; later output of the script is not shown.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// The exit status of a run that ends without an error and without another status.
    var statusOfSuccess: Int32 { state.withLock { $0.statusOfSuccess } }

    /// Sets the exit status of a run that ends without an error and without another status.
    func setStatusOfSuccess(_ status: Int32) { state.withLock { $0.statusOfSuccess = status } }

    /// Ends the run, unless it has ended.
    ///
    /// - Parameter lastWords: Prints the reason before ``value()`` returns, and returns the exit status.
    func end(_ lastWords: () -> Int32) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        let status = lastWords()
        let waiter = state.withLock { state in
            state.status = status
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: status)
    }

    /// Waits for the end and returns the exit status.
    ///
    /// Call it only once.
    func value() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status = state.withLock { state in
                if state.status == nil { state.waiter = continuation }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }
}
