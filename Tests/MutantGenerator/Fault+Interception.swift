// Each `old` must occur once in its file, and no two may overlap.

private let holding = "SessionMachine+Calls"
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
                    holding, "return outgoing.insert(call, deadline)",
                    "return outgoing.insert(call, isPlanted(.heldDeadlineLost) ? nil : deadline)"
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
                    holding,
                    "if isNotification, outgoing.heldNotifications >= limits.maximumQueuedMessages {",
                    "if isNotification, outgoing.heldNotifications >= limits.maximumQueuedMessages, !isPlanted(.heldNotificationsUnbounded) {"
                )
            ]
        ),
        Fault(
            "heldNotificationLeaked",
            "An intercepted notification that has ended still counts.",
            [
                (
                    "OutgoingCalls", "case .heldNotification: heldNotifications += change",
                    "case .heldNotification: if change > 0 || !isPlanted(.heldNotificationLeaked) { heldNotifications += change }"
                )
            ]
        ),
        Fault(
            "partsCounted",
            "A request that is a part of an intercepted call counts in addition to it.",
            [
                (
                    "OutgoingCalls", "case .part: parts += change",
                    "case .part: if !isPlanted(.partsCounted) { parts += change }"
                )
            ]
        ),
        Fault(
            "heldOutlivesContext",
            "An intercepted call for a lost context waits for the next one.",
            [
                (
                    lifecycle,
                    "Set(state == .live ? [] : outgoing.inOrder.filter { outgoing[$0]?.isHeld == true })",
                    "Set((state == .live && !isPlanted(.heldOutlivesContext)) || isPlanted(.heldLostBeforePeer) ? [] : outgoing.inOrder.filter { outgoing[$0]?.isHeld == true })"
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
                    "guard !kept.contains(call), !(isPlanted(.heldOutlivesEnd) && kept.isEmpty && outgoing[call]?.isHeld == true), removeOutgoing(call) != nil else { continue }"
                )
            ]
        ),
        Fault(
            "heldAnswered",
            "A guessed id can settle an intercepted call.",
            [
                (
                    "SessionMachine+Receiving", "outgoing[call]?.isHeld == false,",
                    "outgoing[call]?.isHeld == false || isPlanted(.heldAnswered),"
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
