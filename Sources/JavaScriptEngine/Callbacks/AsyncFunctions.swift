public import BridgeValues
internal import CJavaScriptCore

/// The pending calls of a context's asynchronous Swift functions.
///
/// The context owns it, so it stores handles instead of values, which would retain the context.
final class AsyncCalls {
    fileprivate struct Call {
        let resolve: JSHandle
        let reject: JSHandle
        var task: Task<Void, Never>?
    }

    private var calls: [Int: Call] = [:]
    private var lastID = 0

    deinit { cancel() }

    /// The number of pending calls.
    var count: Int { calls.count }

    /// Cancels the tasks of all calls; their promises settle if and when the functions return.
    func cancel() { for call in calls.values { call.task?.cancel() } }

    fileprivate func add(resolve: JSValue, reject: JSValue) -> Int {
        lastID += 1
        calls[lastID] = Call(resolve: JSHandle(resolve), reject: JSHandle(reject))
        return lastID
    }

    fileprivate func setTask(_ task: Task<Void, Never>, of id: Int) { calls[id]?.task = task }

    fileprivate func take(_ id: Int) -> Call? { calls.removeValue(forKey: id) }
}

extension JSContext {
    /// Creates a function that scripts can call and that runs an asynchronous Swift closure.
    ///
    /// The function returns a promise to the script.
    ///
    /// Each call runs in a task of its own, off the context's isolation; arguments and the result are data. An error
    /// that the closure throws rejects the promise: as an `Error` with the code, message and data of a `BridgeError`,
    /// or with the description of any other error. Promises settle in the order in which the closures end, several in
    /// one turn. Calls beyond ``ExecutionLimits/maximumPendingPromises`` pending ones are rejected with the code
    /// `limitExceeded`. The tasks are cancelled when the context is released or its runtime is closed.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - parameterCount: The number of parameters that it declares.
    ///   - body: Receives the arguments; missing ones are `undefined`.
    /// - Returns: The function.
    /// - Throws: ``BridgeError`` with the code `unsupported` if the context does not belong to a ``JavaScriptRuntime``,
    ///   which would deliver the result; ``JSException`` if the turn was terminated.
    public func makeAsyncFunction(
        named name: String,
        parameterCount: Int = 0,
        _ body: @escaping @Sendable (JSArguments<Value>) async throws -> Value
    ) throws -> JSValue {
        guard let enqueue = eventLoop.enqueue else {
            throw BridgeError(
                .unsupported,
                "An asynchronous function needs a context that belongs to a JavaScriptRuntime."
            )
        }
        return try makeWrapper(
            named: name,
            parameterCount: parameterCount,
            isVariadic: parameterCount == 0
        ) { arguments in
            let context = arguments.context
            let deferred = try context.makeDeferredPromise()
            do {
                try context.checkPendingPromises()
                let values = try (0..<arguments.count).map { index in
                    try arguments.ref(at: index).map(context.readValue) ?? .undefined
                }
                let id = context.eventLoop.asyncCalls.add(resolve: deferred.resolve, reject: deferred.reject)
                let task = Task {
                    let result: Result<Value, any Error>
                    do {
                        result = .success(try await body(JSArguments(values, undefined: .undefined)))
                    } catch {
                        result = .failure(error)
                    }
                    let job = RuntimeInbox.Job(
                        operation: .current,
                        body: { [result] context in context.endAsyncCall(id, with: result) },
                        otherwise: { context in _ = context.eventLoop.asyncCalls.take(id) }
                    )
                    enqueue(job)
                }
                context.eventLoop.asyncCalls.setTask(task, of: id)
            } catch {
                // Like an async function of JavaScript, the call itself never throws.
                try deferred.reject.call(withArguments: [
                    JSValue(context.thrownValue(for: error), in: context)
                ])
            }
            return EncodedValue(deferred.promise.ref)
        }
    }

    private func checkPendingPromises() throws {
        let limit = virtualMachine.limits.maximumPendingPromises
        guard eventLoop.asyncCalls.count < limit else {
            throw BridgeError(
                .limitExceeded,
                "too many pending calls of asynchronous functions (limit \(limit))"
            )
        }
    }

    private func endAsyncCall(_ id: Int, with result: Result<Value, any Error>) {
        guard let call = eventLoop.asyncCalls.take(id) else { return }
        switch result {
        case .success(let value):
            // Throws only if the turn was terminated, and with it the script that waits.
            try? self.call(call.resolve, with: [value]) { reject(call, with: $0) }
        case .failure(let error): reject(call, with: error)
        }
    }

    private func reject(_ call: AsyncCalls.Call, with error: any Error) {
        _ = try? self.call(call.reject.ref, [thrownValue(for: error)])
    }
}
