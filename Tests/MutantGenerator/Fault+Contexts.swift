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
                    lifecycle,
                    "        identifiers = IdentifierCodec(form: identifiers.form, epochText: epochText)\n",
                    "        if isPlanted(.idReuse) { lastNumber = 0 }\n        identifiers = IdentifierCodec(form: identifiers.form, epochText: epochText)\n"
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
                    lifecycle, "        peerIsExtended = assumesExtendedPeer\n",
                    "        if !isPlanted(.extensionsOutliveContext) { peerIsExtended = assumesExtendedPeer }\n"
                )
            ]
        ),
        Fault(
            "subscriptionsUntold",
            "The subscriptions of this side are not sent to the next peer.",
            [
                (
                    lifecycle, "        announceSubscriptions()\n",
                    "        if !isPlanted(.subscriptionsUntold) { announceSubscriptions() }\n"
                )
            ]
        ),
        Fault(
            "topicsOutliveContext",
            "Events for subscriptions of the last peer are sent to the next one.",
            [
                (
                    lifecycle, "        heardTopics = [:]\n",
                    "        if !isPlanted(.topicsOutliveContext) { heardTopics = [:] }\n"
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
                    lifecycle, "        epochText = \"\\(epoch)_\" + randomBits().hexadecimal\n",
                    "        epochText = \"\\(epoch)_\" + (isPlanted(.epochNotRandom) ? UInt64(1) : randomBits()).hexadecimal\n"
                )
            ]
        ),
        Fault(
            "repliesCountOn",
            "Replies to a lost context count as waiting for the next one.",
            [
                (
                    lifecycle,
                    "        guard state != .closed else { return }\n        forgetOrder()\n        dropUndone()\n        queuedReplies = 0\n",
                    "        guard state != .closed else { return }\n        forgetOrder()\n        dropUndone()\n        if !isPlanted(.repliesCountOn) { queuedReplies = 0 }\n"
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
