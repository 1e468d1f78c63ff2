internal import BridgeValues

/// The part of a runtime that uses its context, one turn after another.
///
/// It requires exclusive access to the runtime's home, except for the members that are documented as safe on any
/// thread.
// @unchecked Sendable because all other access goes through `alone`: the runtime's thread, or its lock.
final class RuntimeCore: @unchecked Sendable {
    /// The current context; ``replaceContext(preparing:)`` replaces it.
    private(set) var context: JSContext
    let home: RuntimeHome
    let inbox: RuntimeInbox
    /// Safe on any thread.
    let interrupts: CallInterrupts
    /// Safe on any thread.
    let waiters: PromiseWaiters
    /// Safe on any thread.
    let calls = CallQueue()
    private let signal: TurnSignal
    private let settings: ContextSettings
    /// Safe on any thread.
    private let closing = RuntimeClosing()
    private var timerWakeUp = TimerWakeUp()
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []
    private weak var runtime: JavaScriptRuntime?
    private var enqueue: (@Sendable (RuntimeInbox.Job) -> Void)?

    /// Creates a core with its first context.
    init(
        virtualMachine: JSVirtualMachine,
        home: RuntimeHome,
        inbox: RuntimeInbox,
        clock: any MonotonicClock,
        globals: GlobalSet,
        consoleSink: (@Sendable (ConsoleMessage) -> Void)?,
        inspector: (any InspectorClient)? = nil
    ) throws {
        self.home = home
        self.inbox = inbox
        settings = ContextSettings(
            globals: globals,
            clock: clock,
            consoleSink: consoleSink,
            inspector: inspector
        )
        signal = virtualMachine.watchdog.signal
        interrupts = CallInterrupts(signal: signal)
        context = try settings.makeContext(in: virtualMachine)
        waiters = context.eventLoop.promiseWaiters
        try setUpContext()
    }

    deinit {
        timerWakeUp.cancel()
        // Closures that capture values of the context would otherwise retain it for ever.
        context.close()
    }

    /// Connects the core to its runtime, to which timers and asynchronous functions return.
    ///
    /// It is called once, before the first turn.
    func connect(to runtime: JavaScriptRuntime) {
        timerWakeUp.setAction { [weak runtime] in runtime?.submit { _, core in core.runTimers() } }
        self.runtime = runtime
        enqueue = { [weak runtime] job in
            runtime?.enqueue(joining: job.operation, job.body, otherwise: job.otherwise)
        }
        setEnqueue()
    }

    /// Sets up the context as every context of this runtime.
    private func setUpContext() throws {
        try settings.apply(to: context)
        context.eventLoop.promiseWaiters = waiters
        context.timersDidChange = { [inbox] in inbox.timersChanged() }
        setEnqueue()
    }

    // A job of one context must not run with the next one, because it contains IDs of the old context.
    private func setEnqueue() {
        guard let enqueue else { return }
        context.life.runtime = runtime
        context.hooks.inspector?.target.setWake { [weak runtime] in
            runtime?.submitWeakly { _, core in core.sendInspectorCommands() }
        }
        let generation = context.generation
        context.eventLoop.enqueue = { job in
            let bound = RuntimeInbox.Job(
                operation: job.operation,
                body: { context in if context.generation == generation { job.body(context) } },
                otherwise: { context in if context.generation == generation { job.otherwise?(context) } }
            )
            enqueue(bound)
        }
    }

    // MARK: - Contexts

    /// Replaces the current context by a new one, and closes the old one.
    ///
    /// No turn may be open.
    ///
    /// Callers that wait for a promise of the old one get `disconnected`. If the new one cannot be prepared, the
    /// runtime is without a usable context until the next attempt.
    ///
    /// - Parameter prepare: Prepares the new context before anything else runs in it.
    /// - Throws: The error of `prepare`; a ``JSException`` if the package's own scripts were terminated;
    ///   ``BridgeError`` with the code `disconnected` if the runtime was closed.
    func replaceContext(preparing prepare: (JSContext) throws -> Void) throws {
        let machine = context.virtualMachine
        precondition(!machine.isInTurn, "a context cannot be replaced inside its own turn")
        guard !isClosed else { throw Self.closedError }
        let generation = context.generation + 1
        closeContext()
        waiters.fail(with: BridgeError(.disconnected, "The context was replaced."))
        machine.endRetirement()
        // The old context is released here, unless its values are still referenced.
        context = try settings.makeContext(in: machine)
        context.life.generation = generation
        defer {
            inbox.timersChanged()
            finishTurn()
        }
        do {
            try setUpContext()
            try prepare(context)
        } catch {
            // The preparation may be incomplete.
            closeContext()
            throw error
        }
        machine.collectGarbage()
    }

