// Each `old` must occur once in its file, and no two may overlap.

private let receiving = "SessionMachine+Receiving"
private let lifecycle = "SessionMachine+Lifecycle"

extension Fault {
    /// Mistakes in the life of contexts.
    static let contexts = [
        Fault(
            "idReuse",
            "The ids begin again with each context.",
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
            "Calls that were sent to a context that is gone wait on.",
            [
                (
                    lifecycle, "        settleAll(except: queuedCalls, with: error)\n",
                    "        if !isPlanted(.sentCallsOutliveContext) { settleAll(except: queuedCalls, with: error) }\n"
                )
            ]
        ),
        Fault(
            "queuedCallsSettledTwice",
            "Calls that wait for the next context settle with the last, and are sent.",
            [
                (
                    lifecycle, "            if let call = queued.call { queuedCalls.insert(call) }\n",
                    "            if let call = queued.call, !isPlanted(.queuedCallsSettledTwice) { queuedCalls.insert(call) }\n"
                )
            ]
        ),
        Fault(
            "undoneCarriedOver",
            "What was on its way to a context that is gone goes to the next.",
            [
                (
                    lifecycle, "    private mutating func dropUndone() {\n",
                    "    private mutating func dropUndone() {\n        if isPlanted(.undoneCarriedOver) { return }\n"
                )
            ]
        ),
        Fault(
            "notificationCountLeaked",
            "A notification that goes with its context counts for its grant for ever.",
            [
                (
                    lifecycle, "                    grants?.end(request.admission)\n",
                    "                    if !isPlanted(.notificationCountLeaked) { grants?.end(request.admission) }\n"
                )
            ]
        ),
        Fault(
            "extensionsOutliveContext",
            "The next peer is told of extensions because the last one knew them.",
            [
                (
                    lifecycle, "        peerIsExtended = assumesExtendedPeer\n",
                    "        if !isPlanted(.extensionsOutliveContext) { peerIsExtended = assumesExtendedPeer }\n"
                )
            ]
        ),
        Fault(
            "subscriptionsUntold",
            "The next peer is not told what is listened to here.",
            [
                (
                    lifecycle, "        announceSubscriptions()\n",
                    "        if !isPlanted(.subscriptionsUntold) { announceSubscriptions() }\n"
                )
            ]
        ),
        Fault(
            "topicsOutliveContext",
            "The next peer is told of events that only the last one listened to.",
            [
                (
                    lifecycle, "        heardTopics = [:]\n",
                    "        if !isPlanted(.topicsOutliveContext) { heardTopics = [:] }\n"
                )
            ]
        ),
        Fault(
            "queueReordered",
            "What waited for the peer is sent in another order.",
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
            "Who waits for an answer is not told that the session ends.",
            [
                (
                    lifecycle, "        if state == .live {\n            for key in incoming.keys {",
                    "        if state == .live, !isPlanted(.closeForgetsCallers) {\n            for key in incoming.keys {"
                )
            ]
        ),
        Fault(
            "teardownIgnored",
            "What the old context says while it is torn down is heard.",
            [
                (
                    receiving, "        case .tearingDown, .retired, .closed: false",
                    "        case .tearingDown, .retired, .closed: isPlanted(.teardownIgnored)"
                )
            ]
        ),
        Fault(
            "epochNotRandom",
            "The ids of a later context can be guessed by who knows its number.",
            [
                (
                    lifecycle, "        epochText = \"\\(epoch)_\" + randomBits().hexadecimal\n",
                    "        epochText = \"\\(epoch)_\" + (isPlanted(.epochNotRandom) ? UInt64(1) : randomBits()).hexadecimal\n"
                )
            ]
        ),
        Fault(
            "repliesCountOn",
            "Replies to a context that is gone count as ones that wait for the next.",
            [
                (
                    lifecycle,
                    "        dropUndone()\n        queuedReplies = 0\n        queuedNews = 0\n        // What",
                    "        dropUndone()\n        if !isPlanted(.repliesCountOn) { queuedReplies = 0 }\n        queuedNews = 0\n        // What"
                )
            ]
        ),
        Fault(
            "forgottenPayloadLeaked",
            "The payload of a call that ended in a long queue is never let go.",
            [
                (
                    "SessionMachine+Calls", "                discard(queued.message.payload)\n",
                    "                if !isPlanted(.forgottenPayloadLeaked) { discard(queued.message.payload) }\n"
                )
            ]
        ),
    ]
}
