package import BridgeValues

/// Messages that a transport in process hands over and answers within one step, so that no table ever holds them.
///
/// The storage uses these verbs only while the session is live and nobody wants to see its messages.
extension SessionMachine {
    /// Counts messages that came and went without being shown to the machine.
    package mutating func countAtOnce(received: Int = 0, sent: Int = 0) {
        counters.receivedMessages += received
        counters.sentMessages += sent
    }

    /// How many calls of the other side may still come in.
    package var roomForIncomingCalls: Int {
        max(0, limits.maximumPendingCalls - incoming.count - synchronousRequests)
    }

    /// How many cancellations wait for calls that have not come.
    package var earlyCancellationCount: Int { earlyCancellations.count }

    /// Whether a call was cancelled before it came.
    package func isCancelledEarly(_ id: MessageID) -> Bool { earlyCancellations.contains(id) }

    /// Whether the other side has shown that it knows extensions.
    package var knowsExtendedPeer: Bool { peerIsExtended }

    /// Answers a request that no table holds and whose context has gone on, if it has: once the session is closed its
    /// caller gets what the callers in the tables got.
    package mutating func endAtOnce(_ request: BridgeMessage.Request) {
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

    /// Answers a request that no table holds with an error; one whose caller takes none is reported.
    package mutating func failAtOnce(_ request: BridgeMessage.Request, _ error: BridgeError) {
        guard state == .live else { return endAtOnce(request) }
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

    /// Takes the number of a call that may be answered before anything else happens; `nil` where the other side is not
    /// there.
    ///
    /// - Throws: As ``call(_:payload:reply:accepting:deadline:)``.
    package mutating func beginAtOnce(_ name: String) throws(BridgeError) -> UInt64? {
        try checkRoom(name: name, reply: .full)
        guard state == .live else { return nil }
        lastNumber += 1
        counters.sentMessages += 1
        return lastNumber
    }

    /// Takes up a call that has been handed over and was not answered at once.
    ///
    /// Where all calls were ended since it began (another thread has closed the session, or its context is gone), it ends
    /// as they did.
    package mutating func adopt(
        _ number: UInt64,
        _ name: String,
        deadline: Duration?,
        account: WorkAccount? = nil,
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
        let id = add(call, deadline)
        if let lastEnd, number <= lastEnd.number, removeOutgoing(id) != nil {
            actions.append(.settle(id, .failure(lastEnd.error)))
        }
        return id
    }

    /// Whether actions wait for whoever does them, which may be another thread that is in the middle of one.
    package var hasActions: Bool { !actions.isEmpty }

    /// What a stream of the other side may send now, if nothing of it came out of order and nothing waits to be done that
    /// items would pass: its next item, and how many it has credit for.
    package func itemsAtOnce(_ id: MessageID) -> (stream: InboundStreamID, next: UInt64, granted: UInt64)? {
        guard state == .live, !hasActions, order.isOpen, let key = inboundByID[id], let entry = inbound[key],
            entry.early.isEmpty, entry.earlyEnd == nil
        else { return nil }
        return (InboundStreamID(key: key), entry.received, entry.granted)
    }

    /// Counts items that came in order, within the credit.
    ///
    /// - Returns: Whether the stream goes on; if not, the items have nowhere to go.
    package mutating func countItems(_ stream: InboundStreamID, _ count: UInt64) -> Bool {
        counters.receivedMessages += Int(count)
        guard var entry = inbound[stream.key] else {
            counters.unknownStreams += Int(count)
            return false
        }
        entry.received += count
        inbound.replace(stream.key, entry)
        return true
    }

    /// Answers a request whose handler was removed between its receipt and its turn (P34, P55).
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

    /// Checks a name to which a notification is to be sent.
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
