// Each `old` must occur once in its file, and no two may overlap.

private let receiving = "SessionMachine+Receiving"
private let controls = "SessionMachine+Controls"
private let lifecycle = "SessionMachine+Lifecycle"

extension Fault {
    /// Mistakes with requests of the other end.
    static let requests = [
        Fault(
            "requestLeaked",
            "A request with a reply stays in the tables, so that it can be replied to again.",
            [
                (
                    receiving, "guard call.epoch == epoch, let answered = removeIncoming(call) else {",
                    "guard call.epoch == epoch || isPlanted(.oldReplyAccepted), let answered = isPlanted(.requestLeaked) ? leakIncoming(call) : removeIncoming(call) else {"
                ),
                (
                    receiving, "        return answered\n    }\n",
                    "        return answered\n    }\n\n    // A deadline that stayed would make the expiry loop for ever.\n    mutating func leakIncoming(_ call: IncomingCallID) -> IncomingCall? {\n        incoming.setDeadline(of: call.key, to: .seconds(1 << 40))\n        return incoming[call.key]\n    }\n"
                ),
            ]
        ),
        Fault(
            "oldReplyAccepted",
            "The reply to a request of a lost context is sent to the next one.",
            [
                (
                    lifecycle,
                    "            if removeIncoming(call) != nil { actions.append(.abandon(call)) }",
                    "            if isPlanted(.oldReplyAccepted) { actions.append(.abandon(call)); continue }\n            if removeIncoming(call) != nil { actions.append(.abandon(call)) }"
                )
            ]
        ),
        Fault(
            "requestTimerNotCancelled",
            "The deadline of a request with a reply stays.",
            [
                (
                    "IncomingCalls", "        deadlines.remove(slot: key.slot)\n        return answered",
                    "        if !isPlanted(.requestTimerNotCancelled) { deadlines.remove(slot: key.slot) }\n        return answered"
                )
            ]
        ),
        Fault(
            "errorToLegacyCaller",
            "An error is sent to a caller that does not support errors.",
            [
                (
                    receiving, "if case .failure(let error) = outcome, !answered.accepts.contains(.errors) {",
                    "if case .failure(let error) = outcome, !answered.accepts.contains(.errors), !isPlanted(.errorToLegacyCaller) {"
                )
            ]
        ),
        Fault(
            "oldMessageAccepted",
            "A message of a lost context is treated as one of the next.",
            [
                (
                    receiving, "case .idle, .injected, .live: sender == nil || sender == epoch",
                    "case .idle, .injected, .live: sender == nil || sender == epoch || isPlanted(.oldMessageAccepted)"
                )
            ]
        ),
        Fault(
            "lostEarlyCancel",
            "A cancellation that arrives before its call is forgotten.",
            [
                (
                    controls,
                    "            incoming.earlyCancellations.insert(control.id, control.error ?? Self.callerGaveUp)\n",
                    "            if !isPlanted(.lostEarlyCancel) { incoming.earlyCancellations.insert(control.id, control.error ?? Self.callerGaveUp) }\n"
                )
            ]
        ),
        Fault(
            "earlyCancelOutlivesContext",
            "A cancellation of a lost context ends a call of the next one.",
            [
                (
                    lifecycle, "        incoming.earlyCancellations = RecentIdentifiers()\n",
                    "        if !isPlanted(.earlyCancelOutlivesContext) { incoming.earlyCancellations = RecentIdentifiers() }\n"
                )
            ]
        ),
        Fault(
            "abandonLost",
            "A handler is not notified of its caller's cancellation.",
            [
                (
                    controls, "        actions.append(.abandon(IncomingCallID(key: key, epoch: epoch)))\n",
                    "        if !isPlanted(.abandonLost) { actions.append(.abandon(IncomingCallID(key: key, epoch: epoch))) }\n"
                )
            ]
        ),
        Fault(
            "expiredRequestUnanswered",
            "A caller is not notified of its deadline.",
            [
                (
                    receiving, "            _ = reply(to: call, with: .failure(Self.overdue(name)))\n",
                    "            if isPlanted(.expiredRequestUnanswered) { _ = removeIncoming(call) } else { _ = reply(to: call, with: .failure(Self.overdue(name))) }\n"
                )
            ]
        ),
        Fault(
            "unknownNameDropped",
            "A request without a handler is dropped silently.",
            [
                (
                    receiving,
                    "        sendFailure(error, to: callbackID, of: request)\n    }\n\n    private mutating func answerOrDrop",
                    "        if !isPlanted(.unknownNameDropped) { sendFailure(error, to: callbackID, of: request) }\n    }\n\n    private mutating func answerOrDrop"
                )
            ]
        ),
        Fault(
            "earlyCancelsUnbounded",
            "The number of remembered cancellations is not limited.",
            [
                (
                    "RecentIdentifiers", "if newer.count >= Self.generationSize {",
                    "if newer.count >= Self.generationSize, !isPlanted(.earlyCancelsUnbounded) {"
                )
            ]
        ),
        Fault(
            "earlyCancelsForgotten",
            "The latest cancellations are forgotten together with the older ones.",
            [
                (
                    "RecentIdentifiers", "            older = newer\n",
                    "            older = isPlanted(.earlyCancelsForgotten) ? [:] : newer\n"
                )
            ]
        ),
        Fault(
            "earlyCancelTwice",
            "A duplicate cancellation ends two calls.",
            [
                (
                    "RecentIdentifiers", "        older[id] = nil\n",
                    "        if !isPlanted(.earlyCancelTwice) { older[id] = nil }\n"
                )
            ]
        ),
        Fault(
            "oldRefusalAnswered",
            "The refusal of a lost context's request is sent to the next one.",
            [
                (
                    receiving,
                    "        guard isCurrent(sender) else {\n            return dropLost(request.payload)",
                    "        guard isCurrent(sender) || isPlanted(.oldRefusalAnswered) else {\n            return dropLost(request.payload)"
                )
            ]
        ),
    ]
}
