// Each `old` must occur once in its file, and no two may overlap.

private let holding = "SessionMachine+Held"
private let calling = "SessionMachine+Calls"
private let lifecycle = "SessionMachine+Lifecycle"

extension Fault {
    /// Mistakes with intercepted calls, for which nothing is sent yet.
    static let held = [
        Fault(
            "heldDeadlineLost",
            "The deadline of a call in hand is not kept.",
            [
                (
                    holding, "return add(call, deadline)",
                    "return add(call, isPlanted(.heldDeadlineLost) ? nil : deadline)"
                )
            ]
        ),
        Fault(
            "heldSettlesTwice",
            "A call in hand that has ended settles again.",
            [
                (
                    holding, "guard removeOutgoing(call) != nil else {",
                    "guard removeOutgoing(call) != nil || isPlanted(.heldSettlesTwice) else {"
                )
            ]
        ),
        Fault(
            "heldNotificationsUnbounded",
            "Any number of notifications may be in hand.",
            [
                (
                    holding, "if isNotification, heldNotifications >= limits.maximumQueuedMessages {",
                    "if isNotification, heldNotifications >= limits.maximumQueuedMessages, !isPlanted(.heldNotificationsUnbounded) {"
                )
            ]
        ),
        Fault(
            "heldNotificationLeaked",
            "A notification in hand that has ended is still counted.",
            [
                (
                    calling, "case .heldNotification: heldNotifications += change",
                    "case .heldNotification: if change > 0 || !isPlanted(.heldNotificationLeaked) { heldNotifications += change }"
                )
            ]
        ),
        Fault(
            "partsCounted",
            "A request that is made for a call in hand counts beside it.",
            [
                (
                    calling, "case .part: parts += change",
                    "case .part: if !isPlanted(.partsCounted) { parts += change }"
                )
            ]
        ),
        Fault(
            "heldOutlivesContext",
            "A call in hand that was made for a context that is gone waits for the next.",
            [
                (
                    lifecycle, "Set(state == .live ? [] : heldCalls)",
                    "Set((state == .live && !isPlanted(.heldOutlivesContext)) || isPlanted(.heldLostBeforePeer) ? [] : heldCalls)"
                )
            ]
        ),
        Fault("heldLostBeforePeer", "A call in hand ends with a context that was not there yet.", []),
        Fault(
            "heldOutlivesEnd",
            "A call in hand outlives a reset and the end of the session.",
            [
                (
                    lifecycle, "guard !kept.contains(call), removeOutgoing(call) != nil else { continue }",
                    "guard !kept.contains(call), !(isPlanted(.heldOutlivesEnd) && kept.isEmpty && outgoing[key]?.isHeld == true), removeOutgoing(call) != nil else { continue }"
                )
            ]
        ),
        Fault(
            "heldAnswered",
            "Who guesses the id of a call in hand answers it.",
            [
                (
                    "SessionMachine+Receiving", "outgoing[key]?.isHeld == false,",
                    "outgoing[key]?.isHeld == false || isPlanted(.heldAnswered),"
                )
            ]
        ),
        Fault(
            "unsentCallCancelled",
            "The other side is told that a call was given up which it never got.",
            []
        ),
    ]
}
