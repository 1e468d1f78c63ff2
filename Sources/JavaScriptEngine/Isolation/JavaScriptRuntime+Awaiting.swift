public import BridgeValues
internal import CJavaScriptCore
internal import Synchronization

extension JavaScriptRuntime {
    /// Runs a body with the context as one turn, and waits for the promise that it returns.
    ///
    /// ```swift
    /// let total = try await runtime.awaitPromise { context in
    ///     try context.globalObject.invokeMethod("countAll")
    /// } reading: { try $0.decode(Int.self) }
    /// ```
    ///
    /// A value that is not a promise is its own outcome, and a thenable counts as a promise. The caller resumes once,
    /// at the first of these events:
    /// - The promise settles. If it has settled by the end of the turn, no other turn is needed.
    /// - The caller's task is cancelled, while the promise itself continues.
    /// - The runtime is closed.
    /// - A script of the runtime is terminated, because the promise may then never settle.
    ///
    /// - Parameters:
    ///   - body: Returns the promise.
    ///   - read: Receives the promise's value, inside the turn in which it settles.
    /// - Returns: The result of `read`.
    /// - Throws: ``JSException`` for the reason of a rejected promise, and if a turn was terminated;
    ///   `CancellationError`; ``BridgeError`` with the code `disconnected` after ``close()``; the errors of the two
    ///   closures.
    public nonisolated(nonsending) func awaitPromise<Output: Sendable>(
        from body: @escaping @Sendable (JSContext) throws -> JSValue,
        reading read: @escaping @Sendable (JSValue) throws -> Output
    ) async throws -> Output {
        let slot = Slot<Output>()
        try await wait(
            for: { context, waiter in try context.observe(context.ownRef(body(context)), waiter) },
            reading: PromiseWaiter.reader { slot.put(try read($0)) }
        )
        return slot.take()
    }

    /// Registers a waiter for a promise inside a turn, and waits for it.
    ///
    /// - Parameters:
    ///   - begin: Returns the waiter's number.
    ///   - read: Receives the value.
    /// - Throws: The errors of ``awaitPromise(from:reading:)``.
    nonisolated(nonsending) private func wait(
        for begin: @escaping @Sendable (JSContext, PromiseWaiter) throws -> Int,
        reading read: @escaping PromiseWaiter.Reader
    ) async throws {
        try Task.checkCancellation()
        let core = sharedCore
        let (interrupts, calls) = (core.interrupts, core.calls)
        let operation = ExecutionBudget.current
        let waiter = PromiseWaiter(in: operation, read)
        // The operation's end is also reported if none of its turns is open, and if this call's turn never begins.
        let observer = operation?.addObserver { exception in
            waiter.fail(with: exception)
            core.forget(waiter)
        }
        defer { if let observer { operation?.removeObserver(observer) } }
        let call = PromiseCall(id: interrupts.nextCall(), waiter: waiter, begin: begin)
        try await withTaskCancellationHandler {
            do {
                guard calls.occupy() else {
                    return try await withUnsafeThrowingContinuation { continuation in
                        waiter.suspend(continuation)
                        if calls.add(call) { drainCallsLater() }
                    }
                }
                try await waitAlone(call)
            } catch let error as JSException where error.termination == RuntimeCore.closingReason {
                // The error is the same whether or not the call's own turn was open at that moment.
                throw RuntimeCore.closedError
            }
        } onCancel: {
            // In this order: a call that begins now either finds its waiter settled, or is marked before it is
            // terminated.
            waiter.fail(with: CancellationError())
            interrupts.cancel(call.id)
            core.forget(waiter)
        }
    }

    /// Runs a call as a turn of its own, and waits for its promise.
    private func waitAlone(_ call: PromiseCall) async throws {
        let core = core
        let id: Int
        do {
            defer { core.calls.vacate() }
            id = try await home.whenAlone({
                try core.perform(call.id) { try call.begin($0, call.waiter) }
            })
        }
        if try call.waiter.isSettled() { return }
        defer { _ = core.waiters.take(id) }
        try await withUnsafeThrowingContinuation { call.waiter.suspend($0) }
    }

    nonisolated private func drainCallsLater() {
        submit { runtime, core in
            if core.drainCalls() { runtime.drainCallsLater() }
        }
    }

    /// Runs a body with the context as one turn, and waits for the promise that it returns.
    ///
    /// The outcome is data.
    ///
    /// - Throws: The errors of ``awaitPromise(from:reading:)``.
    public nonisolated(nonsending) func awaitPromise(
        from body: @escaping @Sendable (JSContext) throws -> JSValue
    ) async throws -> Value {
        let slot = Slot<Value>()
        try await wait(
            for: { context, waiter in try context.observe(context.ownRef(body(context)), waiter) },
            reading: { context, value in slot.put(try context.readSettled(value)) }
        )
        return slot.take()
    }

    /// Calls a global function with data, and waits for the outcome of the promise that it returns, or for the returned
    /// value itself.
    ///
    /// - Parameters:
    ///   - name: The name of a property of the global object. A script's `const` or `let` is not one.
    ///   - arguments: The arguments.
    ///   - read: Receives the value, inside the turn in which it settles.
    /// - Returns: The result of `read`.
    /// - Throws: ``JSException`` for an error of the function or the reason of its rejected promise, also if no
    ///   function has that name; the errors of ``awaitPromise(from:reading:)``.
    public nonisolated(nonsending) func callAsync<Output: Sendable>(
        _ name: String,
        with arguments: [Value] = [],
        reading read: @escaping @Sendable (JSValue) throws -> Output
    ) async throws -> Output {
        let slot = Slot<Output>()
        try await wait(
            for: { context, waiter in try context.callAsync(name, with: arguments, waiter) },
            reading: PromiseWaiter.reader { slot.put(try read($0)) }
        )
        return slot.take()
    }

    /// Calls a global function with data, and waits for its result, as data.
    ///
    /// - Throws: The errors of ``callAsync(_:with:reading:)``.
    public nonisolated(nonsending) func callAsync(_ name: String, with arguments: [Value] = []) async throws
        -> Value
    {
        // Avoids a `JSValue` for the result, which only a caller's own reader needs.
        let slot = Slot<Value>()
        try await wait(
            for: { context, waiter in try context.callAsync(name, with: arguments, waiter) },
            reading: { context, value in slot.put(try context.readSettled(value)) }
        )
        return slot.take()
    }
}

extension JSContext {
    /// Reads the value of a settled promise as data.
    ///
    /// A turn must be open.
    fileprivate func readSettled(_ value: JSValueRef?) throws -> Value {
        guard let value else { return .undefined }
        try checkTermination()
        return try readValue(value)
    }
}
