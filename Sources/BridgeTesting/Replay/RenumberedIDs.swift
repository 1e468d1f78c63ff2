internal import BridgeProtocol
internal import BridgeValues

/// Which call of a run is which of a journal, where some of the journal was left out: the ids that a script gives out are
/// other ones then.
struct RenumberedIDs {
    /// The ids of the journal, and those of the run.
    private var actual: [Value: Value] = [:]
    /// The requests of scripts that the journal has and the run has not made yet, in their order.
    private var open: [JournalMessage] = []
    /// The ids that scripts give out in the journal.
    private var known: Set<Value> = []

    init() {}

    init(of entries: [JournalEntry]) {
        for case .received(let message) in entries {
            if message.kind == .request, let id = message.id {
                open.append(message)
                known.insert(id)
            }
            if let stream = message.stream { known.insert(stream) }
        }
    }

    /// Notes that what a script does now is an entry of the journal.
    mutating func note(_ entry: JournalEntry, as recorded: JournalEntry) {
        guard case .received(let new) = entry, case .received(let old) = recorded else { return }
        if new.kind == .request { pair(old.id, new.id) }
        pair(old.stream, new.stream)
        open.removeAll { $0.id == old.id }
    }

    /// Notes what a script does now, and finds out what it is in the journal: the first of its handler, better yet with
    /// the same payload.
    mutating func note(_ entry: JournalEntry) {
        guard case .received(let new) = entry, new.kind == .request, new.id != nil else { return }
        let index =
            open.firstIndex { $0.handlerName == new.handlerName && $0.payload == new.payload }
            ?? open.firstIndex { $0.handlerName == new.handlerName }
        guard let index else { return }
        pair(open.remove(at: index).id, new.id)
    }

    private mutating func pair(_ old: Value?, _ new: Value?) {
        if let old, let new { actual[old] = new }
    }

    /// What the journal has, with the id that a script has given out now where it gives out one.
    func expected(_ recorded: JournalEntry, for entry: JournalEntry) -> JournalEntry {
        guard case .received(var old) = recorded, case .received(let new) = entry else { return recorded }
        if old.kind == .request, old.id != nil {
            old.id = new.id
        } else if let id = old.id {
            old.id = actual[id] ?? id
        }
        if old.stream != nil { old.stream = new.stream }
        return .received(old)
    }

    /// A message of the host with the ids of the run; `nil` where it is about what the run has not.
    func renumbered(_ message: JournalMessage) -> JournalMessage? {
        var message = message
        guard message.kind != .request, let id = message.id, known.contains(id) else { return message }
        guard let new = actual[id] else { return nil }
        message.id = new
        return message
    }

    func renumbered(_ entry: JournalEntry) -> JournalEntry {
        guard case .received(var message) = entry, let id = message.id, let new = actual[id] else { return entry }
        message.id = new
        return .received(message)
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
