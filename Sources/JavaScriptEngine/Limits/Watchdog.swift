internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// Ends a turn that takes more than it may, or that somebody outside wants to end.
///
/// The engine calls back after every 10 ms of the running thread's processor time (with polling traps this
/// costs at most 7 %, measured); each call either arms the next tick or ends the script. Where the turn passes
/// between Swift and JavaScript, one atomic read more says whether another thread has asked for its end.
final class Watchdog {
    // Always the same. A shorter one leaves the engine with two timers, and where a process is held up and both
    // fire at once, the engine's own assertion about its traps ends the process (seen in 1 of 8 runs).
    private static let tick = 0.01

    /// How much a turn may take.
    var limits: ExecutionLimits { didSet { heap.limit = limits.maximumHeapBytes } }
    /// What other threads say to the turn.
    let signal: TurnSignal
    /// Why this turn was ended; `nil` while it goes on.
    private(set) var termination: TerminationReason?
    /// Whether this turn was ended.
    ///
    /// What JavaScript code catches must not make the rest of it run on.
    var hasTerminated: Bool { termination != nil }
    /// How often 10 ms have passed in turns of this machine.
    private(set) var tickCount = 0
    /// The script's stack at the moment when it was ended, as the engine writes it.
    private(set) var backtrace: String?
    private let group: JSContextGroupRef?
    private let deadline: TurnDeadline
    /// Whether a turn is many entries of the engine, whose ticks then see none of them that is short: the time is
    /// looked at wherever the turn passes between Swift and JavaScript.
    let countsByItself: Bool
    private var isArmed = false
    private var heap: HeapGuard
    private var lastLook: UInt64 = 0
    private var lastNativeLook: UInt64 = 0
    private var isLooking = false
    // What this turn may take, and what the error calls the limit: they differ where turns share a budget.
    private var budget: (left: UInt64, limit: UInt64)?
    // The thread's processor time when this turn began, as the engine itself has read it on the way in: another
    // reading in every turn would cost as much as half a turn.
    private var start: UInt64?
    /// When the turn began, by a clock that costs next to nothing and is good to some milliseconds.
    private var coarseStart: UInt64 = 0
    /// How much processor time may lie between two readings of the coarse clock that are equal, at the most.
    private static let coarseStep: UInt64 = 20_000_000
    /// Whether what runs is the package's own.
    private var isExempt = false
    private var joined: (operation: JSOperation, turn: UInt64)?
    /// The operation that the open turn has joined.
    var operation: JSOperation? { joined?.operation }

    init(group: JSContextGroupRef?, limits: ExecutionLimits, clock: any MonotonicClock, countsByItself: Bool)
    {
        self.group = group
        self.countsByItself = countsByItself
        self.limits = limits
        signal = TurnSignal()
        deadline = TurnDeadline(clock: clock, signal: signal)
        heap = HeapGuard(limit: limits.maximumHeapBytes)
    }

    /// Arms the tick again that ended the script: the engine forgets the limit with each termination.
    ///
    /// A tick that waits is not armed anew, or a script that catches a termination over and over would put it
    /// off for ever.
    func armAgain() { if !isArmed { arm() } }

    /// Arms the next tick.
    ///
    /// Needed at first, inside each tick, and after a termination.
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

    /// Forgets the termination of the turn before.
    func reset() {
        termination = nil
        backtrace = nil
        start = nil
    }

