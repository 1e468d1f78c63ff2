internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

extension JSContext {
    /// Runs a body as one turn: everything in it, and all microtasks that it leaves, under one time limit.
    ///
    /// A turn takes the engine's lock, enters through one JavaScript function, runs the body as a native
    /// callback of it, runs the microtasks *inside* (so that an endless chain of promises is stopped like any
    /// loop), and leaves. Every call of a ``JSContext`` or ``JSValue`` opens one where none is open; inside
    /// an open one a call costs a tenth. A turn inside a turn is part of the outer one.
    ///
    /// - Parameters:
    ///   - operation: The budget of several turns that this one shall share; by default ``JSOperation/current``,
    ///     and where there is none the turn has one of its own.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; a ``JSException`` whose ``JSException/isTermination`` is true where
    ///   the turn was stopped; a `BridgeError` with the code `disconnected` where one was stopped before and
    ///   the limits retire contexts then.
    @inlinable
    public func withTurn<Result>(joining operation: JSOperation? = nil, _ body: () throws -> Result) throws
        -> Result
    {
        // Inlined, so that what follows is not generic: an unspecialised result costs 0.2 us a turn (measured).
        var result: Result?
        try runInTurn(joining: operation) { result = try body() }
        guard let result else { preconditionFailure("a turn ended without an error and without its body") }
        return result
    }

    /// Runs a body in the open turn, or in one of its own.
    @usableFromInline
    func runInTurn(joining operation: JSOperation?, _ body: () throws -> Void) throws {
        guard !isClosed else { throw Self.closedError }
        if virtualMachine.isInTurn {
            guard jsb_current_machine() == Unmanaged.passUnretained(virtualMachine).toOpaque() else {
                throw JSException(
                    name: "Error",
                    message: "a turn of another virtual machine is open inside the turn of this one"
                )
            }
            try checkTermination()
            if let termination = operation?.termination { throw JSException(termination: termination) }
            if !isPrepared { try prepare() }
            return try body()
        }
        try virtualMachine.checkRetirement()
        // Turns of their own, before this one's time begins.
        if !isPrepared { try prepare() }
        if virtualMachine.hasExposedContexts { try virtualMachine.prepareExposedContexts() }
        observer?.willBeginTurn()
        defer { observer?.didEndTurn() }
        var hasRun = false
        var failure: (any Error)?
        let operation = operation ?? JSOperation.current
        // Tasks that are made inside are inside the operation.
        try JSOperation.withCurrent(operation) {
            try openTurn(joining: operation) {
                hasRun = true
                do { try body() } catch { failure = error }
            }
        }
        if virtualMachine.watchdog.hasTerminated {
            // Whoever is told of it sees whose turn it was.
            let exception = JSOperation.withCurrent(operation) { takeTermination() }
            operation?.tell(exception)
            throw exception
        }
        if let failure { throw failure }
        guard hasRun else {
            throw JSException(name: "RangeError", message: "the stack is too full to enter a script")
        }
    }

    /// Throws where the open turn was ended, or somebody outside has asked for its end.
    func checkTermination() throws {
        guard virtualMachine.watchdog.mustStop(in: ref) else { return }
        throw JSException(termination: virtualMachine.watchdog.termination)
    }

    private func openTurn(joining operation: JSOperation?, _ body: () -> Void) throws {
        guard !jsb_is_census_taken() else {
            var failure: (any Error)?
            Census.entering {
                do { try openUncountedTurn(joining: operation, body) } catch { failure = error }
            }
            if let failure { throw failure }
            return
        }
        try openUncountedTurn(joining: operation, body)
    }

    private func openUncountedTurn(joining operation: JSOperation?, _ body: () -> Void) throws {
        let machine = virtualMachine
        try machine.watchdog.begin(joining: operation)
        guard machine.drainsInside else {
            machine.markingTurn(of: self) { runTurn(body) }
            machine.watchdog.end()
            return
        }
        withoutActuallyEscaping(body) { body in
            machine.turnBody = { self.runTurn(body) }
            machine.markingTurn(of: self) {
                var exception: JSValueRef?
                JSLock(ref)
                JSObjectCallAsFunction(ref, trampoline, nil, 0, nil, &exception)
                JSUnlock(ref)
            }
            machine.watchdog.end()
            machine.turnBody = nil
        }
    }

