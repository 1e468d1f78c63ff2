internal import BridgeProtocol
internal import BridgeValues

/// Which call of a run is which of a journal, where some of the journal was left out: the ids that a script gives out are
/// other ones then.
struct RenumberedIDs {
    /// An id that a script gives out: of a call or of a stream.
    ///
    /// The host's own are the same in every run.
    private struct Key: Hashable {
        let id: Value
        let isStream: Bool
    }

    /// The ids of the journal, and those of the run.
    private var actual: [Key: Value] = [:]
    /// The requests of scripts that the journal has and the run has not made yet, in their order.
    private var open: [JournalMessage] = []
    /// The ids that scripts give out in the whole journal.
    private var known: Set<Key> = []

    init() {}

    /// - Parameters:
    ///   - entries: What is replayed.
    ///   - all: The journal that it is a part of.
    init(of entries: [JournalEntry], in all: [JournalEntry]) {
        for case .received(let message) in entries where message.kind == .request && message.id != nil {
            open.append(message)
        }
        for case .received(let message) in all { known.formUnion(Self.given(by: message)) }
    }

    // What a message of a script gives out.
    private static func given(by message: JournalMessage) -> [Key] {
        var keys: [Key] = []
        if message.kind == .request, let id = message.id { keys.append(Key(id: id, isStream: false)) }
        if let stream = message.stream { keys.append(Key(id: stream, isStream: true)) }
        return keys
    }

    // The id of a script that a message is about, in the one direction or the other.
    private static func subject(of message: JournalMessage, isSent: Bool) -> Key? {
        guard let id = message.id else { return nil }
        switch (message.kind, message.control, isSent) {
        case (.response, _, true), (_, "progress", true), (_, "cancel", false):
            return Key(id: id, isStream: false)
        case (_, "more", true), (_, "stop", true), (_, "next", false), (_, "end", false):
            return Key(id: id, isStream: true)
        default: return nil
        }
    }

    /// Notes that what a script does now is an entry of the journal.
    mutating func note(_ entry: JournalEntry, as recorded: JournalEntry) {
        guard case .received(let new) = entry, case .received(let old) = recorded else { return }
        for (old, new) in zip(Self.given(by: old), Self.given(by: new)) { actual[old] = new.id }
        guard old.kind == .request, let id = old.id else { return }
        open.removeAll { $0.id == id }
    }

    /// Notes what a script does now, and finds out what it is in the journal: the first of its handler, better yet with
    /// the same payload.
    mutating func note(_ entry: JournalEntry) {
        guard case .received(let new) = entry, new.kind == .request, new.id != nil else { return }
        let index =
            open.firstIndex { $0.handlerName == new.handlerName && $0.payload == new.payload }
            ?? open.firstIndex { $0.handlerName == new.handlerName }
        guard let index else { return }
        for (old, new) in zip(Self.given(by: open.remove(at: index)), Self.given(by: new)) {
            actual[old] = new.id
        }
    }

    /// What the journal has, with the ids that a script has given out now.
    func expected(_ recorded: JournalEntry, for entry: JournalEntry) -> JournalEntry {
        guard case .received(var old) = recorded, case .received(let new) = entry else { return recorded }
        if old.kind == .request, old.id != nil { old.id = new.id }
        if old.stream != nil { old.stream = new.stream }
        if let key = Self.subject(of: old, isSent: false), let id = actual[key] { old.id = id }
        return .received(old)
    }

    /// A message of the host with the ids of the run; `nil` where it is about what the run has not.
    func renumbered(_ message: JournalMessage) -> JournalMessage? {
        guard let key = Self.subject(of: message, isSent: true), known.contains(key) else { return message }
        guard let id = actual[key] else { return nil }
        var message = message
        message.id = id
        return message
    }
}

/// The answers that a journal has for synchronous requests.
struct RecordedAnswers {
    private var rest: [(handler: String, payload: Value, outcome: JournalOutcome)] = []

    init(_ entries: [JournalEntry]) {
        var open: [(String, Value)] = []
        for entry in entries {
            switch entry {
            case .request(let handler, let payload): open.append((handler, payload))
            case .answer(let outcome):
                if let (handler, payload) = open.popLast() { rest.append((handler, payload, outcome)) }
            default: break
            }
        }
    }

    /// The answer to a request: that to the same, else to one of its handler; the last one is given again and again.
    mutating func take(_ handler: String, _ payload: Value) -> JournalOutcome? {
        let index =
            rest.firstIndex { $0.handler == handler && $0.payload == payload }
            ?? rest.firstIndex { $0.handler == handler }
        guard let index else { return nil }
        let outcome = rest[index].outcome
        if rest.count(where: { $0.handler == handler }) > 1 { rest.remove(at: index) }
        return outcome
    }
}
