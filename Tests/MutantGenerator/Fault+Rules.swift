// Each `old` must occur once in its file, and no two may overlap.

extension Fault {
    /// Mistakes in single rules, each of which is one condition or one line.
    static let rules = [
        Fault(
            "longNameTaken",
            "A name one byte too long is accepted.",
            [
                (
                    "SessionMachine", "name.utf8.count > limits.maximumNameBytes ?",
                    "name.utf8.count > limits.maximumNameBytes + (isPlanted(.longNameTaken) ? 1 : 0) ?"
                )
            ]
        ),
        Fault(
            "oldTeardownEnds",
            "The end of an earlier teardown ends the last one.",
            [
                (
                    "SessionMachine+Lifecycle",
                    "if state == .tearingDown, epoch == self.epoch { state = .idle }",
                    "if state == .tearingDown, epoch == self.epoch || isPlanted(.oldTeardownEnds) { state = .idle }"
                )
            ]
        ),
        Fault(
            "replacedHandlerStays",
            "A replaced handler is called.",
            [
                (
                    "SessionMachine+Handlers",
                    "        return handlers.register(handler, as: name)\n",
                    "        if isPlanted(.replacedHandlerStays), let old = handlers[name] { return old }\n        return handlers.register(handler, as: name)\n"
                )
            ]
        ),
        Fault(
            "anyHandlerCalled",
            "A request calls an arbitrary handler.",
            [
                (
                    "SessionMachine+Receiving", "        actions.append(.dispatch(handler, dispatched))\n",
                    "        actions.append(.dispatch(isPlanted(.anyHandlerCalled) ? (handlers.names.compactMap { handlers[$0] }.min { $0.rawValue < $1.rawValue } ?? handler) : handler, dispatched))\n"
                )
            ]
        ),
        Fault(
            "deadlinesNotRaised",
            "The replacement of a removed deadline does not rise in the heap.",
            [
                (
                    "DeadlineHeap", "        siftUp(hole)\n",
                    "        if !isPlanted(.deadlinesNotRaised) { siftUp(hole) }\n"
                )
            ]
        ),
        Fault(
            "deadlinesNotSunk",
            "The replacement of a removed deadline does not sink in the heap.",
            [
                (
                    "DeadlineHeap", "        siftDown(hole)\n",
                    "        if !isPlanted(.deadlinesNotSunk) { siftDown(hole) }\n"
                )
            ]
        ),
        Fault(
            "queueGrowsTurned",
            "A growing queue loses its start.",
            [
                (
                    "FIFOQueue", "larger.append(ring[(head + offset) & (ring.count - 1)].take())",
                    "larger.append(ring[((isPlanted(.queueGrowsTurned) ? 0 : head) + offset) & (ring.count - 1)].take())"
                )
            ]
        ),
        Fault(
            "deadlineLate",
            "A call does not end exactly at its deadline.",
            [
                (
                    "OutgoingCalls",
                    "deadlines.firstOverdue(now: now, in: entries)",
                    "deadlines.firstOverdue(now: isPlanted(.deadlineLate) ? now - .nanoseconds(1) : now, in: entries)"
                )
            ]
        ),
        Fault(
            "requestDeadlineLate",
            "A request does not end exactly at its deadline.",
            [
                (
                    "IncomingCalls",
                    "deadlines.firstOverdue(now: now, in: entries)",
                    "deadlines.firstOverdue(now: isPlanted(.requestDeadlineLate) ? now - .nanoseconds(1) : now, in: entries)"
                )
            ]
        ),
        Fault(
            "cancelledStreamOpens",
            "A cancelled request opens a stream.",
            [
                (
                    "SessionMachine+Streams", "guard !entry.isCancelled else { throw Self.callerGaveUp }",
                    "guard !entry.isCancelled || isPlanted(.cancelledStreamOpens) else { throw Self.callerGaveUp }"
                )
            ]
        ),
        Fault(
            "grantForgetsRunning",
            "New grants lose the counts of work in progress.",
            [
                (
                    "GrantTable", "            grant.running = running\n",
                    "            if !isPlanted(.grantForgetsRunning) { grant.running = running }\n"
                )
            ]
        ),
        Fault(
            "resetDropsReplies",
            "A reset drops waiting replies.",
            [
                (
                    "SessionMachine+Lifecycle",
                    "            if case .response = queued.message {\n                startUpQueue.append(queued)",
                    "            if case .response = queued.message, !isPlanted(.resetDropsReplies) {\n                startUpQueue.append(queued)"
                )
            ]
        ),
        Fault(
            "resetLeavesStreams",
            "A reset leaves streams open.",
            [
                (
                    "SessionMachine+Lifecycle",
                    "        settleAll(except: [], with: error)\n        endStreams(with: error, tellsPeer: state == .live)\n    }\n",
                    "        settleAll(except: [], with: error)\n        if !isPlanted(.resetLeavesStreams) { endStreams(with: error, tellsPeer: state == .live) }\n    }\n"
                )
            ]
        ),
        Fault(
            "streamsShareID",
            "Two streams have the same id.",
            [
                (
                    "SessionMachine+Streams",
                    "guard streams.inboundCount < limits.maximumStreams, streams.inbound(id) == nil else {",
                    "guard streams.inboundCount < limits.maximumStreams, streams.inbound(id) == nil || isPlanted(.streamsShareID) else {"
                )
            ]
        ),
        Fault(
            "greetsAgain",
            "The greeting is sent repeatedly.",
            [
                (
                    "SessionMachine+Controls", "        peer.isGreeted = true\n",
                    "        if !isPlanted(.greetsAgain) { peer.isGreeted = true }\n"
                )
            ]
        ),
        Fault(
            "eventUngranted",
            "An event is accepted without its grant.",
            [
                (
                    "SessionMachine+Controls",
                    "guard topics.subscriptions.contains(ByteEqualString(topic)), admitsNotice(topic) else",
                    "guard topics.subscriptions.contains(ByteEqualString(topic)), isPlanted(.eventUngranted) || admitsNotice(topic) else"
                )
            ]
        ),
        Fault(
            "oneStreamTooMany",
            "One stream beyond the limit is sent.",
            [
                (
                    "SessionMachine+Streams", "guard streams.outboundCount < limits.maximumStreams else {",
                    "guard streams.outboundCount < limits.maximumStreams + (isPlanted(.oneStreamTooMany) ? 1 : 0) else {"
                )
            ]
        ),
        Fault(
            "handlersGoWithContext",
            "Handlers are removed with the context of the other end.",
            [
                (
                    "SessionMachine+Lifecycle", "        state = .idle\n",
                    "        if isPlanted(.handlersGoWithContext) { handlers = HandlerNames() }\n        state = .idle\n"
                )
            ]
        ),
        Fault(
            "abandonedTwice",
            "A request that expired is abandoned twice.",
            [
                (
                    "SessionMachine+Receiving",
                    "            let name = incoming[key]?.handlerName ?? \"\"\n            actions.append(.abandon(call))\n",
                    "            let name = incoming[key]?.handlerName ?? \"\"\n            actions.append(.abandon(call))\n            if isPlanted(.abandonedTwice) { actions.append(.abandon(call)) }\n"
                )
            ]
        ),
    ]
}
