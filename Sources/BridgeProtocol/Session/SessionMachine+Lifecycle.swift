package import BridgeValues

extension SessionMachine {
    /// Records that the other side is installed.
    ///
    /// It affects only an idle session.
    package mutating func injected() {
        if state == .idle { state = .injected }
    }

    /// Starts sending: the peer is connected.
    ///
    /// Queued messages are sent first and in order, before messages that are sent meanwhile (P25, P27). Calls that
    /// ended in the queue are not sent. It affects only an idle or injected session.
    ///
    /// - Returns: The epoch to pass with messages of this peer.
    @discardableResult
    package mutating func peerReady() -> UInt64 {
        guard state == .idle || state == .injected else { return epoch }
        state = .live
        announceSubscriptions()
        for queued in startUpQueue.removeAll() {
            guard let call = queued.call else {
                send(queued.message)
                continue
            }
            guard case .request(var request) = queued.message, let number = outgoing.markSent(call) else {
                discard(queued.message.payload)
                continue
            }
            request.callbackID = currentEpoch.identifiers.identifier(number)
            send(.request(request))
        }
        return epoch
    }

    /// Returns to waiting for a peer: the context on the other side is gone, and another may come (P28).
    ///
    /// Calls that were sent settle with the error and streams end with it; calls of the lost context are abandoned;
    /// handlers and subscriptions stay.
    ///
    /// Messages in the start-up queue were never sent, so they are kept for the next peer, except replies, which
    /// belong to the lost one. Messages that were on their way to or from the lost context are dropped, unless they are
    /// outcomes: a call that settled with `disconnected` must not be executed by the next context.
    ///
    /// - Parameter error: The error for the pending calls.
    package mutating func contextLost(_ error: BridgeError = lostContextError) {
        guard state != .closed else { return }
        forgetOrder()
        dropUndone()
        // Intercepted calls were made for the lost context if it was live.
        var queuedCalls = Set(state == .live ? [] : outgoing.inOrder.filter { outgoing[$0]?.isHeld == true })
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
        topics.peerSubscriptions = [:]
        incoming.earlyCancellations = RecentIdentifiers()
        peer = PeerState(assumesExtensions: peer.assumesExtensions)
        state = .idle
        currentEpoch.advance()
    }

    /// The error with which the calls of a lost context settle.
    package static var lostContextError: BridgeError {
        BridgeError(.disconnected, "The context on the other side is gone.")
    }

    /// Gives up the context of the other side, although it may still run for a while.
    ///
    /// It acts as ``contextLost(_:)``; until ``tornDown(_:)`` messages of the old context are dropped. Another call
    /// during the teardown begins a further epoch, so that the latest one decides when the teardown is over.
    ///
    /// - Returns: The new epoch.
    @discardableResult
    package mutating func tearDown(_ error: BridgeError = lostContextError) -> UInt64 {
        guard state != .closed else { return epoch }
        contextLost(error)
        state = .tearingDown
        return epoch
    }

    /// Records that the old context is gone and that another may come.
    ///
    /// - Parameter epoch: The result of ``tearDown(_:)``; an epoch that was itself torn down has no effect.
    package mutating func tornDown(_ epoch: UInt64) {
        if state == .tearingDown, epoch == self.epoch { state = .idle }
    }

    /// Ends everything because the other side will never run again.
    ///
    /// Handlers and subscriptions stay, for the context that may come after ``tearDown(_:)``.
    ///
    /// - Parameter error: The error for pending calls and streams.
    package mutating func retire(_ error: BridgeError) {
        guard state != .closed, state != .tearingDown else { return }
        forgetOrder()
        dropUndone()
        for queued in startUpQueue.removeAll() { discard(queued.message.payload) }
        settleAll(except: [], with: error)
        endStreams(with: error, tellsPeer: false)
        abandonAll()
        state = .retired
    }

    /// Counts received messages that will not be handled.
    package mutating func countDropped(_ count: Int) { counters.droppedMessages += count }

    // Received replies keep their outcome; handlers that have not begun will not begin.
    private mutating func forgetOrder() {
        handOutArrivals()
        order.reset()
    }

    // Actions between the verbs and the storage: messages to a lost context, and from it.
    private mutating func dropUndone() {
        for action in actions.removeAll() {
            switch action {
            case .send(let message): discard(message.payload)
            case .dispatch(_, let request):
                if request.id == nil {
                    countDropped(1)
                    // Its handler will never run, so this is the only place that can report its end.
                    grants?.end(request.admission)
                }
                discard(request.payload)
            default: actions.append(action)
            }
        }
    }

    /// Drops the pending calls and the queued messages but keeps the handlers, as `reset` of WebViewJavascriptBridge
    /// does (P29).
    ///
    /// The pending calls settle with `disconnected`, streams end with it, and the start-up queue is emptied. A
    /// connected peer stays connected: a live session stays live, and continues to answer the calls of the peer (P30).
    package mutating func reset() {
        guard state != .closed else { return }
        handOutArrivals()
        // Replies belong to the peer's calls, which a reset of this side does not end.
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

    /// Ends the session permanently.
    ///
    /// Pending calls settle with the error; callers on a live other side that support errors get it too.
    ///
    /// - Parameter error: The error for the pending calls.
    package mutating func close(
        _ error: BridgeError = BridgeError(.disconnected, "The bridge was closed.")
    ) {
        guard state != .closed else { return }
        forgetOrder()
        for queued in startUpQueue.removeAll() { discard(queued.message.payload) }
        settleAll(except: [], with: error)
        endStreams(with: error, tellsPeer: state == .live)
        if state == .live {
            for key in incoming.keys {
                guard let call = incoming[key], call.accepts.contains(.errors) else { continue }
                let outcome = CallOutcome.failure(error)
                send(
                    .response(
                        BridgeMessage.Response(
                            responseID: call.callbackID,
                            outcome: outcome,
                            account: call.account
                        )
                    )
                )
            }
        }
        abandonAll()
        closingError = error
        state = .closed
    }

    private mutating func settleAll(except kept: Set<OutgoingCallID>, with error: BridgeError) {
        outgoing.lastEnd = (outgoing.lastNumber, error)
        for call in outgoing.inOrder {
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
