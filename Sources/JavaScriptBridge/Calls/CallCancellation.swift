internal import BridgeProtocol
internal import Synchronization

/// Joins a task's cancellation with its call, whichever comes first.
final class CallCancellation: Sendable {
    private enum State {
        case waiting
        case begun(OutgoingCallID)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    /// Notes the call; false if it was cancelled before.
    func begin(_ call: OutgoingCallID) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .begun(call)
            return true
        }
    }

    /// Whether nobody waits for the call any more, before it has begun.
    var isCancelled: Bool {
        state.withLock { state in
            guard case .cancelled = state else { return false }
            return true
        }
    }

    /// Notes the cancellation and gives the call to cancel, if it has begun.
    func cancel() -> OutgoingCallID? {
        state.withLock { state in
            defer { state = .cancelled }
            guard case .begun(let call) = state else { return nil }
            return call
        }
    }
}
