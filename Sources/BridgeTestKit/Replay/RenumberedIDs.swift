internal import BridgeProtocol
internal import BridgeValues

/// Which call of a run is which of a journal, where some of the journal was left out or went wrong: the ids that a script
/// gives out are other ones then.
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
    /// The requests of scripts that the journal has before its first context, and in each of them.
    private var requests: [[JournalMessage]] = [[]]
    /// How many contexts of the journal have begun.
    private var context = 0
    /// The requests of the context that the run has not made yet.
    private var open = RecordedAnswers<JournalMessage>()
    /// The ids that scripts give out in the whole journal.
    private var known: Set<Key> = []
    /// Whether a request that comes after its answer gets that: where messages go wrong the host does not go on without one.
    private let keepsAnswers: Bool
    /// What the host has said about requests in this context, by the requests of the journal.
    private var said: [Key: [JournalMessage]] = [:]
    /// The requests that streams of the host are the answers to.
    private var streams: [Value: Key] = [:]

    /// Makes what has nothing to tell apart.
    init() { keepsAnswers = false }

    /// - Parameters:
    ///   - entries: What is replayed.
    ///   - all: The journal that it is a part of.
    ///   - keepsAnswers: Whether a request that comes after its answer gets that.
    init(of entries: [JournalEntry], in all: [JournalEntry], keepsAnswers: Bool) {
        self.keepsAnswers = keepsAnswers
        for entry in entries {
            switch entry {
            case .context: requests.append([])
            case .received(let message) where message.kind == .request && message.id != nil:
                requests[requests.count - 1].append(message)
            default: break
            }
        }
        for case .received(let message) in all { known.formUnion(Self.given(by: message)) }
        reopen()
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

    // The last request of a handler must not be found again and again: one more has no answer.
    private mutating func reopen() {
        actual = [:]
        open = RecordedAnswers(repeatsLast: false)
        guard requests.indices.contains(context) else { return }
        for message in requests[context] { open.append(message, to: message.name, message.arguments) }
    }

    /// Notes that a context of the journal begins: ids are given out anew, and what was said was said to the last one.
    mutating func beginContext() {
        context += 1
        said = [:]
        streams = [:]
        reopen()
    }

    /// Notes that a context begins that the journal does not have, which asks for what the last one has asked for.
    mutating func beginContextAgain() { reopen() }

    /// Notes that what a script does now is an entry of the journal.
    mutating func note(_ entry: JournalEntry, as recorded: JournalEntry) {
        guard case .received(let new) = entry, case .received(let old) = recorded else { return }
        for (old, new) in zip(Self.given(by: old), Self.given(by: new)) { actual[old] = new.id }
    }

    /// Notes what a script does now, and finds out what it is in the journal.
    ///
    /// That is the first of its handler with the same payload, else the first of its handler. Where answers are kept a request
    /// that was made gets its own again: a script that tries once more asks a host that would answer.
    ///
    /// - Returns: What the host has said about it already.
    mutating func note(_ entry: JournalEntry) -> [JournalMessage] {
        guard case .received(let new) = entry, new.kind == .request, new.id != nil,
            let old = open.take(new.name, new.arguments, repeatsSame: keepsAnswers)
        else { return [] }
        for (old, new) in zip(Self.given(by: old), Self.given(by: new)) { actual[old] = new.id }
        guard let id = old.id else { return [] }
        return (said[Key(id: id, isStream: false)] ?? []).map { message in
            var message = message
            if Self.subject(of: message, isSent: true) != nil { message.id = new.id }
            return message
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
    mutating func renumbered(_ message: JournalMessage) -> JournalMessage? {
        if keepsAnswers, ["next", "end"].contains(message.control),
            let request = message.id.flatMap({ streams[$0] })
        {
            said[request, default: []].append(message)
            return actual[request] == nil ? nil : message
        }
        guard let key = Self.subject(of: message, isSent: true), known.contains(key) else { return message }
        if keepsAnswers, !key.isStream {
            said[key, default: []].append(message)
            if let stream = message.stream { streams[stream] = key }
        }
        guard let id = actual[key] else { return nil }
        var message = message
        message.id = id
        return message
    }
}

extension JournalMessage {
    fileprivate var name: String { handlerName ?? "" }
    fileprivate var arguments: [Value] { payload.map { [$0] } ?? [] }
}
