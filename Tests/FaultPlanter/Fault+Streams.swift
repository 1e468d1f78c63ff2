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
            "An item is delivered though one before it has not come.",
            [
                (
                    streaming, "guard control.number == entry.received else {",
                    "guard control.number == entry.received || (isPlanted(.gapAccepted) && control.number > entry.received) || (isPlanted(.repeatedItemAccepted) && control.number < entry.received) else {"
                )
            ]
        ),
        Fault("repeatedItemAccepted", "An item that comes twice is delivered twice.", []),
        Fault(
            "overrunAccepted",
            "An item beyond the credit is taken.",
            [
                (
                    streaming, "guard control.number < entry.granted else {",
                    "guard control.number < entry.granted || isPlanted(.overrunAccepted) else {"
                )
            ]
        ),
        Fault(
            "streamUnheard",
            "A stream is opened though its opening is one reply too many to wait.",
            [
                (
                    streaming, "guard state == .live || queuedReplies < limits.maximumQueuedMessages else {",
                    "guard isPlanted(.streamUnheard) || state == .live || queuedReplies < limits.maximumQueuedMessages else {"
                )
            ]
        ),
        Fault(
            "endOvertakesItems",
            "A stream ends for its reader before its last items came.",
            [
                (
                    streaming, "guard control.number > entry.received else {",
                    "guard control.number > entry.received, !isPlanted(.endOvertakesItems) else {"
                )
            ]
        ),
        Fault(
            "earlyItemsLeaked",
            "Items that came too soon are kept when their stream is given up.",
            [
                (
                    streaming, "        for case .some(let token) in entry.early.values { discard(token) }\n",
                    "        if !isPlanted(.earlyItemsLeaked) { for case .some(let token) in entry.early.values { discard(token) } }\n"
                )
            ]
        ),
        Fault(
            "stopUntold",
            "The sender of a stream is not told that its reader gave up.",
            [
                (
                    streaming,
                    "        sendStop(entry.id, reason, account: entry.account)\n        return true",
                    "        if !isPlanted(.stopUntold) { sendStop(entry.id, reason, account: entry.account) }\n        return true"
                )
            ]
        ),
        Fault(
            "orphanStreamUntold",
            "The sender of a stream that answers a call which has ended is not told.",
            [
                (
                    receiving,
                    "            // Nobody reads it, so nobody would ever stop it.\n            if case .stream(let id) = response.outcome {",
                    "            // Nobody reads it, so nobody would ever stop it.\n            if case .stream(let id) = response.outcome, !isPlanted(.orphanStreamUntold) {"
                )
            ]
        ),
        Fault(
            "itemAfterEnd",
            "A stream that has ended goes on sending.",
            [
                (
                    streaming,
                    "        guard let entry = removeOutbound(stream) else { return }\n        sendEnd(",
                    "        guard let entry = isPlanted(.itemAfterEnd) ? outbound[stream.key] : removeOutbound(stream) else { return }\n        sendEnd("
                )
            ]
        ),
        Fault(
            "streamEndsOtherGrant",
            "A stream that ends is not taken off what its grant counts.",
            [
                (
                    streaming, "        grants?.end(entry.admission)\n",
                    "        if !isPlanted(.streamEndsOtherGrant) { grants?.end(entry.admission) }\n"
                )
            ]
        ),
        Fault(
            "creditWraps",
            "Credit beyond the most is none.",
            [
                (
                    streaming, "entry.credit = overflow ? .max : credit",
                    "entry.credit = overflow && !isPlanted(.creditWraps) ? .max : credit"
                )
            ]
        ),
    ]
}
