internal import BridgeValues
internal import Synchronization

/// One budget for a tree of work: a call, and everything that comes of it, over any number of turns.
///
/// ```swift
/// let operation = JSOperation(processorTime: .milliseconds(100), wallTime: .seconds(2))
/// let report = try await operation.run {
///     try await runtime.callAsync("makeReport")      // awaits, timers, calls of Swift: all of it counts
/// }
/// ```
///
/// Without one, every turn is an operation of its own, and a script that does its work in many short turns is
/// never over a limit. Turns that join an operation share its processor time and its deadline; the first that
/// goes over ends, and all that would join later throw the same error without running anything.
///
/// **Which turns join.** Those that a task opens inside ``run(isolation:_:)``, of any runtime or context, and
/// what they leave for later: timers that a script of theirs has started, and the results of asynchronous Swift
/// functions that it has called. Inside their turns ``current`` is the operation, so that tasks made there, such
/// as those of asynchronous functions, are inside too, and so are their own calls of runtimes. A reaction to a
/// promise counts for the turn that settles it. A context that its owner enters by itself may also name the
/// operation: ``JSContext/withTurn(joining:_:)``. A turn inside a turn is part of the outer one, whatever it
/// joins: it only asks whether the operation has ended.
///
/// **When it ends.** At its processor time; at its deadline, also when no script of it runs; when a script of it
/// was stopped for the memory of its machine; by ``interrupt(reason:)``. Then the turns of it that are open are
/// stopped, whoever waits for a promise inside it gets the error at once (where a turn of it is open, when that
/// ends), its timers never fire and its asynchronous functions are answered no more. Others go on:
/// where the limits let a context go on after a termination, who waits for a promise outside the operation keeps
/// waiting. A promise that they share with the operation is its risk: the engine drops the microtasks of a turn that
/// was stopped, also the reactions to what that turn had settled just before, and who waits for one of those waits
/// until the own deadline or cancellation. A cancelled task and ``JavaScriptRuntime/interrupt(reason:)`` end one turn and not the operation.
///
/// An operation may be used on any thread, and turns of several virtual machines may join it; at the same time
/// they may together use more than is left, by what the others use meanwhile.
public final class JSOperation: Sendable {
    /// The operation that turns join which are opened here; `nil` where each has a budget of its own.
    @TaskLocal public static var current: JSOperation?

    struct State {
        var processorTime: UInt64?
        var wallTime: Duration?
        var used: UInt64 = 0
        /// When it must have ended, on the clock of its first turn.
        var deadline: (time: Duration, limit: Duration)?
        var clock: (any MonotonicClock)?
        var wakeUp: (any ScheduledWakeUp)?
        var termination: TerminationReason?
        var open: [(signal: TurnSignal, turn: UInt64)] = []
        var observers: [Int: @Sendable (JSException) -> Void] = [:]
        var lastObserver = 0
    }

    let state: Mutex<State>
    /// What tells it from all others of the process, for who cannot hold it: counts from 1.
    package let number: Int
    private static let lastNumber = Atomic(0)

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - processorTime: How much processor time all turns together may take; by default what the virtual
    ///     machine of each turn allows one operation. The smaller of the two counts.
    ///   - wallTime: How much time may pass from the beginning of its first turn, by that turn's clock; likewise.
    public init(processorTime: Duration? = nil, wallTime: Duration? = nil) {
        state = Mutex(State(processorTime: processorTime.map(\.clampedNanoseconds), wallTime: wallTime))
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }

    deinit { state.withLock { $0.wakeUp?.cancel() } }

    /// Ends the operation: the turns of it that are open, who waits inside it, and all that would join later.
    ///
    /// - Parameter reason: Why, for the person who reads the error.
    public func interrupt(reason: String) { end(.interrupted(reason)) }

    /// The processor time that its turns have used, the open ones not counted.
    public var usedProcessorTime: Duration { .nanoseconds(Int64(clamping: state.withLock { $0.used })) }

    /// What ended the operation; `nil` while turns may join it.
    public var termination: TerminationReason? { state.withLock { $0.termination } }
}

extension JSOperation {
    /// Runs a body whose turns join the operation, also those of tasks that it makes.
    ///
    /// Inside another operation the inner one alone is charged. What the body does besides entering scripts is
    /// not limited, and the body is not ended: it gets errors from what it calls.
    ///
    /// - Parameters:
    ///   - isolation: Where the body runs: with the caller.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @discardableResult
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Runs a body that is not asynchronous, and whose turns join the operation.
    ///
    /// - Parameter body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @discardableResult
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
    }

    /// Runs a body inside an operation, or inside none, wherever the caller is.
    package static func withCurrent<Result>(_ operation: JSOperation?, _ body: () throws -> Result) rethrows
        -> Result
    {
        // To set it costs an allocation, to ask 10 ns.
        guard current !== operation else { return try body() }
        return try $current.withValue(operation, operation: body)
    }
}
