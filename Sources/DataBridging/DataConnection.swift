internal import JavaScriptBridge
internal import Synchronization

/// The way from stores, which commit on any thread, to the engine of their bridge.
final class DataConnection: Sendable {
    private struct State: ~Copyable {
        // Weak, as the bridge's context holds this.
        weak var bridge: Bridge?
        var hasPendingChanges = false
    }

    private let state = Mutex(State())

    func connect(to bridge: Bridge) { state.withLock { $0.bridge = bridge } }

    /// Notes that changes wait, and makes sure that a turn comes in which they are delivered.
    func changesPending() {
        let bridge = state.withLock { state -> Bridge? in
            guard !state.hasPendingChanges else { return nil }
            state.hasPendingChanges = true
            return state.bridge
        }
        // Harmless where a turn is open already: it delivers before it ends, and the job finds nothing.
        bridge?.runtime.enqueue { _ in }
    }

    func takePendingChanges() -> Bool {
        state.withLock { state in
            defer { state.hasPendingChanges = false }
            return state.hasPendingChanges
        }
    }

    func addReferences(_ count: Int) { state.withLock { $0.bridge }?.addReferences(count) }
}
