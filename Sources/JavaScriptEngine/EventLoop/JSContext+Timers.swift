internal import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Starts a timer.
    ///
    /// Unreferenced timers do not keep a run alive. They are counted separately, so that signals with a timeout do not
    /// use up the limit of a script's eventLoop.timers. The package's own timers, whose IDs are negative, are not limited. The
    /// feature behind them, such as the deadline of a call, has its own limit, and a script that has used up its timers
    /// must still get deadlines.
    func startTimer(id: Int, milliseconds: Double, isReferenced: Bool = true) throws {
        let count = isReferenced ? eventLoop.timers.scriptCount : eventLoop.timers.unreferencedCount
        let limit = virtualMachine.limits.maximumTimers
        guard id < 0 && isReferenced || count < limit else {
            throw BridgeError(.limitExceeded, "too many timers (limit \(limit))")
        }
        let deadline = clock.now + .microseconds(Int64(milliseconds * 1000))
        let operation = virtualMachine.watchdog.operation
        eventLoop.timers.start(id: id, at: deadline, isReferenced: isReferenced, operation: operation)
        timersDidChange?()
    }

    func stopTimer(id: Int) {
        eventLoop.timers.stop(id: id)
        timersDidChange?()
    }

    /// The time at which the next timer is due, on ``clock``; `nil` if none is pending.
    public var nextTimerDeadline: Duration? { hooks.holdsTimers ? nil : eventLoop.timers.nextDeadline() }

    /// A Boolean value that indicates whether a timer that a script has started is pending.
    ///
    /// The timer of `AbortSignal.timeout` does not count, because it does not keep a run alive.
    public var hasReferencedTimers: Bool { eventLoop.timers.referencedCount > 0 }

    /// Runs the timers that are due, each with its microtasks before the next.
    ///
    /// A timer that is started meanwhile waits for the next call, however short its delay. A timer that was started
    /// inside an ``ExecutionBudget`` runs inside it, and not at all after the operation has ended.
    ///
    /// - Throws: ``JSException`` if a turn was terminated. The remaining due timers are left to the next call. Errors
    ///   of timers go to ``uncaughtErrorHandler``.
    public func runDueTimers() throws {
        try runDueTimers { operation, body in
            try ExecutionBudget.withCurrent(operation) { try withTurn(body) }
        }
    }

    /// Runs the timers that are due in turns that the caller's closure opens.
    ///
    /// Consecutive timers of one operation, or of none, share a turn.
    func runDueTimers(inTurnsBy turn: (ExecutionBudget?, () throws -> Void) throws -> Void) throws {
        guard !hooks.holdsTimers else { return }
        let round = eventLoop.timers.round
        var ended: [Int] = []
        // The package's script retains their callbacks.
        defer { if !ended.isEmpty { try? turn(nil) { for id in ended { try release(timer: id) } } } }
        while let next = eventLoop.timers.nextDue(at: clock.now, startedBefore: round) {
            guard next.operation?.termination == nil else {
                stopTimer(id: next.id)
                ended.append(next.id)
                continue
            }
            try turn(next.operation) {
                errors.mayHaveOrigin = true
                while let timer = eventLoop.timers.takeDue(
                    at: clock.now,
                    startedBefore: round,
                    in: next.operation
                ) {
                    try fire(timer)
                    runMicrotasks()
                    guard !virtualMachine.watchdog.hasTerminated else { return }
                }
            }
        }
    }

    /// The IDs of the pending timers, in ascending order.
    package var timerIDs: [Int] { eventLoop.timers.ids }

    /// The pending timers in the order of their deadlines on ``clock``, and whether a script's run waits for them.
    ///
    /// A run does not wait for deadlines and signals with a timeout.
    package var waitingTimers: [(id: Int, deadline: Duration, isScripts: Bool)] {
        eventLoop.timers.waiting.map { ($0.id, $0.deadline, eventLoop.timers.isScripts(id: $0.id)) }
    }

    /// Runs a timer's callback now, independently of the time.
    ///
    /// A turn must be open.
    ///
    /// - Returns: Whether there is such a timer.
    package func fireHeldTimer(_ id: Int) throws -> Bool {
        guard let timer = eventLoop.timers.take(id: id) else { return false }
        errors.mayHaveOrigin = true
        try fire(timer)
        return true
    }

    /// Runs a timer's callback.
    ///
    /// A timer fires again if the turn is terminated before its callback has begun, which the script decides; one of the
    /// package's own also if the callback has not returned. Otherwise a termination at the wrong moment would lose the
    /// timer, with the message or the deadline behind it.
    private func fire(_ timer: TimerQueue.Taken) throws {
        hooks.observer?.willFireTimer(timer.id)
        do {
            try callTimer(timer.id, isOver: false)
        } catch {
            if !isClosed, virtualMachine.watchdog.hasTerminated {
                eventLoop.timers.putBack(timer)
                timersDidChange?()
            }
            throw error
        }
    }

    /// Releases the callback of a timer that never fires.
    private func release(timer id: Int) throws { try callTimer(id, isOver: true) }

    private func callTimer(_ id: Int, isOver: Bool) throws {
        try call(script.fireTimer, [JSValueMakeNumber(ref, Double(id)), JSValueMakeBoolean(ref, isOver)])
    }
}
