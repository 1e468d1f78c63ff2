internal import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    func startTimer(id: Int, milliseconds: Double) throws {
        let limit = virtualMachine.limits.maximumTimers
        guard timers.count < limit else {
            throw BridgeError(.limitExceeded, "a context may have \(limit) timers, all of which are waiting")
        }
        timers.start(id: id, at: clock.now + .microseconds(Int64(milliseconds * 1000)))
        timersDidChange?()
    }

    func stopTimer(id: Int) {
        timers.stop(id: id)
        timersDidChange?()
    }

    /// When the next timer is due, on ``clock``; `nil` where none waits.
    public var nextTimerDeadline: Duration? { timers.nextDeadline() }

    /// Runs the timers that are due, each with its microtasks before the next.
    ///
    /// A timer started meanwhile waits for the next call, however short its delay.
    ///
    /// - Throws: ``JSException`` where the turn was stopped. Errors of timers go to ``uncaughtErrorHandler``.
    public func runDueTimers() throws {
        guard let deadline = timers.nextDeadline(), deadline <= clock.now else { return }
        try withTurn {
            let round = timers.round
            while let id = timers.takeDue(at: clock.now, startedBefore: round) {
                try call(script.fireTimer, [JSValueMakeNumber(ref, Double(id))])
                runMicrotasks()
                guard !virtualMachine.watchdog.hasTerminated else { return }
            }
        }
    }
}
