internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

extension JSVirtualMachine {
    /// Changes the limits, also for living contexts.
    ///
    /// Limits of time, memory, depth, nodes and `eval` apply from the next turn on. A typed-array limit applies to
    /// contexts that were created under one.
    ///
    /// - Throws: ``ExecutionLimitsError`` if the limits weaken their own tier or the machine's, or have a memory limit
    ///   that the system cannot enforce.
    public func updateLimits(_ limits: ExecutionLimits) throws(ExecutionLimitsError) {
        try limits.validated()
        try limits.validated(for: self.limits.tier)
        try limits.checkMemoryLimit(isSupported: Capabilities.current.supportsMemoryLimits)
        replaceLimits(limits)
    }

    /// The reason why the machine runs no more scripts; `nil` while it runs them.
    ///
    /// See ``ExecutionLimits/terminationPolicy-swift.property``.
    public var retirement: TerminationReason? { retiredBy?.termination }

    /// Retires the contexts if the limits require it.
    ///
    /// This applies to all contexts of the machine, because the engine has dropped the microtasks of all of them.
    func retireIfRequired(after exception: JSException) {
        guard limits.terminationPolicy == .retires else { return }
        retiredBy = exception
        for context in contexts.living {
            context.eventLoop.timers = TimerQueue()
            context.eventLoop.asyncCalls.cancel()
        }
    }

    /// Allows scripts again, in contexts that are created from now on; closes the retired ones permanently.
    func endRetirement() {
        guard retiredBy != nil else { return }
        for context in contexts.living { context.close() }
        retiredBy = nil
    }

    /// Throws if the contexts are retired.
    func checkRetirement() throws(BridgeError) {
        guard let retiredBy else { return }
        throw BridgeError(
            .disconnected,
            "the script's context is retired: nothing runs in it after a script was stopped",
            cause: BridgeError(retiredBy)
        )
    }
}

extension JSContext {
    /// Runs a call from JavaScript into Swift, one level deeper.
    ///
    /// - Parameters:
    ///   - reserve: The number of additional levels that the package's own script may use: it needs some to describe
    ///     the error that a script gets at the limit.
    ///   - body: The call.
    /// - Returns: The result of the body.
    /// - Throws: An error if a limit refuses the call or the turn was ended; otherwise the error of the body.
    @inline(__always)
    func nestingCall<Result>(reserve: Int32 = 0, _ body: () throws -> Result) throws -> Result {
        // No local variable holds the watchdog: it would count references, which costs a fifth of a call of two
        // numbers.
        guard !virtualMachine.watchdog.signal.isRequested,
            !virtualMachine.watchdog.checksTimeAtBoundary || !virtualMachine.watchdog.mustStop(in: ref),
            jsb_begin_call(reserve)
        else {
            throw refusal()
        }
        defer { jsb_end_call() }
        let result = try body()
        // A turn that was ended inside the call must not continue outside of it.
        guard !jsb_is_turn_stopped(), !virtualMachine.watchdog.signal.isRequested else { throw refusal() }
        return result
    }

    private func refusal() -> any Error {
        do {
            try checkTermination()
        } catch {
            // Microtasks that catch this error would continue.
            if virtualMachine.watchdog.checksTimeAtBoundary { queueEndOfMicrotasks() }
            return error
        }
        let limit = virtualMachine.limits.maximumNestedCalls
        return BridgeError(
            .limitExceeded,
            "calls into Swift may nest \(limit) levels deep, this one goes deeper"
        )
    }
}

extension JSContext {
    /// Returns whether the turn has exceeded its processor time, and stops it in that case, even if the engine could
    /// not.
    ///
    /// Call this before an effect leaves the turn that cannot be undone. It costs 5 ns.
    package func isOverProcessorTime() -> Bool {
        virtualMachine.watchdog.checkTime(in: ref)
        return virtualMachine.watchdog.hasTerminated
    }

    /// Throws if the turn has exceeded its processor time.
    package func checkProcessorTime() throws {
        if isOverProcessorTime() { throw JSException(termination: virtualMachine.watchdog.termination) }
    }

    /// Applies the limits to the engine and to the package's own script.
    ///
    /// A turn must be open.
    func applyLimits() throws {
        guard let shared = script.internalObject else { return }
        try applyLimits(to: shared)
    }

    func applyLimits(to shared: JSObjectRef) throws {
        let limits = virtualMachine.limits
        for (name, number) in [
            ("maximumDepth", limits.usableDepth), ("maximumNodes", limits.maximumNodes),
            ("maximumPayloadBytes", limits.maximumPayloadBytes),
            ("maximumTypedArrayBytes", limits.maximumTypedArrayBytes ?? .max),
            ("clockStepsPerMillisecond", limits.clockStepsPerMillisecond),
        ] {
            try setInternal(name, to: JSValueMakeNumber(ref, Double(number)), on: shared)
        }
        EngineString.with("strings may not be evaluated as code: the limits of this context forbid eval") {
            JSGlobalContextSetEvalEnabled(ref, limits.allowsEval, $0)
        }
        life.appliedLimits = virtualMachine.limitsVersion
    }
}
