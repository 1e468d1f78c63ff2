internal import BridgeProtocol

extension Bridge {
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
}

extension Bridge {
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
