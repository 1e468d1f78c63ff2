internal import BridgeProtocol

/// The handlers that Swift has registered, by the ids under which the machine knows them.
struct HandlerTable {
    private var byID: [HandlerID: RegisteredHandler] = [:]
    private var nextID = 0
    /// The function that lists data for scripts that call `describe`.
    var describeData: (@Sendable (DataGrants) -> [Value])?

    /// Returns an id that no handler has had.
    mutating func newID() -> HandlerID {
        defer { nextID += 1 }
        return HandlerID(nextID)
    }

    subscript(id: HandlerID) -> RegisteredHandler? {
        get { byID[id] }
        set { byID[id] = newValue }
    }

    mutating func remove(_ id: HandlerID) -> RegisteredHandler? { byID.removeValue(forKey: id) }

    /// Removes and returns all handlers, to be released outside any lock.
    mutating func removeAll() -> [RegisteredHandler] {
        defer { byID = [:] }
        return Array(byID.values)
    }
}
