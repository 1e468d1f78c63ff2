internal import BridgeProtocol
internal import BridgeValues

/// Who listens to which topic, in the order in which they began.
struct TopicListeners {
    typealias Listener = @Sendable (Value) -> Void

    // Topics are the same if their bytes are, as handlers' names.
    private var byTopic: [ExactText: [(id: Int, shape: SecretShape?, listener: Listener)]] = [:]
    private var lastID = 0

    func of(_ topic: String) -> [Listener] { byTopic[ExactText(topic)]?.map(\.listener) ?? [] }

    /// Where the events of a topic hold secrets, as those say who listen.
    func shapes(of topic: String) -> [SecretShape] {
        guard !byTopic.isEmpty else { return [] }
        return byTopic[ExactText(topic)]?.compactMap(\.shape) ?? []
    }

    /// Adds a listener, and where what it reads holds secrets; tells whether it is the topic's first.
    mutating func add(
        _ topic: String,
        _ shape: SecretShape?,
        _ listener: @escaping Listener
    ) -> (id: Int, isFirst: Bool) {
        lastID += 1
        let topic = ExactText(topic)
        byTopic[topic, default: []].append((lastID, shape, listener))
        return (lastID, byTopic[topic]?.count == 1)
    }

    /// Removes a listener, for its caller to let go; tells whether it was the topic's last.
    mutating func remove(_ topic: String, _ id: Int) -> (listener: Listener?, isLast: Bool) {
        let topic = ExactText(topic)
        guard var all = byTopic[topic], let index = all.firstIndex(where: { $0.id == id }) else {
            return (nil, false)
        }
        let removed = all.remove(at: index)
        byTopic[topic] = all.isEmpty ? nil : all
        return (removed.listener, all.isEmpty)
    }
}
