package import BridgeValues

extension SessionMachine {
    /// The prefix of names that are reserved for the protocol (W5).
    package static let reservedPrefix = NamePattern.reservedPrefix

    /// Registers a handler; it replaces a handler of the same name (P52).
    ///
    /// - Returns: The replaced handler, which the storage may release.
    /// - Throws: `invalidArgument` for a reserved name, `limitExceeded` for one that is too long.
    @discardableResult
    package mutating func registerHandler(
        _ name: String,
        as handler: HandlerID
    ) throws(BridgeError) -> HandlerID? {
        try checkName(name)
        return handlers.register(handler, as: name)
    }

    /// Removes a handler; its calls in progress may still be answered (P53).
    ///
    /// - Returns: The handler, or `nil` if no handler has the name.
    @discardableResult
    package mutating func removeHandler(_ name: String) -> HandlerID? {
        guard !NamePattern.isReserved(name) else { return nil }
        return handlers.remove(name)
    }

    /// Checks that handlers may be registered under all of some names.
    ///
    /// - Throws: The errors of ``registerHandler(_:as:)``, and `invalidArgument` for a name that occurs twice.
    package func checkNames(_ names: [String]) throws(BridgeError) {
        var seen: Set<ByteEqualString> = []
        for name in names {
            try checkName(name)
            guard seen.insert(ByteEqualString(name)).inserted else {
                throw BridgeError(.invalidArgument, "\"\(name)\" occurs twice in the group.")
            }
        }
    }

    private func checkName(_ name: String) throws(BridgeError) {
        guard !NamePattern.isReserved(name) else {
            throw BridgeError(
                .invalidArgument,
                "\"\(name)\" cannot be registered: names that begin with \"\(Self.reservedPrefix)\" are reserved."
            )
        }
        if let error = nameTooLong(name) { throw error }
    }

    /// Registers the handler of a request that is reserved for the protocol.
    package mutating func registerReserved(_ name: String, as handler: HandlerID) {
        _ = handlers.register(handler, as: Self.reservedPrefix + name)
    }

    /// Counts a change of what receives messages besides the handlers: the listeners of topics.
    package mutating func noteRegistration() { handlers.noteListeners() }

    /// Returns the handler of a name, or `nil` if there is none.
    package func handler(_ name: String) -> HandlerID? { handlers[name] }

    /// The names of all handlers that users registered, in no order.
    package var handlerNames: [String] { handlers.names.filter { !NamePattern.isReserved($0) } }
}
