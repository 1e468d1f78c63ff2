public import BridgeValues
internal import Synchronization

/// A context and its virtual machine behind an actor: the way to run JavaScript from concurrent Swift.
///
/// All that touches the engine runs on this actor, one turn after another. Enter once with
/// ``withContext(_:)`` and do there what belongs together: inside an open turn a call costs a tenth of one
/// that opens its own.
public actor JavaScriptRuntime {
    // Variables, so that every method that uses them touches isolated state: in a release build the optimiser
    // drops the hop of an actor's method that touches none, and calls into C do not count.
    private var context: JSContext
    private var wakeUp: (any ScheduledWakeUp)?
    private var wakeUpDeadline: Duration?
    private nonisolated let inbox: Inbox
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []
    private nonisolated let clock: any MonotonicClock

    /// Makes a runtime.
    ///
    /// - Parameters:
    ///   - limits: How much its scripts may use before they are stopped.
    ///   - clock: What timers go by; a test's own clock makes them exact.
    ///   - consoleSink: Where `console` writes.
    /// - Throws: ``JSException`` if the package's own script does not run, which is a mistake of this
    ///   package.
    public init(
        limits: ExecutionLimits = ExecutionLimits(),
        clock: any MonotonicClock = SystemClock(),
        consoleSink: (@Sendable (ConsoleMessage) -> Void)? = nil
    ) throws {
        try self.init(limits: limits, clock: clock, consoleSink: consoleSink) { _ in }
    }

    /// Makes a runtime whose context the rooms above add to before anything else runs in it.
    package init(
        limits: ExecutionLimits,
        clock: any MonotonicClock,
        consoleSink: (@Sendable (ConsoleMessage) -> Void)?,
        prepare: (JSContext) throws -> Void
    ) throws {
        let inbox = Inbox()
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        context.consoleSink = consoleSink
        context.clock = clock
        context.timersDidChange = { inbox.timersChanged() }
        try prepare(context)
        self.inbox = inbox
        self.clock = clock
        self.context = context
    }

    /// Runs a body with the context, as one turn.
    ///
    /// - Throws: What the body throws; a ``JSException`` whose ``JSException/isTermination`` is true where
    ///   the turn was stopped.
    public func withContext<Result: Sendable>(_ body: @Sendable (JSContext) throws -> Result) throws -> Result
    {
        defer { finishTurn() }
        let context = self.context
        return try context.withTurn { try body(context) }
    }

    /// Runs a script and gives the value of its last statement as data.
    ///
    /// - Throws: ``JSException``, for a syntax error too.
    @discardableResult
    public func evaluate(_ script: String, sourceURL: String? = nil) throws -> Value {
        try withContext { try $0.evaluate(script, sourceURL: sourceURL).toValue() }
    }

    /// Adds a job to the queue of this runtime: jobs run in the order in which they were added, several in
    /// one turn.
    ///
    /// - Parameter job: Runs on this actor, inside a turn. Errors that it lets out are lost: it handles its
    ///   own.
    package nonisolated func enqueue(_ job: @escaping @Sendable (JSContext) -> Void) {
        guard inbox.add(job) else { return }
        Task { await self.drainInbox() }
    }

    private var isIdle: Bool { inbox.isEmpty && !context.hasReferencedTimers && !inbox.isBusy }

    private func drainInbox() {
        // One turn for what is there now: what the jobs add comes in the next, so that others get the actor
        // between.
        let jobs = inbox.take()
        do {
            try context.withTurn { for job in jobs { job(context) } }
        } catch {
            context.reportUncaught(error as? JSException ?? .terminated)
        }
        if inbox.finish() { Task { self.drainInbox() } }
        finishTurn()
    }

    private func armTimer() {
        guard inbox.takeTimersChanged() else { return }
        let next = context.nextTimerDeadline
        guard next != wakeUpDeadline else { return }
        wakeUp?.cancel()
        wakeUpDeadline = next
        wakeUp = next.map { deadline in
            clock.schedule(at: deadline) { [weak self] in
                guard let self else { return }
                Task { await self.runTimers() }
            }
        }
    }

    private func runTimers() {
        wakeUpDeadline = nil
        wakeUp = nil
        do {
            try context.runDueTimers()
        } catch {
            context.reportUncaught(error as? JSException ?? .terminated)
        }
        inbox.timersChanged()
        finishTurn()
    }

    /// Adds a job that runs in a later turn than all that were added before.
    package nonisolated func enqueueInNextTurn(_ job: @escaping @Sendable (JSContext) -> Void) {
        // Jobs that are added in a turn belong to the next, also when that turn is stopped.
        enqueue { _ in self.enqueue(job) }
    }

    /// Whether somebody waits for this runtime to be idle.
    package nonisolated var isAwaitedToBeIdle: Bool { inbox.isAwaited }

    /// Waits until no job and no referenced timer waits and the rooms above have nothing under way.
    package func waitUntilIdle() async {
        inbox.setAwaited(true)
        guard !isIdle else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    /// Sets what says whether a room above has something under way.
    ///
    /// It must add a job when that ends.
    package nonisolated func setBusyCheck(_ isBusy: @escaping @Sendable () -> Bool) {
        inbox.setBusyCheck(isBusy)
    }

    private func finishTurn() {
        armTimer()
        guard !idleWaiters.isEmpty, isIdle else { return }
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    deinit { wakeUp?.cancel() }
}

/// The jobs that wait for a runtime, filled from any thread.
private final class Inbox: Sendable {
    private struct State {
        var jobs: [@Sendable (JSContext) -> Void] = []
        var isScheduled = false
        var timersChanged = false
        var isAwaited = false
        var busyCheck: (@Sendable () -> Bool)?
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.jobs.isEmpty && !$0.isScheduled } }

    /// Adds a job; true if the caller must schedule the drain.
    func add(_ job: @escaping @Sendable (JSContext) -> Void) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    func take() -> [@Sendable (JSContext) -> Void] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    /// Ends a drain; true if the caller must schedule another.
    func finish() -> Bool {
        state.withLock { state in
            state.isScheduled = !state.jobs.isEmpty
            return state.isScheduled
        }
    }

    var isAwaited: Bool { state.withLock { $0.isAwaited } }

    func setAwaited(_ isAwaited: Bool) { state.withLock { $0.isAwaited = isAwaited } }

    var isBusy: Bool { state.withLock { $0.busyCheck }?() ?? false }

    func setBusyCheck(_ isBusy: @escaping @Sendable () -> Bool) { state.withLock { $0.busyCheck = isBusy } }

    func timersChanged() { state.withLock { $0.timersChanged = true } }

    func takeTimersChanged() -> Bool {
        state.withLock { state in
            defer { state.timersChanged = false }
            return state.timersChanged
        }
    }
}
