internal import BridgeProtocol
internal import BridgeValues

/// Who listens to which topic, in the order in which they began.
struct TopicListeners {
    typealias Listener = @Sendable (Value) -> Void

    // Topics are the same if their bytes are, as handlers' names.
    private var byTopic: [ExactText: RegistrationTable<(shape: SecretShape?, listener: Listener)>] = [:]

    func of(_ topic: String) -> [Listener] { byTopic[ExactText(topic)]?.elements.map(\.listener) ?? [] }

    /// Where the events of a topic hold secrets, as those say who listen.
    func shapes(of topic: String) -> [SecretShape] {
        guard !byTopic.isEmpty else { return [] }
        return byTopic[ExactText(topic)]?.elements.compactMap(\.shape) ?? []
    }

    /// Adds a listener, and where what it reads holds secrets; tells whether it is the topic's first.
    mutating func add(
        _ topic: String,
        _ shape: SecretShape?,
        _ listener: @escaping Listener
    ) -> (id: Int, isFirst: Bool) {
        let topic = ExactText(topic)
        let isFirst = byTopic[topic] == nil
        let id = byTopic[topic, default: RegistrationTable()].add((shape, listener))
        return (id, isFirst)
    }

    /// Removes a listener, for its caller to let go; tells whether it was the topic's last.
    mutating func remove(_ topic: String, _ id: Int) -> (listener: Listener?, isLast: Bool) {
        let topic = ExactText(topic)
        // In place: a copy of the table would count a reference for each of its listeners.
        guard let removed = byTopic[topic]?.remove(id) else { return (nil, false) }
        let isLast = byTopic[topic]?.isEmpty ?? false
        if isLast { byTopic[topic] = nil }
        return (removed.listener, isLast)
    }
}
