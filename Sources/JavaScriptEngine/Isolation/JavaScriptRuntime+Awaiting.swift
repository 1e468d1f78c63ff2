public import BridgeValues
internal import CJavaScriptCore
internal import Synchronization

extension JavaScriptRuntime {
    /// Runs a body with the context as one turn, and waits for the promise that it gives.
    ///
    /// ```swift
    /// let total = try await runtime.awaitPromise { context in
    ///     try context.globalObject.invokeMethod("countAll")
    /// } reading: { try $0.decode(Int.self) }
    /// ```
    ///
    /// What is no promise counts as its own outcome, and a thenable as a promise. The caller goes on once: with
    /// the outcome; at once when its task is cancelled, while the promise goes on; when the runtime is closed;
    /// when a script of the runtime was stopped, since the promise may then never settle. A promise
    /// that has settled by the end of the turn costs no other.
    ///
    /// - Parameters:
    ///   - body: Gives the promise.
    ///   - read: Takes its value, inside the turn in which it settles.
    /// - Returns: What `read` returns.
    /// - Throws: ``JSException`` for what the promise is rejected with, and where a turn was stopped;
    ///   `CancellationError`; ``BridgeError`` with the code `disconnected` after ``close()``; what the two
    ///   closures throw.
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

    /// Makes a waiter hear of a promise inside a turn, and waits for that.
    ///
    /// - Parameters:
    ///   - begin: Gives the waiter's number.
    ///   - read: Takes the value.
    /// - Throws: What ``awaitPromise(from:reading:)`` throws.
    nonisolated(nonsending) private func wait(
        for begin: @escaping @Sendable (JSContext, PromiseWaiter) throws -> Int,
        reading read: @escaping PromiseWaiter.Reader
    ) async throws {
        try Task.checkCancellation()
        let core = sharedCore
        let (interrupts, calls) = (core.interrupts, core.calls)
        let operation = JSOperation.current
        let waiter = PromiseWaiter(in: operation, read)
        // Its end comes also where no turn of it is open, and where its own turn never begins.
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
            } catch let error as JSException where error.termination == RuntimeCore.closing {
                // Whether the call's own turn was open at that moment makes no difference to who waits.
                throw RuntimeCore.closedError
            }
        } onCancel: {
            // In this order: a call that begins now either finds that nobody waits, or is marked before it is ended.
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

    /// Runs a body with the context as one turn, and waits for the promise that it gives; the outcome is data.
    ///
    /// - Throws: What ``awaitPromise(from:reading:)`` throws.
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

    /// Calls a global function with data, and waits for what it returns: a promise's outcome, or the value
    /// itself.
    ///
    /// - Parameters:
    ///   - name: The name of a property of the global object. A `const` or `let` of a script is none.
    ///   - arguments: The arguments.
    ///   - read: Takes the value, inside the turn in which it comes.
    /// - Returns: What `read` returns.
    /// - Throws: ``JSException`` for what the function throws or its promise is rejected with, also where there
    ///   is no function of that name; what ``awaitPromise(from:reading:)`` throws.
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

    /// Calls a global function with data, and waits for what it returns, as data.
    ///
    /// - Throws: What ``callAsync(_:with:reading:)`` throws.
    public nonisolated(nonsending) func callAsync(_ name: String, with arguments: [Value] = []) async throws
        -> Value
    {
        // Without an object for the value, which only a reader of somebody else's needs.
        let slot = Slot<Value>()
        try await wait(
            for: { context, waiter in try context.callAsync(name, with: arguments, waiter) },
            reading: { context, value in slot.put(try context.readSettled(value)) }
        )
        return slot.take()
    }
}

extension JSContext {
    /// Reads what a promise has settled with as data.
    ///
    /// A turn must be open.
    fileprivate func readSettled(_ value: JSValueRef?) throws -> Value {
        guard let value else { return .undefined }
        try checkTermination()
        return try readValue(value)
    }
}
