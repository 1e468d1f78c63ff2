package import BridgeValues

/// Messages that a transport delivers and answers in one step, so that no table holds them, and calls that enter the
/// tables when they were not answered in it.
///
/// The storage begins messages by these verbs only while the session is live and its messages have no observers. It may
/// have been closed meanwhile when they end.
extension SessionMachine {
    /// Counts messages that were handled without the machine.
    package mutating func countInline(received: Int = 0, sent: Int = 0) {
        counters.receivedMessages += received
        counters.sentMessages += sent
    }

    /// The number of further calls that the other side may make now.
    package var roomForIncomingCalls: Int {
        max(0, limits.maximumPendingCalls - incoming.count - incoming.synchronousCount)
    }

    /// The number of cancellations that wait for calls that have not arrived.
    package var earlyCancellationCount: Int { incoming.earlyCancellations.count }

    /// Returns whether a call was cancelled before it arrived.
    package func isCancelledEarly(_ id: MessageID) -> Bool { incoming.earlyCancellations.contains(id) }

    /// A Boolean value that indicates whether the other side has shown that it supports extensions.
    package var knowsExtendedPeer: Bool { peerIsExtended }

    /// Ends a request that no table holds, and whose context may be lost: once the session is closed its caller gets
    /// the error that the callers in the tables got.
    package mutating func endInline(_ request: BridgeMessage.Request) {
        guard state == .closed, let closingError, let callbackID = request.callbackID,
            request.accepts.contains(.errors)
        else {
            counters.lostMessages += 1
            return
        }
        counters.sentMessages += 1
        let outcome = CallOutcome.failure(closingError)
        actions.append(
            .send(
                .response(
                    BridgeMessage.Response(responseID: callbackID, outcome: outcome, account: request.account)
                )
            )
        )
    }

    /// Answers a request that no table holds with a result, behind the messages that other threads have still to send.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - payload: The result. The machine owns the token.
    package mutating func answerInline(_ request: BridgeMessage.Request, with payload: PayloadToken?) {
        guard state == .live, let callbackID = request.callbackID else {
            discard(payload)
            return endInline(request)
        }
        send(
            .response(
                BridgeMessage.Response(
                    responseID: callbackID,
                    outcome: .payload(payload),
                    accepts: request.accepts,
                    account: request.account
                )
            )
        )
    }

    /// Answers a request that no table holds with an error; if its caller does not support errors, it is reported.
    package mutating func failInline(_ request: BridgeMessage.Request, _ error: BridgeError) {
        guard state == .live else { return endInline(request) }
        guard let callbackID = request.callbackID else { return }
        guard request.accepts.contains(.errors) else {
            counters.suppressedErrors += 1
            return report(.suppressedError(handlerName: request.handlerName, error))
        }
        send(
            .response(
                BridgeMessage.Response(
                    responseID: callbackID,
                    outcome: .failure(error),
                    account: request.account
                )
            )
        )
    }

    /// Returns the number of an event that is delivered without the machine; `nil` if the other side has no listener.
    ///
    /// If it is not sent, the storage takes the number back with ``cancelEvent(_:of:)``.
    package mutating func beginEvent(of topic: String) -> UInt64? {
        guard state == .live, peer.listens, let count = topics.peerSubscriptions[ByteEqualString(topic)]
        else {
            return nil
        }
        topics.peerSubscriptions[ByteEqualString(topic)] = count &+ 1
        return count
    }

    /// Takes back the number of an event that was not sent, unless a later event of the topic has begun meanwhile: no two
    /// events have the same number.
    package mutating func cancelEvent(_ number: UInt64, of topic: String) {
        let name = ByteEqualString(topic)
        guard topics.peerSubscriptions[name] == number &+ 1 else { return }
        topics.peerSubscriptions[name] = number
    }

    /// Assigns the number of a call that may be answered inline; returns `nil` if the other side is not connected.
    ///
    /// - Throws: The errors of ``call(_:payload:reply:accepting:deadline:)``.
    package mutating func beginInline(_ name: String) throws(BridgeError) -> UInt64? {
        try checkRoom(name: name, reply: .full)
        guard state == .live else { return nil }
        counters.sentMessages += 1
        return outgoing.nextNumber()
    }

