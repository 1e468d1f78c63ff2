internal import BridgeProtocol
public import BridgeValues

/// The pending work of both sides of a bridge at one moment of a journal.
public struct JournalTables: Sendable, Hashable {
    /// A call without a reply, or a stream.
    public struct Row: Sendable, Hashable {
        /// The id: a number in process, a string on a wire.
        public var id: Value
        /// The name of its handler.
        public var handler: String
    }

    /// The host's calls that wait for their replies, in order.
    public var hostCalls: [Row] = []
    /// The script's calls that the host is processing.
    public var hostRequests: [Row] = []
    /// The open streams in both directions, as the host sees them.
    public var hostStreams: [Row] = []
    /// The names of the host's handlers.
    public var hostHandlers: [String] = []
    /// The state that the script side reports: `pending`, `incoming`, `handlers`, `streams`, `topics` and `queue`.
    public var script: Value = .undefined
    /// The ids of the script's pending timers.
    public var timers: [Int] = []

    /// Creates empty tables.
    public init() {}
}

extension JournalTables {
    /// Records an entry.
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

    /// Copies the host's pending work from other tables.
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
