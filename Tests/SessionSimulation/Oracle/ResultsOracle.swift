/// A model of the results that are retained for later requests, and of the requests that wait for some of them
/// ([decision 17](../../../Documentation/Decisions/0017-pipelining.md)).
///
/// Requests are known by their payloads. It is a list of requests, where the session has a list for each result.
struct ResultsOracle {
    private enum Result {
        case pending
        case value(Int)
        case failure(String)
    }

    private struct Waiting {
        let payload: Int
        /// The ids that it refers to, and the results so far, which it keeps when they are released.
        let ids: [SessionIdentifier]
        var values: [SessionIdentifier: Int]

        var readiness: SessionReadiness { ids.allSatisfy { values[$0] != nil } ? .ready(values) : .waits }
    }

    private let settings: SessionSettings
    private var results: [SessionIdentifier: Result] = [:]
    /// The results whose callers need them no more, and which have not arrived.
    private var released: Set<SessionIdentifier> = []
    /// The waiting requests, the oldest first.
    private var waiting: [Waiting] = []

    init(_ settings: SessionSettings) { self.settings = settings }

    /// Returns whether the result of a call will be retained.
    mutating func keep(_ id: SessionIdentifier) -> Bool {
        if results[id] != nil { return true }
        guard results.count < settings.maximumResults else { return false }
        results[id] = .pending
        return true
    }

    /// Returns whether a released result had arrived.
    mutating func release(_ id: SessionIdentifier) -> Bool {
        switch results[id] {
        case nil: return false
        case .pending?:
            released.insert(id)
            return false
        case .value?, .failure?:
            results[id] = nil
            return true
        }
    }

    /// Determines whether a request may continue; the first of its results that fails it counts.
    mutating func find(_ message: SessionMessage, _ ids: [SessionIdentifier]) -> SessionReadiness {
        if ids.count > settings.maximumFanOut { return .failed("limitExceeded") }
        var request = Waiting(payload: message.payload ?? -1, ids: ids, values: [:])
        for id in ids {
            guard let result = results[id], id != message.id else { return .failed("invalidArgument") }
            switch result {
            case .pending: break
            case .value(let payload): request.values[id] = payload
            case .failure(let code): return .failed(code)
            }
        }
        let readiness = request.readiness
        guard readiness == .waits else { return readiness }
        guard waiting.count < settings.maximumWaitingRequests else { return .failed("overloaded") }
        waiting.append(request)
        return .waits
    }

    /// Records the only outcome of a call that counts, its first; returns the requests that continue.
    mutating func settle(_ id: SessionIdentifier, _ response: SessionResponse, _ payload: Int?)
        -> [SessionContinuation]
    {
        guard case .pending? = results[id] else { return [] }
        let outcome: Result =
            switch response {
            case .result: .value(payload ?? -1)
            case .stream: .failure("unsupported")
            case .failure(let code): .failure(code)
            }
        results[id] = released.remove(id) == nil ? outcome : nil
        var continued: [SessionContinuation] = []
        var left: [Waiting] = []
        for var request in waiting {
            var readiness = SessionReadiness.waits
            if request.ids.contains(id) {
                switch outcome {
                case .value(let payload):
                    request.values[id] = payload
                    readiness = request.readiness
                case .failure(let code): readiness = .failed(code)
                case .pending: break
                }
            }
            if readiness == .waits {
                left.append(request)
            } else {
                continued.append(SessionContinuation(request.payload, readiness))
            }
        }
        waiting = left
        return continued
    }
}

extension SessionOracle {
    /// Requires that the requests continue which waited for a reply that was passed to the transport.
    func settleResult(_ message: SessionMessage) {
        guard case .response(let id, let response) = message.body else { return }
        let continued = results.settle(id, response, message.payload)
        if !continued.isEmpty { owe(.proceed(continued)) }
    }
}
