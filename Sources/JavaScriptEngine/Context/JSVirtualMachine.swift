package import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// One instance of the engine: a heap, a queue of microtasks and a time limit, shared by its contexts.
///
/// A virtual machine and everything created in it has one owner at a time, a thread or an actor; it is not `Sendable`.
/// Values of two virtual machines never mix. Creating one takes 0.6 to 2.6 ms and about 0.7 MB.
public final class JSVirtualMachine {
    /// The engine's object; `nil` only if ``startFailure`` is set, and then there is never a context.
    let group: JSContextGroupRef!
    /// The error that prevented the machine's creation.
    ///
    /// Each of its contexts throws it.
    let startFailure: (any Error)?
    /// A Boolean value that indicates whether the library can run microtasks on request, inside the entry that a turn
    /// is.
    let drainsInside: Bool
    let watchdog: Watchdog
    /// The limit for native work inside turns of this machine: it ends the work where it would end a script.
    private(set) lazy var workLimit = WorkLimit { [unowned self] in
        try watchdog.checkNativeWork(in: turnContext)
    }
    /// The living contexts, by the engine's address, so that callbacks find theirs.
    var contexts: [OpaquePointer: WeakContext] = [:]
    // Almost all callbacks come from the same context as the previous one, and comparing an address is faster than
    // hashing it.
    private var latest: (ref: OpaquePointer, context: WeakContext)?
    /// A Boolean value that indicates whether an object of a context that is not prepared may have been handed out.
    var hasExposedContexts = false
    /// A Boolean value that indicates whether a context has rejections to report at the end of the turn.
    var hasRejections = false
    /// The context that was created first.
    ///
    /// It can own a function that outlives other contexts.
    var oldestContext: WeakContext?
    /// The closure that the trampoline calls for the turn that is being opened.
    var turnBody: (() -> Void)?
    /// Work that runs inside every turn, after its body and microtasks.
    ///
    /// It returns whether it did anything.
    var turnWork: [(context: WeakContext, work: () -> Bool)] = []
    /// The package's own scripts, which every context runs.
    var internalScripts = InternalScripts()
    private(set) var isInTurn = false
    /// The context that opened the current turn.
    private(set) var turnContext: JSGlobalContextRef?
    private(set) var turnCount = 0
    var idle = IdleState()
    /// The inspectors of contexts; those that are detached are in use by the engine until the machine is released.
    var inspectors: [ContextInspector] = []
    private let trackedObject = LeakTracking.note(.virtualMachine)
    private let releaseQueue: DeferredReleaseQueue
    /// The owners of each managed value.
    let managedReferences: ManagedReferences

    /// The limits after which a script is terminated.
    ///
    /// Change them with ``updateLimits(_:)``.
    public private(set) var limits: ExecutionLimits
    /// The number of changes of the limits, by which contexts detect that theirs are old.
    private(set) var limitsVersion = 0
    // Copies of the limits that every payload is checked against.
    private(set) var maximumDepth: Int
    private(set) var maximumNodes: Int
    private(set) var maximumPayloadBytes: Int
    /// The termination after which nothing runs any more.
    var retiredBy: JSException?

    /// A handle that terminates a script of this machine from another thread.
    public var interruptHandle: JSInterruptHandle { JSInterruptHandle(signal: watchdog.signal) }

    /// The policy for collecting garbage while nothing runs.
    public var idleCollection = IdleCollection()

    /// Creates a virtual machine.
    ///
    /// - Parameter limits: The limits after which its scripts are terminated. Creating a context throws if the limits
    ///   weaken their tier, or if the process can open too few file descriptors.
    public convenience init(limits: ExecutionLimits = .trusted) {
        self.init(limits: limits, clock: SystemClock())
    }

    /// Creates a virtual machine whose deadlines follow a clock.
    package init(limits: ExecutionLimits, clock: any MonotonicClock) {
        do {
            try EngineDescriptors.check()
            drainsInside = Capabilities.current.drainsMicrotasksInTurn
            group = JSContextGroupCreate()
            startFailure = nil
        } catch {
            drainsInside = false
            group = nil
            startFailure = error
        }
        releaseQueue = DeferredReleaseQueue()
        managedReferences = ManagedReferences(releases: releaseQueue)
        self.limits = limits
        maximumDepth = limits.usableDepth
        maximumNodes = limits.maximumNodes
        maximumPayloadBytes = limits.maximumPayloadBytes
        watchdog = Watchdog(group: group, limits: limits, clock: clock, checksTimeAtBoundary: !drainsInside)
        if group != nil { watchdog.arm() }
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
        let living = contexts.values.compactMap(\.context)
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

    /// Returns the context that a callback of the engine runs in.
    func context(_ ref: JSContextRef?) -> JSContext? {
        // A turn keeps its context alive, so this avoids a weak reference.
        if let ref, let open = JSContext.opened(ref) { return open.takeUnretainedValue() }
        if let latest, latest.ref == ref, let context = latest.context.context { return context }
        guard let ref, let global = JSContextGetGlobalContext(ref), let found = contexts[global] else {
            return nil
        }
        if ref == global { latest = (ref, found) }
        return found.context
    }

    /// Changes the limits without checking whether the change is permitted.
    func replaceLimits(_ limits: ExecutionLimits) {
        self.limits = limits
        watchdog.limits = limits
        maximumDepth = limits.usableDepth
        maximumNodes = limits.maximumNodes
        maximumPayloadBytes = limits.maximumPayloadBytes
        limitsVersion += 1
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
        let oldest = oldestContext?.context?.ref
        for gone in releaseQueue.release(in: context, group: group, oldest: oldest) {
            contexts[gone] = nil
            // The engine may give the address to another context.
            if latest?.ref == gone { latest = nil }
        }
        managedReferences.sweep()
    }

    /// Marks the turn as open while a body runs.
    func markingTurn(of context: JSContext, _ body: () -> Void) {
        isInTurn = true
        turnCount &+= 1
        turnContext = context.ref
        let outer = jsb_current_turn()
        jsb_set_current_turn(
            jsb_turn(
                machine: Unmanaged.passUnretained(self).toOpaque(),
                global: context.ref,
                context: Unmanaged.passUnretained(context).toOpaque(),
                nested_calls: 0,
                maximum_nested_calls: Int32(clamping: limits.maximumNestedCalls),
                is_stopped: false
            )
        )
        WorkLimit.replaceCurrent(by: workLimit, during: body)
        jsb_set_current_turn(outer)
        turnContext = nil
        isInTurn = false
    }
}

/// A weak reference to a context, for the tables of its machine.
struct WeakContext {
    weak var context: JSContext?
}
