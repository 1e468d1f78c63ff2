internal import BridgeProtocol
internal import BridgeValues
internal import Synchronization

extension Bridge {
    /// Returns the handlers of the script's side.
    ///
    /// - Parameters:
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handlers, by name. The kind of a script's handler is known only once it has answered a call.
    /// - Throws: ``BridgeError`` with `unsupported`, immediately, if the other side has not shown that it supports
    ///   extensions; otherwise the errors of `callHandler(_:with:returning:timeout:)`.
    public func describe(
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> [DescribedHandler] {
        // A peer that does not know the request never answers it.
        guard session.state.withLock({ $0.machine.peerIsExtended }) else { throw Self.cannotDescribe }
        let site = CallSite(function: function, fileID: fileID, line: line)
        let reply: MessagePayload
        do {
            reply = try await session.callDirectly(
                BridgeSession.describeName,
                payload: nil,
                timeout: timeout,
                from: site
            )
        } catch let error as BridgeError where error.code == .handlerNotFound {
            throw Self.cannotDescribe
        }
        return try reply.decode([DescribedHandler].self, by: session.textDecoder)
    }

    /// The names of the handlers on this side that a script may call, sorted.
    package var handlerNames: [String] {
        let names = session.state.withLock { state in
            state.machine.handlerNames.filter { !NamePattern.isReserved($0) && state.machine.isGranted($0) }
        }
        return names.sorted()
    }

    private static var cannotDescribe: BridgeError {
        BridgeError(.unsupported, "The other side does not support describe.")
    }

    /// Sets the description of a handler for scripts that call `describe`, until the handler is replaced or removed.
    ///
    /// - Returns: Whether there is such a handler.
    @discardableResult
    public func describeHandler(_ name: String, as description: HandlerDescription) -> Bool {
        session.state.withLock { state in
            guard !NamePattern.isReserved(name), let id = state.machine.handler(name) else {
                return false
            }
            guard let handler = state.handlers[id] else { return false }
            state.handlers[id] = RegisteredHandler(
                handler: handler.handler,
                site: handler.site,
                timeout: handler.timeout,
                description: description
            )
            return true
        }
    }
}
