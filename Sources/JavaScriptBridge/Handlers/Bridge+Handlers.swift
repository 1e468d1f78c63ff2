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
}

extension CallSite {
    /// Creates the place where a handler was registered.
    init(handler name: String, fileID: String, line: Int) {
        self.init(function: "handler \"\(name)\"", fileID: fileID, line: line)
    }
}
