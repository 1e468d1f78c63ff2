package import BridgeValues

extension SessionMachine {
    /// Receives a message from the transport.
    ///
    /// Any message is accepted: one that matches nothing is counted and dropped (R1, R3).
    ///
    /// - Parameters:
    ///   - message: The message. The machine owns its token.
    ///   - sender: The epoch of the transport that it came by, or `nil` for the current one. A message of an
    ///     earlier epoch is dropped.
    package mutating func receive(_ message: BridgeMessage, from sender: UInt64? = nil) {
        counters.receivedMessages += 1
        guard isCurrent(sender) else {
            return dropLost(message.payload)
        }
        switch message {
        case .request(let request): receive(request)
        case .response(let response): receive(response)
        case .control(let control): receive(control)
        }
    }

    /// Refuses a request that cannot be executed, because its payload was too large or unreadable.
    ///
    /// A caller that supports errors gets this one; otherwise the request is dropped and reported.
    package mutating func refuse(
        _ request: BridgeMessage.Request,
        _ error: BridgeError,
        from sender: UInt64? = nil
    ) {
        counters.receivedMessages += 1
        guard isCurrent(sender) else {
            return dropLost(request.payload)
        }
        answerOrDrop(request, error)
    }

    /// Answers a call of the other side.
    ///
    /// Only the first answer counts.
    ///
    /// - Parameters:
    ///   - call: The call, as it was dispatched.
    ///   - outcome: The result or the error. The machine owns the token.
    /// - Returns: Whether this was the first answer and the call still waited for one.
    @discardableResult
    package mutating func reply(to call: IncomingCallID, with outcome: CallOutcome) -> Bool {
        guard call.epoch == epoch, let answered = removeIncoming(call) else {
            ignoreReply(to: call, with: outcome)
            return false
        }
        if case .failure(let error) = outcome, !answered.accepts.contains(.errors) {
            counters.suppressedErrors += 1
            report(.suppressedError(handlerName: answered.handlerName, error))
            return true
        }
        let response = BridgeMessage.Response(
            responseID: answered.callbackID,
            outcome: outcome,
            accepts: answered.accepts,
            account: answered.account
        )
        send(.response(response))
        return true
    }
}

extension SessionMachine {
    /// Takes a call of the other side out of all tables.
    @discardableResult
    mutating func removeIncoming(_ call: IncomingCallID) -> IncomingCall? {
        guard let answered = incoming.remove(call.key) else { return nil }
        grants?.end(answered.admission)
        return answered
    }

    /// Sets a deadline for the answer of a call: then the work is abandoned, and the caller gets `deadlineExceeded` if
    /// it supports errors.
    ///
    /// A call that has been answered does not change.
    package mutating func answer(_ call: IncomingCallID, by deadline: Duration) {
        guard isInProgress(call) else { return }
        incoming.setDeadline(of: call.key, to: deadline)
    }

    mutating func expireIncoming(now: Duration) {
        while let key = incoming.firstOverdue(now: now) {
            let call = IncomingCallID(key: key, epoch: epoch)
            let name = incoming[key]?.handlerName ?? ""
            actions.append(.abandon(call))
            _ = reply(to: call, with: .failure(Self.overdue(name)))
        }
    }

    private static func overdue(_ name: String) -> BridgeError {
        BridgeError(.deadlineExceeded, "\"\(name)\" had no answer at the deadline of its call.")
    }

    /// Returns whether a call of the other side still waits for its answer.
    package func isInProgress(_ call: IncomingCallID) -> Bool {
        call.epoch == epoch && incoming[call.key] != nil
    }

    /// Returns whether the caller of a call still waits for its answer, and has not given up.
    package func isAwaited(_ call: IncomingCallID) -> Bool {
        call.epoch == epoch && incoming[call.key]?.isCancelled == false
    }

    /// Returns whether a call of the current context has been answered; answers to a lost context are counted
    /// separately.
    package func wasAnswered(_ call: IncomingCallID) -> Bool {
        call.epoch == epoch && state != .closed && state != .retired && incoming[call.key] == nil
    }

