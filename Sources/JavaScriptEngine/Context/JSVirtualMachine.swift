internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// One instance of the engine: a heap, a queue of microtasks and a time limit, shared by its contexts.
///
/// A virtual machine and everything made in it has one owner at a time, a thread or an actor; it is not
/// `Sendable`. Values of two virtual machines never meet. One costs about 0.7 MB and 0.6 to 2.6 ms to make.
public final class JSVirtualMachine {
    let group: JSContextGroupRef
    let watchdog: Watchdog
    /// The contexts that are alive, by the engine's address, for callbacks to find theirs.
    var contexts: [OpaquePointer: Unowned<JSContext>] = [:]
    /// What the turn that is being opened runs.
    var turnBody: (() -> Void)?
    /// Work that runs after the body and the microtasks of every turn, inside it; returns whether it did any.
    var turnWork: [() -> Bool] = []
    private(set) var isInTurn = false
    private let graveyard = Graveyard()

    /// How much a script may use before it is stopped.
    ///
    /// A change counts from the next turn on.
    public var limits: ExecutionLimits {
        didSet { watchdog.limit = limits.processorTime.map(\.nanosecondCount) }
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
        graveyard.close()
        JSContextGroupClearExecutionTimeLimit(group)
        JSContextGroupRelease(group)
    }

    /// Collects garbage now.
    ///
    /// Only the owner may call it, outside a turn.
    public func collectGarbage() {
        precondition(!isInTurn, "collectGarbage() inside a turn: call it when no script is running")
        guard let context = contexts.values.first?.object else { return }
        // The handles of dead values must go first, or they keep what they stood for.
        try? context.withTurn {}
        JSSynchronousGarbageCollectForDebugging(context.ref)
    }

    /// Notes a handle whose Swift owner is gone.
    ///
    /// It may be gone on any thread and in the middle of anything, so the handle itself goes at the next
    /// turn.
    var releases: Graveyard { graveyard }

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

/// A reference that keeps nothing alive, for a table whose entries are removed when their object goes.
struct Unowned<Object: AnyObject> {
    unowned let object: Object
}

/// The handles of values whose Swift owners are gone, until the next turn takes them back.
final class Graveyard: Sendable {
    // @unchecked Sendable because an address is only data here; the owner of the engine alone follows it.
    private struct Handles: @unchecked Sendable {
        var values: [JSValueRef] = []
        var isClosed = false
    }

    private let handles = Mutex(Handles())

    /// Adds a handle.
    ///
    /// After the engine is gone there is nothing to take back.
    func bury(_ value: JSValueRef) {
        // A pointer cannot be captured by a Sendable region as it is.
        let address = UInt(bitPattern: value)
        handles.withLock { handles in
            guard !handles.isClosed, let value = JSValueRef(bitPattern: address) else { return }
            handles.values.append(value)
        }
    }

    /// Unprotects what was added since the last time.
    func release(in context: JSContextRef) {
        let addresses = handles.withLock { handles in
            defer { handles.values.removeAll(keepingCapacity: true) }
            return handles.values.map { UInt(bitPattern: $0) }
        }
        for address in addresses { JSValueUnprotect(context, JSValueRef(bitPattern: address)) }
    }

    func close() { handles.withLock { $0.isClosed = true } }
}
