// Each `old` must occur once in its file, and no two may overlap.

private let calling = "SessionMachine+Calls"
private let receiving = "SessionMachine+Receiving"
private let controls = "SessionMachine+Controls"
private let lifecycle = "SessionMachine+Lifecycle"

extension Fault {
    /// Mistakes with calls of this end.
    static let calls = [
        Fault(
            "settledBeforeRemoved",
            "A call is settled first and removed from the tables when its callback runs.",
            [
                (
                    receiving, "let ended = removeOutgoing(OutgoingCallID(key: key))\n",
                    "let ended = isPlanted(.settledBeforeRemoved) || isPlanted(.pendingCallLeaked) ? outgoing[key] : removeOutgoing(OutgoingCallID(key: key))\n"
                ),
                (
                    "SessionMachine", "{ actions.popFirst() }",
                    """
                    {
                        let action = actions.popFirst()
                        if isPlanted(.settledBeforeRemoved), case .settle(let call, _)? = action { _ = removeOutgoing(call) }
                        return action
                    }
                    """
                ),
            ]
        ),
        Fault("pendingCallLeaked", "A call with a reply stays in the tables.", []),
        Fault(
            "cancelledCallLeaked",
            "A call that was cancelled stays in the tables.",
            [
                (
                    calling, "guard let ended = removeOutgoing(call) else { return false }",
                    "guard let ended = isPlanted(.cancelledCallLeaked) ? outgoing[call.key] : removeOutgoing(call) else { return false }"
                )
            ]
        ),
        Fault(
            "timerNotCancelled",
            "The deadline of a call with a reply stays.",
            [
                (
                    calling, "        deadlines.remove(slot: call.key.slot)\n",
                    "        if !isPlanted(.timerNotCancelled) { deadlines.remove(slot: call.key.slot) }\n"
                )
            ]
        ),
        Fault(
            "lostCancel",
            "The cancellation of a call is not sent.",
            [
                (
                    controls, "guard state == .live, peerIsExtended, call.isSent else",
                    "guard state == .live, peerIsExtended, call.isSent || isPlanted(.unsentCallCancelled), !isPlanted(.lostCancel) else"
                )
            ]
        ),
        Fault(
            "cancelToPlainPeer",
            "A cancellation is sent to a peer that does not support extensions.",
            [
                (
                    controls,
                    "    mutating func sendCancel(of call: OutgoingCall, _ reason: BridgeError) {\n",
                    "    mutating func sendCancel(of call: OutgoingCall, _ reason: BridgeError) {\n        if isPlanted(.cancelToPlainPeer), state == .live, call.isSent { return send(.control(Control(.cancel, identifiers.identifier(call.number), error: reason))) }\n"
                )
            ]
        ),
        Fault(
            "responseWithoutPeer",
            "A response is accepted without a peer.",
            [
                (
                    receiving,
                    "guard state == .live, let number = identifiers.number(response.responseID), number > 0,",
                    "guard state == .live || isPlanted(.responseWithoutPeer), let number = identifiers.number(response.responseID), number > 0,"
                )
            ]
        ),
        Fault(
            "progressUnasked",
            "Progress is reported to a caller that does not support it.",
            [
                (
                    controls, "call.isSent, call.accepts.contains(.progress)",
                    "call.isSent || isPlanted(.progressOfUnsentCall), call.accepts.contains(.progress) || isPlanted(.progressUnasked)"
                )
            ]
        ),
        Fault("progressOfUnsentCall", "Progress is reported for a call that was never sent.", []),
        Fault(
            "payloadDiscardedTwice",
            "The payload of a late response is discarded twice.",
            [
                (
                    receiving, "            counters.lateResponses += 1\n",
                    "            counters.lateResponses += 1\n            if isPlanted(.payloadDiscardedTwice) { discard(response.outcome.payload) }\n"
                )
            ]
        ),
        Fault(
            "deadCallSent",
            "A call that was cancelled before the peer was ready is sent to it.",
            [
                (
                    lifecycle,
                    "            guard var waiting = outgoing[call.key], case .request(var request) = queued.message else {\n",
                    "            if isPlanted(.deadCallSent), outgoing[call.key] == nil { send(queued.message); continue }\n            guard var waiting = outgoing[call.key], case .request(var request) = queued.message else {\n"
                )
            ]
        ),
        Fault(
            "releaseToPlainPeer",
            "A release of references is sent to a peer that does not support extensions.",
            [
                (
                    controls, "guard state == .live, peerIsExtended else { return false }",
                    "guard state == .live, peerIsExtended || isPlanted(.releaseToPlainPeer) else { return false }"
                )
            ]
        ),
    ]
}
