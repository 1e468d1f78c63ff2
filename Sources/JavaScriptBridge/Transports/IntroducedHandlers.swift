internal import BridgeProtocol
internal import Synchronization

/// The handlers and topics whose messages the script sends property by property.
///
/// They are known as long as no handler is registered, replaced or removed, and no interceptor is added or removed.
struct IntroducedHandlers {
    private var handlers: [HandlerID: ResolvedHandler?] = [:]
    private var topics: [ResolvedHandler] = []
    private var registrations = 0
    private var interceptions = 0

    /// Returns whether the script knows how to send requests for a handler: property by property or as data.
    func knows(_ id: HandlerID) -> Bool { handlers[id] != nil }

    /// Records how requests for a handler are sent; `nil` as data.
    mutating func add(_ handler: ResolvedHandler?, for id: HandlerID) { handlers[id] = .some(handler) }

    /// Forgets how requests for a handler are sent.
    mutating func remove(_ id: HandlerID) { handlers[id] = nil }

    /// Records that the events of a topic are sent property by property.
    mutating func add(topic: ResolvedHandler) { topics.append(topic) }

    /// Forgets all if handlers or interceptors have changed.
    ///
    /// - Returns: The handlers and topics that the script has to forget too; `nil` if there are none. Releasing one may
    ///   run code of the program.
    mutating func takeOld(in session: BridgeSession) -> [ResolvedHandler]? {
        let changes = (
            session.changes.registrations.load(ordering: .acquiring),
            session.interceptors.changes.load(ordering: .acquiring)
        )
        guard changes != (registrations, interceptions) else { return nil }
        (registrations, interceptions) = changes
        guard !handlers.isEmpty || !topics.isEmpty else { return nil }
        defer { (handlers, topics) = ([:], []) }
        return handlers.values.compactMap(\.self) + topics
    }
}
