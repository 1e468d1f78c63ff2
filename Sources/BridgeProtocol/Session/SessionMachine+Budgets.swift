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
        for call in outgoing.inOrder where outgoing[call]?.account == account {
            if removeOutgoing(call) != nil { actions.append(.settle(call, .failure(error))) }
        }
        for stream in streams.inboundIDs where streams[stream]?.account == account { finish(stream, error) }
        for stream in streams.outboundIDs where streams[stream]?.account == account {
            if removeOutbound(stream) != nil { actions.append(.stop(stream)) }
        }
        for key in incoming.keys where incoming[key]?.account == account {
            incoming.cancel(key)
            actions.append(.abandon(IncomingCallID(key: key, epoch: epoch)))
        }
        for queued in startUpQueue.removeAll() {
            // Calls in the queue are skipped at their turn, because they have ended.
            if queued.call == nil, queued.message.account == account {
                discard(queued.message.payload)
            } else {
                startUpQueue.append(queued)
            }
        }
    }
}
