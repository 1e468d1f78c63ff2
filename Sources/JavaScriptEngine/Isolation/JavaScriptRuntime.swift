public import BridgeValues

/// A context and its virtual machine behind an actor: the way to run JavaScript from concurrent Swift.
///
/// All that touches the engine runs on this actor, one turn after another, on the shared threads or on one of
/// its own (``Isolation-swift.enum``). Enter once with ``withContext(_:)`` and do there what belongs together:
/// inside an open turn a call costs a tenth of one that opens its own.
///
/// A call whose task is cancelled before its turn comes never enters; one that is cancelled while its script
/// runs ends that script, within about 10 ms of its processor time, and throws `CancellationError`. A script
/// that is ended, by a limit or from outside, takes the engine's queue of microtasks with it: whoever waits
/// for a promise of this runtime then gets the error of the termination, as that promise may never settle.
public actor JavaScriptRuntime {
    // A variable, so that every method that uses it touches isolated state: in a release build the optimiser
    // drops the hop of an actor's method that touches none, and calls into C do not count. Unmanaged, because
    // the thread of a runtime releases the engine itself.
    private var isolatedCore: Unmanaged<RuntimeCore>
    /// The core for what is not on this actor; each use says why it may.
    nonisolated private let unisolatedCore: Unmanaged<RuntimeCore>
    nonisolated let home: RuntimeHome
    nonisolated private let inbox: RuntimeInbox

    /// Makes a runtime.
    ///
    /// - Parameters:
    ///   - isolation: Where its scripts run.
    ///   - limits: How much its scripts may use before they are stopped.
    ///   - clock: What timers and deadlines go by; a test's own clock makes them exact.
    ///   - consoleSink: Where `console` writes.
    /// - Throws: ``JSException`` if the package's own script does not run, which is a mistake of this
    ///   package, or where the system makes no thread.
    public init(
        isolation: Isolation = .default,
        limits: ExecutionLimits = ExecutionLimits(),
        clock: any MonotonicClock = SystemClock(),
        consoleSink: (@Sendable (ConsoleMessage) -> Void)? = nil
    ) throws {
        try self.init(isolation: isolation, limits: limits, clock: clock, consoleSink: consoleSink) { _ in }
    }

    /// Makes a runtime whose context the rooms above add to before anything else runs in it.
    ///
    /// - Parameters:
    ///   - isolation: Where its scripts run.
    ///   - limits: How much its scripts may use before they are stopped.
    ///   - clock: What timers go by.
    ///   - consoleSink: Where `console` writes.
    ///   - prepare: Runs before this returns, where the runtime's turns run.
    /// - Throws: What the public one throws; what `prepare` throws.
    package init(
        isolation: Isolation = .default,
        limits: ExecutionLimits,
        clock: any MonotonicClock,
        consoleSink: (@Sendable (ConsoleMessage) -> Void)?,
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
                consoleSink: consoleSink
            )
            if case .thread(let thread) = home {
                thread.setDelivery { [weak core] work in core?.deliver(work) ?? work() }
            }
            try prepare(core.context)
            return Unmanaged.passRetained(core)
        }
        self.home = home
        self.inbox = inbox
        isolatedCore = core
        unisolatedCore = core
        // Nobody else knows the core yet.
        core.takeUnretainedValue().connect(to: self)
    }

    deinit {
        let core = unisolatedCore
        home.end { core.release() }
    }

    /// Where the scripts of this runtime run.
    public nonisolated var isolation: Isolation { home.isolation }

    /// The executor of this actor: that of the isolation that was chosen.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { home.executor }

    /// The engine's side of this runtime.
    var core: RuntimeCore { isolatedCore.takeUnretainedValue() }

    /// What of the core is for any thread.
    nonisolated var sharedCore: RuntimeCore { unisolatedCore.takeUnretainedValue() }

    // MARK: - Turns

    /// Runs a body with the context, as one turn.
    ///
    /// - Throws: What the body throws; a ``JSException`` whose ``JSException/isTermination`` is true where
    ///   the turn was stopped; `CancellationError` where the task was cancelled, before the turn or in it;
    ///   ``BridgeError`` with the code `disconnected` after ``close()``.
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

    /// Runs a script and gives the value of its last statement as data.
    ///
    /// - Throws: ``JSException``, for a syntax error too; what ``withContext(_:)`` throws.
    @discardableResult
    public func evaluate(_ script: String, sourceURL: String? = nil) async throws -> Value {
        try await withContext { try $0.evaluate(script, sourceURL: sourceURL).toValue() }
    }

    // MARK: - Jobs

    /// Adds a job to the queue of this runtime: jobs run in the order in which they were added, several in
    /// one turn.
    ///
    /// - Parameters:
    ///   - operation: What its turn joins. Jobs of different operations have different turns.
    ///   - job: Runs on this actor, inside a turn.
    ///   - otherwise: Runs instead, outside a turn, where none comes: the operation has ended, the context was retired or
    ///     the runtime closed.
    package nonisolated func enqueue(
        joining operation: JSOperation? = nil,
        _ job: @escaping @Sendable (JSContext) -> Void,
        otherwise: (@Sendable (JSContext) -> Void)? = nil
    ) {
        guard inbox.add(RuntimeInbox.Job(operation: operation, body: job, otherwise: otherwise)) else {
            return
        }
        drainInboxLater()
    }

    /// Adds a job that runs in a later turn than all that were added before, or outside of one where none comes.
    package nonisolated func enqueueInNextTurn(_ job: @escaping @Sendable (JSContext) -> Void) {
        // Jobs that are added in a turn belong to the next, also when that turn is stopped.
        enqueue({ _ in self.enqueue(job, otherwise: job) }, otherwise: job)
    }

    nonisolated private func drainInboxLater() {
        submit { runtime, core in
            if core.drainInbox() { runtime.drainInboxLater() }
        }
    }

    /// Runs work where the engine may be touched, later.
    nonisolated func submit(_ work: @escaping @Sendable (JavaScriptRuntime, RuntimeCore) -> Void) {
        switch home {
        case .shared: Task { await self.run(work) }
        // Not as a task of Swift: the thread is the executor, and work on it is on this actor.
        case .thread(let thread): thread.perform { work(self, self.sharedCore) }
        }
    }

    /// Runs work where the engine may be touched, later, if the runtime is there still.
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

    /// Whether somebody waits for this runtime to be idle.
    package nonisolated var isAwaitedToBeIdle: Bool { inbox.isAwaited }

    /// Waits until no job and no referenced timer waits and the rooms above have nothing under way.
    package func waitUntilIdle() async {
        inbox.setAwaited(true)
        await withCheckedContinuation { waiter in submit { _, core in core.notifyWhenIdle(waiter) } }
    }

    /// Sets what says whether a room above has something under way.
    ///
    /// It must add a job when that ends.
    package nonisolated func setBusyCheck(_ isBusy: @escaping @Sendable () -> Bool) {
        inbox.setBusyCheck(isBusy)
    }
}
