internal import BridgeProtocol

extension Bridge {
    /// Registers a handler that scripts can call; it replaces a handler of the same name.
    ///
    /// The handler runs on the engine's actor, between scripts, in the order of the calls: keep it short. An error that
    /// it throws reaches the caller with its code (`handlerFailed` for errors without one), message and data; the trace
    /// names the handler and the place where it was registered.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded`
    ///   for one that is too long.
    public func registerHandler<
        Request: Decodable & SendableMetatype,
        Response: Encodable & SendableMetatype
    >(
        _ name: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Response
    ) throws {
        let site = CallSite(handler: name, fileID: fileID, line: line)
        try register(name, .answering(handler), at: site)
    }

    /// Registers a handler without a result that scripts can call.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded`
    ///   for one that is too long.
    public func registerHandler<Request: Decodable & SendableMetatype>(
        _ name: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Void
    ) throws {
        let site = CallSite(handler: name, fileID: fileID, line: line)
        try register(name, .answering(handler), at: site)
    }

    /// Registers an asynchronous handler that scripts can call; it replaces a handler of the same name.
    ///
    /// Each call gets its own task, which finds its call as ``BridgeCall/current``. The tasks begin in the order of the
    /// calls, in the turn of the script: the part before the first suspension holds the engine, and a handler that does not
    /// suspend answers in that turn. A handler with long work there begins with `await Task.yield()`.
    ///
    /// The task is cancelled when its answer is not needed any more: the caller gave up, its deadline or the `timeout`
    /// passed, the bridge was closed, or its context is gone; also before its first suspension. At the `timeout`, which
    /// begins when the handler does, the caller gets `deadlineExceeded`. A handler that holds the engine learns only when
    /// it suspends that its ``ExecutionBudget`` has ended, or that a script has given up in a turn inside its own.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded`
    ///   for one that is too long.
    public func registerHandler<
        Request: Decodable & SendableMetatype,
        Response: Encodable & SendableMetatype
    >(
        _ name: String,
        timeout: Duration? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) throws {
        let site = CallSite(handler: name, fileID: fileID, line: line)
        try register(name, .answeringLater(handler), at: site, timeout: timeout)
    }

    /// Registers an asynchronous handler without a result that scripts can call.
    ///
    /// Its calls run in tasks as those of handlers with a result do.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded`
    ///   for one that is too long.
    public func registerHandler<Request: Decodable & SendableMetatype>(
        _ name: String,
        timeout: Duration? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Void
    ) throws {
        let site = CallSite(handler: name, fileID: fileID, line: line)
        try register(name, .answeringLater(handler), at: site, timeout: timeout)
    }

    /// Removes a handler; its calls in progress are still answered.
    ///
    /// Without a handler of this name it has no effect.
    public func removeHandler(_ name: String) {
        let removed = session.update { state in
            state.machine.removeHandler(name).flatMap { state.handlers.remove($0) }
        }
        // Release the handler outside the lock: its deinitializers may use the bridge.
        session.release(removed)
        _ = session.crosses(.handler(name: name, isRegistered: false))
    }

    func register(_ name: String, _ handler: Handler, at site: CallSite, timeout: Duration? = nil) throws {
        session.describe(handler)
        let replaced = try session.update { state throws(BridgeError) -> RegisteredHandler? in
            let id = state.handlers.newID()
            let replaced = try state.machine.registerHandler(name, as: id)
            state.handlers[id] = RegisteredHandler(
                handler: handler,
                site: site,
                timeout: timeout
            )
            return replaced.flatMap { state.handlers.remove($0) }
        }
        session.release(replaced)
        _ = session.crosses(.handler(name: name, isRegistered: true))
    }

    /// Registers the handlers of a group, all or none; they replace handlers of the same names.
    ///
    /// - Returns: The registration, which removes the handlers again, also when it is released.
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.` or occurs twice in the
    ///   group,
    ///   `limitExceeded` for one that is too long. Then nothing was registered.
    public func register(_ group: HandlerGroup) throws(BridgeError) -> HandlerRegistration {
        try session.register(group.handlers)
    }

    /// Registers one handler; it replaces a handler of the same name.
    ///
    /// - Returns: The registration, which removes the handler again, also when it is released.
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded` for one
    ///   that is too long.
    public func register(_ handler: BridgeHandler) throws(BridgeError) -> HandlerRegistration {
        try session.register([(handler.name, handler)])
    }

    /// A function between a caller and a handler.
    ///
    /// It may inspect a call, change its payload, answer it, throw a ``BridgeError`` or measure; it continues the call
    /// with `next`.
    public typealias Interceptor =
        nonisolated(nonsending) @Sendable (_ call: InterceptedCall, _ next: InterceptedCall.Next) async throws
        -> Value

    /// Adds an interceptor around calls, active as long as the returned registration is retained.
    ///
    /// ```swift
    /// let timing = bridge.addInterceptor { call, next in
    ///     let start = ContinuousClock.now
    ///     defer { log("\(call.handlerName) took \(ContinuousClock.now - start)") }
    ///     return try await next(call)
    /// }
    /// ```
    ///
    /// The interceptor that was added first is called first and sees the reply last. It applies to calls made or
    /// received after it was added: requests, notifications, and the opening of streams. It does not apply to events,
    /// to the items of a stream, or to messages of the protocol itself.
    ///
    /// Calls of scripts reach it after their grants have admitted them; an error that it throws is their error, with
    /// its code. It runs in the handler's task: ``BridgeCall/current`` is set, and the task is cancelled when the reply
    /// is not needed any more. Calls of functions and objects by reference reach interceptors of all names
    /// (``NamePattern/any``), and those for the name `_wvjb.call`. Calls that block the script (`callHandlerSync`)
    /// reach no interceptor.
    ///
    /// A call of Swift remains one call for its caller, even if interceptors send it several times: its deadline starts
    /// with the call. It settles with `disconnected` when the bridge is closed or reloaded, and with `cancelled` when
    /// its task is cancelled, also while an interceptor waits. Then the interceptor's task is cancelled, and `next`
    /// sends nothing any more. An error that the interceptor throws reaches the caller as a ``BridgeError``.
    ///
    /// Calls whose interceptors do not suspend reach their handlers in order; a call whose interceptor suspends may be
    /// overtaken by later ones. With an interceptor, a notification of Swift is sent a moment later, and its errors are
    /// logged. Messages that are sent after it follow it, also those that no interceptor processes. Only calls inside a
    /// turn (`callHandler(_:with:returning:in:)`) and pipelined calls that no interceptor processes do not wait for it.
    /// A bridge that never had interceptors has no overhead.
    ///
    /// - Parameters:
    ///   - direction: The direction of the calls; both if it is `nil`.
    ///   - pattern: The names of the calls.
    ///   - interceptor: The function to call. It runs on no actor.
    /// - Returns: The registration, which removes the interceptor again.
    public func addInterceptor(
        _ direction: InterceptedCall.Direction? = nil,
        matching pattern: NamePattern = .any,
        _ interceptor: @escaping Interceptor
    ) -> InterceptorRegistration {
        let table = session.interceptors
        let id = table.add(direction, pattern, interceptor)
        return InterceptorRegistration { [weak table] in table?.remove(id) }
    }
}

extension CallSite {
    /// Creates the place where a handler was registered.
    init(handler name: String, fileID: String, line: Int) {
        self.init(function: "handler \"\(name)\"", fileID: fileID, line: line)
    }
}
