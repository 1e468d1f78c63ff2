/// A model of the messages that wait for the handlers of earlier requests to begin (P39).
///
/// It is an array of sets, where the state machine has numbers.
struct ArrivalOracle {
    /// A waiting message.
    enum Arrival {
        case response(SessionIdentifier, SessionResponse, payload: Int?, account: Int?)
        case item(SessionIdentifier, index: UInt64, payload: Int?)
        case end(SessionIdentifier, count: UInt64, code: String?)
    }

    /// The requests that were dispatched and whose handlers have not begun, by their payloads.
    private var requests: Set<Int> = []
    private var waiting: [(requests: Set<Int>, arrival: Arrival)] = []

    /// A Boolean value that indicates whether no message has to wait.
    var isOpen: Bool { requests.isEmpty }

    mutating func dispatched(_ payload: Int?) {
        if let payload { requests.insert(payload) }
    }

    mutating func append(_ arrival: Arrival) { waiting.append((requests, arrival)) }

    /// Records that a handler has begun; returns the messages that no longer wait.
    mutating func begun(_ payload: Int) -> [Arrival] {
        guard requests.remove(payload) != nil else { return [] }
        for index in waiting.indices { waiting[index].requests.remove(payload) }
        let count = waiting.prefix { $0.requests.isEmpty }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.arrival)
    }

    /// Removes and returns all waiting messages.
    mutating func takeAll() -> [Arrival] {
        defer { waiting = [] }
        return waiting.map(\.arrival)
    }

    /// Removes the requests, none of whose handlers will begin.
    mutating func reset() { requests = [] }
}

extension SessionOracle {
    /// Records that the handler of a dispatched request has begun.
    func begin(_ payload: Int) { handOut(arrivals.begun(payload)) }

    /// Processes all waiting messages, because handlers may never begin.
    func handOutArrivals(forgettingRequests: Bool = false) {
        handOut(arrivals.takeAll())
        if forgettingRequests { arrivals.reset() }
    }

    private func handOut(_ arrivals: [ArrivalOracle.Arrival]) {
        for arrival in arrivals {
            switch arrival {
            case .response(let id, let response, let payload, let account):
                takeResponse(id, response, payload, account)
            case .item(let id, let index, let payload): takeItem(id, index, payload)
            case .end(let id, let count, let code): takeEnd(id, count, code)
            }
        }
    }

    // Replies to calls of the legacy API are not ordered with handlers, and nothing waits for unknown calls.
    func receiveResponse(
        _ id: SessionIdentifier,
        _ response: SessionResponse,
        _ payload: Int?,
        _ account: Int?
    ) {
        let call = callsByIdentifier[id].flatMap { calls[$0] }
        if arrivals.isOpen || call?.wishes.contains(.errors) != true {
            takeResponse(id, response, payload, account)
        } else {
            arrivals.append(.response(id, response, payload: payload, account: account))
        }
    }

    func receiveItem(_ id: SessionIdentifier, _ index: UInt64, _ payload: Int?) {
        if arrivals.isOpen {
            takeItem(id, index, payload)
        } else {
            arrivals.append(.item(id, index: index, payload: payload))
        }
    }

    func receiveEnd(_ id: SessionIdentifier, _ count: UInt64, _ code: String?) {
        if arrivals.isOpen {
            takeEnd(id, count, code)
        } else {
            arrivals.append(.end(id, count: count, code: code))
        }
    }
}
