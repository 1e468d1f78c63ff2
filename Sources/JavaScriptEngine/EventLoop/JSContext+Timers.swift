internal import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Starts a timer.
    ///
    /// One that is not referenced keeps no run going; those have a count of their own, so that signals with a
    /// timeout take nothing from a script's timers. The package's own, whose ids are negative, count for nothing: what
    /// they are for, such as the deadline of a call, has a limit itself, and a script that has used its timers up must
    /// not be without deadlines.
    func startTimer(id: Int, milliseconds: Double, isReferenced: Bool = true) throws {
        let count = isReferenced ? timers.scriptCount : timers.unreferencedCount
        let limit = virtualMachine.limits.maximumTimers
        guard id < 0 && isReferenced || count < limit else {
            throw BridgeError(.limitExceeded, "a context may have \(limit) timers, all of which are waiting")
        }
        let deadline = clock.now + .microseconds(Int64(milliseconds * 1000))
        let operation = virtualMachine.watchdog.operation
        timers.start(id: id, at: deadline, isReferenced: isReferenced, operation: operation)
        timersDidChange?()
    }

    func stopTimer(id: Int) {
        timers.stop(id: id)
        timersDidChange?()
    }

    /// When the next timer is due, on ``clock``; `nil` where none waits.
    public var nextTimerDeadline: Duration? { holdsTimers ? nil : timers.nextDeadline() }

    /// Whether a timer waits that a script has started.
    ///
    /// The timer of `AbortSignal.timeout` is none: it keeps no run going.
    public var hasReferencedTimers: Bool { timers.referencedCount > 0 }

    /// Runs the timers that are due, each with its microtasks before the next.
    ///
    /// A timer started meanwhile waits for the next call, however short its delay. A timer that was started inside
    /// a ``JSOperation`` runs inside it, and not at all once that has ended.
    ///
    /// - Throws: ``JSException`` where a turn was stopped; what is due after that is left to the next call. Errors
    ///   of timers go to ``uncaughtErrorHandler``.
    public func runDueTimers() throws {
        try runDueTimers { operation, body in
            try JSOperation.withCurrent(operation) { try withTurn(body) }
        }
    }

    /// Runs the timers that are due in turns that somebody opens: timers that follow each other in one operation,
    /// or in none, share a turn.
    func runDueTimers(inTurnsBy turn: (JSOperation?, () throws -> Void) throws -> Void) throws {
        guard !holdsTimers else { return }
        let round = timers.round
        var ended: [Int] = []
        // The script's half holds their callbacks.
        defer { if !ended.isEmpty { try? turn(nil) { for id in ended { try fireTimer(id, isOver: true) } } } }
        while let next = timers.nextDue(at: clock.now, startedBefore: round) {
            guard next.operation?.termination == nil else {
                stopTimer(id: next.id)
                ended.append(next.id)
                continue
            }
            try turn(next.operation) {
                mayHaveOrigin = true
                while let id = timers.takeDue(at: clock.now, startedBefore: round, in: next.operation) {
                    try fireTimer(id)
                    runMicrotasks()
                    guard !virtualMachine.watchdog.hasTerminated else { return }
                }
            }
        }
    }

    /// The timers that wait, by their ids in ascending order.
    package var timerIDs: [Int] { timers.ids }

    /// The timers that wait, in the order in which they are due: when that is on ``clock``, and whether a script's run waits for
    /// them, which it does not for deadlines and signals with a timeout.
    package var waitingTimers: [(id: Int, deadline: Duration, isScripts: Bool)] {
        timers.waiting.map { ($0.id, $0.deadline, timers.isScripts(id: $0.id)) }
    }

    /// Runs a timer's callback now, whatever time it is.
    ///
    /// A turn must be open.
    ///
    /// - Returns: Whether there is such a timer.
    package func fireHeldTimer(_ id: Int) throws -> Bool {
        guard timers.has(id: id) else { return false }
        timers.stop(id: id)
        mayHaveOrigin = true
        try fireTimer(id)
        return true
    }

    /// Runs a timer's callback, or lets it go where the timer never fires.
    private func fireTimer(_ id: Int, isOver: Bool = false) throws {
        if !isOver { observer?.willFireTimer(id) }
        try call(script.fireTimer, [JSValueMakeNumber(ref, Double(id)), JSValueMakeBoolean(ref, isOver)])
    }
}
