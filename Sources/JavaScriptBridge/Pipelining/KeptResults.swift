internal import BridgeProtocol
internal import BridgeValues

/// The outcomes of a script's calls that it may refer to in later ones, and the requests that wait for some.
///
/// They are kept until the script says that it has its own. All of it is bounded: what is not kept is unknown to whoever
/// refers to it.
struct KeptResults {
    /// A request that waits for results.
    struct Waiting: Sendable {
        let message: BridgeMessage.Request
        let payload: JSONPayload
        let ids: [ExactText]
    }

    /// What a request that waited has come to.
    enum Readiness: Sendable {
        case ready([ExactText: MessagePayload])
        case failed(BridgeError)
        case waits
    }

    /// A request that waits, with what it has so far: who called may let a result go before the others are there.
    private struct Pending {
        let request: Waiting
        var results: [ExactText: MessagePayload]
        var missing: Set<ExactText>
    }

    private struct Entry {
        var outcome: Result<MessagePayload, BridgeError>?
        var isReleased = false
        var waiting: [Int] = []
    }

    /// How many results are kept.
    static let maximumKept = 1024
    /// How many requests wait.
    static let maximumWaiting = 1024
    /// For how many results one request may wait.
    static let maximumFanOut = 64

    private var entries: [ExactText: Entry] = [:]
    private var waiting: [Int: Pending] = [:]
    private var lastWaiting = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Notes a call whose result may be referred to; false where no more are kept.
    mutating func keep(_ id: ExactText) -> Bool {
        if entries[id] != nil { return true }
        guard entries.count < Self.maximumKept else { return false }
        entries[id] = Entry()
        return true
    }

    /// Lets a result go: its caller has it.
    ///
    /// - Returns: The result, to be let go outside any lock.
    mutating func release(_ id: ExactText) -> Result<MessagePayload, BridgeError>? {
        guard let entry = entries[id] else { return nil }
        if entry.outcome == nil { entries[id]?.isReleased = true } else { entries[id] = nil }
        return entry.outcome
    }

    /// Looks for the results that a request refers to, and keeps the request until they are all there.
    ///
    /// One that refers to its own result, or to what is not kept, fails now.
    mutating func find(for request: Waiting) -> Readiness {
        guard request.ids.count <= Self.maximumFanOut else {
            let text =
                "A request may wait for \(Self.maximumFanOut) results, this one does for \(request.ids.count)."
            return .failed(BridgeError(.limitExceeded, text))
        }
        var pending = Pending(request: request, results: [:], missing: [])
        for id in request.ids {
            guard let entry = entries[id], request.message.callbackID != .text(id.text) else {
                let text = "The request refers to a call whose result is not kept here."
                return .failed(BridgeError(.invalidArgument, text))
            }
            switch entry.outcome {
            case .success(let payload)?: pending.results[id] = payload
            case .failure(let error)?: return .failed(error)
            case nil: pending.missing.insert(id)
            }
        }
        guard !pending.missing.isEmpty else { return .ready(pending.results) }
        guard waiting.count < Self.maximumWaiting else {
            let text = "\(Self.maximumWaiting) requests may wait for the results of others, so many do."
            return .failed(BridgeError(.overloaded, text))
        }
        lastWaiting += 1
        waiting[lastWaiting] = pending
        for id in pending.missing { entries[id]?.waiting.append(lastWaiting) }
        return .waits
    }

    /// Notes the outcome of a call.
    ///
    /// - Returns: The requests that wait for it no longer, in the order in which they came.
    mutating func settle(_ id: ExactText, _ outcome: Result<MessagePayload, BridgeError>) -> [(
        Waiting, Readiness
    )] {
        guard let entry = entries[id], entry.outcome == nil else { return [] }
        entries[id]?.outcome = outcome
        entries[id]?.waiting = []
        let ready = entry.waiting.compactMap { number -> (Waiting, Readiness)? in
            // One of the others may have failed it.
            guard var pending = waiting.removeValue(forKey: number) else { return nil }
            switch outcome {
            case .failure(let error): return (pending.request, .failed(error))
            case .success(let payload):
                pending.results[id] = payload
                pending.missing.remove(id)
                guard pending.missing.isEmpty else {
                    waiting[number] = pending
                    return nil
                }
                return (pending.request, .ready(pending.results))
            }
        }
        if entry.isReleased { entries[id] = nil }
        return ready
    }
}
