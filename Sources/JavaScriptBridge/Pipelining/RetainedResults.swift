internal import BridgeJSON
internal import BridgeProtocol
internal import BridgeValues

/// The outcomes of a script's calls to which later calls may refer, and the requests that wait for some of them.
///
/// They are retained until the script reports that it has received them. Everything is bounded: a request that refers
/// to a result that is not retained fails.
struct RetainedResults {
    /// A request that waits for results.
    struct Waiting: Sendable {
        let message: BridgeMessage.Request
        let payload: JSONPayload
        let ids: [ByteEqualString]
    }

    /// The state of a request that refers to results.
    enum Readiness: Sendable {
        case ready([ByteEqualString: MessagePayload])
        case failed(BridgeError)
        case waits
    }

    /// A request that waits, with the results so far: its sender may release a result before the others have arrived.
    private struct Pending {
        let request: Waiting
        var results: [ByteEqualString: MessagePayload]
        var missing: Set<ByteEqualString>
    }

    private struct Entry {
        var outcome: Result<MessagePayload, BridgeError>?
        var isReleased = false
        var waiting: [Int] = []
    }

    /// The maximum number of retained results.
    static let maximumKept = 1024
    /// The maximum number of waiting requests.
    static let maximumWaiting = 1024
    /// The maximum number of results to which one request may refer.
    static let maximumFanOut = 64

    private var entries: [ByteEqualString: Entry] = [:]
    private var waiting: [Int: Pending] = [:]
    private var lastWaiting = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Registers a call whose result may be referred to; returns false if the limit is reached.
    mutating func keep(_ id: ByteEqualString) -> Bool {
        if entries[id] != nil { return true }
        guard entries.count < Self.maximumKept else { return false }
        entries[id] = Entry()
        return true
    }

    /// Releases a result: its caller has received it.
    ///
    /// - Returns: The result, to be released outside any lock.
    mutating func release(_ id: ByteEqualString) -> Result<MessagePayload, BridgeError>? {
        guard let entry = entries[id] else { return nil }
        if entry.outcome == nil { entries[id]?.isReleased = true } else { entries[id] = nil }
        return entry.outcome
    }

    /// Looks up the results to which a request refers, and queues the request until all of them have arrived.
    ///
    /// A request that refers to its own result, or to one that is not retained, fails immediately.
    mutating func find(for request: Waiting) -> Readiness {
        guard request.ids.count <= Self.maximumFanOut else {
            let text =
                "The request refers to too many results: \(request.ids.count) (limit \(Self.maximumFanOut))."
            return .failed(BridgeError(.limitExceeded, text))
        }
        var pending = Pending(request: request, results: [:], missing: [])
        for id in request.ids {
            guard let entry = entries[id], request.message.callbackID != .text(id.text) else {
                let text = "The request refers to a call whose result is not retained here."
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
            let text = "Too many pipelined requests (limit \(Self.maximumWaiting))."
            return .failed(BridgeError(.overloaded, text))
        }
        lastWaiting += 1
        waiting[lastWaiting] = pending
        for id in pending.missing { entries[id]?.waiting.append(lastWaiting) }
        return .waits
    }

    /// Records the outcome of a call.
    ///
    /// - Returns: The requests that stop waiting for it, in the order of their arrival.
    mutating func settle(_ id: ByteEqualString, _ outcome: Result<MessagePayload, BridgeError>) -> [(
        Waiting, Readiness
    )] {
        guard let entry = entries[id], entry.outcome == nil else { return [] }
        entries[id]?.outcome = outcome
        entries[id]?.waiting = []
        let ready = entry.waiting.compactMap { number -> (Waiting, Readiness)? in
            // Another result may have failed the request.
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

extension RetainedResults {
    /// Records an outgoing reply, for the requests that wait for it.
    mutating func settle(_ message: BridgeMessage, _ payload: MessagePayload?) -> [(Waiting, Readiness)] {
        guard !isEmpty, case .response(let response) = message, case .text(let text) = response.responseID
        else { return [] }
        let id = ByteEqualString(text)
        switch response.outcome {
        case .payload: return settle(id, .success(payload ?? .value(.null)))
        case .failure(let error): return settle(id, .failure(error))
        case .stream:
            return settle(id, .failure(BridgeError(.unsupported, "The result of the call is a stream.")))
        }
    }
}
