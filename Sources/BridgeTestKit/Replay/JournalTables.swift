internal import BridgeProtocol
public import BridgeValues

/// What both sides of a bridge have in hand at one moment of a journal.
public struct JournalTables: Sendable, Hashable {
    /// A call that has no answer yet, or a stream.
    public struct Row: Sendable, Hashable {
        /// Its id: a number in process, text on a wire.
        public var id: Value
        /// The handler that it is of.
        public var handler: String
    }

    /// The host's calls that wait for their reply, in their order.
    public var hostCalls: [Row] = []
    /// The script's calls that the host works for.
    public var hostRequests: [Row] = []
    /// The streams of both ways that have begun and not ended, as the host sees them.
    public var hostStreams: [Row] = []
    /// The names that the host answers to.
    public var hostHandlers: [String] = []
    /// What the script's side says of itself: `pending`, `incoming`, `handlers`, `streams`, `topics` and `queue`.
    public var script: Value = .undefined
    /// The timers of the script that wait, by their ids.
    public var timers: [Int] = []

    /// Makes empty tables.
    public init() {}
}

extension JournalTables {
    /// Notes what has crossed.
    mutating func note(_ entry: JournalEntry) {
        switch entry {
        case .context:
            hostCalls = []
            hostRequests = []
            hostStreams = []
        case .handler(let name, let isRegistered):
            hostHandlers.removeAll { $0 == name }
            if isRegistered { hostHandlers.append(name) }
        case .sent(let message): note(message, calls: \.hostCalls, answers: \.hostRequests)
        case .received(let message): note(message, calls: \.hostRequests, answers: \.hostCalls)
        default: break
        }
    }

    /// Has what the host has in hand from other tables.
    mutating func takeHost(of other: JournalTables) {
        hostCalls = other.hostCalls
        hostRequests = other.hostRequests
        hostStreams = other.hostStreams
    }

    private mutating func note(
        _ message: JournalMessage,
        calls: WritableKeyPath<JournalTables, [Row]>,
        answers: WritableKeyPath<JournalTables, [Row]>
    ) {
        guard let id = message.id else { return }
        switch message.kind {
        case .request: self[keyPath: calls].append(Row(id: id, handler: message.handlerName ?? ""))
        case .response:
            let index = self[keyPath: answers].firstIndex { $0.id == id }
            let row = index.map { self[keyPath: answers].remove(at: $0) }
            if let stream = message.stream {
                hostStreams.append(Row(id: stream, handler: row?.handler ?? ""))
            }
        case .control:
            switch message.control {
            case "end", "stop": hostStreams.removeAll { $0.id == id }
            case "cancel": self[keyPath: calls].removeAll { $0.id == id }
            default: break
            }
        }
    }
}
