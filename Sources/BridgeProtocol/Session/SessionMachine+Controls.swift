package import BridgeValues

/// Messages between the sides other than calls and replies.
extension SessionMachine {
    /// Records that a message of the peer had extensions: from now on this side uses extensions too.
    package mutating func peerShowedExtensions() {
        guard !peerIsExtended, state != .closed else { return }
        peer.isExtended = true
        announceSubscriptions()
    }

    /// Notifies the peer that this side supports extensions (W4): once for each peer, if it makes a difference.
    private mutating func greet() {
        guard !peer.isGreeted, state == .live else { return }
        peer.isGreeted = true
        send(.control(Control(.hello, .text(""))))
    }

    mutating func receive(_ control: Control) {
        peer.listens = peerIsExtended
        switch control.kind {
        case .cancel: receiveCancel(control)
        case .progress: receiveProgress(control)
        case .next, .end: if order.isOpen { take(control) } else { wait(.control(control)) }
        case .more: receiveMore(control)
        case .stop: receiveStop(control)
        case .subscribe: receiveSubscribe(control.topic)
        case .unsubscribe: topics.peerSubscriptions[ByteEqualString(control.topic)] = nil
        case .event: receiveEvent(control.topic, control.payload)
        case .hello: if peerIsExtended { greet() }
        case .release: if let payload = control.payload { actions.append(.release(payload)) }
        }
    }

    /// Notifies the other side of references that are no longer held.
    ///
    /// - Returns: Whether it was sent. If not, the references are unknown to the other side, and the caller keeps the
    ///   token.
    package mutating func release(_ payload: PayloadToken) -> Bool {
        guard state == .live, peerIsExtended else { return false }
        send(.control(Control(.release, .text(""), payload: payload)))
        return true
    }

    // MARK: - Cancellation and progress

    /// Notifies the other side that a call is not awaited any more.
    ///
    /// A peer that has not shown support for extensions is not notified; its late reply will be ignored.
    mutating func sendCancel(of call: OutgoingCall, _ reason: BridgeError) {
        guard state == .live, peerIsExtended, call.isSent else { return }
        let id = currentEpoch.identifiers.identifier(call.number)
        send(.control(Control(.cancel, id, error: reason, account: call.account)))
    }

    private mutating func receiveCancel(_ control: Control) {
        guard let key = incoming.key(of: control.id) else {
            counters.lateCancellations += 1
            incoming.earlyCancellations.insert(control.id, control.error ?? Self.callerGaveUp)
            return
        }
        incoming.cancel(key)
        actions.append(.abandon(IncomingCallID(key: key, epoch: epoch)))
    }

    static let callerGaveUp = BridgeError(.cancelled, "The caller gave up.")

    /// Reports the progress of a call to its caller.
    ///
    /// - Returns: Whether it was sent. If not, the caller did not ask for it or has its answer, and the caller of this
    ///   function keeps the token.
    /// - Throws: `overloaded` if the queue for the other side is full. The token stays with the caller as well.
    package mutating func reportProgress(
        of call: IncomingCallID,
        _ payload: PayloadToken?
    ) throws(BridgeError) -> Bool {
        guard call.epoch == epoch, let entry = incoming[call.key], entry.accepts.contains(.progress) else {
            return false
        }
        try checkRoomForItem()
        let control = Control(.progress, entry.callbackID, payload: payload, account: entry.account)
        send(.control(control))
        return true
    }

    private mutating func receiveProgress(_ control: Control) {
        // The id of a call that was not sent is unknown to the other side: a guessed id has no effect.
        guard let number = currentEpoch.identifiers.number(control.id), number > 0,
            let call = outgoing.call(number),
            let entry = outgoing[call], entry.isSent, entry.accepts.contains(.progress)
        else { return discard(control.payload) }
        actions.append(.progress(call, control.payload))
    }

    // MARK: - Events

    /// Subscribes to a topic of the other side, from now on and in every later context.
    package mutating func subscribe(_ topic: String) {
        guard state != .closed, topics.subscriptions.insert(ByteEqualString(topic)).inserted else { return }
        if peerIsExtended, state == .live { send(.control(Control(.subscribe, .text(topic)))) }
    }

    /// Unsubscribes from a topic.
    package mutating func unsubscribe(_ topic: String) {
        guard topics.subscriptions.remove(ByteEqualString(topic)) != nil else { return }
        if peerIsExtended, state == .live { send(.control(Control(.unsubscribe, .text(topic)))) }
    }

    /// Returns whether an event of a topic would reach a listener on the other side.
    package func hasPeerListener(_ topic: String) -> Bool {
        state == .live && (!peer.listens || topics.peerSubscriptions[ByteEqualString(topic)] != nil)
    }

    /// Sends an event of a topic to the other side, if it has a listener.
    ///
    /// A peer may not support events, or may not know that this side does. It gets a call without a reply, for an
    /// ordinary handler of that name.
    ///
    /// - Returns: Whether it was sent. If not, the caller keeps the token.
    package mutating func emit(_ topic: String, _ payload: PayloadToken?, account: WorkBudget? = nil) -> Bool
    {
        guard hasPeerListener(topic) else { return false }
        guard peer.listens else {
            if peerIsExtended { greet() }
            var request = BridgeMessage.Request(handlerName: topic, payload: payload)
            request.account = account
            send(.request(request))
            return true
        }
        let name = ByteEqualString(topic)
        guard let count = topics.peerSubscriptions[name] else { return false }
        topics.peerSubscriptions[name] = count &+ 1
        let event = Control(.event, .text(topic), number: count, payload: payload, account: account)
        send(.control(event))
        return true
    }

    mutating func announceSubscriptions() {
        guard peerIsExtended, state == .live else { return }
        for topic in topics.subscriptions.map(\.text).sorted() {
            send(.control(Control(.subscribe, .text(topic))))
        }
    }

    private mutating func receiveSubscribe(_ topic: String) {
        let name = ByteEqualString(topic)
        guard topics.peerSubscriptions[name] == nil, admitsNotice("_wvjb.sub") else { return }
        guard topics.peerSubscriptions.count < limits.maximumTopics, nameTooLong(topic) == nil else {
            let count = topics.peerSubscriptions.count
            let text = "The other side listens to too many topics: \(count) (limit \(limits.maximumTopics))."
            return drop(nil, because: BridgeError(.limitExceeded, text))
        }
        topics.peerSubscriptions[name] = 0
    }

    private mutating func receiveEvent(_ topic: String, _ payload: PayloadToken?) {
        guard topics.subscriptions.contains(ByteEqualString(topic)), admitsNotice(topic) else {
            return discard(payload)
        }
        actions.append(.event(topic, payload, order: order.addRequest()))
    }

    /// Receives an event from a peer that does not know yet whether this side supports events: a call without a reply
    /// and without a handler.
    ///
    /// Returns whether it was one.
    mutating func takePlainEvent(_ request: BridgeMessage.Request) -> Bool {
        guard request.callbackID == nil, topics.subscriptions.contains(ByteEqualString(request.handlerName))
        else {
            return false
        }
        actions.append(.event(request.handlerName, request.payload, order: order.addRequest()))
        return true
    }
}
