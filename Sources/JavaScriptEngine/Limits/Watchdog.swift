internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// A watchdog that ends a turn which exceeds its limits, or whose end another thread requests.
///
/// The engine calls back after every 10 ms of the running thread's processor time (with polling traps this
/// costs at most 7 %, measured). Each callback either arms the next tick or ends the script. Where the turn passes
/// between Swift and JavaScript, one more atomic read finds a request of another thread.
final class Watchdog {
    // The tick is always the same. A shorter one would leave the engine with two timers. If a process is held up and
    // both fire together, the engine's own assertion about its traps ends the process (seen in 1 of 8 runs).
    private static let tick = 0.01

    /// The limits of a turn.
    var limits: ExecutionLimits { didSet { heap.limit = limits.maximumHeapBytes } }
    /// The signal by which other threads request the turn's end.
    let signal: TurnSignal
    /// The reason why this turn was ended; `nil` while it continues.
    private(set) var termination: TerminationReason?
    /// A Boolean value that indicates whether this turn was ended.
    ///
    /// A script that catches the error must not be able to continue.
    var hasTerminated: Bool { termination != nil }
    /// The number of ticks (10 ms each) in turns of this machine.
    private(set) var tickCount = 0
    /// The script's stack when it was ended, as the engine formats it.
    private(set) var backtrace: String?
    private let group: JSContextGroupRef?
    private let deadline: TurnDeadline
    /// A Boolean value that indicates whether a turn consists of many entries into the engine, which may be too short
    /// for a tick.
    ///
    /// In that case the time is also checked wherever the turn passes between Swift and JavaScript.
    let checksTimeAtBoundary: Bool
    /// A closure that runs commands of inspectors in a tick; `nil` without one.
    var inspect: (() -> Void)?
    private var isArmed = false
    private var heap: HeapGuard
    private var lastLook: UInt64 = 0
    private var lastNativeLook: UInt64 = 0
    private var isLooking = false
    // The time that this turn may use, and the limit that the error names: they differ where turns share a budget.
    private var budget: (left: UInt64, limit: UInt64)?
    // The thread's processor time when this turn began, as the engine has read it on entry. Reading it again in every
    // turn would cost as much as half a turn.
    private var start: UInt64?
    /// The time when the turn began, by a cheap clock with a precision of some milliseconds.
    private var coarseStart: UInt64 = 0
    /// The maximum processor time between two equal readings of the coarse clock.
    private static let coarseStep: UInt64 = 20_000_000
    /// A Boolean value that indicates whether the package's own code is running, which is not charged.
    private var isExempt = false
    private var joined: (operation: ExecutionBudget, turn: UInt64)?
    /// The operation that the open turn has joined.
    var operation: ExecutionBudget? { joined?.operation }

    init(
        group: JSContextGroupRef?,
        limits: ExecutionLimits,
        clock: any MonotonicClock,
        checksTimeAtBoundary: Bool
    ) {
        self.group = group
        self.checksTimeAtBoundary = checksTimeAtBoundary
        self.limits = limits
        signal = TurnSignal()
        deadline = TurnDeadline(clock: clock, signal: signal)
        heap = HeapGuard(limit: limits.maximumHeapBytes)
    }

    /// Arms the tick again that ended the script: the engine forgets the limit with each termination.
    ///
    /// A pending tick is not armed again. Otherwise a script that catches a termination repeatedly could delay it
    /// without end.
    func armAgain() { if !isArmed { arm() } }

    /// Arms the next tick.
    ///
    /// This is needed at first, inside each tick, and after a termination.
    func arm() {
        isArmed = true
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

    /// Forgets the termination of the previous turn.
    func reset() {
        termination = nil
        backtrace = nil
        start = nil
    }

    /// Begins a turn.
    ///
    /// - Throws: The error that ended the operation that the turn should join; the turn has then not begun.
    func begin(joining operation: ExecutionBudget?) throws(JSException) {
        reset()
        jsb_forget_entry_time()
        coarseStart = Self.coarseTime()
        signal.openTurn()
        guard let operation else {
            budget = limits.processorTime.map { ($0.clampedNanoseconds, $0.clampedNanoseconds) }
            guard let limit = limits.wallTime, let turn = signal.openTurnNumber else { return }
            deadline.begin(turn: turn, deadline: deadline.clock.time(after: limit), limit: limit)
            return
        }
        guard let turn = signal.openTurnNumber else { return }
        do {
            budget = try operation.join(signal, turn: turn, limits: limits, clock: deadline.clock)
        } catch {
            _ = signal.closeTurn()
            throw error
        }
        joined = (operation, turn)
    }

    /// Records that the engine was entered.
    func enter() {
        guard start == nil else { return }
        let time = jsb_entry_time()
        // The value is 0 if the engine reads no clock on entry, or does not read it by the package's function.
        start = time != 0 ? time : Self.threadProcessorTime()
    }

    /// Closes the turn, which no request can end afterwards.
    ///
    /// A turn that has used more than its limit is terminated here, even if the engine could not stop it.
    func end() {
        let used = usedTimeNearLimit
        start = nil
        // A turn of another machine may be open around this one, so the thread's state is not changed here.
        if let reason = signal.closeTurn(), !hasTerminated { termination = reason }
        if !hasTerminated, let used { termination = excess(of: used) }
        if limits.wallTime != nil { deadline.end() }
        guard let (operation, turn) = joined else { return }
        joined = nil
        operation.leave(signal, turn: turn, used: used ?? 0, termination: termination)
    }

    /// The processor time that the turn has used so far; `nil` if it cannot have reached the limit, which is cheaper to
    /// find out.
    private var usedTimeNearLimit: UInt64? {
        guard let start else { return nil }
        if joined == nil {
            guard let (left, _) = budget, !isExempt else { return nil }
            // A thread uses no more processor time than passes.
            let (most, overflow) = (Self.coarseTime() &- coarseStart).addingReportingOverflow(Self.coarseStep)
            guard overflow || most >= left else { return nil }
        }
        return Self.threadProcessorTime() &- start
    }

    /// Returns the termination if the turn has exceeded its processor time.
    private func excess(of used: UInt64) -> TerminationReason? {
        guard !isExempt, let (left, limit) = budget, used >= left else { return nil }
        return .processorTime(limit: .nanoseconds(Int64(clamping: limit)))
    }

    /// Ends the turn if it has exceeded its processor time and the engine could not stop it.
    func checkTime(in context: JSContextRef) {
        guard !hasTerminated, let used = usedTimeNearLimit, let reason = excess(of: used) else { return }
        stop(reason, in: context)
    }

    /// Runs code that the package itself needs in a context, without charging the script.
    ///
    /// The processor time limit does not end it: even a machine that is held up must not leave a context without it.
    func exempting<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasExempt = isExempt
        let begin = start == nil ? nil : Self.threadProcessorTime()
        isExempt = true
        defer {
            isExempt = wasExempt
            if let begin, let start { self.start = start &+ (Self.threadProcessorTime() &- begin) }
        }
        return try body()
    }

