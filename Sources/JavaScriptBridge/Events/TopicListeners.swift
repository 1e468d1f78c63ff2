internal import BridgeProtocol
internal import BridgeValues

/// The listeners of each topic, in the order in which they were added.
struct TopicListeners {
    typealias Listener = @Sendable (Value) -> Void

    // Topics are equal if their bytes are, as handlers' names are.
    private var byTopic: [ByteEqualString: RegistrationTable<(shape: SecretShape?, listener: Listener)>] = [:]

    func of(_ topic: String) -> [Listener] { byTopic[ByteEqualString(topic)]?.elements.map(\.listener) ?? [] }

    /// Returns the shapes of the secrets in a topic's events, as its listeners declare them.
    func shapes(of topic: String) -> [SecretShape] {
        guard !byTopic.isEmpty else { return [] }
        return byTopic[ByteEqualString(topic)]?.elements.compactMap(\.shape) ?? []
    }

    /// Adds a listener and the shape of the secrets in its events; reports whether it is the topic's first.
    mutating func add(
        _ topic: String,
        _ shape: SecretShape?,
        _ listener: @escaping Listener
    ) -> (id: Int, isFirst: Bool) {
        let topic = ByteEqualString(topic)
        let isFirst = byTopic[topic] == nil
        let id = byTopic[topic, default: RegistrationTable()].add((shape, listener))
        return (id, isFirst)
    }

    /// Removes a listener and returns it, for its caller to release; reports whether it was the topic's last.
    mutating func remove(_ topic: String, _ id: Int) -> (listener: Listener?, isLast: Bool) {
        let topic = ByteEqualString(topic)
        // In place: a copy of the table would retain each of its listeners.
        guard let removed = byTopic[topic]?.remove(id) else { return (nil, false) }
        let isLast = byTopic[topic]?.isEmpty ?? false
        if isLast { byTopic[topic] = nil }
        return (removed.listener, isLast)
    }
}
