// Each `old` must occur once in its file, and no two may overlap.

private let receiving = "SessionMachine+Receiving"
private let lifecycle = "SessionMachine+Lifecycle"

extension Fault {
    /// Mistakes in the life of contexts.
    static let contexts = [
        Fault(
            "idReuse",
            "The ids start again with each context.",
            [
                (
                    lifecycle, "        currentEpoch.advance()\n",
                    "        if isPlanted(.idReuse) { outgoing = OutgoingCalls() }\n        currentEpoch.advance()\n"
                )
            ]
        ),
        Fault(
            "sentCallsOutliveContext",
            "Calls that were sent to a lost context stay pending.",
            [
                (
                    lifecycle, "        settleAll(except: queuedCalls, with: error)\n",
                    "        if !isPlanted(.sentCallsOutliveContext) { settleAll(except: queuedCalls, with: error) }\n"
                )
            ]
        ),
        Fault(
            "queuedCallsSettledTwice",
            "Calls that wait for the next context settle with the last one, and are still sent.",
            [
                (
                    lifecycle, "            if let call = queued.call { queuedCalls.insert(call) }\n",
                    "            if let call = queued.call, !isPlanted(.queuedCallsSettledTwice) { queuedCalls.insert(call) }\n"
                )
            ]
        ),
        Fault(
            "undoneCarriedOver",
            "Messages on their way to a lost context are sent to the next one.",
            [
                (
                    lifecycle, "    private mutating func dropUndone() {\n",
                    "    private mutating func dropUndone() {\n        if isPlanted(.undoneCarriedOver) { return }\n"
                )
            ]
        ),
        Fault(
            "notificationCountLeaked",
            "A notification that is lost with its context counts for its grant forever.",
            [
                (
                    lifecycle, "                    grants?.end(request.admission)\n",
                    "                    if !isPlanted(.notificationCountLeaked) { grants?.end(request.admission) }\n"
                )
            ]
        ),
        Fault(
            "extensionsOutliveContext",
            "Extensions are sent to the next peer because the last one supported them.",
            [
                (
                    lifecycle, "        peer = PeerState(assumesExtensions: peer.assumesExtensions)\n",
                    """
                            let isExtended = isPlanted(.extensionsOutliveContext) && peer.isExtended
                            peer = PeerState(assumesExtensions: peer.assumesExtensions)
                            if isExtended { peer.isExtended = true }

                    """
                )
            ]
        ),
        Fault(
            "subscriptionsUnannounced",
            "The topics.subscriptions of this side are not sent to the next peer.",
            [
                (
                    lifecycle, "        announceSubscriptions()\n",
                    "        if !isPlanted(.subscriptionsUnannounced) { announceSubscriptions() }\n"
                )
            ]
        ),
        Fault(
            "topicsOutliveContext",
            "Events for topics.subscriptions of the last peer are sent to the next one.",
            [
                (
                    lifecycle, "        topics.peerSubscriptions = [:]\n",
                    "        if !isPlanted(.topicsOutliveContext) { topics.peerSubscriptions = [:] }\n"
                )
            ]
        ),
        Fault(
            "queueReordered",
            "Messages that waited for the peer are sent in another order.",
            [
                (
                    lifecycle,
                    "        for queued in startUpQueue.removeAll() {\n            guard let call = queued.call else {",
                    "        for queued in isPlanted(.queueReordered) ? startUpQueue.removeAll().reversed() : startUpQueue.removeAll() {\n            guard let call = queued.call else {"
                )
            ]
        ),
        Fault(
            "closeForgetsCallers",
            "Callers receive no error when the session ends.",
            [
                (
                    lifecycle, "        if state == .live {\n            for key in incoming.keys {",
                    "        if state == .live, !isPlanted(.closeForgetsCallers) {\n            for key in incoming.keys {"
                )
            ]
        ),
        Fault(
            "teardownIgnored",
            "Messages from a context that is torn down are accepted.",
            [
                (
                    receiving, "        case .tearingDown, .retired, .closed: false",
                    "        case .tearingDown, .retired, .closed: isPlanted(.teardownIgnored)"
                )
            ]
        ),
        Fault(
            "epochNotRandom",
            "The ids of a later context can be guessed from its number.",
            [
                (
                    "SessionEpoch", "        let text = \"\\(number)_\" + randomBits().hexadecimal\n",
                    "        let text = \"\\(number)_\" + (isPlanted(.epochNotRandom) ? UInt64(1) : randomBits()).hexadecimal\n"
                )
            ]
        ),
        Fault(
            "repliesCountOn",
            "Replies to a lost context count as waiting for the next one.",
            [
                (
                    "StartUpQueue", "        replyCount = 0\n",
                    "        if !isPlanted(.repliesCountOn) { replyCount = 0 }\n"
                )
            ]
        ),
        Fault(
            "forgottenPayloadLeaked",
            "The payload of a call that ended in a long queue is never discarded.",
            [
                (
                    "SessionMachine+Calls", "                discard(queued.message.payload)\n",
                    "                if !isPlanted(.forgottenPayloadLeaked) { discard(queued.message.payload) }\n"
                )
            ]
        ),
    ]
}
