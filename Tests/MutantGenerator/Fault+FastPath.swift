// Each `old` must occur once in its file, and no two may overlap.

private let passing = "SessionMachine+FastPath"

extension Fault {
    /// Mistakes on the fast path, which uses no table entries within one step.
    static let atOnce = [
        Fault(
            "handedIdReuse",
            "Two calls on the fast path have the same id.",
            [
                (
                    passing, "        return outgoing.nextNumber()\n",
                    "        return isPlanted(.handedIdReuse) && outgoing.lastNumber % 3 == 2 ? outgoing.lastNumber : outgoing.nextNumber()\n"
                )
            ]
        ),
        Fault(
            "handedUnbounded",
            "Calls may use the fast path beyond the limit of pending calls.",
            [
                (
                    passing, "try checkRoom(name: name, reply: .full)",
                    "try checkRoom(name: name, reply: isPlanted(.handedUnbounded) ? .none : .full)"
                )
            ]
        ),
        Fault(
            "handedWithoutPeer",
            "A call uses the fast path without a peer.",
            [
                (
                    passing, "guard state == .live else { return nil }",
                    "guard state == .live || isPlanted(.handedWithoutPeer) else { return nil }"
                )
            ]
        ),
        Fault(
            "handedOutlivesEnd",
            "A fast-path call that is registered after all calls were ended never settles.",
            [
                (
                    passing,
                    "if let lastEnd = outgoing.lastEnd, number <= lastEnd.number, removeOutgoing(id) != nil {",
                    "if let lastEnd = outgoing.lastEnd, number <= lastEnd.number || isPlanted(.handedEndsWithOthers), !isPlanted(.handedOutlivesEnd), removeOutgoing(id) != nil {"
                )
            ]
        ),
        Fault(
            "handedEndsWithOthers",
            "A call ends with an earlier end of all calls, to which it did not belong.",
            []
        ),
        Fault(
            "handedIsUnsent",
            "The cancellation of a fast-path call is not sent.",
            [
                (
                    passing, "            isSent: true,\n",
                    "            isSent: !isPlanted(.handedIsUnsent),\n"
                )
            ]
        ),
        Fault(
            "handedDeadlineLost",
            "The deadline of a fast-path call is not registered.",
            [
                (
                    passing, "let id = outgoing.insert(call, deadline)",
                    "let id = outgoing.insert(call, isPlanted(.handedDeadlineLost) ? nil : deadline)"
                )
            ]
        ),
        Fault(
            "closedInlineUnanswered",
            "The caller of a session that was closed meanwhile receives no reply.",
            [
                (
                    passing, "guard state == .closed, let closingError,",
                    "guard state == .closed || isPlanted(.lostInlineAnswered), let closingError = closingError ?? (isPlanted(.lostInlineAnswered) ? Self.lostContextError : nil), !isPlanted(.closedInlineUnanswered),"
                )
            ]
        ),
        Fault("lostInlineAnswered", "A reply is sent to a lost context.", []),
        Fault(
            "failureInlineOutlivesContext",
            "An error is sent to a lost context.",
            [
                (
                    passing, "guard state == .live else { return endInline(request) }",
                    "guard state == .live || isPlanted(.failureInlineOutlivesContext) else { return endInline(request) }"
                )
            ]
        ),
        Fault(
            "failureInlineToLegacyCaller",
            "A caller that does not support errors receives one.",
            [
                (
                    passing,
                    "guard request.accepts.contains(.errors) else {\n            counters.suppressedErrors += 1",
                    "guard request.accepts.contains(.errors) || isPlanted(.failureInlineToLegacyCaller) else {\n            counters.suppressedErrors += 1"
                )
            ]
        ),
        Fault(
            "itemsPassEarlyOnes",
            "Items use the fast path although others of their stream arrived out of order.",
            [
                (
                    passing, "entry.early.isEmpty, ",
                    "entry.early.isEmpty || isPlanted(.itemsPassEarlyOnes), "
                )
            ]
        ),
        Fault(
            "itemsPassWhatWaits",
            "Items use the fast path although earlier ones wait for delivery.",
            [
                (
                    passing, "guard state == .live, !hasActions, ",
                    "guard state == .live, !hasActions || isPlanted(.itemsPassWhatWaits), "
                )
            ]
        ),
        Fault(
            "itemsPassTheEnd",
            "Items use the fast path after the end of their stream has arrived.",
            [
                (
                    passing, "entry.earlyEnd == nil\n",
                    "entry.earlyEnd == nil || isPlanted(.itemsPassTheEnd)\n"
                )
            ]
        ),
        Fault(
            "itemsUncounted",
            "Items on the fast path are not counted.",
            [
                (
                    passing, "        entry.received += count\n",
                    "        if !isPlanted(.itemsUncounted) { entry.received += count }\n"
                )
            ]
        ),
        Fault(
            "itemsOfStoppedStream",
            "Items of a stream that was cancelled meanwhile are delivered.",
            [
                (
                    passing, "            counters.unknownStreams += Int(count)\n            return false\n",
                    "            counters.unknownStreams += Int(count)\n            return isPlanted(.itemsOfStoppedStream)\n"
                )
            ]
        ),
        Fault(
            "removedHandlerSilent",
            "A request whose handler was removed before its turn receives no reply.",
            [
                (
                    passing,
                    "        _ = reply(to: id, with: .failure(handlerNotFound(request.handlerName)))\n",
                    "        if !isPlanted(.removedHandlerSilent) { _ = reply(to: id, with: .failure(handlerNotFound(request.handlerName))) }\n"
                )
            ]
        ),
        Fault(
            "removedNotificationLeaked",
            "A notification whose handler was removed before its turn still counts for its grant.",
            [
                (
                    passing, "return endNotification(request)",
                    "return isPlanted(.removedNotificationLeaked) ? () : endNotification(request)"
                )
            ]
        ),
    ]
}
