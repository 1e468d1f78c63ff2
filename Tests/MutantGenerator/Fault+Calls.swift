// Each `old` must occur once in its file, and no two may overlap.

private let calling = "SessionMachine+Calls"
private let outgoingCalls = "OutgoingCalls"
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
                    receiving, "let ended = removeOutgoing(call)\n",
                    "let ended = isPlanted(.settledBeforeRemoved) || isPlanted(.pendingCallLeaked) ? outgoing[call] : removeOutgoing(call)\n"
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
                    "guard let ended = isPlanted(.cancelledCallLeaked) ? outgoing[call] : removeOutgoing(call) else { return false }"
                )
            ]
        ),
        Fault(
            "timerNotCancelled",
            "The deadline of a call with a reply stays.",
            [
                (
                    outgoingCalls, "        deadlines.remove(slot: call.key.slot)\n",
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
                    "    mutating func sendCancel(of call: OutgoingCall, _ reason: BridgeError) {\n        if isPlanted(.cancelToPlainPeer), state == .live, call.isSent { return send(.control(Control(.cancel, currentEpoch.identifiers.identifier(call.number), error: reason))) }\n"
                )
            ]
        ),
        Fault(
            "responseWithoutPeer",
            "A response is accepted without a peer.",
            [
                (
                    receiving,
                    "guard state == .live, let number = currentEpoch.identifiers.number(response.responseID), number > 0,",
                    "guard state == .live || isPlanted(.responseWithoutPeer), let number = currentEpoch.identifiers.number(response.responseID), number > 0,"
                )
            ]
        ),
        Fault(
            "progressUnasked",
            "Progress is reported to a caller that does not support it.",
            [
                (
                    controls, "entry.isSent, entry.accepts.contains(.progress)",
                    "entry.isSent || isPlanted(.progressOfUnsentCall), entry.accepts.contains(.progress) || isPlanted(.progressUnasked)"
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
                    "            guard case .request(var request) = queued.message, let number = outgoing.markSent(call) else {\n",
                    "            if isPlanted(.deadCallSent), outgoing[call] == nil { send(queued.message); continue }\n            guard case .request(var request) = queued.message, let number = outgoing.markSent(call) else {\n"
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
