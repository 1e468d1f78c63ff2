public import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// A global object and the scripts that run in it.
///
/// A context belongs to its virtual machine's owner, a thread or an actor; it is not `Sendable`. It provides `console`,
/// timers, `queueMicrotask`, events and abort signals, which the engine's own contexts lack. Values retain their
/// context. A Swift closure given to ``makeFunction(named:parameterCount:fileID:line:_:)`` must not capture its own
/// context, or neither is ever released.
public final class JSContext {
    /// The virtual machine that the context runs in.
    public let virtualMachine: JSVirtualMachine

    /// The receiver of `console` output; `nil` by default, which discards it.
    public var consoleSink: (@Sendable (ConsoleMessage) -> Void)? {
        get { console.sink }
        set { console.sink = newValue }
    }

    /// The layout of `console` output.
    public var consoleStyle: ConsoleStyle {
        get { console.style }
        set { console.style = newValue }
    }

    /// A closure that is called with every error that neither a script nor a caller catches: an error thrown in a timer
    /// or a microtask, or the reason of a rejected promise without a handler.
    ///
    /// Called once for each error.
    public var uncaughtErrorHandler: ((JSException) -> Void)? {
        get { errors.uncaughtHandler }
        set { errors.uncaughtHandler = newValue }
    }

    /// The clock of timers, of the time stamps of events, and of `console.time`.
    ///
    /// Set it before the first timer is started. Time stamps count from then.
    public var clock: any MonotonicClock {
        get { eventLoop.clock }
        set { eventLoop.clock = newValue }
    }

    /// The age of the context in milliseconds, by its clock.
    package var millisecondsSinceStart: Double { (clock.now - eventLoop.startTime).milliseconds }

    /// A closure that is called inside the turn when a timer was started or stopped, so that the owner can schedule its
    /// next wake-up.
    public var timersDidChange: (() -> Void)? {
        get { eventLoop.timersDidChange }
        set { eventLoop.timersDidChange = newValue }
    }

    /// A Boolean value that indicates whether errors include asynchronous stacks: the stack of the code that set the
    /// timer, queued the microtask or made the call.
    ///
    /// It costs 0.2 to 0.3 us for each timer and microtask, 0.3 to 0.45 us for each call, and the memory of the stack until it is done (measured).
    public var capturesAsyncStacks: Bool {
        get { stacks.capturesAsync }
        set {
            stacks.capturesAsync = newValue
            shareCapturesAsyncStacks()
        }
    }

    /// The runtime that the context belongs to, if any.
    package var runtime: JavaScriptRuntime? { life.runtime }
    /// The index of this context in the sequence of its runtime's contexts.
    package var generation: Int { life.generation }
    /// A Boolean value that indicates whether ``close()`` was called.
    public var isClosed: Bool { life.isClosed }

    let ref: JSGlobalContextRef
    /// The slab of values, created after the engine has started, because the width of strings is not known before.
    let slab: ValueSlab
    /// The way scalar values cross this context's boundary.
    @usableFromInline let scalars: ScalarConverter
    /// The codecs by type, as far as they were used.
    @usableFromInline private(set) lazy var codecs = CodecTable(self)
    /// The counter of the current payload; a constant, because each access of a variable is checked for exclusivity.
    let decodeMeter: UnsafeMutablePointer<DecodeMeter>
    private(set) var script = ContextScript()
    // The state of each part, in the files of that part.
    package let hooks = ContextHooks()
    var life = ContextLife()
    var held = HeldValues()
    let eventLoop = ContextEventLoop()
    package let errors = ContextErrors()
    var stacks = ContextStacks()
    let console = ContextConsole()
    let modules = ContextModules()
    let globals: ContextGlobals
    private let trackedObject = LeakTracking.note(.context)

    /// Creates a context.
    ///
    /// Its globals are installed when the first script runs in it or an object of it is requested. Until then, another
    /// context in a living virtual machine costs about as much as one of the engine's own (0.07 ms); the installation
    /// takes 0.5 ms more.
    ///
    /// - Parameters:
    ///   - virtualMachine: The machine of the context; a new one by default.
    ///   - globals: The names that scripts find beside those of the language.
    /// - Throws: ``ExecutionLimitsError`` if the limits weaken their tier, or have a memory limit that the system
    ///   cannot enforce; ``JSException`` if the engine cannot create a context, or the process can open too few file
    ///   descriptors.
    public init(virtualMachine: JSVirtualMachine = JSVirtualMachine(), globals: GlobalSet = .web) throws {
        try virtualMachine.limits.validated()
        if let failure = virtualMachine.startFailure { throw failure }
        try virtualMachine.limits.checkMemoryLimit(isSupported: Capabilities.current.supportsMemoryLimits)
        try virtualMachine.checkRetirement()
        self.virtualMachine = virtualMachine
        self.globals = ContextGlobals(globals)
        guard let ref = JSGlobalContextCreateInGroup(virtualMachine.group, nil) else {
            throw JSException(name: "Error", message: "the engine made no context")
        }
        self.ref = ref
        slab = ValueSlab()
        decodeMeter = .allocate(capacity: 1)
        decodeMeter.initialize(to: DecodeMeter())
        scalars = ScalarConverter(isFast: CallPath.current.isFast, ref: ref, meter: decodeMeter)
        JSGlobalContextSetIncludesNativeCallStackWhenReportingExceptions(ref, false)
        // This library's default is true, Apple's false.
        JSGlobalContextSetInspectable(ref, false)
        virtualMachine.contexts.insert(self)
        // Otherwise contexts that are created one after another and run nothing would never open a turn that releases.
        if !virtualMachine.isInTurn { virtualMachine.release(in: ref) }
        EngineDescriptors.seal()
    }

    deinit {
        // This may be any thread, and a turn may be open on the owner's.
        virtualMachine.releases.enqueueRelease(context: ref, holding: held.values)
        decodeMeter.deinitialize(count: 1)
        decodeMeter.deallocate()
    }

    /// Stores the functions of the package's own scripts.
    func adopt(_ script: ContextScript) {
        self.script = script
    }

    /// Returns the context whose turn is open on this thread, if it is the one at an address.
    @inline(__always)
    static func opened(_ ref: JSGlobalContextRef) -> Unmanaged<JSContext>? {
        jsb_open_context(ref).map { .fromOpaque($0) }
    }

    /// Returns the context that a callback of the engine runs in.
    static func current(_ ref: JSContextRef?) -> JSContext? {
        guard let pointer = jsb_current_machine() else { return nil }
        return Unmanaged<JSVirtualMachine>.fromOpaque(pointer).takeUnretainedValue().context(ref)
    }

    /// The source URL of the package's own scripts and native frames, which stacks leave out.
    static let internalSourceURL = "jsbridge:internal"
}

/// A context stays with its owner; sharing it is a compile-time error.
@available(*, unavailable)
extension JSContext: Sendable {}

@available(*, unavailable)
extension JSVirtualMachine: Sendable {}
