internal import BridgeValues
internal import Synchronization

/// The engine's side of an operation: turns that join and leave, and observers of its end.
extension ExecutionBudget {
    /// The processor time that a turn which joins may use, and the limit that its error names.
    typealias Share = (left: UInt64, limit: UInt64)

    /// Adds a turn to the operation.
    ///
    /// - Returns: The processor time that the turn may use; `nil` means no limit.
    /// - Throws: The error that ended the operation, after the observers were notified.
    func join(
        _ signal: TurnSignal,
        turn: UInt64,
        limits: ExecutionLimits,
        clock: any MonotonicClock
    ) throws(JSException) -> Share? {
        let (share, termination) = state.withLock { state in
            let share = state.join(limits: limits, clock: clock) { [weak self] in self?.expire() }
            if state.termination == nil { state.open.append((signal, turn)) }
            return (share, state.termination)
        }
        guard let termination else { return share }
        endOpenTurns()
        let exception = JSException(termination: termination)
        tell(exception)
        throw exception
    }

    /// Removes a turn that joined.
    ///
    /// A termination of this turn alone, such as a cancellation, ends nothing else.
    func leave(_ signal: TurnSignal, turn: UInt64, used: UInt64, termination: TerminationReason?) {
        let hasEnded = state.withLock { state in
            state.used &+= used
            state.open.removeAll { $0.signal === signal && $0.turn == turn }
            if case .interrupted = termination { return false }
            if state.termination == nil { state.termination = termination }
            if state.termination != nil { state.stopWaking() }
            return state.termination != nil
        }
        if hasEnded { endOpenTurns() }
    }

    /// Stops the turns that are open in other machines, once the operation has ended in one of them.
    private func endOpenTurns() {
        let (open, termination) = state.withLock { ($0.open, $0.termination) }
        guard let termination else { return }
        for turn in open { _ = turn.signal.requestEnd(of: turn.turn, termination) }
    }

    /// Ends the operation from outside its turns.
    func end(_ reason: TerminationReason) {
        let open = state.withLock { state -> [(signal: TurnSignal, turn: UInt64)]? in
            guard state.termination == nil else { return nil }
            state.termination = reason
            state.stopWaking()
            return state.open
        }
        guard let open else { return }
        // A turn that ends here notifies the observers itself, with the script's stack.
        let isNotified = open.reduce(false) { $1.signal.requestEnd(of: $1.turn, reason) || $0 }
        if !isNotified { tell(JSException(termination: reason)) }
    }

    /// Notifies the observers that the operation has ended, if it has.
    func tell(_ exception: JSException) {
        guard let termination else { return }
        let observers = state.withLock { state in
            defer { state.observers = [:] }
            return state.observers
        }
        // As the operation ended, one of its turns may have been stopped for another reason, such as a cancellation.
        let known = exception.termination == termination ? exception : JSException(termination: termination)
        for (_, observer) in observers.sorted(by: { $0.key < $1.key }) { observer(known) }
    }

    /// Adds an observer that is called once when the operation ends, or immediately if it has ended.
    ///
    /// - Returns: The number that ``removeObserver(_:)`` needs.
    func addObserver(_ observer: @escaping @Sendable (JSException) -> Void) -> Int {
        let (number, termination) = state.withLock { state in
            state.lastObserver += 1
            if state.termination == nil { state.observers[state.lastObserver] = observer }
            return (state.lastObserver, state.termination)
        }
        if let termination { observer(JSException(termination: termination)) }
        return number
    }

    /// The error that a turn gets which joins the operation now; `nil` while the operation continues.
    package var endingError: JSException? { termination.map { JSException(termination: $0) } }

    /// Adds an observer of the operation's end under the caller's own number; further calls with the number do nothing.
    ///
    /// - Returns: Whether the operation continues. If not, the observer is not added and will not be called.
    package func observeEnd(as number: Int, _ observer: @escaping @Sendable (JSException) -> Void) -> Bool {
        state.withLock { state in
            guard state.termination == nil else { return false }
            if state.observers[-number] == nil { state.observers[-number] = observer }
            return true
        }
    }

    func removeObserver(_ number: Int) {
        // The closure may hold anything, so it is released outside the lock.
        _ = state.withLock { $0.observers.removeValue(forKey: number) }
    }

    private func expire() {
        let limit = state.withLock { state -> Duration? in
            guard let (time, limit) = state.deadline, let clock = state.clock, clock.now >= time else {
                return nil
            }
            return limit
        }
        if let limit { end(.wallTime(limit: limit)) }
    }
}

extension ExecutionBudget.State {
    /// Applies the limits of a machine, and ends the operation if one of them is reached.
    fileprivate mutating func join(
        limits: ExecutionLimits,
        clock: any MonotonicClock,
        onDeadline expire: @escaping @Sendable () -> Void
    ) -> ExecutionBudget.Share? {
        var share: ExecutionBudget.Share?
        let machineTime = limits.processorTime.map(\.clampedNanoseconds)
        if let limit = [processorTime, machineTime].compactMap(\.self).min() {
            share = (limit > used ? limit - used : 0, limit)
            if used >= limit, termination == nil {
                termination = .processorTime(limit: .nanoseconds(Int64(clamping: limit)))
            }
        }
        if termination == nil, let limit = [wallTime, limits.wallTime].compactMap(\.self).min() {
            beginWaiting(limit: limit, on: clock, onDeadline: expire)
        }
        if termination != nil { stopWaking() }
        return share
    }

    private mutating func beginWaiting(
        limit: Duration,
        on turnClock: any MonotonicClock,
        onDeadline expire: @escaping @Sendable () -> Void
    ) {
        let clock = self.clock ?? turnClock
        self.clock = clock
        let now = clock.now
        // A machine with a stricter limit than the earlier ones shortens the deadline from now on.
        let time = now + limit.withinCentury
        if deadline == nil || time < deadline?.time ?? time {
            deadline = (time, limit)
            wakeUp?.cancel()
            wakeUp = clock.schedule(at: time, expire)
        }
        if let deadline, now >= deadline.time { termination = .wallTime(limit: deadline.limit) }
    }

    fileprivate mutating func stopWaking() {
        wakeUp?.cancel()
        wakeUp = nil
    }
}
