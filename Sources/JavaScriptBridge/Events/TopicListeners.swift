internal import BridgeProtocol

/// Who listens to which topic, in the order in which they began.
struct TopicListeners {
    typealias Listener = @Sendable (Value) -> Void

    private var byTopic: [String: [(id: Int, listener: Listener)]] = [:]
    private var lastID = 0

    func of(_ topic: String) -> [Listener] { byTopic[topic]?.map(\.listener) ?? [] }

    /// Adds a listener; tells whether it is the topic's first.
    mutating func add(_ topic: String, _ listener: @escaping Listener) -> (id: Int, isFirst: Bool) {
        lastID += 1
        byTopic[topic, default: []].append((lastID, listener))
        return (lastID, byTopic[topic]?.count == 1)
    }

    /// Removes a listener; tells whether it was the topic's last.
    mutating func remove(_ topic: String, _ id: Int) -> Bool {
        guard var all = byTopic[topic], let index = all.firstIndex(where: { $0.id == id }) else {
            return false
        }
        all.remove(at: index)
        byTopic[topic] = all.isEmpty ? nil : all
        return all.isEmpty
    }

    mutating func removeAll() { byTopic = [:] }
}
