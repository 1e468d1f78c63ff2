public import BridgeValues
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
    @specialized(where Output == Value)
    public func awaitPromise<Output: Sendable>(
        from body: @Sendable (JSContext) throws -> JSValue,
        reading read: @escaping @Sendable (JSValue) throws -> Output
    ) async throws -> Output {
        let slot = Slot<Output>()
        try await wait { context, waiter in
            try context.observe(body(context).ref, waiter)
        } reading: {
            slot.put(try read($0))
        }
        return slot.take()
    }

    /// Runs a turn that makes a waiter hear of a promise, and waits for that.
    ///
    /// - Parameters:
    ///   - begin: Gives the waiter's number.
    ///   - read: Takes the value.
    private func wait(
        for begin: @Sendable (JSContext, PromiseWaiter) throws -> Int,
        reading read: @escaping @Sendable (JSValue) throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let core = core
        let call = core.interrupts.nextCall()
        let waiter = PromiseWaiter(read)
        try await withTaskCancellationHandler {
            let id = try home.alone { try core.perform(call) { try begin($0, waiter) } }
            if let result = waiter.takeResult() { return try result.get() }
            defer { _ = core.waiters.take(id) }
            try await withCheckedThrowingContinuation { waiter.suspend($0) }
        } onCancel: {
            core.interrupts.cancel(call)
            waiter.fail(with: CancellationError())
        }
    }

    /// Runs a body with the context as one turn, and waits for the promise that it gives; the outcome is data.
    ///
    /// - Throws: What ``awaitPromise(from:reading:)`` throws.
    public func awaitPromise(from body: @Sendable (JSContext) throws -> JSValue) async throws -> Value {
        try await awaitPromise(from: body) { try $0.toValue() }
    }

    /// Calls a global function with data, and waits for what it returns: a promise's outcome, or the value
    /// itself.
    ///
    /// - Parameters:
    ///   - name: The name of a property of the global object. A `const` or `let` of a script is none.
    ///   - arguments: The arguments.
    ///   - read: Takes the value, inside the turn in which it comes.
    /// - Throws: ``JSException`` for what the function throws or its promise is rejected with, also where there
    ///   is no function of that name; what ``awaitPromise(from:reading:)`` throws.
    @specialized(where Output == Value)
    public func callAsync<Output: Sendable>(
        _ name: String,
        with arguments: [Value] = [],
        reading read: @escaping @Sendable (JSValue) throws -> Output
    ) async throws -> Output {
        let slot = Slot<Output>()
        try await wait { context, waiter in
            try context.callAsync(name, with: arguments, waiter)
        } reading: {
            slot.put(try read($0))
        }
        return slot.take()
    }

    /// Calls a global function with data, and waits for what it returns, as data.
    ///
    /// - Throws: What ``callAsync(_:with:reading:)`` throws.
    public func callAsync(_ name: String, with arguments: [Value] = []) async throws -> Value {
        try await callAsync(name, with: arguments) { try $0.toValue() }
    }
}