    /// Runs the commands that a client of the inspector has sent.
    func sendInspectorCommands() {
        // They run at the beginning of a turn.
        report { try turn(joining: nil) {} }
    }

    private func closeContext() {
        context.eventLoop.asyncCalls.cancel()
        context.close()
    }

    // MARK: - On any thread

    var isClosed: Bool { closing.isClosed }

    /// Closes the runtime: terminates the running turn, settles the waiters and refuses later calls.
    func close() {
        // The handler runs before the termination, so that pending work fails because the runtime was closed, not
        // because of the termination.
        guard closing.begin() else { return }
        requestEndOfClosedTurn()
        waiters.fail(with: Self.closedError)
    }

    private func requestEndOfClosedTurn() { _ = signal.requestEnd(Self.closingReason) }

    /// The reason for terminating a turn that is open when the runtime is closed.
    static let closingReason = TerminationReason.interrupted("the runtime was closed")

    /// Sets the handler that is called once when the runtime is closed, on the closing thread.
    func setCloseHandler(_ handler: @escaping @Sendable () -> Void) { closing.setHandler(handler) }

    func interrupt(reason: String) -> Bool { signal.requestEnd(.interrupted(reason)) }

    static var closedError: BridgeError { BridgeError(.disconnected, "The runtime was closed.") }

    // MARK: - Turns

    /// A Boolean value that indicates whether the current thread is inside an open turn of the context.
    var isInTurn: Bool { home.isCurrent && context.virtualMachine.isInTurn }

    /// Runs a body as a turn of its own.
    func perform<Result>(joining operation: ExecutionBudget?, _ body: (JSContext) throws -> Result) throws
        -> Result
    {
        try turn(joining: operation) {
            try doEarlierWork()
            return try body(context)
        }
    }

    /// Runs the work that was left for a turn before this one began.
    ///
    /// This turn's script then sees its effect, such as that of listening to a topic.
    ///
    /// A turn must be open.
    private func doEarlierWork() throws {
        guard context.virtualMachine.doTurnWork() else { return }
        try context.checkTermination()
    }

    /// Runs a call's body as a turn of its own, unless its task was cancelled before.
    func perform<Result>(_ call: UInt64, _ body: (JSContext) throws -> Result) throws -> Result {
        var hasBegun = false
        do {
            return try turn(joining: .current) {
                hasBegun = true
                interrupts.begin(call)
                defer { interrupts.end() }
                // A cancellation before the mark terminates nothing, so it is checked after the mark.
                try Task.checkCancellation()
                // The microtasks belong to this call; the work for others that follows does not.
                defer { context.runMicrotasks() }
                try doEarlierWork()
                return try body(context)
            }
        } catch let error as JSException where error.isTermination && hasBegun && interrupts.wasCancelled {
            throw CancellationError()
        }
    }

    /// Runs the pending jobs.
    ///
    /// Consecutive jobs of one operation, or of none, share a turn.
    ///
    /// - Returns: Whether more have arrived meanwhile.
    func drainInbox() -> Bool {
        // Jobs that these jobs add run in the next turn, so that other callers get the engine in between.
        var jobs = inbox.take()[...]
        while let first = jobs.first {
            let operation = first.operation
            let count = jobs.prefix { $0.operation === operation }.count
            jobs = jobs.dropFirst(run(jobs.prefix(count), joining: operation))
        }
        let hasMore = inbox.finish()
        // Until now the inbox did not count as empty.
        finishTurn()
        return hasMore
    }

    /// Runs jobs as one turn.
    ///
    /// - Returns: The number of finished jobs. Jobs after a terminated one need another turn.
    private func run(_ jobs: ArraySlice<RuntimeInbox.Job>, joining operation: ExecutionBudget?) -> Int {
        var count = 0
        if operation?.termination == nil {
            report {
                try turn(joining: operation) {
                    for job in jobs {
                        count += 1
                        job.body(context)
                        if context.mustStop { break }
                    }
                }
            }
        }
        if count > 0 { return count }
        // No turn was opened, because the runtime is closed or retired, or the operation has ended. The jobs' callers
        // must be notified.
        for job in jobs { job.otherwise?(context) }
        return jobs.count
    }

