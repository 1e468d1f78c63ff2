internal import BridgeValues
internal import Synchronization

/// The engine's side of an operation: turns that join and leave, and who hears of its end.
extension JSOperation {
    /// The processor time that a turn which joins may use, and the limit that its error names.
    typealias Share = (left: UInt64, limit: UInt64)

    /// Lets a turn join.
    ///
    /// - Returns: What it may use; `nil` where nothing is limited.
    /// - Throws: What ended the operation; who waits inside it has then been told.
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

    /// Ends a turn that joined.
    ///
    /// A termination that meant the turn alone, such as a cancellation, ends nothing else.
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
        // Whoever ends a turn tells those who wait, with the script's stack.
        let isTold = open.reduce(false) { $1.signal.requestEnd(of: $1.turn, reason) || $0 }
        if !isTold { tell(JSException(termination: reason)) }
    }

    /// Tells those who wait inside the operation that it has ended, if it has.
    func tell(_ exception: JSException) {
        guard let termination else { return }
        let observers = state.withLock { state in
            defer { state.observers = [:] }
            return state.observers
        }
        // A turn of it may have been stopped for a reason of its own, such as a cancellation, as it ended.
        let known = exception.termination == termination ? exception : JSException(termination: termination)
        for (_, observer) in observers.sorted(by: { $0.key < $1.key }) { observer(known) }
    }

    /// Makes somebody hear once of the operation's end: at once where it has ended.
    ///
    /// - Returns: What ``removeObserver(_:)`` takes.
    func addObserver(_ observer: @escaping @Sendable (JSException) -> Void) -> Int {
        let (number, termination) = state.withLock { state in
            state.lastObserver += 1
            if state.termination == nil { state.observers[state.lastObserver] = observer }
            return (state.lastObserver, state.termination)
        }
        if let termination { observer(JSException(termination: termination)) }
        return number
    }

    /// What whoever would join it now gets; `nil` while it goes on.
    package var endingError: JSException? { termination.map { JSException(termination: $0) } }

    /// Makes somebody who is known by a number hear once of the operation's end, however often this is called before that.
    ///
    /// - Returns: Whether it goes on; if not, nobody will be told by this.
    package func observeEnd(as number: Int, _ observer: @escaping @Sendable (JSException) -> Void) -> Bool {
        state.withLock { state in
            guard state.termination == nil else { return false }
            if state.observers[-number] == nil { state.observers[-number] = observer }
            return true
        }
    }

    func removeObserver(_ number: Int) {
        // What it holds may be anything: it goes outside the lock.
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

extension JSOperation.State {
    /// Counts the limits of a machine in, and finds out whether any is reached.
    fileprivate mutating func join(
        limits: ExecutionLimits,
        clock: any MonotonicClock,
        onDeadline expire: @escaping @Sendable () -> Void
    ) -> JSOperation.Share? {
        var share: JSOperation.Share?
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
        // A machine with a stricter limit than those before shortens it from here on.
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
