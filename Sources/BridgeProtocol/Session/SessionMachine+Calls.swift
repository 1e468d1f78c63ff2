package import BridgeValues

extension SessionMachine {
    /// Calls a handler of the other side.
    ///
    /// - Parameters:
    ///   - name: The handler's name, any string.
    ///   - payload: The payload; the machine owns the token once this returns.
    ///   - reply: The kind of reply to expect.
    ///   - accepts: Further capabilities of the caller beside a result and an error, for a full reply.
    ///   - deadline: The deadline, on the storage's clock.
    ///   - trace: The trace that it belongs to.
    ///   - keepsResult: Whether later requests may refer to its result.
    ///   - account: The budget for the work on it.
    ///   - isPart: Whether it is made for an intercepted call (``hold(_:isNotification:deadline:account:)``), which
    ///     counts for
    ///     both.
    ///   - isInTurn: Whether its caller runs the engine's turn until the reply arrives, so that no handler may have to
    ///     begin
    ///     first. Handlers of that turn run before its caller continues in any case.
    /// - Returns: The call to settle, or `nil` for a notification.
    /// - Throws: `disconnected` after ``close(_:)``, `limitExceeded` or `overloaded` at a limit. Nothing has changed
    ///   then, and
    ///   the caller keeps the token.
    package mutating func call(
        _ name: String,
        payload: PayloadToken? = nil,
        reply: ReplyKind = .full,
        accepting accepts: CallerCapabilities = [],
        deadline: Duration? = nil,
        trace: BridgeTrace? = nil,
        keepsResult: Bool = false,
        account: WorkBudget? = nil,
        isPart: Bool = false,
        isInTurn: Bool = false
    ) throws(BridgeError) -> OutgoingCallID? {
        try checkRoom(name: name, reply: reply, isPart: isPart)
        var request = BridgeMessage.Request(handlerName: name, payload: payload)
        request.account = account
        // W2: requests of the legacy API have no extensions.
        request.trace = reply == .legacy ? nil : trace
        guard reply != .none else {
            send(.request(request))
            return nil
        }
        let number = outgoing.nextNumber()
        request.accepts = reply == .full ? accepts.union(capabilities) : []
        let call = OutgoingCall(
            number: number,
            handlerName: name,
            accepts: request.accepts,
            isSent: state == .live,
            account: account,
            role: isPart ? .part : .call,
            // The storage keeps callbacks of the legacy API in order with handlers.
            isOrdered: reply == .full && !isInTurn
        )
        let id = outgoing.insert(call, deadline)
        request.callbackID = currentEpoch.identifiers.identifier(number)
        request.deadline = deadline
        request.keepsResult = keepsResult
        send(.request(request), call: id)
        return id
    }

    /// Returns the pending call that the other side knows by an id, if there is one.
    package func call(knownAs id: MessageID) -> OutgoingCallID? {
        guard let number = currentEpoch.identifiers.number(id), number > 0 else { return nil }
        return outgoing.call(number)
    }

    /// Returns the stream of the other side with an id, if there is one.
    package func stream(knownAs id: MessageID) -> InboundStreamID? { streams.inbound(id) }

    /// Returns the id by which the other side knows a call; `nil` until its request was sent.
    package func identifier(of call: OutgoingCallID) -> MessageID? {
        guard let entry = outgoing[call], entry.isSent else { return nil }
        return currentEpoch.identifiers.identifier(entry.number)
    }

    /// Cancels a call because its caller gave up.
    ///
    /// A call in the start-up queue will not be sent. For a call that was sent, the other side is notified if it is
    /// known to support that.
    ///
    /// - Returns: Whether the call was pending; if not, it has settled before and nothing changed.
    @discardableResult
    package mutating func cancel(_ call: OutgoingCallID, reason: BridgeError? = nil) -> Bool {
        guard let ended = removeOutgoing(call) else { return false }
        let error = reason ?? BridgeError(.cancelled, "The call of \"\(ended.handlerName)\" was cancelled.")
        sendCancel(of: ended, error)
        actions.append(.settle(call, .failure(error)))
        return true
    }

