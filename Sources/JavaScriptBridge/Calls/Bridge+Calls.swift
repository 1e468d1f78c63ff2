extension Bridge {
    /// Calls a handler that a script registered and waits for its reply.
    ///
    /// The trace of an error goes through the call: the frames of the handler, the hop, and the caller.
    ///
    /// The data is taken when this is called. If the task is cancelled, the call ends at once; the handler
    /// may go on. Where nobody has the engine, the script's handler runs in a turn of the thread that this runs on, as
    /// the jobs of an actor that is free do (``JavaScriptRuntime/Isolation-swift.enum/actor``).
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - type: What to read the reply as.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``: `handlerNotFound`, `deadlineExceeded`, `cancelled`, `disconnected`,
    ///   `decodeFailed`, or what the handler threw, with its code, message, data and frames; an error that
    ///   Swift threw and scripts let through is its `underlyingError`.
    public func callHandler<Response: Decodable>(
        _ name: String,
        with data: some Encodable & Sendable,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Response {
        let site = CallSite(function: function, fileID: fileID, line: line)
        return try await reply(of: name, to: data, returning: type, timeout: timeout, from: site) {
            try session.heldPayload(of: data, replyingWith: type)
        }
    }

    /// Calls a handler that a script registered and waits for its reply.
    ///
    /// As ``callHandler(_:with:returning:timeout:function:fileID:line:)`` with data that may cross threads; other data is
    /// encoded before this waits for anything.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - type: What to read the reply as.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``: `handlerNotFound`, `deadlineExceeded`, `cancelled`, `disconnected`,
    ///   `decodeFailed`, or what the handler threw, with its code, message, data and frames; an error that
    ///   Swift threw and scripts let through is its `underlyingError`.
    public func callHandler<Response: Decodable>(
        _ name: String,
        with data: some Encodable,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Response {
        let site = CallSite(function: function, fileID: fileID, line: line)
        return try await reply(of: name, to: data, returning: type, timeout: timeout, from: site) {
            try session.takenPayload(of: data, replyingWith: type)
        }
    }

    /// Calls a handler that a script registered, without data, and waits for its reply.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - type: What to read the reply as.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func callHandler<Response: Decodable>(
        _ name: String,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Response {
        let site = CallSite(function: function, fileID: fileID, line: line)
        return try await reply(of: name, to: Nothing(), returning: type, timeout: timeout, from: site) {
            session.noPayload(replyingWith: type)
        }
    }

    /// Calls a handler that a script registered and waits until it is done, whatever it gives back.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func callHandler(
        _ name: String,
        with data: some Encodable,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        let site = CallSite(function: function, fileID: fileID, line: line)
        _ = try await session.call(
            name,
            payload: session.takenPayload(of: data),
            timeout: timeout,
            from: site
        )
    }

    /// Calls a handler that a script registered, without data, and waits until it is done, whatever it gives back.
    ///
    /// Where nothing can be awaited the ancestor's call of the same look is meant,
    /// ``callHandler(_:data:responseCallback:)``, which waits for nothing.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func callHandler(
        _ name: String,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        let site = CallSite(function: function, fileID: fileID, line: line)
        _ = try await session.call(name, payload: nil, timeout: timeout, from: site)
    }

    /// Calls a handler that a script registered, waits for its reply, and is told meanwhile how far it has come.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - type: What to read the reply as.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - onProgress: Called with each piece of news, in order, before this returns, on the thread that brings
    ///     it: keep it short. News that cannot be read as its parameter are logged and passed over.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func callHandler<Response: Decodable, Progress: Decodable & SendableMetatype>(
        _ name: String,
        with data: some Encodable,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line,
        onProgress: @escaping @Sendable (Progress) -> Void
    ) async throws -> Response {
        let session = self.session
        let payload = try session.takenPayload(of: data)
        let reply = try await BridgeSession.reading(type, Progress.self) {
            try await session.call(
                name,
                payload: payload,
                timeout: timeout,
                onProgress: { payload in
                    do {
                        onProgress(try payload.decode(by: session.textDecoder))
                    } catch {
                        session.logWarning("News of the call of \"\(name)\" cannot be read. \(error)")
                    }
                },
                from: CallSite(function: function, fileID: fileID, line: line)
            )
        }
        return try reply.decode(type, by: session.textDecoder)
    }

    /// Calls a handler that a script registered and wants no reply, not even that there is no such handler.
    ///
    /// - Throws: ``BridgeError``: `disconnected`, or a limit.
    public func notify(_ name: String) throws { try session.notify(name, payload: nil) }

    /// Calls a handler that a script registered and wants no reply, not even that there is no such handler.
    ///
    /// - Throws: ``BridgeError``: `encodeFailed`, `disconnected`, or a limit.
    @inlinable
    public func notify<Payload: Encodable>(_ name: String, with data: Payload) throws {
        let isSent = try withUnsafePointer(to: data) { try session.notifyAtOnce(name, $0, Payload.self) }
        if !isSent { try session.notifyByMessage(name, data) }
    }
}
