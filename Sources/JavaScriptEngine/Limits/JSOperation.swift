internal import BridgeValues
internal import Synchronization

/// One budget for several turns: a call, and everything that comes of it later.
///
/// ```swift
/// let operation = JSOperation(processorTime: .milliseconds(100), wallTime: .seconds(2))
/// try context.withTurn(joining: operation) { try start.call() }
/// // ... and when its answer has come:
/// try context.withTurn(joining: operation) { try resolve.call() }
/// ```
///
/// Without one, every turn is an operation of its own, and a script that does its work in many short turns is
/// never over a limit. Turns that join an operation share its processor time and its deadline; the first that
/// goes over ends, and all that would join later throw the same error without running anything.
///
/// An operation may be used on any thread, and turns of several virtual machines may join it. A turn inside a
/// turn is part of the outer one, whatever it joins: it only asks whether the operation has ended. So it is for
/// contexts that their owner enters by itself; turns of a ``JavaScriptRuntime`` have budgets of their own.
public final class JSOperation: Sendable {
    fileprivate struct State {
        var processorTime: UInt64?
        var wallTime: Duration?
        var used: UInt64 = 0
        var deadline: Duration?
        var termination: TerminationReason?
        var open: [(signal: TurnSignal, turn: UInt64)] = []
    }

    private let state: Mutex<State>

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - processorTime: How much processor time all turns together may take; by default what the virtual
    ///     machine of each turn allows one operation. The smaller of the two counts.
    ///   - wallTime: How much time may pass from the beginning of its first turn; likewise.
    public init(processorTime: Duration? = nil, wallTime: Duration? = nil) {
        state = Mutex(State(processorTime: processorTime.map(\.clampedNanoseconds), wallTime: wallTime))
    }

    /// Ends the operation: the turn of it that is open, and all that would join later.
    ///
    /// - Parameter reason: Why, for the person who reads the error.
    public func interrupt(reason: String) {
        let open = state.withLock { state -> [(signal: TurnSignal, turn: UInt64)] in
            guard state.termination == nil else { return [] }
            state.termination = .interrupted(reason)
            return state.open
        }
        for turn in open { _ = turn.signal.requestEnd(of: turn.turn, .interrupted(reason)) }
    }

    /// The processor time that its turns have used, the open ones not counted.
    public var usedProcessorTime: Duration { .nanoseconds(Int64(clamping: state.withLock { $0.used })) }

    /// What ended the operation; `nil` while turns may join it.
    public var termination: TerminationReason? { state.withLock { $0.termination } }

    /// What a turn that joins may use.
    struct Share {
        var processorTime: (left: UInt64, limit: UInt64)?
        var deadline: (time: Duration, limit: Duration)?
    }

    /// Lets a turn join.
    ///
    /// - Throws: What ended the operation.
    func join(
        _ signal: TurnSignal,
        turn: UInt64,
        limits: ExecutionLimits,
        clock: any MonotonicClock
    ) throws(JSException) -> Share {
        do {
            return try state.withLock { state throws(JSException) in
                try state.join(signal, turn: turn, limits: limits, clock: clock)
            }
        }
    }

    /// Ends a turn that joined.
    func leave(_ signal: TurnSignal, turn: UInt64, used: UInt64, termination: TerminationReason?) {
        state.withLock { state in
            state.used &+= used
            state.open.removeAll { $0.signal === signal && $0.turn == turn }
            if state.termination == nil { state.termination = termination }
        }
    }
}

extension JSOperation.State {
    fileprivate mutating func join(
        _ signal: TurnSignal,
        turn: UInt64,
        limits: ExecutionLimits,
        clock: any MonotonicClock
    ) throws(JSException) -> JSOperation.Share {
        var share = JSOperation.Share()
        let machineTime = limits.processorTime.map(\.clampedNanoseconds)
        if let limit = [processorTime, machineTime].compactMap(\.self).min() {
            share.processorTime = (limit > used ? limit - used : 0, limit)
            if used >= limit, termination == nil {
                termination = .processorTime(limit: .nanoseconds(Int64(clamping: limit)))
            }
        }
        if let limit = [wallTime, limits.wallTime].compactMap(\.self).min() {
            let now = clock.now
            let time = min(deadline ?? now + limit, now + limit)
            deadline = time
            share.deadline = (time, limit)
            if now >= time, termination == nil { termination = .wallTime(limit: limit) }
        }
        if let termination { throw JSException(termination: termination) }
        open.append((signal, turn))
        return share
    }
}
