package import BridgeValues

extension SessionMachine {
    /// Notes that the other side is in its place.
    ///
    /// Only an idle session changes.
    package mutating func injected() {
        if state == .idle { state = .injected }
    }

    /// Starts sending: the peer is there.
    ///
    /// What waited is sent first and in order, whatever is sent meanwhile (P25, P27). Calls that ended while
    /// they waited are not sent. Only an idle or injected session changes.
    ///
    /// - Returns: The epoch to give along with messages of this peer.
    @discardableResult
    package mutating func peerReady() -> UInt64 {
        guard state == .idle || state == .injected else { return epoch }
        state = .live
        queuedReplies = 0
        queuedNews = 0
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
    /// which belong to the lost one, go. What was on its way to the lost one or from it, and is no outcome, goes
    /// too: a call that settled with `disconnected` must not be carried out by the next.
    ///
    /// - Parameter error: What the pending calls get.
    package mutating func contextLost(_ error: BridgeError = lostContextError) {
        guard state != .closed else { return }
        forgetOrder()
        dropUndone()
        queuedReplies = 0
        queuedNews = 0
        // What is in hand was made for the lost context if that was there.
        var queuedCalls = Set(state == .live ? [] : heldCalls)
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

    /// What the calls of a lost context settle with.
    package static var lostContextError: BridgeError {
        BridgeError(.disconnected, "The context on the other side is gone.")
    }

    /// Gives the context of the other side up, though it may still run for a while.
    ///
    /// As ``contextLost(_:)``, and until ``tornDown(_:)`` what the old context says is dropped. While a session is
    /// torn down another epoch begins, so that the latest to tear it down decides when that is over.
    ///
    /// - Returns: The epoch that begins.
    @discardableResult
    package mutating func tearDown(_ error: BridgeError = lostContextError) -> UInt64 {
        guard state != .closed else { return epoch }
        contextLost(error)
        state = .tearingDown
        return epoch
    }

    /// Notes that the old context is gone and that another may come.
    ///
    /// - Parameter epoch: What ``tearDown(_:)`` gave: an epoch that was itself torn down changes nothing.
    package mutating func tornDown(_ epoch: UInt64) {
        if state == .tearingDown, epoch == self.epoch { state = .idle }
    }

    /// Ends everything because nothing of the other side will ever run again.
    ///
    /// Handlers and subscriptions stay, for the context that may come after ``tearDown(_:)``.
    ///
    /// - Parameter error: What pending calls and streams get.
    package mutating func retire(_ error: BridgeError) {
        guard state != .closed, state != .tearingDown else { return }
        forgetOrder()
        dropUndone()
        queuedReplies = 0
        queuedNews = 0
        for queued in startUpQueue.removeAll() { discard(queued.message.payload) }
        settleAll(except: [], with: error)
        endStreams(with: error, tellsPeer: false)
        abandonAll()
        state = .retired
    }

    /// Counts messages that came and that nobody will handle.
    package mutating func countDropped(_ count: Int) { counters.droppedMessages += count }

    // What has come keeps its outcome; handlers that have not begun will not.
    private mutating func forgetOrder() {
        handOutArrivals()
        order.reset()
    }

    // Between the verbs and the storage: messages to a context that is gone, and from it.
    private mutating func dropUndone() {
        for action in actions.removeAll() {
            switch action {
            case .send(let message): discard(message.payload)
            case .dispatch(_, let request):
                if request.id == nil {
                    countDropped(1)
                    // Its handler will never run, so nobody else would say that it has ended.
                    grants?.end(request.admission)
                }
                discard(request.payload)
            default: actions.append(action)
            }
        }
    }

    /// Drops what waits and keeps the handlers, as the ancestor's `reset` does (P29).
    ///
    /// The pending calls settle with `disconnected`, streams end with it, and the start-up queue is emptied. A peer that is there
    /// stays there: a session that is live stays live, and goes on answering the calls of the peer (P30).
    package mutating func reset() {
        guard state != .closed else { return }
        handOutArrivals()
        // Replies belong to the peer's calls, which a reset of ours does not end.
        queuedNews = 0
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
        forgetOrder()
        queuedReplies = 0
        queuedNews = 0
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
        closingError = error
        state = .closed
    }

    private mutating func settleAll(except kept: Set<OutgoingCallID>, with error: BridgeError) {
        lastEnd = (lastNumber, error)
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
