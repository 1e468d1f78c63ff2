public import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// A global object and what runs in it.
///
/// A context belongs to its virtual machine's owner, a thread or an actor; it is not `Sendable`. It brings
/// `console`, timers and `queueMicrotask`, which a bare context lacks. Values that hold a context keep it
/// alive; a Swift closure given to ``makeFunction(named:parameterCount:_:)`` must not hold its own context,
/// or neither ever goes.
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

    /// What timers go by.
    ///
    /// Set it before the first timer is started.
    public var clock: any MonotonicClock = SystemClock()

    /// Called when a timer was started or stopped, inside the turn, for the owner to arrange its next
    /// wake-up.
    public var timersDidChange: (() -> Void)?

    /// Called after the engine stopped a script of this context, outside the turn.
    package var terminationHandler: ((JSException) -> Void)?

    /// Adds a job to the queue of the runtime that the context belongs to; `nil` where it belongs to none.
    var enqueue: (@Sendable (_ job: @escaping @Sendable (JSContext) -> Void) -> Void)?

    let ref: JSGlobalContextRef
    /// Who in Swift waits for promises of this context.
    let promiseWaiters = PromiseWaiters()
    /// The tasks whose promises have settled in this turn, for the runtime to let them go on after it.
    var resumptions: [(CheckedContinuation<Void, any Error>, Result<Void, any Error>)] = []
    /// The asynchronous functions of Swift that scripts of this context wait for.
    let asyncCalls = AsyncCalls()
    let slab = ValueSlab()
    var timers = TimerQueue()
    var console = ConsoleMeter()
    /// Which version of the machine's limits the context has.
    var appliedLimits = 0
    var sources = SourceTexts()
    /// What the context itself protects, until it goes.
    var held: [JSValueRef]
    private(set) var trampoline: JSObjectRef
    private(set) var script: ContextScript

    /// Makes a context.
    ///
    /// - Parameter virtualMachine: Where it runs; a new one by default. Another context in a living virtual
    ///   machine costs about 0.2 ms.
    /// - Throws: ``ExecutionLimitsError`` where the limits weaken their tier; ``JSException`` if the package's
    ///   own script does not run, which is a mistake of this package.
    public init(virtualMachine: JSVirtualMachine = JSVirtualMachine()) throws {
        try virtualMachine.limits.validated()
        try virtualMachine.checkRetirement()
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
                if let machine = jsb_current_machine() {
                    Unmanaged<JSVirtualMachine>.fromOpaque(machine).takeUnretainedValue().turnBody?()
                }
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
