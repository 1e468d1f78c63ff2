/// An effect that an end of a session must produce.
///
/// Requests and streams have the model's own numbers until their references are known.
enum ExpectedEffect: Hashable {
    /// The owner of a message's id, which the model may not know before it sees the message.
    enum Identity: Hashable {
        /// The message's own id, which is known.
        case known
        /// A call that begins with the message.
        case newCall(SessionReference)
        /// A stream that begins with the message.
        case newStream(SessionReference)
        /// A call that was sent before.
        case call(SessionReference)
        /// A stream that was sent before.
        case stream(SessionReference)
    }

    case send(SessionMessage, Identity)
    case dispatch(handler: Int, request: Int?, name: String, payload: Int?, deadline: Duration?)
    case settle(SessionReference, SessionResponse, payload: Int?)
    case opened(SessionReference, stream: Int)
    case progress(SessionReference, payload: Int?)
    case abandon(request: Int)
    case deliver(stream: Int, payload: Int?)
    case finish(stream: Int, code: String?)
    case demand(SessionReference, UInt64)
    case stop(SessionReference)
    case event(String, payload: Int?)
    case audit(SessionDenial)
    case proceed([SessionContinuation])

    /// A kind of effects, which are ordered among themselves.
    enum OrderingKind: Int, CaseIterable {
        case sends, work, calls, abandonments, readers, senders, audits, continuations
    }

    var orderingKind: OrderingKind {
        switch self {
        case .send: .sends
        case .dispatch, .event: .work
        case .settle, .opened, .progress: .calls
        case .abandon: .abandonments
        case .deliver, .finish: .readers
        case .demand, .stop: .senders
        case .audit: .audits
        case .proceed: .continuations
        }
    }

    /// The rule that is broken if the effect never occurs.
    var promise: String {
        switch self {
        case .send: "R22 a message was dropped silently"
        case .dispatch, .event: "R1 a message was neither dispatched nor answered"
        case .settle, .opened: "R6 a call never settled"
        case .progress: "R6 progress of a call was lost"
        case .abandon, .stop: "R23 a cancellation was lost"
        case .deliver: "R6 an item of a stream was lost"
        case .finish: "R6 a stream never finished"
        case .demand: "R22 credit was lost"
        case .audit: "R31 a denial was not reported"
        case .proceed: "R6 a request waits forever for a result"
        }
    }
}

extension SessionEffect {
    var orderingKind: ExpectedEffect.OrderingKind? {
        switch self {
        case .send: .sends
        case .dispatch, .event: .work
        case .settle, .opened, .progress: .calls
        case .abandon: .abandonments
        case .deliver, .finish: .readers
        case .demand, .stop: .senders
        case .audit: .audits
        case .proceed: .continuations
        case .discard: nil
        }
    }

    var payload: Int? {
        switch self {
        case .send(let message): message.payload
        case .dispatch(_, _, _, let payload, _), .settle(_, _, let payload), .progress(_, let payload),
            .deliver(_, let payload), .event(_, let payload):
            payload
        case .discard(let payload): payload
        case .opened, .abandon, .finish, .demand, .stop, .audit, .proceed: nil
        }
    }
}

/// The pending effects of one kind: in order, except for the unordered effects of one input.
struct ExpectationQueue {
    private var entries: [(effect: ExpectedEffect, batch: Int)] = []

    var first: ExpectedEffect? { entries.first?.effect }
    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ effect: ExpectedEffect, batch: Int) { entries.append((effect, batch)) }

    /// Returns the index of the first effect that matches: the very first, or another one of its batch.
    func index(where fits: (ExpectedEffect) -> Bool) -> Int? {
        guard let batch = entries.first?.batch else { return nil }
        for index in entries.indices {
            guard entries[index].batch == batch else { return nil }
            if fits(entries[index].effect) { return index }
        }
        return nil
    }

    mutating func remove(at index: Int) -> ExpectedEffect { entries.remove(at: index).effect }

    mutating func removeAll(where isGone: (ExpectedEffect) -> Bool) {
        entries.removeAll { isGone($0.effect) }
    }
}
