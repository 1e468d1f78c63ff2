internal import BridgeValues
internal import Synchronization

/// What a runtime does with its context, one turn after another.
///
/// Only who is alone in the runtime's home may use it, but for what is said to be for any thread.
// @unchecked Sendable because all else goes through `alone`: the runtime's thread, or its lock.
final class RuntimeCore: @unchecked Sendable {
    /// The context of the turns; another after ``replaceContext(preparing:)``.
    private(set) var context: JSContext
    let home: RuntimeHome
    let inbox: RuntimeInbox
    /// For any thread.
    let interrupts: CallInterrupts
    /// For any thread.
    let waiters: PromiseWaiters
    /// For any thread.
    let calls = CallQueue()
    private let signal: TurnSignal
    private let clock: any MonotonicClock
    private let consoleSink: (@Sendable (ConsoleMessage) -> Void)?
    private let closed = Atomic(false)
    private let closeHandler = Mutex<(@Sendable () -> Void)?>(nil)
    private var wakeUp: (any ScheduledWakeUp)?
    private var wakeUpDeadline: Duration?
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []
    private weak var runtime: JavaScriptRuntime?
    private var timersAreDue: (@Sendable () -> Void)?
    private var enqueue: (@Sendable (RuntimeInbox.Job) -> Void)?

    /// Makes a core with its first context.
    init(
        virtualMachine: JSVirtualMachine,
        home: RuntimeHome,
        inbox: RuntimeInbox,
        clock: any MonotonicClock,
        consoleSink: (@Sendable (ConsoleMessage) -> Void)?
    ) throws {
        self.home = home
        self.inbox = inbox
        self.clock = clock
        self.consoleSink = consoleSink
        signal = virtualMachine.watchdog.signal
        interrupts = CallInterrupts(signal: signal)
        context = try JSContext(virtualMachine: virtualMachine)
        waiters = context.promiseWaiters
        try setUpContext()
    }

    deinit {
        wakeUp?.cancel()
        // Closures that hold values of the context would keep it for ever.
        context.close()
    }

    /// Makes timers and asynchronous functions come back to their runtime.
    ///
    /// Called once, before the first turn.
    func connect(to runtime: JavaScriptRuntime) {
        timersAreDue = { [weak runtime] in runtime?.submit { _, core in core.runTimers() } }
        self.runtime = runtime
        enqueue = { [weak runtime] job in
            runtime?.enqueue(joining: job.operation, job.body, otherwise: job.otherwise)
        }
        setEnqueue()
    }

    /// Gives the context what every context of this runtime has.
    private func setUpContext() throws {
        // Now, so that no interruption of a first call ends it.
        try context.prepare()
        context.consoleSink = consoleSink
        context.clock = clock
        context.promiseWaiters = waiters
        context.timersDidChange = { [inbox] in inbox.timersChanged() }
        setEnqueue()
    }

    // A job of one context must not run with the next: what it has in its hand are numbers of the old one.
    private func setEnqueue() {
        guard let enqueue else { return }
        context.runtime = runtime
        let generation = context.generation
        context.enqueue = { job in
            let bound = RuntimeInbox.Job(
                operation: job.operation,
                body: { context in if context.generation == generation { job.body(context) } },
                otherwise: { context in if context.generation == generation { job.otherwise?(context) } }
            )
            enqueue(bound)
        }
    }

    // MARK: - Contexts

    /// Puts a new context in the place of the present one, which is closed; no turn may be open.
    ///
    /// Who waits for a promise of the old one gets `disconnected`. Where the new one cannot be prepared the
    /// runtime has none that runs anything, until the next attempt.
    ///
    /// - Parameter prepare: Adds to the new context before anything else runs in it.
    /// - Throws: What `prepare` throws; a ``JSException`` where the package's own scripts were stopped;
    ///   ``BridgeError`` with the code `disconnected` where the runtime was closed.
    func replaceContext(preparing prepare: (JSContext) throws -> Void) throws {
        let machine = context.virtualMachine
        precondition(!machine.isInTurn, "a context cannot be replaced inside its own turn")
        guard !isClosed else { throw Self.closedError }
        let generation = context.generation + 1
        closeContext()
        waiters.fail(with: BridgeError(.disconnected, "The context was replaced."))
        machine.endRetirement()
        // The old one goes here, unless somebody holds values of it.
        context = try JSContext(virtualMachine: machine)
        context.generation = generation
        defer {
            inbox.timersChanged()
            finishTurn()
        }
        do {
            try setUpContext()
            try prepare(context)
        } catch {
            // Half of what belongs into it may be missing.
            closeContext()
            throw error
        }
        machine.collectGarbage()
    }

    private func closeContext() {
        context.asyncCalls.cancel()
        context.close()
    }

    // MARK: - On any thread

    var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

    /// Ends what runs and settles who waits; what comes later is refused.
    func close() {
        guard !closed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        // Before the script is stopped, so that what waits ends because the runtime was closed, not because of that.
        let handler = closeHandler.withLock { $0.take() }
        handler?()
        requestEndOfClosedTurn()
        waiters.fail(with: Self.closedError)
    }