    /// Returns the error of a request whose context is gone, or whose session was closed.
    ///
    /// - Parameter epoch: The epoch in which it arrived.
    /// - Returns: The error; `nil` if neither is so.
    package func end(ofRequestsFrom epoch: UInt64) -> BridgeError? {
        guard self.epoch == epoch, state != .retired else { return Self.lostContextError }
        return state == .closed ? closingError ?? Self.lostContextError : nil
    }

    /// Returns the error of a call that is over.
    ///
    /// - Parameters:
    ///   - call: The call, which was in the tables.
    ///   - name: The name of its handler.
    ///   - isOverdue: Whether its deadline has passed.
    /// - Returns: The error; `nil` while its handler is still wanted.
    package func end(of call: IncomingCallID, _ name: String, isOverdue: Bool) -> BridgeError? {
        if let entry = incoming[call.key] { return entry.isCancelled ? Self.callerGaveUp : nil }
        return Self.over(name, isOverdue: isOverdue)
    }

    /// Returns the error of a call that was answered.
    package static func over(_ name: String, isOverdue: Bool) -> BridgeError {
        isOverdue ? overdue(name) : callerGaveUp
    }

    /// Returns the pending calls of this side up to the one with an id, in the order in which they were made; without
    /// intercepted calls.
    ///
    /// Calls are sent in that order.
    package func calls(notAfter id: MessageID) -> [OutgoingCallID] {
        guard let last = currentEpoch.identifiers.number(id) else { return [] }
        return outgoing.inOrder.filter { call in
            outgoing[call].map { !$0.isHeld && $0.number <= last } ?? false
        }
    }

    /// Returns whether messages from the context of an epoch are accepted; `nil` is the current one.
    package func isCurrent(_ sender: UInt64?) -> Bool {
        switch state {
        case .idle, .injected, .live: sender == nil || sender == epoch
        case .tearingDown, .retired, .closed: false
        }
    }

    // A script that continues while its context is given up may send many messages.
    private mutating func dropLost(_ payload: PayloadToken?) {
        counters.lostMessages += 1
        countDropped(1)
        discard(payload)
        if counters.lostMessages.isWorthReporting { report(.lostMessage(count: counters.lostMessages)) }
    }

    /// Returns the error of a call beyond the limit of calls in progress; `nil` if no handler has the name, so that its
    /// request must be received to be refused.
    ///
    /// - Parameters:
    ///   - name: The name of the called handler.
    ///   - waiting: The number of calls that wait outside of the tables.
    /// - Returns: The error.
    package func overload(ofCallTo name: String, waiting: Int) -> BridgeError? {
        handlers[name] == nil ? nil : Self.tooManyCalls(incoming.count + waiting, limits)
    }

    private mutating func receive(_ request: BridgeMessage.Request) {
        if let error = nameTooLong(request.handlerName) {
            answerOrDrop(request, error)
            return
        }
        var request = request
        guard admit(&request) else { return }
        guard let handler = handlers[request.handlerName] else {
            if !takePlainEvent(request) { refuseUnknown(request) }
            return
        }
        dispatch(request, to: handler)
    }

    private mutating func dispatch(_ request: BridgeMessage.Request, to handler: HandlerID) {
        var id: IncomingCallID?
        if let callbackID = request.callbackID {
            if let reason = incoming.earlyCancellations.remove(callbackID) {
                answerOrDrop(request, reason)
                return
            }
            guard incoming.count < limits.maximumPendingCalls else {
                answerOrDrop(request, Self.tooManyCalls(incoming.count, limits))
                return
            }
            let call = IncomingCall(
                callbackID: callbackID,
                handlerName: request.handlerName,
                accepts: request.accepts,
                admission: request.admission,
                account: request.account
            )
            id = IncomingCallID(key: incoming.insert(call), epoch: epoch)
        }
        let dispatched = IncomingRequest(
            id: id,
            handlerName: request.handlerName,
            payload: request.payload,
            deadline: request.deadline,
            trace: request.trace,
            callbackID: request.trace == nil ? nil : request.callbackID,
            account: request.account,
            order: order.addRequest(),
            admission: request.admission
        )
        grants?.begin(request.admission)
        actions.append(.dispatch(handler, dispatched))
    }