    /// Begins a turn.
    ///
    /// - Throws: What ended the operation that it wants to join; the turn has then not begun.
    func begin(joining operation: JSOperation?) throws(JSException) {
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

    /// Notes that the engine was entered.
    func enter() {
        guard start == nil else { return }
        let time = jsb_entry_time()
        // 0 where the engine reads no clock on the way in, or not by the package's function.
        start = time != 0 ? time : Self.threadProcessorTime()
    }

    /// Closes the turn, from when on no request ends it; a turn that has used more than its limit is over it even where
    /// the engine gave no chance to stop it.
    func end() {
        let used = usedTimeWorthKnowing
        start = nil
        // Another machine's turn may be open around this one: nothing of the thread's state is changed here.
        if let reason = signal.closeTurn(), !hasTerminated { termination = reason }
        if !hasTerminated, let used { termination = excess(of: used) }
        if limits.wallTime != nil { deadline.end() }
        guard let (operation, turn) = joined else { return }
        joined = nil
        operation.leave(signal, turn: turn, used: used ?? 0, termination: termination)
    }

    /// The processor time that the turn has used so far; `nil` where that cannot have reached the limit, which costs
    /// less to know.
    private var usedTimeWorthKnowing: UInt64? {
        guard let start else { return nil }
        if joined == nil {
            guard let (left, _) = budget, !isExempt else { return nil }
            // A thread uses no more processor time than passes.
            let (most, overflow) = (Self.coarseTime() &- coarseStart).addingReportingOverflow(Self.coarseStep)
            guard overflow || most >= left else { return nil }
        }
        return Self.threadProcessorTime() &- start
    }

    /// The limit of processor time that a turn is over.
    private func excess(of used: UInt64) -> TerminationReason? {
        guard !isExempt, let (left, limit) = budget, used >= left else { return nil }
        return .processorTime(limit: .nanoseconds(Int64(clamping: limit)))
    }

    /// Ends the turn where it has used more than its limit while the engine gave no chance to stop it.
    func checkTime(in context: JSContextRef) {
        guard !hasTerminated, let used = usedTimeWorthKnowing, let reason = excess(of: used) else { return }
        stop(reason, in: context)
    }

    /// Runs what the package itself needs in a context: it is no script's processor time, and a machine that is held up
    /// must not leave a context without it.
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

    /// Whether the turn shall not go on: it was ended, or somebody outside has said so.
    ///
    /// Asked wherever the turn passes between Swift and JavaScript.
    func mustStop(in context: JSContextRef) -> Bool {
        if hasTerminated { return true }
        guard let reason = signal.requestedReason ?? exceededTime else { return false }
        stop(reason, in: context)
        // The script goes on as soon as it catches what it gets to see of this, but not for long.
        armAgain()
        return true
    }

    /// Ends native work of the open turn where a script in its place would be ended: at the turn's limits, its
    /// deadline and an interrupt.
    ///
    /// The engine's ticks come only while a script runs. Almost every call costs an atomic read and a look at the coarse
    /// clock (10 ns); the thread's processor time is read when that clock has moved.
    ///
    /// - Throws: What the turn throws as it ends, now and each time from then on.
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
        return usedTimeWorthKnowing.flatMap(excess)
    }

    /// The limit of processor time, where it is looked at here and the turn is over it.
    private var exceededTime: TerminationReason? {
        guard countsByItself, let start else { return nil }
        return excess(of: Self.threadProcessorTime() &- start)
    }

    /// Looks at the heap at the end of a turn, at most every 10 ms: turns that are too short for a tick would
    /// never be looked at.
    func lookAtHeap(in context: JSContextRef) {
        guard limits.maximumHeapBytes != nil, !hasTerminated else { return }
        let now = Self.coarseTime()
        guard now &- lastLook > UInt64(Self.tick * 1e9) else { return }
        look(now: now, in: context)
    }

    /// Gives back what a script held that was stopped for it.
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
        // A copy, since what the engine runs meanwhile may come back to this object.
        var heap = heap
        let excess = heap.excess(in: context)
        self.heap = heap
        isLooking = false
        guard let bytes = excess else { return }
        stop(.memory(bytes: bytes, limit: limit), in: context)
    }

    private func ticked(in context: JSContextRef?) -> Bool {
        // Looking at the heap runs what the engine runs, and so may come here again.
        guard !isLooking else { return false }
        isArmed = false
        tickCount &+= 1
        if hasTerminated { return true }
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
        if !hasTerminated { arm() }
        return hasTerminated
    }

    private func stop(_ reason: TerminationReason, in context: JSContextRef?) {
        termination = reason
        jsb_stop_turn()
        guard let context, let trace = JSContextCreateBacktrace(context, 32) else { return }
        backtrace = EngineText.withUnits(of: trace, EngineText.repaired)
        JSStringRelease(trace)
    }

    private static func threadProcessorTime() -> UInt64 { time(of: CLOCK_THREAD_CPUTIME_ID) }

    // Good to some milliseconds, for a twentieth of the cost.
    private static func coarseTime() -> UInt64 { time(of: CLOCK_MONOTONIC_COARSE) }

    private static func time(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
