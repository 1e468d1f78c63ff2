internal import BridgeProtocol

extension Bridge {
    /// Registers a handler that scripts can call; one that has the name already is replaced (P52).
    ///
    /// The handler runs on the engine's actor, between scripts, in the order of the calls: keep it short.
    /// What it throws reaches the caller with its code (`handlerFailed` for errors without one), message and
    /// data; the trace names the handler and the place where it was registered.
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

    /// Registers a handler that scripts can call and that gives nothing back.
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

    /// Registers an asynchronous handler that scripts can call; one that has the name already is replaced
    /// (P52).
    ///
    /// Each call gets a task of its own, started in the order of the calls, which finds what it answers as
    /// ``BridgeCall/current``. The task is cancelled when nobody waits for its answer any more: the caller gave
    /// up, its time or the `timeout` is over, the bridge was closed, or its context is gone. At the `timeout`,
    /// which begins when the handler does, the caller gets `deadlineExceeded`.
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

    /// Registers an asynchronous handler that scripts can call and that gives nothing back.
    ///
    /// Its task is what those of handlers with a result are.
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

    /// Removes a handler; its calls in progress are still answered (P53).
    ///
    /// Harmless where there is none.
    public func removeHandler(_ name: String) {
        let removed = session.update { state in
            state.machine.removeHandler(name).flatMap { state.handlers.removeValue(forKey: $0) }
        }
        // Let go outside the lock: what a handler holds may use the bridge when it goes.
        withExtendedLifetime(removed) {}
        _ = session.crosses(.handler(name: name, isRegistered: false))
    }

    func register(_ name: String, _ handler: Handler, at site: CallSite, timeout: Duration? = nil) throws {
        session.describe(handler)
        let replaced = try session.update { state throws(BridgeError) -> RegisteredHandler? in
            let id = HandlerID(state.nextHandler)
            let replaced = try state.machine.registerHandler(name, as: id)
            state.nextHandler += 1
            state.handlers[id] = RegisteredHandler(
                handler: handler,
                site: site,
                timeout: timeout
            )
            return replaced.flatMap { state.handlers.removeValue(forKey: $0) }
        }
        withExtendedLifetime(replaced) {}
        _ = session.crosses(.handler(name: name, isRegistered: true))
    }
}

extension CallSite {
    /// The place where a handler was registered.
    init(handler name: String, fileID: String, line: Int) {
        self.init(function: "handler \"\(name)\"", fileID: fileID, line: line)
    }
}
