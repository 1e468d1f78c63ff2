internal import BridgeProtocol

/// The outcomes of a script's calls that it may refer to in later ones, and the requests that wait for some.
///
/// They are kept until the script says that it has its own. All of it is bounded: what is not kept is unknown to whoever
/// refers to it.
struct KeptResults {
    /// A request that waits for results.
    struct Waiting: Sendable {
        let message: BridgeMessage.Request
        let payload: JSONPayload
        let ids: [String]
    }

    /// What a request that waited has come to.
    enum Readiness: Sendable {
        case ready([String: MessagePayload])
        case failed(BridgeError)
        case waits
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

    private var entries: [String: Entry] = [:]
    private var waiting: [Int: Waiting] = [:]
    private var lastWaiting = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Notes a call whose result may be referred to; false where no more are kept.
    mutating func keep(_ id: String) -> Bool {
        if entries[id] != nil { return true }
        guard entries.count < Self.maximumKept else { return false }
        entries[id] = Entry()
        return true
    }

    /// Lets a result go: its caller has it.
    ///
    /// - Returns: The result, to be let go outside any lock.
    mutating func release(_ id: String) -> Result<MessagePayload, BridgeError>? {
        guard let entry = entries[id] else { return nil }
        if entry.outcome == nil { entries[id]?.isReleased = true } else { entries[id] = nil }
        return entry.outcome
    }

    /// Looks for the results that a request refers to, and keeps the request until they are there.
    mutating func find(for request: Waiting) -> Readiness {
        guard request.ids.count <= Self.maximumFanOut else {
            let text =
                "A request may wait for \(Self.maximumFanOut) results, this one does for \(request.ids.count)."
            return .failed(BridgeError(.limitExceeded, text))
        }
        var results: [String: MessagePayload] = [:]
        for id in request.ids {
            switch entries[id]?.outcome {
            case .success(let payload)?: results[id] = payload
            case .failure(let error)?: return .failed(error)
            case nil:
                guard entries[id] != nil else {
                    let text = "The request refers to a call whose result is not kept here."
                    return .failed(BridgeError(.invalidArgument, text))
                }
                guard waiting.count < Self.maximumWaiting else {
                    let text =
                        "\(Self.maximumWaiting) requests may wait for the results of others, so many do."
                    return .failed(BridgeError(.overloaded, text))
                }
                lastWaiting += 1
                waiting[lastWaiting] = request
                entries[id]?.waiting.append(lastWaiting)
                return .waits
            }
        }
        return .ready(results)
    }

    /// Notes the outcome of a call.
    ///
    /// - Returns: The requests that wait for it no longer, in the order in which they came.
    mutating func settle(_ id: String, _ outcome: Result<MessagePayload, BridgeError>) -> [(
        Waiting, Readiness
    )] {
        guard let entry = entries[id], entry.outcome == nil else { return [] }
        entries[id]?.outcome = outcome
        entries[id]?.waiting = []
        let ready = entry.waiting.compactMap { number -> (Waiting, Readiness)? in
            guard let request = waiting.removeValue(forKey: number) else { return nil }
            let readiness = find(for: request)
            if case .waits = readiness { return nil }
            return (request, readiness)
        }
        if entry.isReleased { entries[id] = nil }
        return ready
    }
}