    /// Ends the calls whose deadline has passed, earliest first: calls of this side settle, and callers on the other
    /// side get an answer.
    package mutating func expire(now: Duration) {
        while let call = outgoing.firstOverdue(now: now) {
            guard let ended = removeOutgoing(call) else { continue }
            let reason = state == .live ? "" : " It was not sent: no script is connected."
            let error = BridgeError(
                .deadlineExceeded,
                "The call of \"\(ended.handlerName)\" had no reply at its deadline.\(reason)"
            )
            sendCancel(of: ended, error)
            actions.append(.settle(call, .failure(error)))
        }
        expireIncoming(now: now)
    }

    /// Removes a call from all tables, and from the start-up queue.
    ///
    /// The caller of this function may settle the removed call once.
    mutating func removeOutgoing(_ call: OutgoingCallID) -> OutgoingCall? {
        guard let ended = outgoing.remove(call) else { return nil }
        if !startUpQueue.isEmpty, !ended.isHeld, startUpQueue.countEndedCall() { dropEndedQueuedCalls() }
        return ended
    }

    private mutating func dropEndedQueuedCalls() {
        for queued in startUpQueue.removeAll() {
            if let call = queued.call, outgoing[call] == nil {
                discard(queued.message.payload)
            } else {
                startUpQueue.append(queued)
            }
        }
    }

    func checkRoom(name: String, reply: ReplyKind, isPart: Bool = false) throws(BridgeError) {
        guard state != .closed else {
            throw BridgeError(.disconnected, "The bridge is closed, so \"\(name)\" cannot be called.")
        }
        guard state != .retired else {
            let text = "The script was stopped for good, so \"\(name)\" cannot be called before a reload."
            throw BridgeError(.disconnected, text)
        }
        if let error = nameTooLong(name) { throw error }
        if state != .live, startUpQueue.count >= limits.maximumQueuedMessages {
            throw BridgeError(
                .overloaded,
                "Too many queued messages for the other side: \(startUpQueue.count) "
                    + "(limit \(limits.maximumQueuedMessages))."
            )
        }
        if reply != .none, !isPart, pendingCallCount >= limits.maximumPendingCalls {
            throw BridgeError(
                .limitExceeded,
                "Too many pending calls: \(pendingCallCount) (limit \(limits.maximumPendingCalls))."
            )
        }
    }
}

/// Calls that interceptors process before they are sent, or without sending them.
///
/// Such a call has a deadline, counts as a call, and is ended by all events that end calls; the other side does not
/// know it. The requests that are made for it are separate calls, which count as parts of it.
extension SessionMachine {
    /// Registers an intercepted call without sending anything.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - isNotification: Whether it is a notification. Then it does not count as a pending call.
    ///   - deadline: The deadline.
    ///   - account: The budget for the work on it.
    /// - Returns: The call, for ``settle(_:with:)``.
    /// - Throws: The errors of ``call(_:payload:reply:accepting:deadline:trace:keepsResult:account:isPart:)``, and
    ///   `overloaded` if ``BridgeLimits/maximumQueuedMessages`` notifications are pending in interceptors.
    package mutating func hold(
        _ name: String,
        isNotification: Bool = false,
        deadline: Duration? = nil,
        account: WorkBudget? = nil
    ) throws(BridgeError) -> OutgoingCallID {
        try checkRoom(name: name, reply: isNotification ? .none : .full)
        if isNotification, outgoing.heldNotifications >= limits.maximumQueuedMessages {
            let text =
                "Too many notifications pending in interceptors (limit \(limits.maximumQueuedMessages))."
            throw BridgeError(.overloaded, text)
        }
        let call = OutgoingCall(
            number: outgoing.nextNumber(),
            handlerName: name,
            accepts: [],
            isSent: false,
            account: account,
            role: isNotification ? .heldNotification : .held,
            isOrdered: false
        )
        return outgoing.insert(call, deadline)
    }

    /// Returns whether a call has not ended.
    package func isPending(_ call: OutgoingCallID) -> Bool { outgoing[call] != nil }

    /// Settles an intercepted call with its outcome.
    ///
    /// A call that has ended does not change.
    package mutating func settle(_ call: OutgoingCallID, with outcome: CallOutcome) {
        guard removeOutgoing(call) != nil else { return discard(outcome.payload) }
        actions.append(.settle(call, outcome))
    }
}
