package import BridgeValues

extension SessionMachine {
    /// What the names begin with that the protocol keeps for itself (W5).
    package static let reservedPrefix = "_wvjb."

    /// Registers a handler; one that has the name already is replaced (P52).
    ///
    /// - Returns: The handler that was replaced, which the storage may let go.
    /// - Throws: `invalidArgument` for a reserved name, `limitExceeded` for one that is too long.
    @discardableResult
    package mutating func registerHandler(
        _ name: String,
        as handler: HandlerID
    ) throws(BridgeError) -> HandlerID? {
        guard !name.hasPrefix(Self.reservedPrefix) else {
            throw BridgeError(
                .invalidArgument,
                "\"\(name)\" cannot be registered: names that begin with \"\(Self.reservedPrefix)\" are reserved."
            )
        }
        if let error = nameTooLong(name) { throw error }
        return handlers.updateValue(handler, forKey: HandlerName(name))
    }

    /// Removes a handler; its calls in progress may still be answered (P53).
    ///
    /// - Returns: The handler, or `nil` if no handler has the name.
    @discardableResult
    package mutating func removeHandler(_ name: String) -> HandlerID? {
        handlers.removeValue(forKey: HandlerName(name))
    }

    /// The handler that has a name.
    package func handler(named name: String) -> HandlerID? { handlers[HandlerName(name)] }

    /// The names of all handlers, in no order.
    package var handlerNames: [String] { handlers.keys.map(\.text) }
}
