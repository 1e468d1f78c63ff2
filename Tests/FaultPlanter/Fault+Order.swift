// Each `old` must occur once in its file, and no two may overlap.

private let receiving = "SessionMachine+Receiving"
private let controls = "SessionMachine+Controls"
private let arrivals = "ArrivalOrder"

extension Fault {
    /// Mistakes in the order between requests and the messages after them.
    static let order = [
        Fault(
            "replyPassesRequests",
            "A reply goes to its caller before the handlers of the requests that came before it have begun.",
            [
                (
                    receiving, "if order.isOpen || !isOrdered(response) {",
                    "if order.isOpen || !isOrdered(response) || isPlanted(.replyPassesRequests) {"
                )
            ]
        ),
        Fault(
            "forgedReplyWaits",
            "A forged response to a call that was not sent waits for handlers, and may settle the call once it is sent.",
            [
                (
                    receiving, "return call.isSent && call.isOrdered",
                    "return (call.isSent || isPlanted(.forgedReplyWaits)) && call.isOrdered"
                )
            ]
        ),
        Fault(
            "itemPassesRequests",
            "An item goes to its reader before the handlers of the requests that came before it have begun.",
            [
                (
                    controls, "case .next, .end: if order.isOpen {",
                    "case .next, .end: if order.isOpen || isPlanted(.itemPassesRequests) {"
                )
            ]
        ),
        Fault(
            "arrivalPassesLaterHandler",
            "What waits for the handlers of two requests goes on when that of the second has begun.",
            [
                (
                    arrivals, "inAnyCase || next.last < first",
                    "inAnyCase || next.last < first || isPlanted(.arrivalPassesLaterHandler) && begunAhead.contains(next.last)"
                )
            ]
        ),
        Fault(
            "begunAheadForgotten",
            "A handler that has begun before that of an earlier request is waited for once more.",
            [
                (
                    arrivals, "        while !begunAhead.isEmpty, begunAhead.remove(first)",
                    "        while !isPlanted(.begunAheadForgotten), !begunAhead.isEmpty, begunAhead.remove(first)"
                )
            ]
        ),
        Fault(
            "arrivalsLostAtEnd",
            "What waits for handlers to begin is not handed out when the context goes.",
            [
                (
                    arrivals, "    mutating func handOutArrivals() {\n",
                    "    mutating func handOutArrivals() {\n        if isPlanted(.arrivalsLostAtEnd) { return }\n"
                )
            ]
        ),
        Fault(
            "orderOutlivesContext",
            "What comes from a context waits for handlers of the one before it.",
            [
                (
                    arrivals, "    mutating func reset() {\n",
                    "    mutating func reset() {\n        if isPlanted(.orderOutlivesContext) { return }\n"
                )
            ]
        ),
    ]
}
