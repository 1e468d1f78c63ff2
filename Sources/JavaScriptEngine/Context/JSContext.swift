public import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// A global object and what runs in it.
///
/// A context belongs to its virtual machine's owner, a thread or an actor; it is not `Sendable`. It brings
/// `console`, timers, `queueMicrotask`, events and abort signals, which a bare context lacks. Values that hold
/// a context keep it alive; a Swift closure given to ``makeFunction(named:parameterCount:fileID:line:_:)`` must not hold
/// its own context, or neither ever goes.
public final class JSContext {
    /// The virtual machine that the context runs in.
    public let virtualMachine: JSVirtualMachine

    /// Where `console` writes.
    ///
    /// By default nowhere.
    public var consoleSink: (@Sendable (ConsoleMessage) -> Void)?

    /// How `console` lays its output out.
    public var consoleStyle = ConsoleStyle()

    /// Called with every error that no script and no caller catches: thrown in a timer or a microtask, or a
    /// rejected promise that nobody handles.
    ///
    /// Once for each.
    public var uncaughtErrorHandler: ((JSException) -> Void)?

    /// What timers, the time stamps of events and `console.time` go by.
    ///
    /// Set it before the first timer is started. Time stamps count from then.
    public var clock: any MonotonicClock = SystemClock() {
        didSet { startTime = clock.now }
    }

    // When the context was made, on its clock.
    private var startTime = SystemClock().now

    /// How long the context has been there, by its clock.
    package var millisecondsSinceStart: Double {
        let (seconds, attoseconds) = (clock.now - startTime).components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }

    /// Called when a timer was started or stopped, inside the turn, for the owner to arrange its next
    /// wake-up.
    public var timersDidChange: (() -> Void)?

    /// Whether errors tell who asked for what ran: the stacks of whoever set the timer, queued the microtask or
    /// made the call.
    ///
    /// It costs 0.2 to 0.3 us for each of these, and the memory of the stack until it is done (measured).
    public var capturesAsyncStacks = true { didSet { shareCapturesAsyncStacks() } }

    /// Called after the engine stopped a script of this context, outside the turn.
    package var terminationHandler: ((JSException) -> Void)?

    /// Called inside a turn, before anything else, with the number of the operation that it belongs to, or 0, where that is
    /// another than that of the turn before.
    package var operationDidChange: ((Int) -> Void)?
    var lastOperation = 0

    /// What is done at the beginning of the next turn, before anything else runs in it; what gives false was kept from it, and
    /// is done again in the turn after that.
    package var turnPreparations: [() -> Bool] = []

    /// What sees what is done to the context; it must not hold it.
    package var observer: (any ContextObserver)?
    /// Whether timers fire only where ``fireHeldTimer(_:)`` says so.
    package var holdsTimers = false

    /// The runtime that the context belongs to, if any.
    package internal(set) weak var runtime: JavaScriptRuntime?
    /// Adds a job to the queue of the runtime that the context belongs to; `nil` where it belongs to none.
    var enqueue: (@Sendable (RuntimeInbox.Job) -> Void)?

    let ref: JSGlobalContextRef
    /// Who in Swift waits for promises of this context.
    var promiseWaiters = PromiseWaiters()
    /// Which of its runtime's contexts this is, in the order in which they followed each other.
    package internal(set) var generation = 0
    /// The tasks whose promises have settled in this turn, for the runtime to let them go on after it.
    var resumptions: [(UnsafeContinuation<Void, any Error>, (any Error)?)] = []
    /// The asynchronous functions of Swift that scripts of this context wait for.
    let asyncCalls = AsyncCalls()
    /// Made once the engine has started, which says how wide strings are.
    let slab: ValueSlab
    var timers = TimerQueue()
    var console = ConsoleMeter()
    /// Which version of the machine's limits the context has.
    var appliedLimits = 0
    /// What a closure returns that failed; the wrapper around it throws ``pendingFailure``.
    private(set) var failed = EncodedValue.undefined
    /// The text without characters.
    private(set) var emptyText = EncodedValue.undefined
    /// How types cross, as found out so far.
    @usableFromInline private(set) lazy var codecs = CodecTable(self)
    /// How much of the present payload has been read.
    let decodeMeter: UnsafeMutablePointer<DecodeMeter>
    /// The error of the closure that failed last, until its wrapper throws it.
    var pendingFailure: (any Error)?
    /// Which kind of object the boxes of host functions are; 0 where the fast lane does not serve.
    var boxStructure: UInt32 = 0
    /// The way of leaves across this context's border.
    @usableFromInline let lane: Lane
    var sources = SourceTexts() { didSet { knownTraceSources = nil } }
    /// The functions of Swift that scripts can call, by name, for stacks.
    var hostFunctions: [String: StackFrame] = [:] { didSet { knownTraceSources = nil } }
    /// Both as errors keep them, until one changes.
    var knownTraceSources: TraceSources?
    /// What the script's half took apart last, for whoever asked it to, and what its causes were made of.
    var described: JSException?
    /// What the handler that the host watches threw last.
    package var notedFailure: JSException?
    var causeOrigins: [Int: ErrorOrigin] = [:]
    /// The function that threw the last time: whoever threw once may throw often.
    var lastThrower: JSObjectRef?
    /// Whether something that a script asked for earlier has run in this turn.
    var mayHaveOrigin = false
    /// Functions of the language that were asked for, protected like ``held``.
    var primordials: [String: JSObjectRef] = [:]
    /// Where bytes are copied through on their way to Swift.
    var byteArea: (array: JSObjectRef, memory: UnsafeMutableRawPointer)?
    /// What the context itself protects, until it goes.
    var held: [JSValueRef] = []
    /// What hands values over as they are, among ``held``.
    var plainSlot: JSObjectRef?
    /// The closures that scripts of this context can call.
    let closures = ClosureList()
    /// Whether ``close()`` was called.
    public internal(set) var isClosed = false
    private let census = Census.note(.context)
    /// What a turn enters through; `nil` until the context is prepared.
    var trampoline: JSObjectRef?
    private(set) var script = ContextScript()
    /// Whether the package's own scripts have begun to run: they do so before anything else.
    var isPrepared = false
    /// Whether somebody has an object of the context, through which a script can reach it.
    var isExposed = false

