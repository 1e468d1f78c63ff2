internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

extension JSContext {
    /// Runs a body as one turn: the body and all microtasks that it queues share one time limit.
    ///
    /// A turn takes the engine's lock and enters it through one JavaScript function, which calls the body as a native
    /// callback. It runs the microtasks *inside* that entry, so that an endless chain of promises is terminated like
    /// any loop. Every call of a ``JSContext`` or ``JSValue`` opens a turn if none is open; inside an open one, a call
    /// costs a tenth. A turn inside a turn is part of the outer one.
    ///
    /// - Parameters:
    ///   - budget: The budget that this turn shares with other turns; by default ``ExecutionBudget/current``. Without
    ///     one, the turn has a budget of its own.
    ///   - body: The code to run.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body; a ``JSException`` whose ``JSException/isTermination`` is true if the turn was
    ///   terminated; a `BridgeError` with the code `disconnected` if an earlier turn was terminated and the limits
    ///   retire contexts in that case.
    @inlinable
    public func withTurn<Result>(joining budget: ExecutionBudget? = nil, _ body: () throws -> Result) throws
        -> Result
    {
        // Inlined, so that the rest is not generic: an unspecialized result costs 0.2 us a turn (measured).
        var result: Result?
        try runInTurn(joining: budget) { result = try body() }
        guard let result else { preconditionFailure("a turn ended without an error and without its body") }
        return result
    }

