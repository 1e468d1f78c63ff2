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

    /// The limit of each turn, in nanoseconds of processor time.
    var limit: UInt64?
    /// Whether this turn was ended.
    ///
    /// What JavaScript code catches must not make the rest of it run on.
    private(set) var hasTerminated = false
    /// How often 10 ms have passed in turns of this machine.
    private(set) var tickCount = 0
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
            Self.tick,
            { context, info in
                guard let info else { return false }
                return Unmanaged<Watchdog>.fromOpaque(info).takeUnretainedValue().ticked(in: context)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Begins a turn.
    func begin() {
        hasTerminated = false
        backtrace = nil
        start = nil
    }

    private func ticked(in context: JSContextRef?) -> Bool {
        tickCount &+= 1
        if hasTerminated { return true }
        let now = Self.threadProcessorTime()
        let start = self.start ?? now &- UInt64(Self.tick * 1e9)
        self.start = start
        guard let limit, now &- start >= limit else {
            arm()
            return false
        }
        hasTerminated = true
        if let trace = JSContextCreateBacktrace(context, 32) {
            backtrace = EngineText.withUnits(of: trace, EngineText.repaired)
            JSStringRelease(trace)
        }
        return true
    }

    private static func threadProcessorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
