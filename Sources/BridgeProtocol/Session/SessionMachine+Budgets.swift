package import BridgeValues

/// The budgets of calls: all work that is charged to one budget ends together, and no other work does.
extension SessionMachine {
    /// Drops a request whose handler will not run, and whose reply is not awaited.
    package mutating func drop(_ request: IncomingRequest) {
        counters.droppedMessages += 1
        noteBegun(request.order)
        guard let id = request.id else { return endNotification(request) }
        removeIncoming(id)
    }

    /// Ends the calls and streams of a budget, and abandons the work on calls of the other side that is charged to it.
    ///
    /// The other side is not notified, because its work on this budget is over too. Messages that were sent before
    /// continue.
    ///
    /// - Parameters:
    ///   - account: The budget.
    ///   - error: The error for the calls and streams.
    package mutating func endWork(of account: WorkBudget, with error: BridgeError) {
        handOutArrivals()
        // In the order of the calls, which is not the order of their slots.
        for number in outgoingByNumber.sortedNumbers {
            guard let key = outgoingByNumber[number], outgoing[key]?.account == account else { continue }
            let call = OutgoingCallID(key: key)
            if removeOutgoing(call) != nil { actions.append(.settle(call, .failure(error))) }
        }
        for key in inbound.keys where inbound[key]?.account == account {
            finish(InboundStreamID(key: key), error)
        }
        for key in outbound.keys where outbound[key]?.account == account {
            let stream = OutboundStreamID(key: key)
            if removeOutbound(stream) != nil { actions.append(.stop(stream)) }
        }
        for key in incoming.keys {
            guard var entry = incoming[key], entry.account == account else { continue }
            entry.isCancelled = true
            incoming.replace(key, entry)
            actions.append(.abandon(IncomingCallID(key: key, epoch: epoch)))
        }
        for queued in startUpQueue.removeAll() {
            // Calls in the queue are skipped at their turn, because they have ended.
            if queued.call == nil, queued.message.account == account {
                discard(queued.message.payload)
                if case .response = queued.message { queuedReplies -= 1 }
            } else {
                startUpQueue.append(queued)
            }
        }
    }
}
