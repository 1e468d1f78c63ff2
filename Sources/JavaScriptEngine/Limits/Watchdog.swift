internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A watchdog that ends a turn which exceeds its limits, or whose end another thread requests.
///
/// The engine calls back after every 10 ms of the running thread's processor time (with polling traps this
/// costs at most 7 %, measured). Each callback either arms the next tick or ends the script. Where the turn passes
/// between Swift and JavaScript, one more atomic read finds a request of another thread.
final class Watchdog {
    // The tick is always the same. A shorter one would leave the engine with two timers. If a process is held up and
    // both fire together, the engine's own assertion about its traps ends the process (seen in 1 of 8 runs).
    private static let tick = 0.01
    private static var tickNanoseconds: UInt64 { UInt64(tick * 1e9) }

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
    // Neither the watch nor the meter calls anything that may use the watchdog, so dynamic exclusivity checks are off.
    @exclusivity(unchecked) private var heap: HeapWatch
    @exclusivity(unchecked) private var time = ProcessorTimeMeter()
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
        heap = HeapWatch(limit: limits.maximumHeapBytes)
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
        time.reset()
    }

    /// Begins a turn.
    ///
    /// - Throws: The error that ended the operation that the turn should join; the turn has then not begun.
    func begin(joining operation: ExecutionBudget?) throws(JSException) {
        reset()
        time.begin()
        signal.openTurn()
        guard let operation else {
            time.allow(limits.processorTime.map { ($0.clampedNanoseconds, $0.clampedNanoseconds) })
            guard let limit = limits.wallTime, let turn = signal.openTurnNumber else { return }
            deadline.begin(turn: turn, deadline: deadline.clock.time(after: limit), limit: limit)
            return
        }
        guard let turn = signal.openTurnNumber else { return }
        do {
            time.allow(try operation.join(signal, turn: turn, limits: limits, clock: deadline.clock))
        } catch {
            _ = signal.closeTurn()
            throw error
        }
        joined = (operation, turn)
    }

    /// Records that the engine was entered.
    func enter() { time.enter() }

    /// Closes the turn, which no request can end afterwards.
    ///
    /// A turn that has used more than its limit is terminated here, even if the engine could not stop it.
    func end() {
        let used = usedTimeNearLimit
        time.reset()
        // A turn of another machine may be open around this one, so the thread's state is not changed here.
        if let reason = signal.closeTurn(), !hasTerminated { termination = reason }
        if !hasTerminated, let used { termination = time.excess(of: used) }
        if limits.wallTime != nil { deadline.end() }
        guard let (operation, turn) = joined else { return }
        joined = nil
        operation.leave(signal, turn: turn, used: used ?? 0, termination: termination)
    }

    /// The processor time that the turn has used so far; `nil` if it cannot have reached the limit.
    private var usedTimeNearLimit: UInt64? { time.usedTimeNearLimit(isShared: joined != nil) }

    /// Ends the turn if it has exceeded its processor time and the engine could not stop it.
    func checkTime(in context: JSContextRef) {
        guard !hasTerminated, let used = usedTimeNearLimit, let reason = time.excess(of: used) else { return }
        stop(reason, in: context)
    }

    /// Runs code that the package itself needs in a context, without charging the script.
    ///
    /// The processor time limit does not end it: even a machine that is held up must not leave a context without it.
    func exempting<Result>(_ body: () throws -> Result) rethrows -> Result {
        let exemption = time.beginExemption()
        defer { time.end(exemption) }
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
            guard let reason = signal.requestedReason ?? time.excessOfNativeWork(isShared: joined != nil)
            else { return }
            stop(reason, in: context)
            armAgain()
        }
        throw JSException(termination: termination)
    }

    /// The termination for exceeded processor time, if the time is checked outside of ticks.
    private var exceededTime: TerminationReason? {
        checksTimeAtBoundary ? time.exactExcess() : nil
    }

    /// Checks the heap at the end of a turn, at most every 10 ms: no tick would check turns that are shorter.
    func checkHeap(in context: JSContextRef) {
        guard limits.maximumHeapBytes != nil, !hasTerminated else { return }
        let now = ProcessorTimeMeter.coarseTime()
        guard heap.isDue(at: now, every: Self.tickNanoseconds) else { return }
        look(now: now, in: context)
    }

    /// Releases memory that a stopped script held, if the memory limit stopped it.
    func collectAfterTermination(in context: JSContextRef) {
        guard case .memory = termination, var guarding = heap.begin() else { return }
        guarding.collect(in: context)
        heap.end(guarding)
    }

    private func look(now: UInt64, in context: JSContextRef) {
        heap.noteLook(at: now)
        guard let limit = limits.maximumHeapBytes, var guarding = heap.begin() else { return }
        let excess = guarding.excess(in: context)
        heap.end(guarding)
        guard let bytes = excess else { return }
        stop(.memory(bytes: bytes, limit: limit), in: context)
    }

    private func ticked(in context: JSContextRef?) -> Bool {
        // Checking the heap runs code of the engine, which may call this function again.
        guard !heap.isLooking else { return false }
        isArmed = false
        tickCount &+= 1
        if hasTerminated { return true }
        if let inspect {
            // Armed before, because a command can run a script.
            arm()
            inspect()
        }
        let excess = time.excessInTick(of: Self.tickNanoseconds)
        if let reason = signal.requestedReason ?? excess {
            stop(reason, in: context)
        } else if limits.maximumHeapBytes != nil, let context {
            look(now: ProcessorTimeMeter.coarseTime(), in: context)
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
}