    /// Runs the timers that are due.
    func runTimers() {
        timerWakeUp.didWake()
        report { try context.runDueTimers { try turn(joining: $0, $1) } }
        inbox.timersChanged()
        finishTurn()
    }

    /// Runs work of the engine itself, such as the callbacks of a `FinalizationRegistry`.
    func deliver(_ work: () -> Void) {
        var isDone = false
        report {
            try turn(joining: nil) {
                isDone = true
                work()
            }
        }
        // A closed runtime has no turns, but the run loop must still drain its work.
        if !isDone { work() }
    }

    /// Runs the engine's own work in turns of this core, from the thread's next job on.
    func takeDelivery(on thread: RuntimeThread) {
        thread.perform { [weak self] in
            thread.setDelivery { [weak self] work in self?.deliver(work) ?? work() }
        }
    }

    func collectGarbage() throws {
        guard !isClosed else { throw Self.closedError }
        context.virtualMachine.collectGarbage()
    }

    /// Runs a body as a turn inside an operation, or outside any.
    func turn<Result>(joining operation: ExecutionBudget?, _ body: () throws -> Result) throws -> Result {
        guard !isClosed else { throw Self.closedError }
        defer { finishTurn() }
        var hasBegun = false
        do {
            return try ExecutionBudget.withCurrent(operation) {
                try context.withTurn {
                    if isClosed {
                        // Closed by a thread that saw no open turn: this one ends before anything runs in it.
                        requestEndOfClosedTurn()
                        try context.checkTermination()
                    }
                    hasBegun = true
                    return try body()
                }
            }
        } catch let error as JSException where error.isTermination {
            // The engine has dropped all microtasks, so promises that they would have settled never settle. The
            // microtasks belonged to the turn, so callers outside its operation continue to wait.
            if let operation, !isClosed, context.virtualMachine.retirement == nil {
                waiters.fail(in: operation, with: error)
            } else {
                waiters.fail(with: isClosed ? Self.closedError : error)
            }
            if !hasBegun, isClosed { throw Self.closedError }
            throw error
        }
    }

    private func report(_ body: () throws -> Void) {
        do {
            try body()
        } catch let error as JSException {
            context.reportUncaught(error)
        } catch {
            // The runtime is closed: the error is not reported.
        }
    }

    private func finishTurn() {
        if !context.eventLoop.resumptions.isEmpty {
            let resumptions = context.eventLoop.resumptions
            context.eventLoop.resumptions.removeAll(keepingCapacity: true)
            resume(resumptions)
        }
        armTimer()
        if inbox.isEmpty { context.virtualMachine.collectIfIdle() }
        guard !idleWaiters.isEmpty, isIdle else { return }
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// The number of tasks up to which they are resumed on this thread.
    private static let fewResumptions = 4

    /// Resumes tasks.
    ///
    /// Each resumption is a job for the shared threads. Idle threads sleep, and a woken one has finished its task
    /// before the next job arrives, so many tasks would wake a thread as often. Another thread therefore resumes them,
    /// and then runs them itself. This takes a fifth of the time for 100 concurrent awaits (measured).
    private func resume(
        _ resumptions: [(continuation: UnsafeContinuation<Void, any Error>, failure: (any Error)?)]
    ) {
        guard resumptions.count > Self.fewResumptions else {
            for (continuation, failure) in resumptions { continuation.resume(with: failure) }
            return
        }
        Task.detached { for (continuation, failure) in resumptions { continuation.resume(with: failure) } }
    }

    // MARK: - Timers and idling

    private func armTimer() {
        guard inbox.takeTimersChanged() else { return }
        timerWakeUp.move(to: isClosed ? nil : context.nextTimerDeadline, on: settings.clock)
    }

    private var isIdle: Bool {
        isClosed || context.virtualMachine.retirement != nil
            || inbox.isEmpty && !context.hasReferencedTimers && context.eventLoop.asyncCalls.count == 0
                && context.modules.pendingCount == 0 && !inbox.isBusy
    }

    /// Resumes a continuation when the runtime is idle.
    func notifyWhenIdle(_ waiter: CheckedContinuation<Void, Never>) {
        if isIdle { waiter.resume() } else { idleWaiters.append(waiter) }
    }

    /// Releases the work that waits for turns, which will not be opened any more.
    func finishClosing() {
        // A turn that was open when the runtime was closed may have added waiters since.
        waiters.fail(with: Self.closedError)
        inbox.timersChanged()
        closeContext()
        finishTurn()
    }
}
