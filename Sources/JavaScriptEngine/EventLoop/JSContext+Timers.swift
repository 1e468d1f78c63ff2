internal import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Starts a timer.
    ///
    /// One that is not referenced keeps no run going; those have a count of their own, so that signals with a
    /// timeout take nothing from a script's timers.
    func startTimer(id: Int, milliseconds: Double, isReferenced: Bool = true) throws {
        let count = isReferenced ? timers.referencedCount : timers.count - timers.referencedCount
        let limit = virtualMachine.limits.maximumTimers
        guard count < limit else {
            throw BridgeError(.limitExceeded, "a context may have \(limit) timers, all of which are waiting")
        }
        let deadline = clock.now + .microseconds(Int64(milliseconds * 1000))
        timers.start(id: id, at: deadline, isReferenced: isReferenced)
        timersDidChange?()
    }

    func stopTimer(id: Int) {
        timers.stop(id: id)
        timersDidChange?()
    }

    /// When the next timer is due, on ``clock``; `nil` where none waits.
    public var nextTimerDeadline: Duration? { timers.nextDeadline() }

    /// Whether a timer waits that a script has started.
    ///
    /// The timer of `AbortSignal.timeout` is none: it keeps no run going.
    public var hasReferencedTimers: Bool { timers.referencedCount > 0 }

    /// Runs the timers that are due, each with its microtasks before the next.
    ///
    /// A timer started meanwhile waits for the next call, however short its delay.
    ///
    /// - Throws: ``JSException`` where the turn was stopped. Errors of timers go to ``uncaughtErrorHandler``.
    public func runDueTimers() throws {
        guard let deadline = timers.nextDeadline(), deadline <= clock.now else { return }
        try withTurn {
            let round = timers.round
            mayHaveOrigin = true
            while let id = timers.takeDue(at: clock.now, startedBefore: round) {
                try call(script.fireTimer, [JSValueMakeNumber(ref, Double(id))])
                runMicrotasks()
                guard !virtualMachine.watchdog.hasTerminated else { return }
            }
        }
    }
}
