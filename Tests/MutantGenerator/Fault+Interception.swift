// Each `old` must occur once in its file, and no two may overlap.

private let holding = "SessionMachine+Interception"
private let calling = "SessionMachine+Calls"
private let lifecycle = "SessionMachine+Lifecycle"

extension Fault {
    /// Mistakes with intercepted calls, for which nothing is sent yet.
    static let held = [
        Fault(
            "heldDeadlineLost",
            "The deadline of an intercepted call is not registered.",
            [
                (
                    holding, "return add(call, deadline)",
                    "return add(call, isPlanted(.heldDeadlineLost) ? nil : deadline)"
                )
            ]
        ),
        Fault(
            "heldSettlesTwice",
            "An intercepted call that has ended settles again.",
            [
                (
                    holding, "guard removeOutgoing(call) != nil else {",
                    "guard removeOutgoing(call) != nil || isPlanted(.heldSettlesTwice) else {"
                )
            ]
        ),
        Fault(
            "heldNotificationsUnbounded",
            "The number of intercepted notifications is not limited.",
            [
                (
                    holding, "if isNotification, heldNotifications >= limits.maximumQueuedMessages {",
                    "if isNotification, heldNotifications >= limits.maximumQueuedMessages, !isPlanted(.heldNotificationsUnbounded) {"
                )
            ]
        ),
        Fault(
            "heldNotificationLeaked",
            "An intercepted notification that has ended still counts.",
            [
                (
                    calling, "case .heldNotification: heldNotifications += change",
                    "case .heldNotification: if change > 0 || !isPlanted(.heldNotificationLeaked) { heldNotifications += change }"
                )
            ]
        ),
        Fault(
            "partsCounted",
            "A request that is a part of an intercepted call counts in addition to it.",
            [
                (
                    calling, "case .part: parts += change",
                    "case .part: if !isPlanted(.partsCounted) { parts += change }"
                )
            ]
        ),
        Fault(
            "heldOutlivesContext",
            "An intercepted call for a lost context waits for the next one.",
            [
                (
                    lifecycle, "Set(state == .live ? [] : heldCalls)",
                    "Set((state == .live && !isPlanted(.heldOutlivesContext)) || isPlanted(.heldLostBeforePeer) ? [] : heldCalls)"
                )
            ]
        ),
        Fault("heldLostBeforePeer", "An intercepted call ends with a context that was not ready yet.", []),
        Fault(
            "heldOutlivesEnd",
            "An intercepted call survives a reset and the end of the session.",
            [
                (
                    lifecycle, "guard !kept.contains(call), removeOutgoing(call) != nil else { continue }",
                    "guard !kept.contains(call), !(isPlanted(.heldOutlivesEnd) && kept.isEmpty && outgoing[key]?.isHeld == true), removeOutgoing(call) != nil else { continue }"
                )
            ]
        ),
        Fault(
            "heldAnswered",
            "A guessed id can settle an intercepted call.",
            [
                (
                    "SessionMachine+Receiving", "outgoing[key]?.isHeld == false,",
                    "outgoing[key]?.isHeld == false || isPlanted(.heldAnswered),"
                )
            ]
        ),
        Fault(
            "unsentCallCancelled",
            "A cancellation is sent for a call that was never sent.",
            []
        ),
    ]
}
