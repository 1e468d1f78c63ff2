internal import BridgeProtocol
internal import BridgeValues

/// The listeners of each topic, in the order in which they were added.
struct TopicListeners {
    /// A listener: a handler of its topic's events, whose request is the event.
    struct Listener: Sendable {
        let handler: RegisteredHandler
        /// The shape of the secrets in the events.
        let shape: SecretShape?
    }

    // Topics are equal if their bytes are, as handlers' names are.
    private var byTopic: [ByteEqualString: RegistrationTable<Listener>] = [:]

    func of(_ topic: String) -> [Listener] { byTopic[ByteEqualString(topic)]?.elements ?? [] }

    /// Returns the listener of a topic that has exactly one.
    func only(of topic: String) -> Listener? {
        guard let table = byTopic[ByteEqualString(topic)], table.count == 1 else { return nil }
        return table.elements.first
    }

    /// Returns the shapes of the secrets in a topic's events, as its listeners declare them.
    func shapes(of topic: String) -> [SecretShape] {
        guard !byTopic.isEmpty else { return [] }
        return byTopic[ByteEqualString(topic)]?.elements.compactMap(\.shape) ?? []
    }

    /// Adds a listener; reports the number of the topic's listeners.
    mutating func add(_ topic: String, _ listener: Listener) -> (id: Int, count: Int) {
        let topic = ByteEqualString(topic)
        let id = byTopic[topic, default: RegistrationTable()].add(listener)
        return (id, byTopic[topic]?.count ?? 0)
    }

    /// Removes a listener and returns it, for its caller to release; reports the number of the remaining ones.
    mutating func remove(_ topic: String, _ id: Int) -> (listener: Listener?, count: Int) {
        let topic = ByteEqualString(topic)
        // In place: a copy of the table would retain each of its listeners.
        guard let removed = byTopic[topic]?.remove(id) else { return (nil, 0) }
        let count = byTopic[topic]?.count ?? 0
        if count == 0 { byTopic[topic] = nil }
        return (removed, count)
    }
}
