package import BridgeValues

extension SessionMachine {
    /// Starts sending: the peer is there.
    ///
    /// What waited is sent first and in order, whatever is sent meanwhile (P25, P27). Calls that ended while
    /// they waited are not sent. On a live or closed session nothing changes.
    ///
    /// - Returns: The epoch to give along with messages of this peer.
    @discardableResult
    package mutating func peerReady() -> UInt64 {
        guard state == .idle else { return epoch }
        state = .live
        announceSubscriptions()
        for queued in startUpQueue.removeAll() {
            guard let call = queued.call else {
                send(queued.message)
                continue
            }
            guard var waiting = outgoing[call.key], case .request(var request) = queued.message else {
                discard(queued.message.payload)
                continue
            }
            waiting.isSent = true
            outgoing.replace(call.key, waiting)
            request.callbackID = identifiers.identifier(waiting.number)
            send(.request(request))
        }
        return epoch
    }

    /// Goes back to waiting for a peer: the context on the other side is gone, and another may come (P28).
    ///
    /// Calls that were sent settle with the error and streams end with it, calls of the lost context are
    /// abandoned, handlers and subscriptions stay.
    /// What the start-up queue still holds was never sent, so it is kept for the next peer; only replies,
    /// which belong to the lost one, go.
    ///
    /// - Parameter error: What the pending calls get.
    package mutating func contextLost(
        _ error: BridgeError = BridgeError(.disconnected, "The context on the other side is gone.")
    ) {
        guard state != .closed else { return }
        var queuedCalls: Set<OutgoingCallID> = []
        for queued in startUpQueue.removeAll() {
            guard case .request = queued.message else {
                discard(queued.message.payload)
                continue
            }
            if let call = queued.call { queuedCalls.insert(call) }
            startUpQueue.append(queued)
        }
        settleAll(except: queuedCalls, with: error)
        endStreams(with: error, tellsPeer: false)
        abandonAll()
        heardTopics = [:]
        earlyCancellations = RecentIdentifiers()
        peerIsExtended = assumesExtendedPeer
        peerListens = assumesExtendedPeer
        hasGreeted = assumesExtendedPeer
        state = .idle
        epoch += 1
        epochText = "\(epoch)_" + randomBits().hexadecimal
        peerEpochText = "\(epoch)_" + randomBits().hexadecimal
        identifiers = IdentifierCodec(form: identifiers.form, epochText: epochText)
    }

    /// Drops what waits and keeps the handlers, as the ancestor's `reset` does (P29).
    ///
    /// The pending calls settle with `disconnected`, streams end with it, and the start-up queue is emptied. A peer that is there
    /// stays there: a session that is live stays live, and goes on answering the calls of the peer (P30).
    package mutating func reset() {
        guard state != .closed else { return }
        // Replies belong to the peer's calls, which a reset of ours does not end.
        for queued in startUpQueue.removeAll() {
            if case .response = queued.message {
                startUpQueue.append(queued)
            } else {
                discard(queued.message.payload)
            }
        }
        let error = BridgeError(.disconnected, "The bridge was reset before the reply came.")
        settleAll(except: [], with: error)
        endStreams(with: error, tellsPeer: state == .live)
    }

    /// Ends the session for good.
    ///
    /// Pending calls settle with the error; callers on a live other side that take errors get it too.
    ///
    /// - Parameter error: What they get.
    package mutating func close(
        _ error: BridgeError = BridgeError(.disconnected, "The bridge was closed.")
    ) {
        guard state != .closed else { return }
        for queued in startUpQueue.removeAll() { discard(queued.message.payload) }
        settleAll(except: [], with: error)
        endStreams(with: error, tellsPeer: state == .live)
        if state == .live {
            for key in incoming.keys {
                guard let call = incoming[key], call.accepts.contains(.errors) else { continue }
                send(
                    .response(BridgeMessage.Response(responseID: call.callbackID, outcome: .failure(error)))
                )
            }
        }
        abandonAll()
        state = .closed
    }

    private mutating func settleAll(except kept: Set<OutgoingCallID>, with error: BridgeError) {
        // In the order of the calls, which is not the order of their slots.
        for number in outgoingByNumber.sortedNumbers {
            guard let key = outgoingByNumber[number] else { continue }
            let call = OutgoingCallID(key: key)
            guard !kept.contains(call), removeOutgoing(call) != nil else { continue }
            actions.append(.settle(call, .failure(error)))
        }
    }

    private mutating func abandonAll() {
        for key in incoming.keys {
            let call = IncomingCallID(key: key, epoch: epoch)
            if removeIncoming(call) != nil { actions.append(.abandon(call)) }
        }
    }
}
