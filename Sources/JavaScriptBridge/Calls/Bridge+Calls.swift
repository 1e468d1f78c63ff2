extension Bridge {
    /// Calls a handler that a script registered and waits for its reply.
    ///
    /// The trace of an error includes the call: the frames of the handler, the hop, and the caller.
    ///
    /// The data is captured when this function is called. If the task is cancelled, the call ends immediately; the
    /// handler may continue.
    ///
    /// If no other thread uses the engine, the script's handler runs in a turn on the calling thread. The jobs of a
    /// free actor do the same (``JavaScriptRuntime/Isolation-swift.enum/actor``).
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: The data for the handler.
    ///   - type: The type to decode the reply as.
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``: `handlerNotFound`, `deadlineExceeded`, `cancelled`, `disconnected`,
    ///   `decodeFailed`, or the handler's error with its code, message, data and frames; an error that Swift threw
    ///   and scripts did not catch is its `underlyingError`.
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
        return try await session.reply(
            of: name,
            to: data,
            returning: type,
            timeout: timeout,
            from: site,
            on: runtime
        ) {
            try session.heldPayload(of: data, replyingWith: type)
        }
    }

    /// Calls a handler that a script registered and waits for its reply.
    ///
    /// It is ``callHandler(_:with:returning:timeout:function:fileID:line:)`` for data that is not `Sendable`: the data
    /// is encoded before the function waits for anything.
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
        return try await session.reply(
            of: name,
            to: data,
            returning: type,
            timeout: timeout,
            from: site,
            on: runtime
        ) {
            try session.takenPayload(of: data, replyingWith: type)
        }
    }

    /// Calls a handler that a script registered, without data, and waits for its reply.
    ///
    /// It is `callHandler(_:with:returning:timeout:)` without data.
    public func callHandler<Response: Decodable>(
        _ name: String,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Response {
        let site = CallSite(function: function, fileID: fileID, line: line)
        return try await session.reply(
            of: name,
            to: Nothing(),
            returning: type,
            timeout: timeout,
            from: site,
            on: runtime
        ) {
            session.noPayload(replyingWith: type)
        }
    }

    /// Calls a handler that a script registered, waits until it is done, and ignores its result.
    ///
    /// The result is not read, whatever it is. The script's handler runs on the calling thread as that of
    /// `callHandler(_:with:returning:timeout:)` does.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: The data for the handler.
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as `callHandler(_:with:returning:timeout:)` does.
    public func callHandler(
        _ name: String,
        with data: some Encodable,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        let site = CallSite(function: function, fileID: fileID, line: line)
        _ = try await session.reply(
            of: name,
            to: data,
            returning: IgnoredResult.self,
            timeout: timeout,
            from: site,
            on: runtime
        ) {
            try session.takenPayload(of: data, replyingWith: IgnoredResult.self)
        }
    }

    /// Calls a handler that a script registered, without data, waits until it is done, and ignores its result.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as `callHandler(_:with:returning:timeout:)` does.
    public func callHandler(
        _ name: String,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        let site = CallSite(function: function, fileID: fileID, line: line)
        _ = try await session.reply(
            of: name,
            to: Nothing(),
            returning: IgnoredResult.self,
            timeout: timeout,
            from: site,
            on: runtime
        ) {
            session.noPayload(replyingWith: IgnoredResult.self)
        }
    }

    /// Calls a handler that a script registered, waits for its reply, and reports its progress meanwhile.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: The data for the handler.
    ///   - type: The type to decode the reply as.
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - onProgress: Called with each progress value, in order, before this returns, on the thread that delivers
    ///     it: keep it short. Progress values that cannot be decoded as its parameter are logged and skipped.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``, as `callHandler(_:with:returning:timeout:)` does.
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
        let site = CallSite(function: function, fileID: fileID, line: line)
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
                        session.logWarning("Progress of the call of \"\(name)\" cannot be read. \(error)")
                    }
                },
                from: site
            )
        }
        return try reply.decodeReply(type, of: name, from: site, by: session.textDecoder)
    }

    /// Sends a notification: a call without a reply.
    ///
    /// A missing handler is not reported.
    ///
    /// - Throws: ``BridgeError``: `disconnected`, or a limit.
    public func notify(_ name: String) throws { try session.notify(name, payload: nil) }

    /// Sends a notification with data: a call without a reply.
    ///
    /// A missing handler is not reported.
    ///
    /// - Throws: ``BridgeError``: `encodeFailed`, `disconnected`, or a limit.
    @inlinable
    public func notify<Payload: Encodable>(_ name: String, with data: Payload) throws {
        let isSent = try withUnsafePointer(to: data) { try session.notifyInline(name, $0, Payload.self) }
        if !isSent { try session.notifyByMessage(name, data) }
    }
}
