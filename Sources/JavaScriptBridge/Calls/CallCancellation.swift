internal import BridgeProtocol
internal import Synchronization

/// The connection between a task's cancellation and its call, whichever comes first.
final class CallCancellation: Sendable {
    private enum State {
        case waiting
        case begun(OutgoingCallID)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    /// Records the call; returns false if it was cancelled before.
    func begin(_ call: OutgoingCallID) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .begun(call)
            return true
        }
    }

    /// A Boolean value that indicates whether the task was cancelled before the call began.
    var isCancelled: Bool {
        state.withLock { state in
            guard case .cancelled = state else { return false }
            return true
        }
    }

    /// Records the cancellation and returns the call to cancel, if it has begun.
    func cancel() -> OutgoingCallID? {
        state.withLock { state in
            defer { state = .cancelled }
            guard case .begun(let call) = state else { return nil }
            return call
        }
    }
}