    /// Puts the engine in order after a termination and says what happened.
    private func takeTermination() -> JSException {
        let machine = virtualMachine
        let backtrace = machine.watchdog.backtrace
        let exception = JSException(
            termination: machine.watchdog.termination,
            trace: ErrorTrace(stack: backtrace ?? "", sources: traceSources)
        )
        machine.watchdog.collectAfterTermination(in: ref)
        // A termination inside a nested call leaves the engine about to end whatever runs next: let that be
        // nothing. Measured on 2.50.6: one evaluation is enough; the bound only keeps a change of the engine
        // from hanging us.
        for _ in 0..<3 {
            machine.watchdog.reset()
            machine.watchdog.arm()
            var exception: JSValueRef?
            if EngineText.with("0", { JSEvaluateScript(ref, $0, nil, nil, 1, &exception) }) != nil { break }
        }
        machine.watchdog.arm()
        resetTake()
        leaveOrigin()
        machine.retireIfLimitsSaySo(after: exception)
        terminationHandler?(exception)
        return exception
    }

    /// The native half of a turn, called by the trampoline: the body, then microtasks and the work that waits
    /// for them.
    ///
    /// Where the library does not run microtasks when it is told, there is no trampoline: see
    /// ``drainByUnlocking()``.
    private func runTurn(_ body: () -> Void) {
        let machine = virtualMachine
        machine.watchdog.enter()
        // The engine drops its lock around a native callback.
        JSLock(ref)
        defer { JSUnlock(ref) }
        machine.release(in: ref)
        // A context that does not get the limits runs nothing.
        guard appliedLimits == machine.limitsVersion || (try? applyLimits()) != nil else { return }
        let operation = machine.watchdog.operation?.number ?? 0
        if operation != lastOperation { changeOperation(to: operation) }
        if !turnPreparations.isEmpty { prepareTurn() }
        body()
        repeat {
            runMicrotasks()
            machine.watchdog.checkTime(in: ref)
        } while !machine.watchdog.mustStop(in: ref) && machine.doTurnWork()
        if mayHaveOrigin, !machine.watchdog.hasTerminated { leaveOrigin() }
        machine.watchdog.lookAtHeap(in: ref)
        machine.release(in: ref)
        // What was stopped just now may have left microtasks, which the unlock would run to their end.
        if !machine.drainsInside, machine.watchdog.hasTerminated { queueEndOfMicrotasks() }
    }

    private func prepareTurn() {
        let preparations = turnPreparations
        turnPreparations = []
        turnPreparations = preparations.filter { !$0() } + turnPreparations
    }

    private func changeOperation(to number: Int) {
        lastOperation = number
        operationDidChange?(number)
    }

    /// The operation that the open turn belongs to.
    package var turnOperation: JSOperation? { virtualMachine.watchdog.operation }

    /// Runs the microtasks that wait.
    ///
    /// A turn must be open.
    package func runMicrotasks() {
        observer?.willRunMicrotasks()
        // After a termination this ends what is left, before the unlock would run it unwatched.
        if virtualMachine.watchdog.hasTerminated { virtualMachine.watchdog.armAgain() }
        guard virtualMachine.drainsInside else { return drainByUnlocking() }
        jsb_drain_microtasks(virtualMachine.group)
    }

    /// Runs the microtasks that wait as the public C API can: it runs them when the engine's lock is given back.
    ///
    /// It does so only where no native callback is under way, so a turn is then no single entry of the engine
    /// but a body between lock and unlock. The engine's own limit counts for each entry alone, and each microtask
    /// is one: an endless chain of them that never comes to Swift runs for ever. All else is as with the
    /// library's own function for it.
    private func drainByUnlocking() {
        if virtualMachine.watchdog.hasTerminated { queueEndOfMicrotasks() }
        JSUnlock(ref)
        JSLock(ref)
        // Microtasks that are too short for a tick each may be too long together.
        _ = virtualMachine.watchdog.mustStop(in: ref)
    }

    /// Queues a microtask that lasts until a tick ends it, with which the engine drops all that wait behind it.
    func queueEndOfMicrotasks() {
        // A termination that the engine's own work has let lie, such as a FinalizationRegistry's, is taken up here:
        // with it no function may be called.
        var exception: JSValueRef?
        _ = JSValueToNumber(ref, JSValueMakeUndefined(ref), &exception)
        // It is ended before it has queued anything if a tick comes just now.
        for _ in 0..<3 {
            virtualMachine.watchdog.armAgain()
            var exception: JSValueRef?
            if JSObjectCallAsFunction(ref, script.endMicrotasks, nil, 0, nil, &exception) != nil { return }
        }
    }
}
