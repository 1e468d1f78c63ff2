public import BridgeValues

/// A context and its virtual machine behind an actor, for running JavaScript from concurrent Swift.
///
/// All access to the engine runs on this actor, one turn after another, on the shared threads or on a dedicated one
/// (``Isolation-swift.enum``). Combine related work in one ``withContext(_:)``: inside an open turn, a call costs a
/// tenth of one that opens its own.
///
/// A call whose task is cancelled before its turn never enters. Cancelling it while its script runs terminates that
/// script, within about 10 ms of its processor time, and the call throws `CancellationError`. Terminating a script, by
/// a limit or from outside, also drops the engine's queue of microtasks. Callers that wait for a promise of this
/// runtime then get the error of the termination, because the promise may never settle.
public actor JavaScriptRuntime {
    // A variable, so that every method that uses it touches isolated state. In a release build the optimizer removes
    // the hop of an actor's method that touches none, and calls into C do not count. Unmanaged, because the thread of a
    // runtime releases the engine itself.
    private var isolatedCore: Unmanaged<RuntimeCore>
    /// The core for use outside this actor.
    ///
    /// Each use states why it is safe.
    nonisolated private let unisolatedCore: Unmanaged<RuntimeCore>
    nonisolated let home: RuntimeHome
    nonisolated private let inbox: RuntimeInbox

    /// Creates a runtime.
    ///
    /// - Parameters:
    ///   - isolation: The threads on which its scripts run.
    ///   - limits: The limits after which its scripts are terminated.
    ///   - clock: The clock of timers and deadlines; a test's own clock makes them exact.
    ///   - globals: The names that scripts find beside those of the language.
    ///   - consoleSink: The receiver of `console` output.
    /// - Throws: ``JSException`` if the package's own script does not run, which is a bug of this package, or if the
    ///   system cannot create a thread.
    public init(
        isolation: Isolation = .default,
        limits: ExecutionLimits = ExecutionLimits(),
        clock: any MonotonicClock = SystemClock(),
        globals: GlobalSet = .web,
        consoleSink: (@Sendable (ConsoleMessage) -> Void)? = nil
    ) throws {
        try self.init(
            isolation: isolation,
            limits: limits,
            clock: clock,
            globals: globals,
            consoleSink: consoleSink
        ) { _ in }
    }

    /// Creates a runtime whose context the higher layers prepare before anything else runs in it.
    ///
    /// - Parameters:
    ///   - isolation: The threads on which its scripts run.
    ///   - limits: The limits after which its scripts are terminated.
    ///   - clock: The clock of timers.
    ///   - globals: The names that scripts find beside those of the language.
    ///   - consoleSink: The receiver of `console` output.
    ///   - inspector: The client of the inspector of its contexts.
    ///   - prepare: Prepares the context before this returns, on the runtime's thread.
    /// - Throws: The errors of the public initializer; the error of `prepare`.
    package init(
        isolation: Isolation = .default,
        limits: ExecutionLimits,
        clock: any MonotonicClock,
        globals: GlobalSet = .web,
        consoleSink: (@Sendable (ConsoleMessage) -> Void)?,
        inspector: (any InspectorClient)? = nil,
        prepare: (JSContext) throws -> Void
    ) throws {
        let home = try RuntimeHome(isolation)
        let inbox = RuntimeInbox()
        let core = try home.make {
            let core = try RuntimeCore(
                virtualMachine: JSVirtualMachine(limits: limits, clock: clock),
                home: home,
                inbox: inbox,
                clock: clock,
                globals: globals,
                consoleSink: consoleSink,
                inspector: inspector
            )
            try prepare(core.context)
            return Unmanaged.passRetained(core)
        }
        self.home = home
        self.inbox = inbox
        isolatedCore = core
        unisolatedCore = core
        // The core is not shared yet: the engine's work opens turns of it only after this. A turn before it would set an
        // alarm for the timers of `prepare` that has no runtime to wake, and none after it.
        core.takeUnretainedValue().connect(to: self)
        if case .thread(let thread) = home { core.takeUnretainedValue().takeDelivery(on: thread) }
    }

    deinit {
        let core = unisolatedCore
        home.end { core.release() }
    }

    /// The threads on which the scripts of this runtime run.
    public nonisolated var isolation: Isolation { home.isolation }

    /// The executor of this actor, by its isolation.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { home.executor }

    /// The engine's side of this runtime.
    var core: RuntimeCore { isolatedCore.takeUnretainedValue() }

    /// The core for its members that any thread may use.
    nonisolated var sharedCore: RuntimeCore { unisolatedCore.takeUnretainedValue() }

    // MARK: - Turns

    /// Runs a body with the context, as one turn.
    ///
    /// - Throws: The error of the body; a ``JSException`` whose ``JSException/isTermination`` is true if the turn was
    ///   terminated; `CancellationError` if the task was cancelled before or during the turn; ``BridgeError`` with the
    ///   code `disconnected` after ``close()``.
    public func withContext<Result: Sendable>(
        _ body: @Sendable (JSContext) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        let core = core
        let call = core.interrupts.nextCall()
        return try await withTaskCancellationHandler {
            try await home.whenAlone({ try core.perform(call, body) })
        } onCancel: {
            core.interrupts.cancel(call)
        }
    }

    /// Runs a script and returns the value of its last statement as data.
    ///
    /// - Throws: ``JSException``, for a syntax error too; the errors of ``withContext(_:)``.
    @discardableResult
    public func evaluate(_ script: String, sourceURL: String? = nil) async throws -> Value {
        try await withContext { try $0.evaluate(script, sourceURL: sourceURL).toValue() }
    }

    // MARK: - Jobs

    /// Enqueues a job.
    ///
    /// Jobs run in the order in which they were added, several in one turn.
    ///
    /// - Parameters:
    ///   - operation: The operation that the job's turn joins. Jobs of different operations have different turns.
    ///   - job: Runs on this actor, inside a turn.
    ///   - otherwise: Runs instead, outside a turn, if the job gets no turn: the operation has ended, the context was
    ///     retired or the runtime was closed.
    package nonisolated func enqueue(
        joining operation: ExecutionBudget? = nil,
        _ job: @escaping @Sendable (JSContext) -> Void,
        otherwise: (@Sendable (JSContext) -> Void)? = nil
    ) {
        guard inbox.add(RuntimeInbox.Job(operation: operation, body: job, otherwise: otherwise)) else {
            return
        }
        drainInboxLater()
    }

    /// Enqueues a job for a later turn than that of all jobs added before, or outside a turn if there is none.
    package nonisolated func enqueueInNextTurn(_ job: @escaping @Sendable (JSContext) -> Void) {
        // Jobs that are added in a turn belong to the next, also when that turn is terminated.
        enqueue({ _ in self.enqueue(job, otherwise: job) }, otherwise: job)
    }

    nonisolated private func drainInboxLater() {
        submit { runtime, core in
            if core.drainInbox() { runtime.drainInboxLater() }
        }
    }

    /// Schedules work that may use the engine.
    nonisolated func submit(_ work: @escaping @Sendable (JavaScriptRuntime, RuntimeCore) -> Void) {
        switch home {
        case .shared: Task { await self.run(work) }
        // Not a Swift task: the thread is the executor, so work on it is on this actor.
        case .thread(let thread): thread.perform { work(self, self.sharedCore) }
        }
    }

    /// Schedules work that may use the engine, unless the runtime is released before.
    nonisolated func submitWeakly(_ work: @escaping @Sendable (JavaScriptRuntime, RuntimeCore) -> Void) {
        switch home {
        case .shared: Task { [weak self] in await self?.run(work) }
        case .thread(let thread):
            thread.perform { [weak self] in
                if let self { work(self, self.sharedCore) }
            }
        }
    }

    private func run(_ work: @Sendable (JavaScriptRuntime, RuntimeCore) -> Void) async {
        let core = core
        // The task is the runtime's own, which nothing cancels.
        try? await home.whenAlone({ work(self, core) })
    }

    /// A Boolean value that indicates whether a caller waits for this runtime to be idle.
    package nonisolated var isAwaitedToBeIdle: Bool { inbox.isAwaited }

    /// Waits until no job and no referenced timer is pending and the higher layers are idle.
    package func waitUntilIdle() async {
        inbox.addWaiters(1)
        defer { inbox.addWaiters(-1) }
        await withCheckedContinuation { waiter in submit { _, core in core.notifyWhenIdle(waiter) } }
    }

    /// Sets the function that returns whether a higher layer is busy.
    ///
    /// The layer must add a job when it becomes idle.
    package nonisolated func setBusyCheck(_ isBusy: @escaping @Sendable () -> Bool) {
        inbox.setBusyCheck(isBusy)
    }
}