    private mutating func receive(_ response: BridgeMessage.Response) {
        if order.isOpen || !isOrdered(response) { take(response) } else { wait(.response(response)) }
    }

    // A response to a call that was not sent is forged. It must not wait until the call is sent (R3).
    private func isOrdered(_ response: BridgeMessage.Response) -> Bool {
        guard let number = currentEpoch.identifiers.number(response.responseID), number > 0,
            let call = outgoing.call(number).flatMap({ outgoing[$0] })
        else { return false }
        return call.isSent && call.isOrdered
    }

    /// Handles a response at its turn.
    mutating func take(_ response: BridgeMessage.Response) {
        // Without a peer no queued call was sent, so a guessed id answers nothing.
        guard state == .live, let number = currentEpoch.identifiers.number(response.responseID), number > 0,
            number <= outgoing.lastNumber
        else {
            counters.unknownResponses += 1
            discard(response.outcome.payload)
            if state == .live, case .stream(let id) = response.outcome {
                sendStop(id, nil, account: response.account)
            }
            if counters.unknownResponses.isWorthReporting {
                report(.unknownResponse(response.responseID, count: counters.unknownResponses))
            }
            return
        }
        // The other side does not know intercepted calls: a guessed id answers nothing.
        guard let call = outgoing.call(number), outgoing[call]?.isHeld == false,
            let ended = removeOutgoing(call)
        else {
            counters.lateResponses += 1
            discard(response.outcome.payload)
            // Nothing reads it, so nothing else would stop it.
            if case .stream(let id) = response.outcome { sendStop(id, nil, account: response.account) }
            if counters.lateResponses.isWorthReporting {
                report(.lateResponse(response.responseID, count: counters.lateResponses))
            }
            return
        }
        if case .stream(let id) = response.outcome {
            open(id, for: call, ended)
        } else {
            actions.append(.settle(call, response.outcome))
        }
    }

    // P54-P56: the log is always notified; a reply goes only to a caller that supports errors.
    private mutating func refuseUnknown(_ request: BridgeMessage.Request) {
        let name = request.handlerName
        report(
            .noHandler(
                name: name,
                callbackID: request.callbackID,
                acceptsErrors: request.accepts.contains(.errors)
            )
        )
        let error = handlerNotFound(name)
        noteRefusal(of: name, request.callbackID, error)
        discard(request.payload)
        guard let callbackID = request.callbackID, request.accepts.contains(.errors) else {
            counters.droppedMessages += 1
            return
        }
        sendFailure(error, to: callbackID, of: request)
    }

    private mutating func answerOrDrop(_ request: BridgeMessage.Request, _ error: BridgeError) {
        noteRefusal(of: request.handlerName, request.callbackID, error)
        guard let callbackID = request.callbackID, request.accepts.contains(.errors) else {
            drop(request.payload, because: error)
            return
        }
        discard(request.payload)
        sendFailure(error, to: callbackID, of: request)
    }

    /// Sends the error of a request that was not dispatched, charged to the request's budget.
    mutating func sendFailure(
        _ error: BridgeError,
        to callbackID: MessageID,
        of request: BridgeMessage.Request
    ) {
        var response = BridgeMessage.Response(responseID: callbackID, outcome: .failure(error))
        response.account = request.account
        send(.response(response))
    }

    private mutating func ignoreReply(to call: IncomingCallID, with outcome: CallOutcome) {
        discard(outcome.payload)
        if call.epoch == epoch, state != .closed, state != .retired {
            counters.duplicateReplies += 1
            if counters.duplicateReplies.isWorthReporting {
                report(.duplicateReply(count: counters.duplicateReplies))
            }
        } else {
            counters.lostReplies += 1
            if counters.lostReplies.isWorthReporting { report(.lostReply(count: counters.lostReplies)) }
        }
    }
}
