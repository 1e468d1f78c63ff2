package import BridgeValues

/// What counts for one account ends together, and nothing else does.
extension SessionMachine {
    /// Lets a request go whose handler will not run, and which nobody waits for.
    package mutating func drop(_ request: IncomingRequest) {
        counters.droppedMessages += 1
        noteBegun(request.order)
        guard let id = request.id else { return endNotification(request) }
        removeIncoming(id)
    }

    /// Ends the calls and streams of an account, and abandons the work on calls of the other side that counts for it.
    ///
    /// The other side is told nothing: whatever of it had a part in this is over too. What was sent before this goes on.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - error: What the calls and streams get.
    package mutating func endWork(of account: WorkAccount, with error: BridgeError) {
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
            // Calls are passed over when their turn comes, as they have ended.
            if queued.call == nil, queued.message.account == account {
                discard(queued.message.payload)
                if case .response = queued.message { queuedReplies -= 1 }
            } else {
                startUpQueue.append(queued)
            }
        }
    }
}
