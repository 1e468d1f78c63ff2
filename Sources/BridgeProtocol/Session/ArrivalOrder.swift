internal import BridgeValues

/// The order between dispatched requests and the messages that arrived after them (P39).
///
/// A reply, an item of a stream and a stream's end wait here until the handlers of all requests before them have begun:
/// code that awaits them then finds the earlier messages of the other side handled.
struct ArrivalOrder: Sendable {
    /// A message that waits for handlers to begin.
    enum Arrival: Sendable {
        case response(BridgeMessage.Response)
        case control(Control)
        /// A point in the order that the storage requested.
        case point(UInt64)
    }

    /// The number of the last dispatched request.
    private var last: UInt64 = 0
    /// The oldest request whose handler has not begun.
    private var first: UInt64 = 1
    /// Requests whose handlers have begun before that of the oldest.
    private var begunAhead: Set<UInt64> = []
    private var arrivals = FIFOQueue<(last: UInt64, arrival: Arrival)>()

    /// A Boolean value that indicates whether the handlers of all requests have begun, so that nothing has to wait.
    var isOpen: Bool { first > last }

    /// The number of waiting arrivals.
    var count: Int { arrivals.count }

    /// Adds a request.
    ///
    /// - Returns: Its number, for ``begin(_:)``.
    mutating func addRequest() -> UInt64 {
        last += 1
        return last
    }

    /// Records that the handler of a request has begun, or never will.
    ///
    /// A request that ``reset()`` dropped has no effect.
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

    /// Adds an arrival that waits for the requests before it.
    mutating func append(_ arrival: Arrival) { arrivals.append((last, arrival)) }

    /// Removes the first arrival, if it does not wait for a handler any more, or in any case.
    mutating func popFirst(inAnyCase: Bool = false) -> Arrival? {
        guard let next = arrivals.first, inAnyCase || next.last < first else { return nil }
        return arrivals.popFirst()?.arrival
    }
}

extension SessionMachine {
    /// A Boolean value that indicates whether messages need not wait for handlers to begin.
    package var isInOrder: Bool { order.isOpen }

    /// Records that the handler of a dispatched request has begun, or never will: arrivals after it may continue.
    ///
    /// A handler that is not asynchronous has begun when it has returned. The storage calls this once for each request
    /// that it received by ``SessionAction/dispatch(_:_:)``.
    package mutating func noteBegun(_ request: UInt64) {
        order.begin(request)
        while let arrival = order.popFirst() { handOut(arrival) }
    }

    /// Requests ``SessionAction/passed(_:)`` once the handlers of all requests dispatched until now have begun.
    package mutating func notePoint(_ point: UInt64) {
        if order.isOpen { actions.append(.passed(point)) } else { order.append(.point(point)) }
    }

    /// Adds an arrival that waits for the handlers of the requests before it to begin.
    ///
    /// At the limit of queued messages, or at 10,000 if that is more, all waiting arrivals are released first. A peer
    /// that answers the same call endlessly loses the order of its own messages, but cannot exhaust memory (R22).
    mutating func wait(_ arrival: ArrivalOrder.Arrival) {
        if order.count >= max(10_000, limits.maximumQueuedMessages) { handOutArrivals() }
        order.append(arrival)
    }

    /// Releases all waiting arrivals, because something ends that may keep handlers from beginning.
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

    /// Receives the next item or the end of a stream.
    mutating func take(_ control: Control) {
        if control.kind == .next { receiveNext(control) } else { receiveEnd(control) }
    }
}
