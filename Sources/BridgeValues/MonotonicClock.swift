/// A source of monotonic time and of wake-ups; a test's own clock moves only when the test advances it.
public protocol MonotonicClock: Sendable {
    /// The time since an origin that the clock chooses.
    var now: Duration { get }

    /// Runs a body once the clock has reached a time.
    ///
    /// The body runs on a thread that the clock chooses, and must not block it. For a time that has already passed the
    /// body runs soon, but never inside this call.
    ///
    /// - Parameters:
    ///   - deadline: The time, on this clock.
    ///   - body: The closure to run.
    /// - Returns: A token that cancels the wake-up, if the body has not begun.
    @discardableResult
    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp
}

/// A scheduled wake-up of a clock.
public protocol ScheduledWakeUp: Sendable {
    /// Cancels the wake-up, if its body has not begun.
    ///
    /// Has no effect afterwards.
    func cancel()
}
