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
            "One more call may wait than the limit says.",
            [
                (
                    calling, "if reply != .none, !isPart, pendingCallCount >= limits.maximumPendingCalls {",
                    "if reply != .none, !isPart, pendingCallCount >= limits.maximumPendingCalls + (isPlanted(.oneCallTooMany) ? 1 : 0) {"
                )
            ]
        ),
        Fault(
            "queueUnbounded",
            "Any number of messages may wait for the peer.",
            [
                (
                    calling, "if state != .live, startUpQueue.count >= limits.maximumQueuedMessages {",
                    "if state != .live, startUpQueue.count >= limits.maximumQueuedMessages, !isPlanted(.queueUnbounded) {"
                )
            ]
        ),
        Fault(
            "requestsUnbounded",
            "Any number of requests may be in progress.",
            [
                (
                    receiving, "guard incoming.count < limits.maximumPendingCalls else {",
                    "guard incoming.count < limits.maximumPendingCalls || isPlanted(.requestsUnbounded) else {"
                )
            ]
        ),
        Fault(
            "grantIgnored",
            "A request comes in without its grant.",
            [
                (
                    granting, "guard grants != nil, request.admission == nil, isCurrent(nil),",
                    "guard grants != nil, !isPlanted(.grantIgnored), request.admission == nil, isCurrent(nil) || (isPlanted(.deniedAfterContext) && state != .closed),"
                )
            ]
        ),
        Fault(
            "grantCountLeaked",
            "A request that was answered counts for its grant for ever.",
            [
                (
                    receiving, "        grants?.end(answered.admission)\n",
                    "        if !isPlanted(.grantCountLeaked) { grants?.end(answered.admission) }\n"
                )
            ]
        ),
        Fault(
            "topicsUnbounded",
            "A peer may listen to any number of topics.",
            [
                (
                    controls,
                    "guard heardTopics.count < limits.maximumTopics, nameTooLong(topic) == nil else {",
                    "guard heardTopics.count < limits.maximumTopics || isPlanted(.topicsUnbounded), nameTooLong(topic) == nil else {"
                )
            ]
        ),
    ]
}
