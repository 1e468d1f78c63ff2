internal import BridgeValues

/// The wake-up of a runtime for its next timer, of which at most one is pending.
struct TimerWakeUp {
    private var wakeUp: (any ScheduledWakeUp)?
    private var deadline: Duration?
    private var action: (@Sendable () -> Void)?

    /// Sets the closure that runs at the deadline.
    mutating func setAction(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Schedules the wake-up for a deadline instead of the one before; `nil` cancels it.
    mutating func move(to deadline: Duration?, on clock: any MonotonicClock) {
        guard deadline != self.deadline else { return }
        wakeUp?.cancel()
        self.deadline = deadline
        wakeUp = deadline.map { deadline in clock.schedule(at: deadline) { [action] in action?() } }
    }

    /// Records that the wake-up has happened.
    mutating func didWake() {
        deadline = nil
        wakeUp = nil
    }

    /// Cancels the pending wake-up.
    mutating func cancel() {
        wakeUp?.cancel()
        didWake()
    }
}
