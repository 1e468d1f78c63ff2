internal import BridgeProtocol

/// A registration of handlers; ``remove()`` removes them, and so does releasing this object.
///
/// It never removes a handler that was registered later under one of the names. The registration does not retain the
/// bridge.
public final class HandlerRegistration: Sendable {
    /// The names under which the handlers were registered.
    public let names: [String]
    private let handlers: [(name: String, id: HandlerID)]
    private weak let session: BridgeSession?

    init(_ handlers: [(name: String, id: HandlerID)], session: BridgeSession) {
        self.handlers = handlers
        self.session = session
        names = handlers.map(\.name)
    }

    deinit { remove() }

    /// Removes the handlers; their calls in progress are still answered.
    ///
    /// Calling it again has no effect.
    public func remove() {
        let handlers = handlers
        let removed = session?.update { state in
            handlers.compactMap { name, id -> RegisteredHandler? in
                if state.machine.handler(name) == id { state.machine.removeHandler(name) }
                return state.handlers.remove(id)
            }
        }
        // Release the handlers outside the lock: a handler may hold a registration itself.
        for handler in removed ?? [] { session?.release(handler) }
        for name in names where session?.handler(named: name) == nil {
            _ = session?.crosses(.handler(name: name, isRegistered: false))
        }
    }
}