    /// Registers a call that has been delivered and was not answered inline.
    ///
    /// If all calls were ended since it began (another thread has closed the session, or its context is gone), it ends
    /// with the same error.
    package mutating func adopt(
        _ number: UInt64,
        _ name: String,
        deadline: Duration?,
        account: WorkBudget? = nil,
        isInTurn: Bool = false
    ) -> OutgoingCallID {
        let call = OutgoingCall(
            number: number,
            handlerName: name,
            accepts: .errors,
            isSent: true,
            account: account,
            isOrdered: !isInTurn
        )
        let id = outgoing.insert(call, deadline)
        if let lastEnd = outgoing.lastEnd, number <= lastEnd.number, removeOutgoing(id) != nil {
            actions.append(.settle(id, .failure(lastEnd.error)))
        }
        return id
    }

    /// Registers a request that was admitted, and that its handler will not answer inline; its caller waits until the
    /// deadline.
    ///
    /// A call that was cancelled meanwhile is abandoned.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - epoch: The epoch in which it arrived.
    /// - Returns: The call; `nil` if the request's context is gone, or the session was closed: then the caller has its
    ///   error.
    package mutating func adoptIncoming(_ request: BridgeMessage.Request, from epoch: UInt64)
        -> IncomingCallID?
    {
        guard isCurrent(epoch), let callbackID = request.callbackID else {
            endInline(request)
            return nil
        }
        let isCancelled = incoming.earlyCancellations.remove(callbackID) != nil
        // Limits that begin meanwhile count it, if the rule that admitted it stays.
        let admission = try? grants?.decide(request.handlerName).get()
        let call = IncomingCall(
            callbackID: callbackID,
            handlerName: request.handlerName,
            accepts: request.accepts,
            admission: admission,
            isCancelled: isCancelled,
            account: request.account
        )
        let id = IncomingCallID(key: incoming.insert(call), epoch: epoch)
        grants?.begin(admission)
        if let deadline = request.deadline { incoming.setDeadline(of: id.key, to: deadline) }
        if isCancelled { actions.append(.abandon(id)) }
        return id
    }

    /// A Boolean value that indicates whether actions are queued for the storage, possibly for another thread that is
    /// executing one.
    package var hasActions: Bool { !actions.isEmpty }

    /// Returns what a stream of the other side may send now: its next item, and the number of items granted.
    ///
    /// Returns `nil` if an item arrived out of order, or if actions are queued that items would overtake.
    package func itemsInline(_ id: MessageID) -> (stream: InboundStreamID, next: UInt64, granted: UInt64)? {
        guard state == .live, !hasActions, order.isOpen, let stream = streams.inbound(id),
            let entry = streams[stream],
            entry.early.isEmpty, entry.earlyEnd == nil
        else { return nil }
        return (stream, entry.received, entry.granted)
    }

    /// Counts items that came in order, within the credit.
    ///
    /// - Returns: Whether the stream is still open; if not, the items must be dropped.
    package mutating func countItems(_ stream: InboundStreamID, _ count: UInt64) -> Bool {
        counters.receivedMessages += Int(count)
        guard var entry = streams[stream] else {
            counters.unknownStreams += Int(count)
            return false
        }
        entry.received += count
        streams[stream] = entry
        return true
    }

    /// Refuses a request whose handler was removed between its receipt and its turn (P34, P55).
    package mutating func refuseDispatched(_ request: IncomingRequest) {
        let entry = request.id.flatMap { incoming[$0.key] }
        report(
            .noHandler(
                name: request.handlerName,
                callbackID: entry?.callbackID,
                acceptsErrors: entry?.accepts.contains(.errors) ?? false
            )
        )
        guard let id = request.id else {
            counters.droppedMessages += 1
            return endNotification(request)
        }
        _ = reply(to: id, with: .failure(handlerNotFound(request.handlerName)))
    }

    /// Checks the name of a notification.
    package static func check(name: String, limits: BridgeLimits) throws(BridgeError) {
        guard name.utf8.count > limits.maximumNameBytes else { return }
        throw tooLong(name, limits)
    }

    static func tooLong(_ name: String, _ limits: BridgeLimits) -> BridgeError {
        BridgeError(
            .limitExceeded,
            "A handler's name may have \(limits.maximumNameBytes) bytes of UTF-8, this one has \(name.utf8.count)."
        )
    }
}
