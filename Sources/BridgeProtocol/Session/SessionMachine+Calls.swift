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
        lastNumber += 1
        request.accepts = reply == .full ? accepts.union(acceptance) : []
        let call = OutgoingCall(
            number: lastNumber,
            handlerName: name,
            accepts: request.accepts,
            isSent: state == .live,
            account: account,
            role: isPart ? .part : .call,
            // The storage keeps callbacks of the legacy API in order with handlers.
            isOrdered: reply == .full && !isInTurn
        )
        let id = add(call, deadline)
        request.callbackID = identifiers.identifier(lastNumber)
        request.deadline = deadline
        request.keepsResult = keepsResult
        send(.request(request), call: id)
        return id
    }

    /// Returns the pending call that the other side knows by an id, if there is one.
    package func call(knownAs id: MessageID) -> OutgoingCallID? {
        guard let number = identifiers.number(id), number > 0 else { return nil }
        return outgoingByNumber[number].map { OutgoingCallID(key: $0) }
    }

    /// Returns the stream of the other side with an id, if there is one.
    package func stream(knownAs id: MessageID) -> InboundStreamID? {
        inboundByID[id].map { InboundStreamID(key: $0) }
    }

    /// Adds a call to all tables.
    mutating func add(_ call: OutgoingCall, _ deadline: Duration?) -> OutgoingCallID {
        let id = OutgoingCallID(key: outgoing.insert(call))
        outgoingByNumber.insert(call.number, id.key)
        if let deadline { deadlines.insert(slot: id.key.slot, deadline: deadline, order: call.number) }
        count(call.role, 1)
        return id
    }

    private mutating func count(_ role: OutgoingCall.Role, _ change: Int) {
        switch role {
        case .call, .held: break
        case .heldNotification: heldNotifications += change
        case .part: parts += change
        }
    }

    /// Returns the id by which the other side knows a call; `nil` until its request was sent.
    package func identifier(of call: OutgoingCallID) -> MessageID? {
        guard let entry = outgoing[call.key], entry.isSent else { return nil }
        return identifiers.identifier(entry.number)
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
        while let (deadline, slot) = deadlines.earliest, deadline <= now {
            guard let key = outgoing.key(atSlot: slot) else {
                // Cannot happen, because a removed call removes its deadline; but a heap that does not shrink would
                // loop forever.
                deadlines.remove(slot: slot)
                continue
            }
            let call = OutgoingCallID(key: key)
            guard let ended = removeOutgoing(call) else { continue }
            let error = BridgeError(
                .deadlineExceeded,
                "The call of \"\(ended.handlerName)\" had no reply at its deadline."
            )
            sendCancel(of: ended, error)
            actions.append(.settle(call, .failure(error)))
        }
        expireIncoming(now: now)
    }

    /// Removes a call from all tables.
    ///
    /// The caller of this function may settle the removed call once.
    mutating func removeOutgoing(_ call: OutgoingCallID) -> OutgoingCall? {
        guard let ended = outgoing.remove(call.key) else { return nil }
        outgoingByNumber.remove(ended.number)
        deadlines.remove(slot: call.key.slot)
        count(ended.role, -1)
        if !startUpQueue.isEmpty, !ended.isHeld { forgetQueuedCall() }
        return ended
    }

    // Every call of a session without a peer waits in the start-up queue. Ended calls are removed from it in batches.
    // So an absent peer and short deadlines cannot fill the queue with ended calls, and no call pays for a search.
    private mutating func forgetQueuedCall() {
        endedQueuedCalls += 1
        guard endedQueuedCalls >= 32, endedQueuedCalls * 2 > startUpQueue.count else { return }
        endedQueuedCalls = 0
        for queued in startUpQueue.removeAll() {
            if let call = queued.call, outgoing[call.key] == nil {
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
