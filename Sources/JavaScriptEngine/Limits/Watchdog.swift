internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// Stops a turn that takes more processor time than it may.
///
/// The engine calls back after every 10 ms of the running thread's processor time (with polling traps this
/// costs at most 7 %, measured); each call either arms the next tick or ends the script.
final class Watchdog {
    private static let tick = 0.01
    // After a termination, for what is left: a script that caught it, microtasks.
    private static let shortTick = 0.001

    /// The limit of each turn, in nanoseconds of processor time.
    var limit: UInt64?
    /// What other threads say to the turn.
    let signal = TurnSignal()
    /// Why this turn was ended; `nil` while it goes on.
    private(set) var termination: TerminationReason?
    /// Whether this turn was ended.
    ///
    /// What JavaScript code catches must not make the rest of it run on.
    var hasTerminated: Bool { termination != nil }
    /// The script's stack at the moment when it was ended, as the engine writes it.
    private(set) var backtrace: String?
    private let group: JSContextGroupRef
    // The thread's processor time when this turn began, less at most one tick; found at the first tick,
    // since reading the clock in every turn would cost more than most turns.
    private var start: UInt64?

    init(group: JSContextGroupRef, limit: Duration?) {
        self.group = group
        self.limit = limit.map(\.clampedNanoseconds)
    }

    /// Arms the next tick.
    ///
    /// Needed at first, inside each tick, and after a termination.
    func arm() {
        JSContextGroupSetExecutionTimeLimit(
            group,
            hasTerminated ? Self.shortTick : Self.tick,
            { context, info in
                guard let info else { return false }
                return Unmanaged<Watchdog>.fromOpaque(info).takeUnretainedValue().ticked(in: context)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Begins a turn.
    func begin() {
        termination = nil
        backtrace = nil
        start = nil
    }

    /// Whether the turn shall not go on: it was ended, or somebody outside has said so.
    ///
    /// Asked wherever the turn passes between Swift and JavaScript.
    func mustStop(in context: JSContextRef) -> Bool {
        if hasTerminated { return true }
        guard signal.isRequested, let reason = signal.requestedReason else { return false }
        stop(reason, in: context)
        // The script goes on as soon as it catches what it gets to see of this, but not for long.
        arm()
        return true
    }

    /// Closes the turn; from then on nobody ends it.
    func end(in context: JSContextRef) {
        guard let reason = signal.closeTurn(), !hasTerminated else { return }
        stop(reason, in: context)
    }

    private func ticked(in context: JSContextRef?) -> Bool {
        if hasTerminated { return true }
        let now = Self.threadProcessorTime()
        let start = self.start ?? now &- UInt64(Self.tick * 1e9)
        self.start = start
        if let reason = signal.requestedReason {
            stop(reason, in: context)
        } else if let limit, now &- start >= limit {
            stop(.processorTime(limit: .nanoseconds(Int64(clamping: limit))), in: context)
        } else {
            arm()
        }
        return hasTerminated
    }

    private func stop(_ reason: TerminationReason, in context: JSContextRef?) {
        termination = reason
        guard let context, let trace = JSContextCreateBacktrace(context, 32) else { return }
        backtrace = EngineText.withUnits(of: trace, EngineText.repaired)
        JSStringRelease(trace)
    }

    private static func threadProcessorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
