public import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// A global object and what runs in it.
///
/// A context belongs to its virtual machine's owner, a thread or an actor; it is not `Sendable`. It brings
/// `console`, timers, `queueMicrotask`, events and abort signals, which a bare context lacks. Values that hold
/// a context keep it alive; a Swift closure given to ``makeFunction(named:parameterCount:_:)`` must not hold
/// its own context, or neither ever goes.
public final class JSContext {
    /// The virtual machine that the context runs in.
    public let virtualMachine: JSVirtualMachine

    /// Where `console` writes.
    ///
    /// By default nowhere.
    public var consoleSink: (@Sendable (ConsoleMessage) -> Void)?

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
    var millisecondsSinceStart: Double {
        let (seconds, attoseconds) = (clock.now - startTime).components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }

    /// Called when a timer was started or stopped, inside the turn, for the owner to arrange its next
    /// wake-up.
    public var timersDidChange: (() -> Void)?

    /// Called after the engine stopped a script of this context, outside the turn.
    package var terminationHandler: ((JSException) -> Void)?

    let ref: JSGlobalContextRef
    let slab = ValueSlab()
    var timers = TimerQueue()
    var sources = SourceTexts()
    /// What the context itself protects, until it goes.
    var held: [JSValueRef]
    private(set) var trampoline: JSObjectRef
    private(set) var script: ContextScript

    /// Makes a context.
    ///
    /// - Parameter virtualMachine: Where it runs; a new one by default. Another context in a living virtual
    ///   machine costs about 0.2 ms.
    /// - Throws: ``JSException`` if the package's own script does not run, which is a mistake of this
    ///   package.
    public init(virtualMachine: JSVirtualMachine = JSVirtualMachine()) throws {
        self.virtualMachine = virtualMachine
        guard let ref = JSGlobalContextCreateInGroup(virtualMachine.group, nil) else {
            throw JSException(name: "Error", message: "the engine made no context")
        }
        self.ref = ref
        JSGlobalContextSetIncludesNativeCallStackWhenReportingExceptions(ref, false)
        trampoline = try Self.makeTrampoline(in: ref)
        held = [trampoline]
        script = ContextScript()
        virtualMachine.contexts[ref] = WeakContext(context: self)
        if virtualMachine.oldestContext?.context == nil {
            virtualMachine.oldestContext = WeakContext(context: self)
        }
        try withTurn { script = try ContextScript(in: self) }
    }

    deinit {
        // It may be any thread, and a turn may be open on the owner's.
        virtualMachine.releases.bury(context: ref, holding: held)
    }

    /// The context that a callback of the engine runs in.
    static func current(_ ref: JSContextRef?) -> JSContext? {
        guard let pointer = jsb_current_machine() else { return nil }
        return Unmanaged<JSVirtualMachine>.fromOpaque(pointer).takeUnretainedValue().context(ref)
    }

    /// The name of the package's own scripts and native frames: what stacks leave out.
    static let internalSourceURL = "jsbridge:internal"

    private static func makeTrampoline(in ref: JSGlobalContextRef) throws -> JSObjectRef {
        let run = EngineText.with(Self.internalSourceURL) { name in
            JSObjectMakeFunctionWithCallback(ref, name) { context, _, _, _, _, _ in
                JSContext.current(context)?.runTurn()
                return JSValueMakeUndefined(context)
            }
        }
        var exception: JSValueRef?
        let make = EngineText.with("(function (run) { \"use strict\"; return function turn() { run(); }; })")
        {
            source in
            EngineText.with(internalSourceURL) { JSEvaluateScript(ref, source, nil, $0, 1, &exception) }
        }
        var arguments: [JSValueRef?] = [run]
        guard let make, let trampoline = JSObjectCallAsFunction(ref, make, nil, 1, &arguments, &exception)
        else {
            throw JSException(name: "Error", message: "the engine does not run the trampoline of turns")
        }
        JSValueProtect(ref, trampoline)
        return trampoline
    }
}

/// Misuse is an error of the compiler: a context stays with its owner.
@available(*, unavailable)
extension JSContext: Sendable {}

@available(*, unavailable)
extension JSVirtualMachine: Sendable {}
