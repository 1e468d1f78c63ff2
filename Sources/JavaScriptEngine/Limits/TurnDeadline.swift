internal import BridgeValues
internal import Synchronization

/// A timer that ends turns at their deadline from the clock's own thread, which scripts that use all processor time
/// cannot delay.
///
/// One wake-up is pending at a time, and it is kept when a turn ends before it. For a series of turns it is therefore
/// rescheduled once per limit and not once per turn.
final class TurnDeadline: Sendable {
    private struct State {
        var turn: UInt64?
        var deadline = Duration.zero
        var limit = Duration.zero
        var wakeUp: (any ScheduledWakeUp)?
        var wakeUpTime: Duration?
    }

    let clock: any MonotonicClock
    private let signal: TurnSignal
    private let state = Mutex(State())

    init(clock: any MonotonicClock, signal: TurnSignal) {
        self.clock = clock
        self.signal = signal
    }

    deinit { state.withLock { $0.wakeUp?.cancel() } }

    /// Starts to watch a turn.
    func begin(turn: UInt64, deadline: Duration, limit: Duration) {
        state.withLock { state in
            state.turn = turn
            state.deadline = deadline
            state.limit = limit
            if let time = state.wakeUpTime, time <= deadline { return }
            schedule(&state)
        }
    }

    /// Stops watching the turn, which has ended.
    func end() { state.withLock { $0.turn = nil } }

    /// Runs a body whose time does not count.
    func pausing(_ body: () -> Void) {
        let paused = state.withLock { state in
            defer { state.turn = nil }
            return state.turn.map { (turn: $0, left: state.deadline - clock.now, limit: state.limit) }
        }
        body()
        guard let (turn, left, limit) = paused else { return }
        begin(turn: turn, deadline: clock.now + left, limit: limit)
    }

    private func schedule(_ state: inout State) {
        state.wakeUp?.cancel()
        state.wakeUpTime = state.deadline
        state.wakeUp = clock.schedule(at: state.deadline) { [weak self] in self?.wake() }
    }

    private func wake() {
        let due = state.withLock { state -> (turn: UInt64, limit: Duration)? in
            state.wakeUpTime = nil
            guard let turn = state.turn else { return nil }
            guard clock.now >= state.deadline else {
                schedule(&state)
                return nil
            }
            return (turn, state.limit)
        }
        if let due { _ = signal.requestEnd(of: due.turn, .wallTime(limit: due.limit)) }
    }
}
