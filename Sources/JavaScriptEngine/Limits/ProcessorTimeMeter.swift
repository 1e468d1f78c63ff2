internal import CJavaScriptCoreSPI
internal import Foundation

/// A meter of the processor time that a turn has used, against the time that it may use.
///
/// Reading a thread's processor time costs as much as half a turn. The meter therefore takes the time that the engine
/// has read on entry, and reads it again only if the time that has passed allows for an excess.
struct ProcessorTimeMeter {
    /// The maximum processor time between two equal readings of the coarse clock.
    private static let coarseStep: UInt64 = 20_000_000

    // The two differ where turns share a budget.
    private var budget: (left: UInt64, limit: UInt64)?
    /// The thread's processor time when the turn began; `nil` until it has entered the engine.
    private var start: UInt64?
    /// The time when the turn began, by the coarse clock.
    private var coarseStart: UInt64 = 0
    private var isExempt = false
    private var lastNativeLook: UInt64 = 0

    /// Begins a turn, which has not entered the engine yet.
    mutating func begin() {
        start = nil
        jsb_forget_entry_time()
        coarseStart = Self.coarseTime()
    }

    /// Sets the time that the turn may use, and the limit that its error names; `nil` means no limit.
    mutating func allow(_ budget: (left: UInt64, limit: UInt64)?) { self.budget = budget }

    /// Records that the engine was entered.
    mutating func enter() {
        guard start == nil else { return }
        let time = jsb_entry_time()
        // The value is 0 if the engine reads no clock on entry, or does not read it by the package's function.
        start = time != 0 ? time : Self.threadTime()
    }

    /// Forgets when the turn began.
    mutating func reset() { start = nil }

    /// Returns the time that the turn has used so far.
    ///
    /// - Parameter isShared: Whether the turn shares its budget, which needs the exact time of each turn.
    /// - Returns: The time; `nil` if it cannot have reached the limit, which is cheaper to find out.
    func usedTimeNearLimit(isShared: Bool) -> UInt64? {
        guard let start else { return nil }
        if !isShared {
            guard let (left, _) = budget, !isExempt else { return nil }
            // A thread uses no more processor time than passes.
            let (most, overflow) = (Self.coarseTime() &- coarseStart).addingReportingOverflow(Self.coarseStep)
            guard overflow || most >= left else { return nil }
        }
        return Self.threadTime() &- start
    }

    /// Returns the termination if the turn has exceeded its time.
    func excess(of used: UInt64) -> TerminationReason? {
        guard !isExempt, let (left, limit) = budget, used >= left else { return nil }
        return .processorTime(limit: .nanoseconds(Int64(clamping: limit)))
    }

    /// Returns the termination if the turn has exceeded its time by an exact reading.
    func exactExcess() -> TerminationReason? {
        guard let start else { return nil }
        return excess(of: Self.threadTime() &- start)
    }

    /// Returns the termination if the turn has exceeded its time, as native work checks it: the thread's time is read
    /// only if the coarse clock has moved.
    mutating func excessOfNativeWork(isShared: Bool) -> TerminationReason? {
        let now = Self.coarseTime()
        guard now != lastNativeLook else { return nil }
        lastNativeLook = now
        return usedTimeNearLimit(isShared: isShared).flatMap(excess)
    }

    /// Returns the termination if the turn has exceeded its time in a tick.
    ///
    /// The engine may run a script outside of any turn, such as that of a finalizer: it began a tick ago.
    mutating func excessInTick(of length: UInt64) -> TerminationReason? {
        let now = Self.threadTime()
        let start = start ?? now &- length
        if !isExempt { self.start = start }
        return excess(of: now &- start)
    }

    /// The state when an exemption began, with which it ends.
    struct Exemption {
        fileprivate let wasExempt: Bool
        fileprivate let begin: UInt64?
    }

    /// Begins to charge nothing.
    mutating func beginExemption() -> Exemption {
        defer { isExempt = true }
        return Exemption(wasExempt: isExempt, begin: start == nil ? nil : Self.threadTime())
    }

    /// Charges again what was charged before the exemption, without the time since it began.
    mutating func end(_ exemption: Exemption) {
        isExempt = exemption.wasExempt
        if let begin = exemption.begin, let start { self.start = start &+ (Self.threadTime() &- begin) }
    }

    private static func threadTime() -> UInt64 { time(of: CLOCK_THREAD_CPUTIME_ID) }

    /// Returns a time that is precise to some milliseconds, for a twentieth of the cost.
    static func coarseTime() -> UInt64 { time(of: CLOCK_MONOTONIC_COARSE) }

    private static func time(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