    /// Runs a body in the open turn, or in one of its own.
    @usableFromInline
    func runInTurn(joining operation: ExecutionBudget?, _ body: () throws -> Void) throws {
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
            if !life.isPrepared { try prepare() }
            return try body()
        }
        try virtualMachine.checkRetirement()
        // These open turns of their own, before this one's time begins.
        if !life.isPrepared { try prepare() }
        if virtualMachine.contexts.hasExposed { try virtualMachine.prepareExposedContexts() }
        hooks.observer?.willBeginTurn()
        defer { hooks.observer?.didEndTurn() }
        var hasRun = false
        var failure: (any Error)?
        let operation = operation ?? ExecutionBudget.current
        // Tasks that are created inside inherit the operation.
        try ExecutionBudget.withCurrent(operation) {
            try openTurn(joining: operation) {
                hasRun = true
                do { try body() } catch { failure = error }
            }
        }
        if virtualMachine.watchdog.hasTerminated {
            // The termination handler sees the operation of the turn.
            let exception = ExecutionBudget.withCurrent(operation) { takeTermination() }
            operation?.tell(exception)
            throw exception
        }
        if let failure { throw failure }
        guard hasRun else {
            throw JSException(name: "RangeError", message: "the stack is too full to enter a script")
        }
    }

    /// Throws if the open turn was terminated, or another thread has requested its termination.
    func checkTermination() throws {
        guard virtualMachine.watchdog.mustStop(in: ref) else { return }
        throw JSException(termination: virtualMachine.watchdog.termination)
    }

    private func openTurn(joining operation: ExecutionBudget?, _ body: () -> Void) throws {
        guard !jsb_tracks_leaks() else {
            var failure: (any Error)?
            LeakTracking.entering {
                do { try openUncountedTurn(joining: operation, body) } catch { failure = error }
            }
            if let failure { throw failure }
            return
        }
        try openUncountedTurn(joining: operation, body)
    }

    private func openUncountedTurn(joining operation: ExecutionBudget?, _ body: () -> Void) throws {
        let machine = virtualMachine
        try machine.watchdog.begin(joining: operation)
        guard machine.drainsInside else {
            machine.markingTurn(of: self) { runTurn(body) }
            machine.watchdog.end()
            return
        }
        withoutActuallyEscaping(body) { body in
            machine.setTurnBody { self.runTurn(body) }
            machine.markingTurn(of: self) {
                var exception: JSValueRef?
                JSLock(ref)
                JSObjectCallAsFunction(ref, life.trampoline, nil, 0, nil, &exception)
                JSUnlock(ref)
            }
            machine.watchdog.end()
            machine.setTurnBody(nil)
        }
    }

    /// Restores the engine after a termination, and returns the exception that describes it.
    private func takeTermination() -> JSException {
        let machine = virtualMachine
        let backtrace = machine.watchdog.backtrace
        let exception = JSException(
            termination: machine.watchdog.termination,
            trace: ErrorTrace(stack: backtrace ?? "", sources: traceSources)
        )
        machine.watchdog.collectAfterTermination(in: ref)
        // After a termination inside a nested call, the engine still terminates the next evaluation, so this runs an
        // empty one. Measured on 2.50.6: one evaluation is enough. The bound prevents a hang if the engine changes.
        for _ in 0..<3 {
            machine.watchdog.reset()
            machine.watchdog.arm()
            var exception: JSValueRef?
            let value = EngineString.with("0") { script in
                EngineString.with(Self.internalSourceURL) {
                    JSEvaluateScript(ref, script, nil, $0, 1, &exception)
                }
            }
            if value != nil { break }
        }
        machine.watchdog.arm()
        resetTake()
        for context in machine.contexts.living where !context.isClosed {
            context.modules.endAfterTermination(in: context)
        }
        leaveOrigin()
        machine.retireIfRequired(after: exception)
        hooks.terminationHandler?(exception)
        return exception
    }

    /// Runs the native half of a turn, which the trampoline calls: the body, then microtasks and the work that waits
    /// for them.
    ///
    /// If the library cannot run microtasks on request, turns do not use the trampoline: see ``drainByUnlocking()``.
    private func runTurn(_ body: () -> Void) {
        let machine = virtualMachine
        machine.watchdog.enter()
        // The engine drops its lock around a native callback.
        JSLock(ref)
        defer { JSUnlock(ref) }
        machine.release(in: ref)
        // A context must not run anything without its limits.
        guard life.appliedLimits == machine.limitsVersion || (try? applyLimits()) != nil else { return }
        let operation = machine.watchdog.operation?.number ?? 0
        if operation != hooks.lastOperation { changeOperation(to: operation) }
        if !hooks.turnPreparations.isEmpty { prepareTurn() }
        body()
        repeat {
            runMicrotasks()
            machine.watchdog.checkTime(in: ref)
        } while !machine.watchdog.mustStop(in: ref) && machine.doTurnWork()
        if errors.mayHaveOrigin, !machine.watchdog.hasTerminated { leaveOrigin() }
        machine.watchdog.checkHeap(in: ref)
        machine.release(in: ref)
        // A terminated turn may have left microtasks, which the unlock would run to their end.
        if !machine.drainsInside, machine.watchdog.hasTerminated { queueEndOfMicrotasks() }
    }

    private func prepareTurn() {
        let preparations = hooks.turnPreparations
        hooks.turnPreparations = []
        hooks.turnPreparations = preparations.filter { !$0() } + hooks.turnPreparations
    }

    private func changeOperation(to number: Int) {
        hooks.lastOperation = number
        hooks.operationDidChange?(number)
    }

    /// The operation that the open turn belongs to.
    package var turnOperation: ExecutionBudget? { virtualMachine.watchdog.operation }

    /// Runs the pending microtasks.
    ///
    /// A turn must be open.
    package func runMicrotasks() {
        hooks.observer?.willRunMicrotasks()
        // After a termination this ends the remaining microtasks, which the unlock would otherwise run without a limit.
        if virtualMachine.watchdog.hasTerminated { virtualMachine.watchdog.armAgain() }
        guard virtualMachine.drainsInside else { return drainByUnlocking() }
        jsb_drain_microtasks(virtualMachine.group)
        while virtualMachine.reportRejections() { jsb_drain_microtasks(virtualMachine.group) }
    }

    /// Runs the pending microtasks by means of the public C API, which runs them when the engine's lock is released.
    ///
    /// The engine does so only if no native callback is running. A turn is then not a single entry into the engine but
    /// a body between lock and unlock. The engine's own limit applies to each entry alone, and each microtask is an
    /// entry: an endless chain of them that never calls Swift runs for ever. Everything else works as with the
    /// library's own function.
    private func drainByUnlocking() {
        if virtualMachine.watchdog.hasTerminated { queueEndOfMicrotasks() }
        JSUnlock(ref)
        JSLock(ref)
        // Microtasks that are each shorter than a tick may be too long together.
        _ = virtualMachine.watchdog.mustStop(in: ref)
    }

    /// Queues a microtask that runs until a tick terminates it.
    ///
    /// The engine then drops all microtasks behind it.
    func queueEndOfMicrotasks() {
        // This triggers a termination that is still pending, for example after a FinalizationRegistry's callback. While
        // one is pending, no function can be called.
        var exception: JSValueRef?
        _ = JSValueToNumber(ref, JSValueMakeUndefined(ref), &exception)
        // The function is terminated before it has queued anything if a tick comes at this moment.
        for _ in 0..<3 {
            virtualMachine.watchdog.armAgain()
            var exception: JSValueRef?
            if JSObjectCallAsFunction(ref, script.endMicrotasks, nil, 0, nil, &exception) != nil { return }
        }
    }
}
