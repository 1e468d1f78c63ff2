// Each `old` must occur once in its file, and no two may overlap.

private let passing = "SessionMachine+AtOnce"

extension Fault {
    /// Mistakes on the fast path, which uses no table entries within one step.
    static let atOnce = [
        Fault(
            "handedIdReuse",
            "Two calls that are handed over have one id.",
            [
                (
                    passing, "        lastNumber += 1\n",
                    "        if !isPlanted(.handedIdReuse) || lastNumber % 3 != 2 { lastNumber += 1 }\n"
                )
            ]
        ),
        Fault(
            "handedUnbounded",
            "Calls may be handed over though too many wait.",
            [
                (
                    passing, "try checkRoom(name: name, reply: .full)",
                    "try checkRoom(name: name, reply: isPlanted(.handedUnbounded) ? .none : .full)"
                )
            ]
        ),
        Fault(
            "handedWithoutPeer",
            "A call is handed over where nobody is there to take it.",
            [
                (
                    passing, "guard state == .live else { return nil }",
                    "guard state == .live || isPlanted(.handedWithoutPeer) else { return nil }"
                )
            ]
        ),
        Fault(
            "handedOutlivesEnd",
            "A call that is taken up after all calls were ended waits for ever.",
            [
                (
                    passing, "if let lastEnd, number <= lastEnd.number, removeOutgoing(id) != nil {",
                    "if let lastEnd, number <= lastEnd.number || isPlanted(.handedEndsWithOthers), !isPlanted(.handedOutlivesEnd), removeOutgoing(id) != nil {"
                )
            ]
        ),
        Fault("handedEndsWithOthers", "A call ends as those before it did, of which it was none.", []),
        Fault(
            "handedIsUnsent",
            "Nobody is told that a call was given up that was handed over.",
            [
                (
                    passing, "            isSent: true,\n",
                    "            isSent: !isPlanted(.handedIsUnsent),\n"
                )
            ]
        ),
        Fault(
            "handedDeadlineLost",
            "The deadline of a call that was handed over is not kept.",
            [
                (
                    passing, "let id = add(call, deadline)",
                    "let id = add(call, isPlanted(.handedDeadlineLost) ? nil : deadline)"
                )
            ]
        ),
        Fault(
            "closedAtOnceUnanswered",
            "Who asked a session that was closed meanwhile gets nothing.",
            [
                (
                    passing, "guard state == .closed, let closingError,",
                    "guard state == .closed || isPlanted(.lostAtOnceAnswered), let closingError = closingError ?? (isPlanted(.lostAtOnceAnswered) ? Self.lostContextError : nil), !isPlanted(.closedAtOnceUnanswered),"
                )
            ]
        ),
        Fault("lostAtOnceAnswered", "A context that is gone gets an answer.", []),
        Fault(
            "failureAtOnceOutlivesContext",
            "An error is sent though its context is gone.",
            [
                (
                    passing, "guard state == .live else { return endAtOnce(request) }",
                    "guard state == .live || isPlanted(.failureAtOnceOutlivesContext) else { return endAtOnce(request) }"
                )
            ]
        ),
        Fault(
            "failureAtOnceToLegacyCaller",
            "A caller that takes no errors gets one.",
            [
                (
                    passing,
                    "guard request.accepts.contains(.errors) else {\n            counters.suppressedErrors += 1",
                    "guard request.accepts.contains(.errors) || isPlanted(.failureAtOnceToLegacyCaller) else {\n            counters.suppressedErrors += 1"
                )
            ]
        ),
        Fault(
            "itemsPassEarlyOnes",
            "Items pass by though others of their stream came out of order.",
            [
                (
                    passing, "entry.early.isEmpty, ",
                    "entry.early.isEmpty || isPlanted(.itemsPassEarlyOnes), "
                )
            ]
        ),
        Fault(
            "itemsPassWhatWaits",
            "Items pass by though earlier ones wait to be handed to their reader.",
            [
                (
                    passing, "guard state == .live, !hasActions, ",
                    "guard state == .live, !hasActions || isPlanted(.itemsPassWhatWaits), "
                )
            ]
        ),
        Fault(
            "itemsPassTheEnd",
            "Items pass by though the end of their stream has come.",
            [
                (
                    passing, "entry.earlyEnd == nil\n",
                    "entry.earlyEnd == nil || isPlanted(.itemsPassTheEnd)\n"
                )
            ]
        ),
        Fault(
            "itemsUncounted",
            "Items that pass by are not counted.",
            [
                (
                    passing, "        entry.received += count\n",
                    "        if !isPlanted(.itemsUncounted) { entry.received += count }\n"
                )
            ]
        ),
        Fault(
            "itemsOfStoppedStream",
            "Items of a stream that was given up meanwhile go to its reader.",
            [
                (
                    passing, "            counters.unknownStreams += Int(count)\n            return false\n",
                    "            counters.unknownStreams += Int(count)\n            return isPlanted(.itemsOfStoppedStream)\n"
                )
            ]
        ),
        Fault(
            "removedHandlerSilent",
            "A request whose handler was removed before its turn gets no answer.",
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
            "A notification whose handler was removed before its turn keeps its place in its grant.",
            [
                (
                    passing, "return endNotification(request)",
                    "return isPlanted(.removedNotificationLeaked) ? () : endNotification(request)"
                )
            ]
        ),
    ]
}
