internal import BridgeProtocol

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

    /// Calls a handler that a script registered; its result can be passed to further calls while it is pending.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: The data for the handler.
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    /// - Returns: The pending result.
    /// - Throws: ``BridgeError`` if the call cannot be sent; the error of the call itself is thrown to the code that
    ///   awaits
    ///   the result.
    public func pipeline(
        _ name: String,
        with data: some Encodable,
        timeout: Duration? = nil
    ) throws -> PipelinedValue {
        let value = try ValueEncoder().encode(data)
        let payload = MessagePayload(value, isSecret: SecretMembers.shared.isWhole(data))
        return session.pipeline(name, value == .undefined ? nil : payload, timeout: timeout)
    }

    /// Calls a handler that a script registered, and runs the engine's queued work until the reply arrives: for code
    /// inside ``JavaScriptRuntime/withContext(_:)`` of ``runtime``, which cannot wait.
    ///
    /// The call takes its place in the queue: messages sent before it are delivered first. Its handler and its
    /// interceptors may be asynchronous as long as they need nothing from outside this turn, such as a timer. In a
    /// function that a script has called, all this happens in the middle of that script.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: The data for the handler.
    ///   - type: The type to decode the reply as.
    ///   - context: The context of this bridge, in which a turn is open.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The file that calls, for traces.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``, as `callHandler(_:with:returning:timeout:)` does, and
    ///   `wouldDeadlock` if the reply does not arrive in this turn; the call is cancelled then.
    @inlinable
    public func callHandler<Request: Encodable, Response: Decodable>(
        _ name: String,
        with data: Request,
        returning type: Response.Type = Response.self,
        in context: JSContext,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) throws -> Response {
        do {
            let reply = try withUnsafeTemporaryAllocation(of: Response.self, capacity: 1) {
                reply -> Response? in
                guard let memory = reply.baseAddress else { return nil }
                let isMade = try withUnsafePointer(to: data) { data in
                    try session.callInline(
                        name,
                        data,
                        Request.self,
                        returning: type,
                        into: memory,
                        in: context
                    )
                }
                return isMade ? memory.move() : nil
            }
            if let reply { return reply }
            return try session.callByMessage(name, data, returning: type, in: context)
        } catch let error as BridgeError {
            throw session.traced(error, throughCallOf: name, function, fileID, line)
        }
    }

    /// Calls a handler that a script registered, runs the engine's queued work until it is done, and ignores its
    /// result.
    ///
    /// It behaves like ``callHandler(_:with:returning:in:function:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: The data for the handler.
    ///   - context: The context of this bridge, in which a turn is open.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as that function does.
    public func callHandler(
        _ name: String,
        with data: some Encodable,
        in context: JSContext,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) throws {
        _ = try callHandler(
            name,
            with: data,
            returning: IgnoredResult.self,
            in: context,
            function: function,
            fileID: fileID,
            line: line
        )
    }

    /// Calls a handler that a script registered, without data, and runs the engine's queued work until the reply
    /// arrives.
    ///
    /// It behaves like ``callHandler(_:with:returning:in:function:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - type: The type to decode the reply as.
    ///   - context: The context of this bridge, in which a turn is open.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``, as that function does.
    public func callHandler<Response: Decodable>(
        _ name: String,
        returning type: Response.Type = Response.self,
        in context: JSContext,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) throws -> Response {
        try callHandler(
            name,
            with: Nothing(),
            returning: type,
            in: context,
            function: function,
            fileID: fileID,
            line: line
        )
    }

    /// Calls a handler that a script registered, without data, runs the engine's queued work until it is done, and
    /// ignores its result.
    ///
    /// It behaves like ``callHandler(_:with:returning:in:function:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - context: The context of this bridge, in which a turn is open.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as that function does.
    public func callHandler(
        _ name: String,
        in context: JSContext,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) throws {
        _ = try callHandler(
            name,
            returning: IgnoredResult.self,
            in: context,
            function: function,
            fileID: fileID,
            line: line
        )
    }
}
