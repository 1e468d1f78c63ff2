internal import BridgeValues
internal import CJavaScriptCore

/// The settings and functions by which the owner of a context takes part in its turns.
///
/// A class, as the types below that hold values of users: their deinitializers may enter the context again, while one of
/// the properties is replaced.
package final class ContextHooks {
    /// A closure that is called outside the turn, after the engine has terminated a script of this context.
    package var terminationHandler: ((JSException) -> Void)?
    /// A closure that is called inside a turn, before anything else, when its operation differs from that of the
    /// previous turn.
    ///
    /// The argument is the operation's number, or 0 without one.
    package var operationDidChange: ((Int) -> Void)?
    /// The operation of the previous turn.
    var lastOperation = 0
    /// The work at the beginning of the next turn, before anything else runs in it.
    ///
    /// Work that returns false could not be done, and is repeated in the turn after that.
    package var turnPreparations: [() -> Bool] = []
    /// A Boolean value that indicates whether timers fire only by ``JSContext/fireHeldTimer(_:)``.
    package var holdsTimers = false
    /// An observer of the context.
    ///
    /// It must not retain the context.
    package var observer: (any ContextObserver)?
    /// The inspector of the context; `nil` without one.
    var inspector: ContextInspector?
    /// Objects that live as long as the context, which retains them for its scripts' handles; they must not retain it.
    package var companions: [AnyObject] = []
}

/// The progress of a context through its life.
struct ContextLife {
    /// A Boolean value that indicates whether the package's own scripts have begun to run, which they do before
    /// anything else.
    var isPrepared = false
    /// A Boolean value that indicates whether an object of the context was handed out, through which a script can reach
    /// it.
    var isExposed = false
    /// The function through which a turn enters; `nil` until the context is prepared.
    var trampoline: JSObjectRef?
    /// The version of the machine's limits that the context has applied.
    var appliedLimits = 0
    /// A Boolean value that indicates whether the context was closed.
    var isClosed = false
    /// The runtime that the context belongs to, if any.
    weak var runtime: JavaScriptRuntime?
    /// The index of the context in the sequence of its runtime's contexts.
    var generation = 0
}

/// The values that a context protects until it is deallocated.
struct HeldValues {
    var values: [JSValueRef] = []
    /// Functions of the language that were looked up, protected like ``values``.
    var primordials: [String: JSObjectRef] = [:]
    /// The buffer through which bytes are copied on their way to Swift; its array is one of ``values``.
    var byteArea: (array: JSObjectRef, memory: UnsafeMutableRawPointer)?
    /// The reader that passes values as they are; one of ``values``.
    var plainSlot: JSObjectRef?
    /// The structure ID of the boxes of host functions; 0 if the fast path is not in use.
    var boxStructure: UInt32 = 0
    /// The closures that scripts of the context can call.
    let closures = ClosureList()
}

/// The `console` of a context.
final class ContextConsole {
    /// The receiver of its output; `nil` discards it.
    var sink: (@Sendable (ConsoleMessage) -> Void)?
    /// The layout of its output.
    var style = ConsoleStyle()
    /// The limit of its output.
    var meter = ConsoleMeter()
}

/// The event loop of a context: its timers, the Swift tasks that wait for it, and those on which its scripts wait.
final class ContextEventLoop {
    /// The clock of timers, of the time stamps of events, and of `console.time`.
    var clock: any MonotonicClock = SystemClock() { didSet { startTime = clock.now } }
    /// The time at which the context was created, on its clock.
    private(set) var startTime = SystemClock().now
    /// The pending timers.
    var timers = TimerQueue()
    /// A closure that is called inside the turn when a timer was started or stopped.
    var timersDidChange: (() -> Void)?
    /// A closure that adds a job to the queue of the context's runtime; `nil` without a runtime.
    var enqueue: (@Sendable (RuntimeInbox.Job) -> Void)?
    /// The Swift callers that wait for promises of this context.
    var promiseWaiters = PromiseWaiters()
    /// The tasks whose promises have settled in this turn.
    ///
    /// The runtime resumes them after it.
    var resumptions: [(UnsafeContinuation<Void, any Error>, (any Error)?)] = []
    /// The pending calls of asynchronous Swift functions by scripts of this context.
    let asyncCalls = AsyncCalls()
}

/// The errors that are on their way between the languages.
package final class ContextErrors {
    /// A closure that is called with every error that neither a script nor a caller catches.
    var uncaughtHandler: ((JSException) -> Void)?
    /// The error of the closure that failed last, until its wrapper throws it.
    var pendingFailure: (any Error)?
    /// The error that the package's script took apart last, for the caller that requested it.
    var described: JSException?
    /// The origins of that error's causes.
    var causeOrigins: [Int: ErrorOrigin] = [:]
    /// The last error of the handler that the host observes.
    package var notedFailure: JSException?
    /// The function that threw last, because it may throw often.
    var lastThrower: JSObjectRef?
    /// A Boolean value that indicates whether a callback that a script had scheduled earlier has run in this turn.
    var mayHaveOrigin = false
}

/// The scripts and functions of which stacks consist.
struct ContextStacks {
    /// A Boolean value that indicates whether errors include asynchronous stacks.
    var capturesAsync = true
    var sources = ScriptSources() { didSet { known = nil } }
    /// The Swift functions that scripts can call, by name.
    var hostFunctions: [String: StackFrame] = [:] { didSet { known = nil } }
    private var known: TraceSources?

    /// Both of the above as errors store them, the same value until one changes.
    var shared: TraceSources {
        mutating get {
            if let known { return known }
            let made = TraceSources(texts: sources, hostFunctions: hostFunctions)
            known = made
            return made
        }
    }
}
