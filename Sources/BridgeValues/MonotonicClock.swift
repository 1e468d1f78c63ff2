/// A source of time that never goes back, and of wake-ups; a test's own clock moves only when told to.
public protocol MonotonicClock: Sendable {
    /// The time since an origin of the clock's own choice.
    var now: Duration { get }

    /// Runs a body once the clock has reached a time.
    ///
    /// The body runs on a thread of the clock's choice and must not block it. A time that has passed already
    /// runs the body soon, never inside this call.
    ///
    /// - Parameters:
    ///   - deadline: When, on this clock.
    ///   - body: What to run.
    /// - Returns: A token that stops the body from running, if it has not begun.
    @discardableResult
    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp
}

/// A wake-up that a clock has promised.
public protocol ScheduledWakeUp: Sendable {
    /// Stops the wake-up, if it has not begun. Harmless afterwards.
    func cancel()
}
