internal import BridgeValues
internal import Synchronization

/// A budget for a tree of work: a call and everything that it causes, over any number of turns.
///
/// ```swift
/// let budget = ExecutionBudget(processorTime: .milliseconds(100), wallTime: .seconds(2))
/// let report = try await budget.run {
///     try await runtime.callAsync("makeReport")      // awaits, timers, calls of Swift: all of it counts
/// }
/// ```
///
/// Without an operation, each turn has a budget of its own, and a script that works in many short turns never exceeds a
/// limit. Turns that join an operation share its processor time and its deadline. The first turn that exceeds them
/// ends, and all turns that would join later throw the same error without running anything.
///
/// **Turns that join.** Turns join that a task opens inside ``run(isolation:_:)``, of any runtime or context. So does
/// the deferred work of those turns: timers that their scripts have started, and the results of asynchronous Swift
/// functions that they have called. Inside these turns ``current`` is the operation. Tasks that are created there, such
/// as those of asynchronous functions, are therefore inside it too, and so are their own calls of runtimes. A reaction
/// to a promise is charged to the turn that settles the promise. An owner that enters a context by itself may also name
/// the operation: ``JSContext/withTurn(joining:_:)``. A nested turn is part of the outer one, whatever it joins: it
/// only checks whether the operation has ended.
///
/// **Its end.** The operation ends at its processor time or at its deadline, even if no script of it runs. It also ends
/// when one of its scripts was stopped for the memory of its machine, and by ``interrupt(reason:)``. Its open turns are
/// then stopped. A caller that waits for a promise inside the operation gets the error immediately, or when an open
/// turn of the operation ends. Its timers never fire, and its asynchronous functions are no longer answered.
///
/// Work outside the operation continues: where the limits let a context continue after a termination, callers outside
/// keep waiting for their promises. A promise that they share with the operation may never settle for them. The engine
/// drops the microtasks of a turn that was stopped, also the reactions to promises that the turn had just settled. A
/// caller that waits for such a reaction waits until its own deadline or cancellation. A cancelled task and
/// ``JavaScriptRuntime/interrupt(reason:)`` end one turn and not the operation.
///
/// Any thread may use a budget, and turns of several virtual machines may join its operation. If several turns run at the same
/// time, together they may exceed the remaining time, by what the other turns use meanwhile.
public final class ExecutionBudget: Sendable {
    /// The budget that turns join which are opened here; `nil` where each turn has a budget of its own.
    @TaskLocal public static var current: ExecutionBudget?

    struct State {
        var processorTime: UInt64?
        var wallTime: Duration?
        var used: UInt64 = 0
        /// The deadline, on the clock of the operation's first turn.
        var deadline: (time: Duration, limit: Duration)?
        var clock: (any MonotonicClock)?
        var wakeUp: (any ScheduledWakeUp)?
        var termination: TerminationReason?
        var open: [(signal: TurnSignal, turn: UInt64)] = []
        var observers: [Int: @Sendable (JSException) -> Void] = [:]
        var lastObserver = 0
    }

    let state: Mutex<State>
    /// A number, counting from 1, that identifies the operation within the process without holding it.
    package let number: Int
    private static let lastNumber = Atomic(0)

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - processorTime: The processor time that all turns together may use. By default, it is the time that the
    ///     virtual machine of each turn allows one operation. The smaller of the two applies.
    ///   - wallTime: The time from the beginning of the first turn to the deadline, by that turn's clock; the same
    ///     default and rule apply.
    public init(processorTime: Duration? = nil, wallTime: Duration? = nil) {
        state = Mutex(State(processorTime: processorTime.map(\.clampedNanoseconds), wallTime: wallTime))
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }

    deinit { state.withLock { $0.wakeUp?.cancel() } }

    /// Ends the operation: its open turns, all waits inside it, and all turns that would join later.
    ///
    /// - Parameter reason: The reason, for the person who reads the error.
    public func interrupt(reason: String) { end(.interrupted(reason)) }

    /// The processor time that its turns have used, without the open ones.
    public var usedProcessorTime: Duration { .nanoseconds(Int64(clamping: state.withLock { $0.used })) }

    /// The reason why the operation has ended; `nil` while turns may join it.
    public var termination: TerminationReason? { state.withLock { $0.termination } }
}

extension ExecutionBudget {
    /// Runs a body whose turns join the operation, including those of tasks that it creates.
    ///
    /// Inside another operation, only the inner one is charged. Work of the body outside scripts is not limited, and
    /// the body itself is not ended: it gets errors from the functions that it calls.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the body runs: the caller's.
    ///   - body: The work to run.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body.
    @discardableResult
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Runs a synchronous body whose turns join the operation.
    ///
    /// - Parameter body: The work to run.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body.
    @discardableResult
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
    }

    /// Runs a body inside an operation, or outside of any, wherever the caller is.
    package static func withCurrent<Result>(_ operation: ExecutionBudget?, _ body: () throws -> Result)
        rethrows
        -> Result
    {
        // Setting the task-local value costs an allocation, reading it costs 10 ns.
        guard current !== operation else { return try body() }
        return try $current.withValue(operation, operation: body)
    }
}
