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
    /// - Throws: What the body throws; a ``JSException`` whose ``JSException/isTermination`` is true where
    ///   the turn was stopped.
    public func withTurn<Result>(_ body: () throws -> Result) throws -> Result {
        if virtualMachine.isInTurn {
            guard jsb_current_machine() == Unmanaged.passUnretained(virtualMachine).toOpaque() else {
                throw JSException(
                    name: "Error",
                    message: "a turn of another virtual machine is open inside the turn of this one"
                )
            }
            try checkTermination()
            return try body()
        }
        var outcome: Swift.Result<Result, any Error>?
        openTurn { outcome = Swift.Result(catching: body) }
        if virtualMachine.watchdog.hasTerminated { throw takeTermination() }
        guard let outcome else {
            throw JSException(name: "RangeError", message: "the stack is too full to enter a script")
        }
        return try outcome.get()
    }

    /// Throws where the open turn was ended, or somebody outside has asked for its end.
    func checkTermination() throws {
        guard virtualMachine.watchdog.mustStop(in: ref) else { return }
        throw JSException(termination: virtualMachine.watchdog.termination)
    }

    private func openTurn(_ body: () -> Void) {
        let machine = virtualMachine
        withoutActuallyEscaping(body) { body in
            machine.turnBody = body
            machine.watchdog.begin()
            machine.watchdog.signal.openTurn()
            machine.markingTurn {
                var exception: JSValueRef?
                JSLock(ref)
                JSObjectCallAsFunction(ref, trampoline, nil, 0, nil, &exception)
                JSUnlock(ref)
            }
            machine.watchdog.end(in: ref)
            machine.turnBody = nil
        }
    }

    /// Puts the engine in order after a termination and says what happened.
    private func takeTermination() -> JSException {
        let machine = virtualMachine
        let backtrace = machine.watchdog.backtrace
        var exception = JSException(termination: machine.watchdog.termination, stack: backtrace ?? "")
        // A termination inside a nested call leaves the engine about to end whatever runs next: let that be
        // nothing. Measured on 2.50.6: one evaluation is enough; the bound only keeps a change of the engine
        // from hanging us.
        for _ in 0..<3 {
            machine.watchdog.begin()
            machine.watchdog.arm()
            var exception: JSValueRef?
            if EngineText.with("0", { JSEvaluateScript(ref, $0, nil, nil, 1, &exception) }) != nil { break }
        }
        machine.watchdog.arm()
        exception.codeFrame = exception.frames.first { $0.line != nil }.flatMap { codeFrame(of: $0) }
        resetTake()
        terminationHandler?(exception)
        return exception
    }

    /// The native half of a turn, called by the trampoline: the body, then microtasks and the work that waits
    /// for them.
    func runTurn() {
        let machine = virtualMachine
        // The engine drops its lock around a native callback.
        JSLock(ref)
        defer { JSUnlock(ref) }
        machine.release(in: ref)
        machine.turnBody?()
        repeat {
            runMicrotasks()
        } while !machine.watchdog.mustStop(in: ref) && machine.doTurnWork()
        machine.release(in: ref)
    }

    /// Runs the microtasks that wait.
    ///
    /// A turn must be open.
    package func runMicrotasks() {
        // After a termination this ends what is left, before the unlock would run it unwatched.
        if virtualMachine.watchdog.hasTerminated { virtualMachine.watchdog.arm() }
        jsb_drain_microtasks(virtualMachine.group)
    }
}
