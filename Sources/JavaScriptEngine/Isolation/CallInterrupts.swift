internal import Synchronization

/// The call whose script is running, so that cancelling a task terminates only its own script.
///
/// A call counts as running from its first script to the last of its microtasks. Work for other callers that the turn
/// does after that does not belong to the call.
final class CallInterrupts: Sendable {
    private struct Running {
        var call: UInt64 = 0
        var turn: UInt64 = 0
        var isCancelled = false
    }

    private let signal: TurnSignal
    private let running = Mutex(Running())
    private let lastCall = Atomic<UInt64>(0)

    init(signal: TurnSignal) { self.signal = signal }

    /// Returns the ID of a new call.
    func nextCall() -> UInt64 { lastCall.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Marks a call as running.
    ///
    /// The turn must be open.
    func begin(_ call: UInt64) {
        let turn = signal.openTurnNumber ?? 0
        running.withLock { $0 = Running(call: call, turn: turn) }
    }

    /// Ends the mark.
    ///
    /// From now on, cancelling the call does not terminate the turn.
    func end() { running.withLock { $0.call = 0 } }

    /// A Boolean value that indicates whether ``cancel(_:)`` terminated the call that ran last.
    var wasCancelled: Bool { running.withLock { $0.isCancelled } }

    /// Terminates the script of a call if it is the running one.
    func cancel(_ call: UInt64) {
        running.withLock { running in
            guard running.call == call else { return }
            running.isCancelled = signal.requestEnd(
                of: running.turn,
                .interrupted("the task that called it was cancelled")
            )
        }
    }
}
