// Each `old` must occur once in its file, and no two may overlap.

private let receiving = "SessionMachine+Receiving"
private let streaming = "SessionMachine+Streams"

extension Fault {
    /// Mistakes with streams.
    static let streams = [
        Fault(
            "doubleCredit",
            "Credit counts twice.",
            [
                (
                    streaming, "entry.credit.addingReportingOverflow(control.number)",
                    "entry.credit.addingReportingOverflow(control.number &* (isPlanted(.doubleCredit) ? 2 : 1))"
                )
            ]
        ),
        Fault(
            "creditNotSpent",
            "An item costs no credit.",
            [
                (
                    streaming, "        entry.credit -= 1\n",
                    "        if !isPlanted(.creditNotSpent) { entry.credit -= 1 }\n"
                )
            ]
        ),
        Fault(
            "gapAccepted",
            "An item is delivered before an earlier one.",
            [
                (
                    streaming, "guard control.number == entry.received else {",
                    "guard control.number == entry.received || (isPlanted(.gapAccepted) && control.number > entry.received) || (isPlanted(.repeatedItemAccepted) && control.number < entry.received) else {"
                )
            ]
        ),
        Fault("repeatedItemAccepted", "A duplicate item is delivered twice.", []),
        Fault(
            "overrunAccepted",
            "An item beyond the credit is accepted.",
            [
                (
                    streaming, "guard control.number < entry.granted else {",
                    "guard control.number < entry.granted || isPlanted(.overrunAccepted) else {"
                )
            ]
        ),
        Fault(
            "streamUnheard",
            "A stream is opened although its reply exceeds the limit of the queue.",
            [
                (
                    streaming,
                    "guard state == .live || startUpQueue.replyCount < limits.maximumQueuedMessages else {",
                    "guard isPlanted(.streamUnheard) || state == .live || startUpQueue.replyCount < limits.maximumQueuedMessages else {"
                )
            ]
        ),
        Fault(
            "endOvertakesItems",
            "A stream ends for its reader before its last items.",
            [
                (
                    streaming, "guard control.number > entry.received else {",
                    "guard control.number > entry.received, !isPlanted(.endOvertakesItems) else {"
                )
            ]
        ),
        Fault(
            "earlyItemsLeaked",
            "Early items are kept when their stream is cancelled.",
            [
                (
                    streaming, "        for case .some(let token) in entry.early.values { discard(token) }\n",
                    "        if !isPlanted(.earlyItemsLeaked) { for case .some(let token) in entry.early.values { discard(token) } }\n"
                )
            ]
        ),
        Fault(
            "stopUnsent",
            "The cancellation of a stream is not sent.",
            [
                (
                    streaming,
                    "        sendStop(entry.id, reason, account: entry.account)\n        return true",
                    "        if !isPlanted(.stopUnsent) { sendStop(entry.id, reason, account: entry.account) }\n        return true"
                )
            ]
        ),
        Fault(
            "orphanStreamStopUnsent",
            "The cancellation of a stream that replies to an ended call is not sent.",
            [
                (
                    receiving,
                    "            if case .stream(let id) = response.outcome { sendStop(",
                    "            if case .stream(let id) = response.outcome, !isPlanted(.orphanStreamStopUnsent) { sendStop("
                )
            ]
        ),
        Fault(
            "itemAfterEnd",
            "A stream sends items after its end.",
            [
                (
                    streaming,
                    "        guard let entry = removeOutbound(stream) else { return }\n        sendEnd(",
                    "        guard let entry = isPlanted(.itemAfterEnd) ? streams[stream] : removeOutbound(stream) else { return }\n        sendEnd("
                )
            ]
        ),
        Fault(
            "streamEndsOtherGrant",
            "An ended stream still counts for its grant.",
            [
                (
                    streaming, "        grants?.end(entry.admission)\n",
                    "        if !isPlanted(.streamEndsOtherGrant) { grants?.end(entry.admission) }\n"
                )
            ]
        ),
        Fault(
            "creditWraps",
            "Credit beyond the maximum is lost.",
            [
                (
                    streaming, "entry.credit = overflow ? .max : credit",
                    "entry.credit = overflow && !isPlanted(.creditWraps) ? .max : credit"
                )
            ]
        ),
    ]
}
