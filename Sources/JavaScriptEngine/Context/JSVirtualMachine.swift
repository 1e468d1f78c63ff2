internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// One instance of the engine: a heap, a queue of microtasks and a time limit, shared by its contexts.
///
/// A virtual machine and everything made in it has one owner at a time, a thread or an actor; it is not
/// `Sendable`. Values of two virtual machines never meet. One costs about 0.7 MB and 0.6 to 2.6 ms to make.
public final class JSVirtualMachine {
    let group: JSContextGroupRef
    let watchdog: Watchdog
    /// The contexts that are alive, by the engine's address, for callbacks to find theirs.
    var contexts: [OpaquePointer: WeakContext] = [:]
    // Almost all callbacks come from the context of the one before, and an address is compared sooner than
    // hashed.
    private var latest: (ref: OpaquePointer, context: WeakContext)?
    /// The context that was made first: where a function may live that outlives other contexts.
    var oldestContext: WeakContext?
    /// What the turn that is being opened runs.
    var turnBody: (() -> Void)?
    /// Work that runs after the body and the microtasks of every turn, inside it; returns whether it did any.
    var turnWork: [(context: WeakContext, work: () -> Bool)] = []
    /// The package's own scripts, which every context runs.
    var internalScripts = InternalScripts()
    private(set) var isInTurn = false
    private let graveyard = Graveyard()

    /// How much a script may use before it is stopped.
    ///
    /// A change of the processor time counts from the next turn on, one of the other limits for contexts that
    /// are made later.
    public var limits: ExecutionLimits {
        didSet { watchdog.limit = limits.processorTime.map(\.clampedNanoseconds) }
    }

    /// Makes a virtual machine.
    ///
    /// - Parameter limits: How much its scripts may use before they are stopped.
    public init(limits: ExecutionLimits = ExecutionLimits()) {
        _ = Capabilities.current
        group = JSContextGroupCreate()
        self.limits = limits
        watchdog = Watchdog(group: group, limit: limits.processorTime)
        watchdog.arm()
    }

    deinit {
        JSContextGroupClearExecutionTimeLimit(group)
        graveyard.release(in: nil)
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
        guard let context = contexts.values.lazy.compactMap(\.context).first else { return }
        // The handles of dead values must go first, or they keep what they stood for.
        try? context.withTurn {}
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
        if let latest, latest.ref == ref, let context = latest.context.context { return context }
        guard let ref, let global = JSContextGetGlobalContext(ref), let found = contexts[global] else {
            return nil
        }
        if ref == global { latest = (ref, found) }
        return found.context
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
        let oldest = oldestContext?.context?.ref
        for gone in graveyard.release(in: context, oldest: oldest) {
            contexts[gone] = nil
            // The engine may give the address to another context.
            if latest?.ref == gone { latest = nil }
        }
    }

    /// Marks the turn as open while a body runs.
    func markingTurn(_ body: () -> Void) {
        isInTurn = true
        let outer = jsb_current_machine()
        jsb_set_current_machine(Unmanaged.passUnretained(self).toOpaque())
        body()
        jsb_set_current_machine(outer)
        isInTurn = false
    }
}

/// A context that is not kept alive, for the tables of its machine.
struct WeakContext {
    weak var context: JSContext?
}
