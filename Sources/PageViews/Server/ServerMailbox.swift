internal import Synchronization

/// The requests of other threads to the server's thread.
final class ServerMailbox: Sendable {
    private struct State {
        var connections: [PageConnection] = []
        var isStopping = false
        var isEnded = false
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Asks for work on a connection.
    func post(_ connection: PageConnection) {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.connections.append(connection)
            // One wake-up for all until the thread has taken them.
            if state.connections.count == 1 { state.wake?() }
        }
    }

    /// Asks the thread to end.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wake?()
        }
    }

    /// Drops what was asked, and ignores what will be: the thread has ended.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.connections = []
        }
    }

    /// Sets how the thread is woken.
    ///
    /// After `nil` nothing uses what the earlier closure uses.
    func setWake(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

    /// Returns what was asked since the last call.
    func take() -> (connections: [PageConnection], isStopping: Bool) {
        state.withLock { state in
            let connections = state.connections
            state.connections = []
            return (connections, state.isStopping)
        }
    }
}