    /// Makes a context.
    ///
    /// What it brings is put into it when the first thing runs in it or gets an object of it. Until then another
    /// context in a living virtual machine costs about what a bare one does (0.07 ms), then 0.5 ms more.
    ///
    /// - Parameter virtualMachine: Where it runs; a new one by default.
    /// - Throws: ``ExecutionLimitsError`` where the limits weaken their tier, or have a memory limit that the system cannot
    ///   keep; ``JSException`` where the engine makes no context, or the process can open too few file descriptors.
    public init(virtualMachine: JSVirtualMachine = JSVirtualMachine()) throws {
        try virtualMachine.limits.validated()
        if let failure = virtualMachine.startFailure { throw failure }
        try virtualMachine.limits.checkMemoryLimit(isSupported: Capabilities.current.supportsMemoryLimits)
        try virtualMachine.checkRetirement()
        self.virtualMachine = virtualMachine
        guard let ref = JSGlobalContextCreateInGroup(virtualMachine.group, nil) else {
            throw JSException(name: "Error", message: "the engine made no context")
        }
        self.ref = ref
        slab = ValueSlab()
        decodeMeter = .allocate(capacity: 1)
        decodeMeter.initialize(to: DecodeMeter())
        lane = Lane(isFast: CrossingLane.current.isFast, ref: ref, meter: decodeMeter)
        JSGlobalContextSetIncludesNativeCallStackWhenReportingExceptions(ref, false)
        // This library's default is true, Apple's false.
        JSGlobalContextSetInspectable(ref, false)
        virtualMachine.contexts[ref] = WeakContext(context: self)
        if virtualMachine.oldestContext?.context == nil {
            virtualMachine.oldestContext = WeakContext(context: self)
        }
        // Contexts that are made one after another, and run nothing, open no turn that would do it.
        if !virtualMachine.isInTurn { virtualMachine.release(in: ref) }
        EngineDescriptors.seal()
    }

    deinit {
        // It may be any thread, and a turn may be open on the owner's.
        virtualMachine.releases.bury(context: ref, holding: held)
        decodeMeter.deinitialize(count: 1)
        decodeMeter.deallocate()
    }

    /// Takes the functions of the package's own scripts over.
    func adopt(_ script: ContextScript) {
        self.script = script
        failed = EncodedValue(script.failed)
        emptyText = EncodedValue(script.emptyText)
    }

    /// The context whose turn is open on this thread, if it is the one at an address.
    @inline(__always)
    static func opened(_ ref: JSGlobalContextRef) -> Unmanaged<JSContext>? {
        jsb_open_context(ref).map { .fromOpaque($0) }
    }

    /// The context that a callback of the engine runs in.
    static func current(_ ref: JSContextRef?) -> JSContext? {
        guard let pointer = jsb_current_machine() else { return nil }
        return Unmanaged<JSVirtualMachine>.fromOpaque(pointer).takeUnretainedValue().context(ref)
    }

    /// The name of the package's own scripts and native frames: what stacks leave out.
    static let internalSourceURL = "jsbridge:internal"
}

/// Misuse is an error of the compiler: a context stays with its owner.
@available(*, unavailable)
extension JSContext: Sendable {}

@available(*, unavailable)
extension JSVirtualMachine: Sendable {}
