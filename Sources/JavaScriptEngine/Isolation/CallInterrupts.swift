internal import Synchronization

/// Which call's script runs now, so that the cancellation of one task ends its own script and no other.
///
/// A call is marked as running from its first script to the last of its microtasks. What the turn does after
/// that for others is no longer its own.
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

    /// The name of a call that begins.
    func nextCall() -> UInt64 { lastCall.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Marks a call as running.
    ///
    /// The turn must be open.
    func begin(_ call: UInt64) {
        let turn = signal.openTurnNumber ?? 0
        running.withLock { $0 = Running(call: call, turn: turn) }
    }

    /// Ends the mark; from now on nobody ends the turn because of the call.
    func end() { running.withLock { $0.call = 0 } }

    /// Whether the call that ran last was ended by ``cancel(_:)``.
    var wasCancelled: Bool { running.withLock { $0.isCancelled } }

    /// Ends the script of a call if it is the one that runs.
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
