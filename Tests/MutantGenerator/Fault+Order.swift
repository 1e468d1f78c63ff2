// Each `old` must occur once in its file, and no two may overlap.

private let receiving = "SessionMachine+Receiving"
private let controls = "SessionMachine+Controls"
private let arrivals = "ArrivalOrder"

extension Fault {
    /// Mistakes in the order between requests and the messages after them.
    static let order = [
        Fault(
            "replyPassesRequests",
            "A reply is delivered before the handlers of earlier requests have begun.",
            [
                (
                    receiving, "if order.isOpen || !isOrdered(response) {",
                    "if order.isOpen || !isOrdered(response) || isPlanted(.replyPassesRequests) {"
                )
            ]
        ),
        Fault(
            "forgedReplyWaits",
            "A forged response to an unsent call waits for handlers, and may settle the call once it is sent.",
            [
                (
                    receiving, "return call.isSent && call.isOrdered",
                    "return (call.isSent || isPlanted(.forgedReplyWaits)) && call.isOrdered"
                )
            ]
        ),
        Fault(
            "itemPassesRequests",
            "An item is delivered before the handlers of earlier requests have begun.",
            [
                (
                    controls, "case .next, .end: if order.isOpen {",
                    "case .next, .end: if order.isOpen || isPlanted(.itemPassesRequests) {"
                )
            ]
        ),
        Fault(
            "arrivalPassesLaterHandler",
            "A message that waits for two handlers is delivered when the second has begun.",
            [
                (
                    arrivals, "inAnyCase || next.last < first",
                    "inAnyCase || next.last < first || isPlanted(.arrivalPassesLaterHandler) && begunAhead.contains(next.last)"
                )
            ]
        ),
        Fault(
            "begunAheadForgotten",
            "A handler that began before that of an earlier request is waited for again.",
            [
                (
                    arrivals, "        while !begunAhead.isEmpty, begunAhead.remove(first)",
                    "        while !isPlanted(.begunAheadForgotten), !begunAhead.isEmpty, begunAhead.remove(first)"
                )
            ]
        ),
        Fault(
            "arrivalsLostAtEnd",
            "Messages that wait for handlers are not delivered when the context is lost.",
            [
                (
                    arrivals, "    mutating func handOutArrivals() {\n",
                    "    mutating func handOutArrivals() {\n        if isPlanted(.arrivalsLostAtEnd) { return }\n"
                )
            ]
        ),
        Fault(
            "orderOutlivesContext",
            "Messages from a context wait for handlers of the previous one.",
            [
                (
                    arrivals, "    mutating func reset() {\n",
                    "    mutating func reset() {\n        if isPlanted(.orderOutlivesContext) { return }\n"
                )
            ]
        ),
    ]
}
