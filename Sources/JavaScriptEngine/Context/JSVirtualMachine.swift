package import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// One instance of the engine: a heap, a queue of microtasks and a time limit, shared by its contexts.
///
/// A virtual machine and everything created in it has one owner at a time, a thread or an actor; it is not `Sendable`.
/// Values of two virtual machines never mix. Creating one takes 0.6 to 2.6 ms and about 0.7 MB.
public final class JSVirtualMachine {
    private let engine: EngineGroup
    let watchdog: Watchdog
    /// The limit for native work inside turns of this machine: it ends the work where it would end a script.
    private(set) lazy var workLimit = WorkLimit { [unowned self] in
        try watchdog.checkNativeWork(in: turnContext)
    }
    // No access runs code that may use the machine, so dynamic exclusivity checks are off, here and for the turn.
    @exclusivity(unchecked) var contexts = ContextTable()
    @exclusivity(unchecked) private(set) var turn = MachineTurn()
    /// Work that runs inside every turn, after its body and microtasks.
    ///
    /// It returns whether it did anything.
    var turnWork: [(context: WeakContext, work: () -> Bool)] = []
    /// The package's own scripts, which every context runs.
    var internalScripts = InternalScripts()
    private var idle = IdleCollector()
    /// The inspectors of contexts; those that are detached are in use by the engine until the machine is released.
    var inspectors: [ContextInspector] = []
    private let trackedObject = LeakTracking.note(.virtualMachine)
    private let releaseQueue: DeferredReleaseQueue
    /// The owners of each managed value.
    let managedReferences: ManagedReferences
    // Read for every payload; no access runs other code, so dynamic exclusivity checks are off.
    @exclusivity(unchecked) private var currentLimits: MachineLimits
    /// The termination after which nothing runs any more.
    var retiredBy: JSException?

    /// A handle that terminates a script of this machine from another thread.
    public var interruptHandle: JSInterruptHandle { JSInterruptHandle(signal: watchdog.signal) }

    /// The limits after which a script is terminated.
    ///
    /// Change them with ``updateLimits(_:)``.
    public var limits: ExecutionLimits { currentLimits.values }

    /// The policy for collecting garbage while nothing runs.
    public var idleCollection: IdleCollection {
        get { idle.policy }
        set { idle.policy = newValue }
    }

    /// Creates a virtual machine.
    ///
    /// - Parameter limits: The limits after which its scripts are terminated. Creating a context throws if the limits
    ///   weaken their tier, or if the process can open too few file descriptors.
    public convenience init(limits: ExecutionLimits = .trusted) {
        self.init(limits: limits, clock: SystemClock())
    }

    /// Creates a virtual machine whose deadlines follow a clock.
    package init(limits: ExecutionLimits, clock: any MonotonicClock) {
        engine = EngineGroup()
        releaseQueue = DeferredReleaseQueue()
        managedReferences = ManagedReferences(releases: releaseQueue)
        currentLimits = MachineLimits(limits)
        watchdog = Watchdog(
            group: engine.ref,
            limits: limits,
            clock: clock,
            checksTimeAtBoundary: !engine.drainsInside
        )
        if engine.ref != nil { watchdog.arm() }
    }

    deinit {
        guard let group else { return }
        JSContextGroupClearExecutionTimeLimit(group)
        for inspector in inspectors { inspector.detach() }
        releaseQueue.release(in: nil, group: group)
        managedReferences.close(group: group)
        internalScripts.release()
        // This finalizes the remaining objects, protected ones too.
        JSContextGroupRelease(group)
        releaseQueue.release(in: nil)
    }

    /// Collects garbage now.
    ///
    /// Only the owner may call it, outside a turn.
    public func collectGarbage() {
        precondition(!isInTurn, "collectGarbage() inside a turn: call it when no script is running")
        let living = contexts.living
        guard let context = living.first(where: { !$0.isClosed }) ?? living.first else { return }
        // The handles of dead values must be released first, or they retain their objects.
        ExecutionBudget.withCurrent(nil) { try? context.withTurn {} }
        JSSynchronousGarbageCollectForDebugging(context.ref)
        release(in: context.ref)
    }