    private func requestEndOfClosedTurn() { _ = signal.requestEnd(Self.closing) }

    /// Why a turn ends that is open when the runtime is closed.
    static let closing = TerminationReason.interrupted("the runtime was closed")

    /// Sets what is called once when the runtime is closed, on the thread that closes it.
    func setCloseHandler(_ handler: @escaping @Sendable () -> Void) { closeHandler.withLock { $0 = handler } }

    func interrupt(reason: String) -> Bool { signal.requestEnd(.interrupted(reason)) }

    static var closedError: BridgeError { BridgeError(.disconnected, "The runtime was closed.") }

    // MARK: - Turns

    /// Whether the current thread is inside an open turn of the context.
    var isInTurn: Bool { home.isCurrent && context.virtualMachine.isInTurn }

    /// Runs a body as a turn of its own.
    func perform<Result>(joining operation: JSOperation?, _ body: (JSContext) throws -> Result) throws
        -> Result
    {
        try turn(joining: operation) {
            try doEarlierWork()
            return try body(context)
        }
    }

    /// Does what was left for a turn before this one began: a script that runs now finds done what its host did before,
    /// such as to listen to a topic.
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
                // A cancellation before the mark ends nothing, so it is looked for after it.
                try Task.checkCancellation()
                // Microtasks belong to who leaves them, the work for others that follows does not.
                defer { context.runMicrotasks() }
                try doEarlierWork()
                return try body(context)
            }
        } catch let error as JSException where error.isTermination && hasBegun && interrupts.wasCancelled {
            throw CancellationError()
        }
    }

    /// Runs the jobs that wait: those that follow each other in one operation, or in none, as one turn.
    ///
    /// - Returns: Whether more have come meanwhile.
    func drainInbox() -> Bool {
        // What the jobs add comes in the next turn, so that others get the engine between.
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
    /// - Returns: How many are done with: those behind one that was stopped need another turn.
    private func run(_ jobs: ArraySlice<RuntimeInbox.Job>, joining operation: JSOperation?) -> Int {
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
        // No turn was opened: all is over, or the operation. Whoever waits for one of them must hear of it.
        for job in jobs { job.otherwise?(context) }
        return jobs.count
    }

    /// Runs the timers that are due.
    func runTimers() {
        wakeUpDeadline = nil
        wakeUp = nil
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
        // A closed runtime has no turns, but the run loop must get rid of what it holds.
        if !isDone { work() }
    }

    func collectGarbage() throws {
        guard !isClosed else { throw Self.closedError }
        context.virtualMachine.collectGarbage()
    }

    /// Runs a body as a turn inside an operation, or inside none.
    func turn<Result>(joining operation: JSOperation?, _ body: () throws -> Result) throws -> Result {
        guard !isClosed else { throw Self.closedError }
        defer { finishTurn() }
        var hasBegun = false
        do {
            return try JSOperation.withCurrent(operation) {
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
            // The engine has dropped all microtasks: a promise that they were to settle never would be. They were
            // the turn's own, so that who waits outside its operation goes on waiting.
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
            // Closed: nothing is to happen any more.
        }
    }

    private func finishTurn() {
        if !context.resumptions.isEmpty {
            let resumptions = context.resumptions
            context.resumptions.removeAll(keepingCapacity: true)
            resume(resumptions)
        }
        armTimer()
        if inbox.isEmpty { context.virtualMachine.collectIfIdle() }
        guard !idleWaiters.isEmpty, isIdle else { return }
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// How many tasks are worth a job of their own that lets them go on.
    private static let fewResumptions = 4

    /// Lets tasks go on.
    ///
    /// Each is a job for the shared threads. Those that find nothing to do sleep, and one that is woken has done a
    /// task before the next one comes: many tasks would wake it as often. So another thread hands them out, which
    /// then runs them itself (a fifth of the time of 100 awaits at once, measured).
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
        let next = isClosed ? nil : context.nextTimerDeadline
        guard next != wakeUpDeadline else { return }
        wakeUp?.cancel()
        wakeUpDeadline = next
        wakeUp = next.map { deadline in
            clock.schedule(at: deadline) { [timersAreDue] in timersAreDue?() }
        }
    }

    private var isIdle: Bool {
        isClosed || context.virtualMachine.retirement != nil
            || inbox.isEmpty && !context.hasReferencedTimers && context.asyncCalls.count == 0
                && !inbox.isBusy
    }

    /// Resumes somebody once nothing is left to do.
    func notifyWhenIdle(_ waiter: CheckedContinuation<Void, Never>) {
        if isIdle { waiter.resume() } else { idleWaiters.append(waiter) }
    }

    /// Lets go what waits for turns that never come.
    func finishClosing() {
        // A turn that was open when the runtime was closed may have added some since.
        waiters.fail(with: Self.closedError)
        inbox.timersChanged()
        closeContext()
        finishTurn()
    }
}
