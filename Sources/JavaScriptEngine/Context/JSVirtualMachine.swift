package import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// One instance of the engine: a heap, a queue of microtasks and a time limit, shared by its contexts.
///
/// A virtual machine and everything made in it has one owner at a time, a thread or an actor; it is not
/// `Sendable`. Values of two virtual machines never meet. One costs about 0.7 MB and 0.6 to 2.6 ms to make.
public final class JSVirtualMachine {
    /// The engine's object; `nil` only where ``startFailure`` is set, and then there is never a context.
    let group: JSContextGroupRef!
    /// Why the engine could not be asked for a machine, which each of its contexts throws.
    let startFailure: (any Error)?
    /// Whether the library runs microtasks when it is told, inside the entry that a turn is.
    let drainsInside: Bool
    let watchdog: Watchdog
    /// The limit of native work inside turns of this machine: it ends where a script would.
    private(set) lazy var workLimit = WorkLimit { [unowned self] in
        try watchdog.checkNativeWork(in: turnContext)
    }
    /// The contexts that are alive, by the engine's address, for callbacks to find theirs.
    var contexts: [OpaquePointer: WeakContext] = [:]
    // Almost all callbacks come from the context of the one before, and an address is compared sooner than
    // hashed.
    private var latest: (ref: OpaquePointer, context: WeakContext)?
    /// Whether somebody may have an object of a context that is not prepared.
    var hasExposedContexts = false
    /// The context that was made first: where a function may live that outlives other contexts.
    var oldestContext: WeakContext?
    /// What the trampoline of the turn that is being opened calls.
    var turnBody: (() -> Void)?
    /// Work that runs after the body and the microtasks of every turn, inside it; returns whether it did any.
    var turnWork: [(context: WeakContext, work: () -> Bool)] = []
    /// The package's own scripts, which every context runs.
    var internalScripts = InternalScripts()
    private(set) var isInTurn = false
    /// The context that opened the turn, as long as it lasts.
    private(set) var turnContext: JSGlobalContextRef?
    private(set) var turnCount = 0
    var idle = IdleState()
    private let census = Census.note(.virtualMachine)
    private let graveyard: Graveyard
    /// Who keeps which managed value.
    let managedReferences: ManagedReferences

    /// How much a script may use before it is stopped.
    ///
    /// See ``updateLimits(_:)``.
    public private(set) var limits: ExecutionLimits
    /// How often the limits were changed, for contexts to see that theirs are old.
    private(set) var limitsVersion = 0
    // Of the limits, what every payload is held against.
    private(set) var maximumDepth: Int
    private(set) var maximumNodes: Int
    private(set) var maximumPayloadBytes: Int
    /// The termination after which nothing runs any more.
    var retiredBy: JSException?

    /// The way to end a script of this machine from another thread.
    public var interruptHandle: JSInterruptHandle { JSInterruptHandle(signal: watchdog.signal) }

    /// When garbage is collected while nothing runs.
    public var idleCollection = IdleCollection()

    /// Makes a virtual machine.
    ///
    /// - Parameter limits: How much its scripts may use before they are stopped. Limits that weaken their tier
    ///   are refused when a context is made, and so is a process that can open too few file descriptors.
    public convenience init(limits: ExecutionLimits = .trusted) {
        self.init(limits: limits, clock: SystemClock())
    }

    /// Makes a virtual machine whose deadlines go by a clock.
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
        graveyard = Graveyard()
        managedReferences = ManagedReferences(releases: graveyard)
        self.limits = limits
        maximumDepth = limits.usableDepth
        maximumNodes = limits.maximumNodes
        maximumPayloadBytes = limits.maximumPayloadBytes
        watchdog = Watchdog(group: group, limits: limits, clock: clock, countsByItself: !drainsInside)
        if group != nil { watchdog.arm() }
    }

    deinit {
        guard let group else { return }
        JSContextGroupClearExecutionTimeLimit(group)
        graveyard.release(in: nil, group: group)
        managedReferences.close(group: group)
        internalScripts.release()
        // This finalizes what is left, protected objects too.
        JSContextGroupRelease(group)
        graveyard.release(in: nil)
    }

    /// Collects garbage now.
    ///
    /// Only the owner may call it, outside a turn.
    public func collectGarbage() {
        precondition(!isInTurn, "collectGarbage() inside a turn: call it when no script is running")
        let living = contexts.values.compactMap(\.context)
        guard let context = living.first(where: { !$0.isClosed }) ?? living.first else { return }
        // The handles of dead values must go first, or they keep what they stood for.
        JSOperation.withCurrent(nil) { try? context.withTurn {} }
        JSSynchronousGarbageCollectForDebugging(context.ref)
        release(in: context.ref)
    }

    /// Notes a handle whose Swift owner is gone.
    ///
    /// It may be gone on any thread and in the middle of anything, so the handle itself goes at the next
    /// turn.
    var releases: Graveyard { graveyard }

    /// The context that a callback of the engine runs in.
    func context(_ ref: JSContextRef?) -> JSContext? {
        // A turn keeps its context alive, so that no weak reference has to be asked.
        if let ref, let open = JSContext.opened(ref) { return open.takeUnretainedValue() }
        if let latest, latest.ref == ref, let context = latest.context.context { return context }
        guard let ref, let global = JSContextGetGlobalContext(ref), let found = contexts[global] else {
            return nil
        }
        if ref == global { latest = (ref, found) }
        return found.context
    }

    /// Changes the limits without asking whether they may be.
    func replaceLimits(_ limits: ExecutionLimits) {
        self.limits = limits
        watchdog.limits = limits
        maximumDepth = limits.usableDepth
        maximumNodes = limits.maximumNodes
        maximumPayloadBytes = limits.maximumPayloadBytes
        limitsVersion += 1
    }

    /// Does the work that waits for turns; returns whether there was any.
    func doTurnWork() -> Bool {
        var hasWorked = false
        for entry in turnWork where entry.context.context != nil {
            if entry.work() { hasWorked = true }
        }
        return hasWorked
    }

    /// Gives back what was left for the next turn.
    func release(in context: JSContextRef) {
        guard graveyard.hasNotes else { return }
        let oldest = oldestContext?.context?.ref
        for gone in graveyard.release(in: context, group: group, oldest: oldest) {
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

/// A context that is not kept alive, for the tables of its machine.
struct WeakContext {
    weak var context: JSContext?
}
