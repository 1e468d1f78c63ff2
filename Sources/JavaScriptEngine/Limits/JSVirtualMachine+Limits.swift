internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

extension JSVirtualMachine {
    /// Changes the limits, also of contexts that live.
    ///
    /// Times and memory count from the next turn on, depth, nodes and `eval` too; a typed-array limit counts
    /// for contexts that were made under one.
    ///
    /// - Throws: ``ExecutionLimitsError`` where the limits weaken their own tier or the machine's, or have a memory limit
    ///   that the system cannot keep.
    public func updateLimits(_ limits: ExecutionLimits) throws(ExecutionLimitsError) {
        try limits.validated()
        try limits.validated(for: self.limits.tier)
        try limits.checkMemoryLimit(isSupported: Capabilities.current.supportsMemoryLimits)
        replaceLimits(limits)
    }

    /// Why no script of the machine runs any more; `nil` while scripts run.
    ///
    /// See ``ExecutionLimits/terminationPolicy-swift.property``.
    public var retirement: TerminationReason? { retiredBy?.termination }

    /// Retires the contexts where the limits say so.
    ///
    /// All of the machine's: the engine has dropped the microtasks of every one of them.
    func retireIfLimitsSaySo(after exception: JSException) {
        guard limits.terminationPolicy == .retires else { return }
        retiredBy = exception
        for context in contexts.values {
            context.context?.timers = TimerQueue()
            context.context?.asyncCalls.cancel()
        }
    }

    /// Lets scripts run again, in contexts that are made from now on: those that were retired are closed for good.
    func endRetirement() {
        guard retiredBy != nil else { return }
        for context in contexts.values { context.context?.close() }
        retiredBy = nil
    }

    /// Throws where the contexts are retired.
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
    ///   - reserve: How many levels more the package's own script may go: it needs some to describe the error
    ///     that a script gets at the limit.
    ///   - body: The call.
    /// - Returns: What the body returns.
    /// - Throws: What the call must not go beyond.
    @inline(__always)
    func nestingCall<Result>(reserve: Int32 = 0, _ body: () throws -> Result) throws -> Result {
        // Not by way of a variable: it would count references, a fifth of a call of two numbers.
        guard !virtualMachine.watchdog.signal.isRequested,
            !virtualMachine.watchdog.countsByItself || !virtualMachine.watchdog.mustStop(in: ref),
            jsb_begin_call(reserve)
        else {
            throw refusal()
        }
        defer { jsb_end_call() }
        let result = try body()
        // What was ended inside must not go on outside.
        guard !jsb_is_turn_stopped(), !virtualMachine.watchdog.signal.isRequested else { throw refusal() }
        return result
    }

    private func refusal() -> any Error {
        do {
            try checkTermination()
        } catch {
            // Microtasks that catch this would go on.
            if virtualMachine.watchdog.countsByItself { queueEndOfMicrotasks() }
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
    /// Whether the turn has used more than its processor time; it is then stopped, also where the engine gave no chance to.
    ///
    /// To be asked before something leaves the turn that cannot be taken back. It costs 5 ns.
    package func isOverProcessorTime() -> Bool {
        virtualMachine.watchdog.checkTime(in: ref)
        return virtualMachine.watchdog.hasTerminated
    }

    /// Throws where the turn has used more than its processor time.
    package func checkProcessorTime() throws {
        if isOverProcessorTime() { throw JSException(termination: virtualMachine.watchdog.termination) }
    }

    /// Puts the limits where the engine and the package's own script see them.
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
        ] {
            try setInternal(name, to: JSValueMakeNumber(ref, Double(number)), on: shared)
        }
        EngineText.with("text may not become code here: the limits of this context forbid eval") {
            JSGlobalContextSetEvalEnabled(ref, limits.allowsEval, $0)
        }
        appliedLimits = virtualMachine.limitsVersion
    }
}
