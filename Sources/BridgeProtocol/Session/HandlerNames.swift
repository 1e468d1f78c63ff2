internal import BridgeValues

/// The handlers of this side by their names.
struct HandlerNames: Sendable {
    private var byName: [ByteEqualString: HandlerID] = [:]
    /// The number of times that a handler was registered, replaced or removed.
    private(set) var registrations = 0

    /// All names, in no order.
    var names: some Sequence<String> { byName.keys.lazy.map(\.text) }

    subscript(name: String) -> HandlerID? { byName[ByteEqualString(name)] }

    /// Registers a handler; returns the one that it replaces.
    mutating func register(_ handler: HandlerID, as name: String) -> HandlerID? {
        registrations += 1
        return byName.updateValue(handler, forKey: ByteEqualString(name))
    }

    /// Removes a handler and returns it.
    mutating func remove(_ name: String) -> HandlerID? {
        registrations += 1
        return byName.removeValue(forKey: ByteEqualString(name))
    }

    /// Counts a change of what receives messages besides the handlers: the listeners of topics.
    mutating func noteListeners() { registrations += 1 }
}