    /// Runs a body while a script is paused at a breakpoint, whose time counts for no limit of the turn.
    func pausing(_ body: () -> Void) { exempting { deadline.pausing(body) } }

    /// Returns whether the turn must not continue, because it was ended or its end was requested.
    ///
    /// The engine calls this wherever the turn passes between Swift and JavaScript.
    func mustStop(in context: JSContextRef) -> Bool {
        if hasTerminated { return true }
        guard let reason = signal.requestedReason ?? exceededTime else { return false }
        stop(reason, in: context)
        // A script that catches the resulting error continues, but only until the next tick.
        armAgain()
        return true
    }

    /// Ends native work of the open turn under the same conditions as a script: at the turn's limits, its deadline and
    /// an interrupt.
    ///
    /// The engine's ticks come only while a script runs. Almost every call costs an atomic read and a look at the
    /// coarse clock (5 ns). The thread's processor time is read only when that clock has moved.
    ///
    /// - Throws: The termination of the turn, in this and in every later call.
    func checkNativeWork(in context: JSContextRef?) throws(JSException) {
        if !hasTerminated {
            guard let reason = signal.requestedReason ?? exceededNativeTime else { return }
            stop(reason, in: context)
            armAgain()
        }
        throw JSException(termination: termination)
    }

    private var exceededNativeTime: TerminationReason? {
        let now = Self.coarseTime()
        guard now != lastNativeLook else { return nil }
        lastNativeLook = now
        return usedTimeNearLimit.flatMap(excess)
    }

    /// The termination for exceeded processor time, if the time is checked outside of ticks.
    private var exceededTime: TerminationReason? {
        guard checksTimeAtBoundary, let start else { return nil }
        return excess(of: Self.threadProcessorTime() &- start)
    }

    /// Checks the heap at the end of a turn, at most every 10 ms: no tick would check turns that are shorter.
    func checkHeap(in context: JSContextRef) {
        guard limits.maximumHeapBytes != nil, !hasTerminated else { return }
        let now = Self.coarseTime()
        guard now &- lastLook > UInt64(Self.tick * 1e9) else { return }
        look(now: now, in: context)
    }

    /// Releases memory that a stopped script held, if the memory limit stopped it.
    func collectAfterTermination(in context: JSContextRef) {
        guard case .memory = termination, !isLooking else { return }
        isLooking = true
        var heap = heap
        heap.collect(in: context)
        self.heap = heap
        isLooking = false
    }

    private func look(now: UInt64, in context: JSContextRef) {
        lastLook = now
        guard let limit = limits.maximumHeapBytes, !isLooking else { return }
        isLooking = true
        // A copy, because code that the engine runs meanwhile may access this object.
        var heap = heap
        let excess = heap.excess(in: context)
        self.heap = heap
        isLooking = false
        guard let bytes = excess else { return }
        stop(.memory(bytes: bytes, limit: limit), in: context)
    }

    private func ticked(in context: JSContextRef?) -> Bool {
        // Checking the heap runs code of the engine, which may call this function again.
        guard !isLooking else { return false }
        isArmed = false
        tickCount &+= 1
        if hasTerminated { return true }
        if let inspect {
            // Armed before, because a command can run a script.
            arm()
            inspect()
        }
        let now = Self.threadProcessorTime()
        // The engine may run a script outside of any turn, such as that of a finalizer: it began a tick ago.
        let start = self.start ?? now &- UInt64(Self.tick * 1e9)
        if !isExempt { self.start = start }
        if let reason = signal.requestedReason {
            stop(reason, in: context)
        } else if let reason = excess(of: now &- start) {
            stop(reason, in: context)
        } else if limits.maximumHeapBytes != nil, let context {
            look(now: Self.coarseTime(), in: context)
        }
        if hasTerminated { isArmed = false } else { armAgain() }
        return hasTerminated
    }

    private func stop(_ reason: TerminationReason, in context: JSContextRef?) {
        termination = reason
        jsb_stop_turn()
        guard let context, let trace = JSContextCreateBacktrace(context, 32) else { return }
        backtrace = EngineString.withUnits(of: trace, EngineString.repaired)
        JSStringRelease(trace)
    }

    private static func threadProcessorTime() -> UInt64 { time(of: CLOCK_THREAD_CPUTIME_ID) }

    // Precise to some milliseconds, for a twentieth of the cost.
    private static func coarseTime() -> UInt64 { time(of: CLOCK_MONOTONIC_COARSE) }

    private static func time(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
