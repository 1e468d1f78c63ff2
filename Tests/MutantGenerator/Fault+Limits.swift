// Each `old` must occur once in its file, and no two may overlap.

private let calling = "SessionMachine+Calls"
private let receiving = "SessionMachine+Receiving"
private let controls = "SessionMachine+Controls"
private let granting = "SessionMachine+Grants"

extension Fault {
    /// Mistakes with limits and grants.
    static let limits = [
        Fault(
            "oneCallTooMany",
            "One call beyond the limit may be pending.",
            [
                (
                    calling, "if reply != .none, !isPart, pendingCallCount >= limits.maximumPendingCalls {",
                    "if reply != .none, !isPart, pendingCallCount >= limits.maximumPendingCalls + (isPlanted(.oneCallTooMany) ? 1 : 0) {"
                )
            ]
        ),
        Fault(
            "queueUnbounded",
            "The queue for the peer is not limited.",
            [
                (
                    calling, "if state != .live, startUpQueue.count >= limits.maximumQueuedMessages {",
                    "if state != .live, startUpQueue.count >= limits.maximumQueuedMessages, !isPlanted(.queueUnbounded) {"
                )
            ]
        ),
        Fault(
            "requestsUnbounded",
            "The number of requests in progress is not limited.",
            [
                (
                    receiving, "guard incoming.count < limits.maximumPendingCalls else {",
                    "guard incoming.count < limits.maximumPendingCalls || isPlanted(.requestsUnbounded) else {"
                )
            ]
        ),
        Fault(
            "grantIgnored",
            "A request is accepted without its grant.",
            [
                (
                    granting, "guard grants != nil, request.admission == nil, isCurrent(sender),",
                    "guard grants != nil, !isPlanted(.grantIgnored), request.admission == nil, isCurrent(sender) || (isPlanted(.deniedAfterContext) && state != .closed),"
                )
            ]
        ),
        Fault(
            "grantCountLeaked",
            "A request with a reply counts for its grant forever.",
            [
                (
                    receiving, "        grants?.end(answered.admission)\n",
                    "        if !isPlanted(.grantCountLeaked) { grants?.end(answered.admission) }\n"
                )
            ]
        ),
        Fault(
            "topicsUnbounded",
            "The number of topics of a peer is not limited.",
            [
                (
                    controls,
                    "guard topics.peerSubscriptions.count < limits.maximumTopics, nameTooLong(topic) == nil else {",
                    "guard topics.peerSubscriptions.count < limits.maximumTopics || isPlanted(.topicsUnbounded), nameTooLong(topic) == nil else {"
                )
            ]
        ),
    ]
}
