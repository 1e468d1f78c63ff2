import BridgeValues

@testable import BridgeProtocol

/// An input or an output of a session.
enum SessionEvent {
    case called(OutgoingCallID?, payload: PayloadToken)
    case received(BridgeMessage)
    case replied(IncomingCallID, payload: PayloadToken?)
    /// A payload was accepted for an item of a stream, an event or the progress of a call.
    case gave(PayloadToken)
    case peerShowedExtensions
    /// The reader of a stream cancelled it.
    case gaveUp(InboundStreamID)
    case peerChanged
    case action(SessionAction)
}

/// A checker of the record of a whole session, from its first input to its end, against the rules of the protocol.
///
/// It knows only the rules, and nothing of the state machine's implementation.
struct SessionLedger {
    private(set) var violations: [String] = []
    private var open: Set<OutgoingCallID> = []
    private var ended: Set<OutgoingCallID> = []
    private var tokensInside: [PayloadToken: Int] = [:]
    private var orders: [PayloadToken: Int] = [:]
    private var lastOrder = -1
    private var callOfToken: [PayloadToken: OutgoingCallID] = [:]
    private var callOfID: [MessageID: OutgoingCallID] = [:]
    private var sentIDs: Set<MessageID> = []
    private var repliesByToken: [PayloadToken: MessageID] = [:]
    private var callers: [MessageID: (acceptsErrors: Bool, replies: Int)] = [:]
    private var made = 0
    private var isPeerExtended = false
    // The streams with a reader: the number of delivered items of each, and the number of every item on its way.
    private var readStreams: [InboundStreamID: UInt64] = [:]
    private var finishedStreams: Set<InboundStreamID> = []
    private var abandonedStreams: Set<InboundStreamID> = []
    private var itemNumbers: [PayloadToken: UInt64] = [:]
    // The streams with a sender, by their ids: the credit, the number of sent items, and whether the stream ended.
    private var sentStreams: [MessageID: (credit: UInt64, sent: UInt64, isOver: Bool)] = [:]

    init(_ events: [SessionEvent]) {
        for event in events { add(event) }
        check(open.isEmpty, "R6 \(open.count) calls never settled")
        check(readStreams.isEmpty, "R6 \(readStreams.count) streams never finished")
        check(tokensInside.isEmpty, "\(tokensInside.count) payloads were never discarded or delivered")
    }

    private mutating func add(_ event: SessionEvent) {
        switch event {
        case .called(let call, let payload):
            enter(payload)
            if let call {
                check(
                    open.insert(call).inserted && !ended.contains(call),
                    "R4 a call has the identity of another"
                )
                callOfToken[payload] = call
            }
        case .received(let message):
            if let payload = message.payload { tokensInside[payload] = 0 }
            switch message {
            case .request(let request):
                if let id = request.callbackID { callers[id] = (request.accepts.contains(.errors), 0) }
            case .response(let response):
                if let payload = response.outcome.payload { repliesByToken[payload] = response.responseID }
            case .control(let control):
                if control.kind == .next, let payload = control.payload {
                    itemNumbers[payload] = control.number
                }
                if control.kind == .more { sentStreams[control.id]?.credit += control.number }
            }
        case .replied(_, let payload):
            if let payload { enter(payload) }
        case .gave(let payload): enter(payload)
        case .peerShowedExtensions: isPeerExtended = true
        case .peerChanged: isPeerExtended = false
        case .gaveUp(let stream):
            if readStreams.removeValue(forKey: stream) != nil { abandonedStreams.insert(stream) }
        case .action(let action): add(action)
        }
    }

