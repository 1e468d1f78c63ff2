private import Dispatch

/// The machine's monotonic clock; its wake-ups run on one serial queue of their own.
///
/// The queue is not shared with scripts or handlers, so that any number of scripts at their limit never delay
/// the deadline that will stop them.
public struct SystemClock: MonotonicClock {
    private static let queue = DispatchQueue(label: "JavaScriptBridge.clock", qos: .userInitiated)

    /// Makes the clock.
    ///
    /// All of them show one time.
    public init() {}

    /// The time since the machine started, not counting sleep.
    public var now: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds)) }

    /// Runs a body once the clock has reached a time, on the clocks' own queue.
    @discardableResult
    public func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp
    {
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: Self.queue)
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: deadline.clampedNanoseconds))
        timer.setEventHandler {
            // A source that has fired once keeps its handler, and the handler its captures, until cancelled.
            timer.cancel()
            body()
        }
        timer.activate()
        return DispatchWakeUp(timer: timer)
    }
}

// @unchecked Sendable because a dispatch source may be cancelled from any thread.
private struct DispatchWakeUp: ScheduledWakeUp, @unchecked Sendable {
    let timer: any DispatchSourceTimer
    func cancel() { timer.cancel() }
}

extension MonotonicClock {
    /// The time when a duration is over that begins now: now for a negative one, in a century for a longer one.
    package func time(after duration: Duration) -> Duration { now + duration.withinCentury }
}

extension Duration {
    /// The duration, at least zero and at most a hundred years: one that can be added to a time and written down.
    package var withinCentury: Duration { max(.zero, min(self, .seconds(100 * 366 * 86_400))) }

    /// Whole nanoseconds, at least 0 and at most what 63 bits hold.
    package var clampedNanoseconds: UInt64 {
        // Compared first: the components of a longer one do not fit their types.
        guard self > .zero else { return 0 }
        guard self < .nanoseconds(Int64.max) else { return UInt64(Int64.max) }
        let (seconds, attoseconds) = components
        return UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
