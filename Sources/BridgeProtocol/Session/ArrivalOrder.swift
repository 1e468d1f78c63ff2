internal import BridgeValues

/// The order between requests that were dispatched and the messages that came after them (P39).
///
/// A reply, an item of a stream and a stream's end wait here until the handlers of all requests before them have begun: who
/// awaits them then finds done what the other side sent first.
struct ArrivalOrder: Sendable {
    /// What waits for handlers to begin.
    enum Arrival: Sendable {
        case response(BridgeMessage.Response)
        case control(Control)
        /// A point in the order that the storage asked for.
        case point(UInt64)
    }

    /// The number of the request that was dispatched last.
    private var last: UInt64 = 0
    /// The oldest request whose handler has not begun.
    private var first: UInt64 = 1
    /// Requests whose handlers have begun before that of the oldest.
    private var begunAhead: Set<UInt64> = []
    private var arrivals = FirstInFirstOut<(last: UInt64, arrival: Arrival)>()

    /// Whether the handlers of all requests have begun, so that nothing has to wait.
    var isOpen: Bool { first > last }

    /// The number of arrivals that wait.
    var count: Int { arrivals.count }

    /// Adds a request.
    ///
    /// - Returns: Its number, for ``begin(_:)``.
    mutating func addRequest() -> UInt64 {
        last += 1
        return last
    }

    /// Notes that the handler of a request has begun, or never will.
    ///
    /// A request that was dropped by ``reset()`` changes nothing.
    mutating func begin(_ request: UInt64) {
        guard request >= first else { return }
        guard request == first else {
            begunAhead.insert(request)
            return
        }
        first += 1
        while !begunAhead.isEmpty, begunAhead.remove(first) != nil { first += 1 }
    }

    /// Forgets all requests: none of their handlers will begin.
    mutating func reset() {
        first = last + 1
        begunAhead = []
    }

    /// Adds what waits for the requests that came before it.
    mutating func append(_ arrival: Arrival) { arrivals.append((last, arrival)) }

    /// Takes the first arrival, if it waits for no handler any more, or in any case.
    mutating func popFirst(inAnyCase: Bool = false) -> Arrival? {
        guard let next = arrivals.first, inAnyCase || next.last < first else { return nil }
        return arrivals.popFirst()?.arrival
    }
}

extension SessionMachine {
    /// Whether a message waits for no handler to begin.
    package var isInOrder: Bool { order.isOpen }

    /// Notes that the handler of a dispatched request has begun, or never will: what came after it may go on.
    ///
    /// A handler that is not asynchronous has begun when it has returned. The storage does so once for each request that it
    /// was given by ``SessionAction/dispatch(_:_:)``.
    package mutating func noteBegun(_ request: UInt64) {
        order.begin(request)
        while let arrival = order.popFirst() { handOut(arrival) }
    }

    /// Asks for ``SessionAction/passed(_:)`` once the handlers of all requests that were dispatched until now have begun.
    package mutating func notePoint(_ point: UInt64) {
        if order.isOpen { actions.append(.passed(point)) } else { order.append(.point(point)) }
    }

    /// Adds an arrival that waits for the handlers of the requests before it to begin.
    ///
    /// Where as many wait as messages may be queued, and at least 10,000, all are handed out before it: a peer that answers
    /// the same call over and over loses the order of its own messages, and fills no memory (R22).
    mutating func wait(_ arrival: ArrivalOrder.Arrival) {
        if order.count >= max(10_000, limits.maximumQueuedMessages) { handOutArrivals() }
        order.append(arrival)
    }

    /// Hands out what waits for handlers to begin: something ends that may keep them from it.
    mutating func handOutArrivals() {
        while let arrival = order.popFirst(inAnyCase: true) { handOut(arrival) }
    }

    private mutating func handOut(_ arrival: ArrivalOrder.Arrival) {
        switch arrival {
        case .response(let response): take(response)
        case .control(let control): take(control)
        case .point(let point): actions.append(.passed(point))
        }
    }

    /// Takes the next item or the end of a stream.
    mutating func take(_ control: Control) {
        if control.kind == .next { receiveNext(control) } else { receiveEnd(control) }
    }
}