    private mutating func add(_ action: SessionAction) {
        switch action {
        case .send(.request(let request)): addSent(request)
        case .send(.response(let response)): addSent(response)
        case .dispatch(_, let request):
            if let payload = request.payload { leave(payload) }
        case .settle(let call, let outcome):
            check(ended.insert(call).inserted, "R5 a call settled twice")
            check(open.remove(call) != nil, "R5 a call settled that was not open")
            if case .payload(let payload?) = outcome {
                leave(payload)
                let id = repliesByToken[payload]
                check(id.flatMap { callOfID[$0] } == call, "R4 a reply settled a different call")
            }
        case .send(.control(let control)): addSent(control)
        case .opened(let call, let stream):
            check(ended.insert(call).inserted, "R5 a call settled twice")
            check(open.remove(call) != nil, "R5 a call settled that was not open")
            check(
                readStreams.updateValue(0, forKey: stream) == nil,
                "R4 a stream has the identity of another"
            )
        case .deliver(let stream, let payload):
            guard let count = readStreams[stream] else {
                // An item on its way to a reader that no longer exists.
                if let payload { leave(payload) }
                return check(abandonedStreams.contains(stream), "R5 an item of a stream that is not open")
            }
            readStreams[stream] = count + 1
            guard let payload else { return }
            leave(payload)
            check(itemNumbers[payload] == count, "an item was delivered out of order")
        case .finish(let stream, _):
            guard !abandonedStreams.contains(stream) else { return }
            check(readStreams.removeValue(forKey: stream) != nil, "R5 a stream finished that was not open")
            check(finishedStreams.insert(stream).inserted, "R5 a stream finished twice")
        case .progress(let call, let payload):
            check(open.contains(call), "R5 progress of a settled call")
            if let payload { leave(payload) }
        case .event(_, let payload):
            if let payload { leave(payload) }
        case .discard(let payload), .release(let payload): leave(payload)
        case .abandon, .report, .demand, .stop, .audit, .refused, .passed: break
        }
    }

    private mutating func addSent(_ control: Control) {
        check(isPeerExtended, "W2 an extension was sent to a plain peer")
        if let payload = control.payload {
            leave(payload)
            inOrder(payload)
        }
        guard control.kind == .next || control.kind == .end, var stream = sentStreams[control.id] else {
            return check(control.kind != .next && control.kind != .end, "R3 an item of an unknown stream")
        }
        check(!stream.isOver, "R5 an item after the end of its stream")
        check(control.number == stream.sent, "the items of a stream are not counted from 0")
        if control.kind == .next { stream.sent += 1 } else { stream.isOver = true }
        check(stream.sent <= stream.credit, "an item beyond its credit")
        sentStreams[control.id] = stream
    }

    private mutating func addSent(_ request: BridgeMessage.Request) {
        guard let payload = request.payload else { return check(false, "a request lost its payload") }
        leave(payload)
        inOrder(payload)
        check(
            (request.callbackID == nil) == (callOfToken[payload] == nil),
            "an id without a callback, or the reverse"
        )
        guard let id = request.callbackID else { return }
        check(sentIDs.insert(id).inserted, "P23 an id was used twice")
        callOfID[id] = callOfToken[payload]
    }

    private mutating func addSent(_ response: BridgeMessage.Response) {
        if let payload = response.outcome.payload {
            leave(payload)
            inOrder(payload)
        }
        if case .stream(let stream) = response.outcome {
            check(sentStreams.updateValue((0, 0, false), forKey: stream) == nil, "P23 an id was used twice")
        }
        guard var caller = callers[response.responseID] else {
            return check(false, "R3 a response to an unknown request")
        }
        caller.replies += 1
        callers[response.responseID] = caller
        check(caller.replies == 1, "P44 two responses to one call")
        check(
            response.outcome.error == nil || caller.acceptsErrors,
            "P56 an error to a caller that does not support errors"
        )
    }

    private mutating func enter(_ payload: PayloadToken) {
        tokensInside[payload] = 0
        orders[payload] = made
        made += 1
    }

    private mutating func leave(_ payload: PayloadToken) {
        check(tokensInside.removeValue(forKey: payload) != nil, "a payload was taken twice or is unknown")
    }

    private mutating func inOrder(_ payload: PayloadToken) {
        guard let order = orders[payload] else { return check(false, "a payload that was never sent") }
        check(order > lastOrder, "P25 P39 a message overtook another")
        lastOrder = max(lastOrder, order)
    }

    private mutating func check(_ isTrue: Bool, _ promise: String) {
        if !isTrue { violations.append(promise) }
    }
}
