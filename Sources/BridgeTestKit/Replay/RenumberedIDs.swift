internal import BridgeProtocol
internal import BridgeValues

/// The mapping from the calls of a journal to those of a run in which entries were removed or have faults.
///
/// The ids that a script chooses differ in such a run.
struct RenumberedIDs {
    /// An id that a script chose, for a call or a stream.
    ///
    /// The host's own ids are the same in every run.
    private struct Key: Hashable {
        let id: Value
        let isStream: Bool
    }

    /// The ids of the run, by those of the journal.
    private var actual: [Key: Value] = [:]
    /// The requests of scripts before the first context of the journal, and in each context.
    private var requests: [[JournalMessage]] = [[]]
    /// The number of contexts of the journal that have begun.
    private var context = 0
    /// The requests of the context that the run has not made yet.
    private var open = RecordedReplies<JournalMessage>()
    /// The ids that scripts choose in the whole journal.
    private var known: Set<Key> = []
    /// A Boolean value that indicates whether a request that comes after its recorded reply still receives it; with
    /// faults, every request is replied to.
    private let keepsAnswers: Bool
    /// The host's messages about requests in this context, by the requests of the journal.
    private var said: [Key: [JournalMessage]] = [:]
    /// The requests whose replies are streams of the host.
    private var streams: [Value: Key] = [:]

    /// Creates an empty mapping.
    init() { keepsAnswers = false }

    /// Creates the mapping of a replay.
    ///
    /// - Parameters:
    ///   - entries: The entries to replay.
    ///   - all: The whole journal.
    ///   - keepsAnswers: Whether a request that comes after its recorded reply still receives it.
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

    // Returns the ids that a message of a script chooses.
    private static func given(by message: JournalMessage) -> [Key] {
        var keys: [Key] = []
        if message.kind == .request, let id = message.id { keys.append(Key(id: id, isStream: false)) }
        if let stream = message.stream { keys.append(Key(id: stream, isStream: true)) }
        return keys
    }

    // Returns the script's id that a message is about, in either direction.
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

    // The last request of a handler must not be repeated: an additional request has no reply.
    private mutating func reopen() {
        actual = [:]
        open = RecordedReplies(repeatsLast: false)
        guard requests.indices.contains(context) else { return }
        for message in requests[context] { open.append(message, to: message.name, message.arguments) }
    }

    /// Records that a context of the journal begins: ids are chosen again, and earlier messages were for the last
    /// context.
    mutating func beginContext() {
        context += 1
        said = [:]
        streams = [:]
        reopen()
    }

    /// Records that a context begins that the journal does not have, which repeats the requests of the last one.
    mutating func beginContextAgain() { reopen() }

    /// Records that an action of the script corresponds to an entry of the journal.
    mutating func note(_ entry: JournalEntry, as recorded: JournalEntry) {
        guard case .received(let new) = entry, case .received(let old) = recorded else { return }
        for (old, new) in zip(Self.given(by: old), Self.given(by: new)) { actual[old] = new.id }
    }

    /// Records an action of the script, and finds the corresponding entry of the journal.
    ///
    /// That is the first request of its handler with the same payload, or else the first of its handler. Where replies
    /// are kept, a repeated request receives its own reply again, as a real host would reply to a retry.
    ///
    /// - Returns: The host's messages about it so far.
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

    /// Returns the recorded entry, with the ids that the script has chosen in this run.
    func expected(_ recorded: JournalEntry, for entry: JournalEntry) -> JournalEntry {
        guard case .received(var old) = recorded, case .received(let new) = entry else { return recorded }
        if old.kind == .request, old.id != nil { old.id = new.id }
        if old.stream != nil { old.stream = new.stream }
        if let key = Self.subject(of: old, isSent: false), let id = actual[key] { old.id = id }
        return .received(old)
    }

    /// Returns a message of the host with the ids of the run; `nil` if it is about a call or stream that the run does
    /// not have.
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
