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

extension BridgeSession {
    static let describeName = SessionMachine.reservedPrefix + "describe"

    /// Answers scripts that ask for the handlers (`_wvjb.describe`): with those that they may call.
    func answerDescribe() {
        register(.sync { [weak self] _ in self?.describedHandlers ?? .array([]) }, reserved: "describe")
    }

    /// Registers a handler of the protocol itself.
    func register(_ handler: Handler, reserved name: String) {
        let site = CallSite(handler: SessionMachine.reservedPrefix + name, fileID: #fileID, line: #line)
        state.withLock { state in
            let id = state.handlers.newID()
            state.machine.registerReserved(name, as: id)
            state.handlers[id] = RegisteredHandler(handler: handler, site: site)
        }
    }

    private var describedHandlers: Value {
        noteTime()
        let handlers = state.withLock { state in
            state.machine.handlerNames.compactMap { name -> (String, RegisteredHandler)? in
                guard state.machine.isGranted(name), let id = state.machine.handler(name) else { return nil }
                return state.handlers[id].map { (name, $0) }
            }
        }
        let describeData = state.withLock { $0.handlers.describeData }
        let data = describeData.map { describe in
            _ = dataGrants.generation
            return describe(dataGrants.current)
        }
        return .array(
            handlers.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map { name, handler in
                var members: [(String, Value)] = [
                    ("name", .string(name)), ("kind", .string(kind(of: handler.handler).rawValue)),
                    ("takesCallback", .bool(handler.handler.takesCallback)),
                ]
                if let description = handler.description {
                    members.append(("summary", .string(description.summary)))
                    if let since = description.since { members.append(("since", .string(since))) }
                    if let deprecation = description.deprecation {
                        members.append(("deprecated", .string(deprecation)))
                    }
                }
                if configuration.describesTypes, let types = handler.types { members += types.schemaMembers }
                return .object(ValueObject(members))
            } + (data ?? [])
        )
    }
}

extension BridgeSession {
    /// Inspects a handler's types for later descriptions, if they are on; called outside all locks, as it runs the
    /// types' code.
    func describe(_ handler: Handler) {
        if configuration.describesTypes { handler.types?.describe() }
    }

    /// Returns how a handler answers the scripts of this session: also synchronously, if they have a call that blocks.
    func kind(of handler: Handler) -> DescribedHandler.Kind {
        switch handler {
        case .typed, .sync: isDirect || configuration.dialect.face != .handlers ? .sync : .value
        case .typedAsync, .async, .legacy: .value
        case .stream: .stream
        }
    }
}

extension Handler {
    fileprivate var takesCallback: Bool {
        if case .legacy = self { true } else { false }
    }
}