    /// The queue for handles whose Swift owner was released.
    ///
    /// A handle's owner can be released on any thread at any time, so the handle itself is released at the next turn.
    var releases: DeferredReleaseQueue { releaseQueue }

    /// Collects garbage if the process has grown enough by ``idleCollection``.
    ///
    /// The owner calls it outside a turn, when nothing is waiting to run. If less than 10 ms of processor time and
    /// fewer than 1,024 turns have passed since the last call, it costs two comparisons.
    ///
    /// - Returns: Whether it collected.
    @discardableResult
    public func collectIfIdle() -> Bool {
        precondition(!isInTurn, "collectIfIdle() inside a turn: call it when no script is running")
        guard idle.needsLook(ticks: watchdog.tickCount, turns: turn.count),
            let resident = ResidentMemory.bytes, idle.isDue(resident: resident)
        else { return false }
        collectGarbage()
        idle.didCollect(resident: ResidentMemory.bytes ?? resident)
        return true
    }

    /// Returns the context that a callback of the engine runs in.
    func context(_ ref: JSContextRef?) -> JSContext? {
        // A turn keeps its context alive, so this avoids a weak reference.
        if let ref, let open = JSContext.opened(ref) { return open.takeUnretainedValue() }
        return contexts.find(ref)
    }

    /// Changes the limits without checking whether the change is permitted.
    func replaceLimits(_ limits: ExecutionLimits) {
        currentLimits.replace(by: limits)
        watchdog.limits = limits
    }

    /// Does the work that waits for turns.
    ///
    /// Returns whether there was any.
    func doTurnWork() -> Bool {
        var hasWorked = false
        for entry in turnWork where entry.context.context != nil {
            if entry.work() { hasWorked = true }
        }
        return hasWorked
    }

    /// Releases the entries that were queued for the next turn.
    func release(in context: JSContextRef) {
        guard releaseQueue.hasNotes else { return }
        if !inspectors.isEmpty { detachOrphans() }
        for gone in releaseQueue.release(in: context, group: group, oldest: contexts.oldest?.ref) {
            contexts.remove(gone)
        }
        managedReferences.sweep()
    }

    /// Sets the closure that the trampoline calls for the turn that is being opened.
    func setTurnBody(_ body: (() -> Void)?) { turn.body = body }

    /// Marks the turn as open while a body runs.
    func markingTurn(of context: JSContext, _ body: () -> Void) {
        turn.open(in: context.ref)
        let outer = jsb_current_turn()
        jsb_set_current_turn(
            jsb_turn(
                machine: Unmanaged.passUnretained(self).toOpaque(),
                global: context.ref,
                context: Unmanaged.passUnretained(context).toOpaque(),
                nested_calls: 0,
                maximum_nested_calls: Int32(clamping: currentLimits.values.maximumNestedCalls),
                is_stopped: false
            )
        )
        WorkLimit.replaceCurrent(by: workLimit, during: body)
        jsb_set_current_turn(outer)
        turn.close()
    }
}

extension JSVirtualMachine {
    /// The engine's object; `nil` only if ``startFailure`` is set, and then there is never a context.
    var group: JSContextGroupRef! { engine.ref }
    /// The error that prevented the machine's creation.
    var startFailure: (any Error)? { engine.failure }
    /// A Boolean value that indicates whether a turn is one entry into the engine.
    var drainsInside: Bool { engine.drainsInside }

    var isInTurn: Bool { turn.isOpen }
    /// The context that opened the current turn.
    var turnContext: JSGlobalContextRef? { turn.context }
    var turnCount: Int { turn.count }

    var limitsVersion: Int { currentLimits.version }
    var maximumDepth: Int { currentLimits.maximumDepth }
    var maximumNodes: Int { currentLimits.maximumNodes }
    var maximumPayloadBytes: Int { currentLimits.maximumPayloadBytes }
}
