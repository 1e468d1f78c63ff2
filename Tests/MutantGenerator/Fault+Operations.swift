// Each `old` must occur once in its file, and no two may overlap.

private let passing = "SessionMachine+FastPath"
private let budgets = "SessionMachine+Budgets"
private let granting = "SessionMachine+Grants"
private let streaming = "SessionMachine+Streams"
private let lifecycle = "SessionMachine+Lifecycle"

extension Fault {
    /// Mistakes with requests that enter the tables late, with operations, and with events of the transport.
    static let operations = [
        Fault(
            "adoptedAfterContext",
            "A request of a lost context enters the tables.",
            [
                (
                    passing, "guard isCurrent(epoch), let callbackID = request.callbackID else {",
                    "guard isCurrent(epoch) || isPlanted(.adoptedAfterContext), let callbackID = request.callbackID else {"
                )
            ]
        ),
        Fault(
            "adoptedDeadlineLost",
            "The deadline of a request that enters the tables late is not registered.",
            [
                (
                    passing, "if let deadline = request.deadline {",
                    "if let deadline = request.deadline, !isPlanted(.adoptedDeadlineLost) {"
                )
            ]
        ),
        Fault(
            "adoptedNotAbandoned",
            "The work on a request is not abandoned that was cancelled before it entered the tables.",
            [
                (
                    passing, "        if isCancelled { actions.append(.abandon(id)) }\n",
                    "        if isCancelled, !isPlanted(.adoptedNotAbandoned) { actions.append(.abandon(id)) }\n"
                )
            ]
        ),
        Fault(
            "adoptedUncancelled",
            "A request that was cancelled before it entered the tables may open a stream.",
            [
                (
                    passing, "            isCancelled: isCancelled,\n            account: request.account\n",
                    "            isCancelled: isCancelled && !isPlanted(.adoptedUncancelled),\n            account: isPlanted(.adoptedOfNoOperation) ? nil : request.account\n"
                )
            ]
        ),
        Fault(
            "adoptedUncounted",
            "A request that enters the tables late does not count for its grant.",
            [
                (
                    passing, "        grants?.begin(admission)\n",
                    "        if !isPlanted(.adoptedUncounted) { grants?.begin(admission) }\n"
                )
            ]
        ),
        Fault(
            "adoptedOfNoOperation",
            "A request that enters the tables late belongs to no operation.",
            []
        ),
        Fault(
            "freeInSpiteOfLimits",
            "Requests use the fast path although their grant counts them.",
            [
                (
                    "GrantTable", "        return grant.end == nil && grant.limits == GrantLimits()\n",
                    "        return grant.end == nil && (grant.limits == GrantLimits() || isPlanted(.freeInSpiteOfLimits))\n"
                )
            ]
        ),
        Fault(
            "resultPassesWhatWaits",
            "A result on the fast path is sent although its context was lost.",
            [
                (
                    passing, "guard state == .live, let callbackID = request.callbackID else {",
                    "guard state == .live || isPlanted(.resultPassesWhatWaits), let callbackID = request.callbackID else {"
                )
            ]
        ),
        Fault(
            "endedWorkOfOthers",
            "The end of an operation ends all calls.",
            [
                (
                    budgets, "where outgoing[call]?.account == account {",
                    "where outgoing[call]?.account == account || isPlanted(.endedWorkOfOthers) {"
                )
            ]
        ),
        Fault(
            "endedStreamsReadOn",
            "A stream of an ended operation has a reader forever.",
            [
                (
                    budgets, "where streams[stream]?.account == account { finish(stream, error) }",
                    "where streams[stream]?.account == account && !isPlanted(.endedStreamsReadOn) { finish(stream, error) }"
                )
            ]
        ),
        Fault(
            "endedWorkGoesOn",
            "The work on requests of an ended operation is not abandoned.",
            [
                (
                    budgets, "        for key in incoming.keys where incoming[key]?.account == account {\n",
                    "        for key in incoming.keys where incoming[key]?.account == account && !isPlanted(.endedWorkGoesOn) {\n"
                )
            ]
        ),
        Fault(
            "endedMessagesSent",
            "Messages of an ended operation are sent once the peer is ready.",
            [
                (
                    budgets, "if queued.call == nil, queued.message.account == account {",
                    "if queued.call == nil, queued.message.account == account, !isPlanted(.endedMessagesSent) {"
                )
            ]
        ),
        Fault(
            "endOvertakesArrivals",
            "The end of an operation overtakes the replies that arrived before it.",
            [
                (
                    budgets, "        handOutArrivals()\n",
                    "        if !isPlanted(.endOvertakesArrivals) { handOutArrivals() }\n"
                )
            ]
        ),
        Fault(
            "droppedRequestLeaked",
            "A request whose handler never runs is in progress forever.",
            [
                (
                    budgets, "        removeIncoming(id)\n",
                    "        if !isPlanted(.droppedRequestLeaked) { removeIncoming(id) }\n"
                )
            ]
        ),
        Fault(
            "denialOfNoOperation",
            "The error of a denied request belongs to no operation.",
            [
                (
                    granting, "return sendFailure(refusal.error, to: callbackID, of: request)",
                    "var other = request; if isPlanted(.denialOfNoOperation) { other.account = nil }; return sendFailure(refusal.error, to: callbackID, of: other)"
                )
            ]
        ),
        Fault(
            "closeOfNoOperation",
            "The error for the callers of a closed session belongs to no operation.",
            [
                (
                    lifecycle, "                            account: call.account\n",
                    "                            account: isPlanted(.closeOfNoOperation) ? nil : call.account\n"
                )
            ]
        ),
        Fault(
            "failureOvertakesItems",
            "The failure of all streams overtakes the items that arrived before it.",
            [
                (
                    streaming,
                    "        handOutArrivals()\n        endStreams(with: error, tellsPeer: false)\n",
                    "        if !isPlanted(.failureOvertakesItems) { handOutArrivals() }\n        endStreams(with: error, tellsPeer: false)\n"
                )
            ]
        ),
        Fault(
            "openStreamRefused",
            "A response that cannot be read stops an open stream whose id it names.",
            [
                (
                    streaming, "guard state == .live, streams.inbound(id) == nil else { return }",
                    "guard state == .live, streams.inbound(id) == nil || isPlanted(.openStreamRefused) else { return }"
                )
            ]
        ),
        Fault(
            "eventNumberTwice",
            "Two events of the transport have the same number.",
            [
                (
                    passing, "        topics.peerSubscriptions[ByteEqualString(topic)] = count &+ 1\n",
                    "        if !isPlanted(.eventNumberTwice) { topics.peerSubscriptions[ByteEqualString(topic)] = count &+ 1 }\n"
                )
            ]
        ),
        Fault(
            "eventNumberLost",
            "The number of an event that was not delivered is not used again.",
            [
                (
                    passing, "guard topics.peerSubscriptions[name] == number &+ 1 else { return }",
                    "guard topics.peerSubscriptions[name] == number &+ 1 || (isPlanted(.laterEventTakenBack) && topics.peerSubscriptions[name] != nil), !isPlanted(.eventNumberLost) else { return }"
                )
            ]
        ),
        Fault(
            "laterEventTakenBack",
            "The number of an event is taken back although later events have begun.",
            []
        ),
    ]
}
