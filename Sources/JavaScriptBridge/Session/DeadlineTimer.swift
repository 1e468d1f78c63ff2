/// The one wake-up of a session, for its earliest deadline; calls with later ones cost nothing.
struct DeadlineTimer {
    private var deadline: Duration?
    private var wakeUp: (any ScheduledWakeUp)?

    /// Returns whether a deadline is earlier than the wake-up.
    func mustMove(for next: Duration?) -> Bool {
        guard let next else { return false }
        return deadline.map { next < $0 } ?? true
    }

    /// Prepares the wake-up for a deadline.
    mutating func begin(_ next: Duration) {
        wakeUp?.cancel()
        wakeUp = nil
        deadline = next
    }

    /// Records the wake-up that was scheduled for a deadline, unless another has replaced it.
    mutating func schedule(_ wakeUp: any ScheduledWakeUp, for deadline: Duration) {
        if self.deadline == deadline { self.wakeUp = wakeUp }
    }

    /// Records that the wake-up has come.
    mutating func fire() { (deadline, wakeUp) = (nil, nil) }

    /// Cancels the wake-up permanently.
    mutating func cancel() {
        wakeUp?.cancel()
        wakeUp = nil
    }
}
