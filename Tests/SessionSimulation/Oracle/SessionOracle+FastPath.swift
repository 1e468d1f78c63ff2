/// The fast path of a session: calls, requests and items that a transport handles within one step, without a table
/// entry.
extension SessionOracle {
    func beginInline(_ name: String, _ answer: SessionAnswer) -> SessionAnswer {
        if let refusal = refusal(of: name, true, answer) { return .refused(refusal) }
        guard life == .live else { return .done }
        guard case .handed(let id) = answer else { return .handed(.number(0)) }
        check(usedIdentifiers.insert(id).inserted, "R4 an id was used twice: \(id)")
        handed[id] = (nextOrder(), nil)
        return answer
    }

    /// Registers a call that was not replied to on the fast path; all calls may have ended since it began.
    func takeUp(
        _ id: SessionIdentifier,
        _ deadline: Duration?,
        _ account: Int?,
        _ answer: SessionAnswer
    ) -> SessionAnswer {
        guard let begun = handed.removeValue(forKey: id), let reference = newCall(answer) else {
            return .began(SessionReference(0))
        }
        if let code = begun.code {
            endedCalls.insert(reference)
            owe(.settle(reference, .failure(code), payload: nil))
            return answer
        }
        calls[reference] = Call(
            order: begun.order,
            role: .call,
            wishes: .errors,
            deadline: deadline,
            account: account,
            isSent: true
        )
        identifiersOfCalls[reference] = id
        callsByIdentifier[id] = reference
        return answer
    }

    /// Records that a call was replied to within the step in which it began.
    func answeredInline(_ id: SessionIdentifier) { handed[id] = nil }

    func failInline(_ message: SessionMessage, _ code: String) {
        guard life == .live else { return endInline(message) }
        guard case .request(_, let id?, let wishes, _) = message.body else { return }
        guard wishes.contains(.errors) else {
            counted.suppressedErrors += 1
            return
        }
        send(SessionMessage(.response(id, .failure(code)), account: message.account))
    }

    /// Replies to a request on the fast path behind the messages that are still to be sent.
    func answerInline(_ message: SessionMessage, _ payload: Int) {
        payloads.insert(payload)
        guard life == .live, case .request(_, let id?, _, _) = message.body else { return endInline(message) }
        send(SessionMessage(.response(id, .result), payload: payload, account: message.account))
    }

    /// Registers a request that its handler will answer later, as if it had been registered when it arrived; a limit of
    /// calls was checked then.
    func adopt(_ message: SessionMessage, _ sender: UInt64, _ answer: SessionAnswer) -> SessionAnswer {
        guard isListening, sender == epoch,
            case .request(let name, let id?, let wishes, let deadline) = message.body
        else {
            endInline(message)
            return .done
        }
        guard case .began(let reference) = answer else { return .began(SessionReference(0)) }
        check(requestNumbers[reference] == nil, "R4 two requests have one identity: \(reference)")
        let number = nextOrder()
        var request = Request(
            id: id,
            name: name,
            wishes: wishes,
            grant: grants?.instance(of: name),
            account: message.account
        )
        if let deadline { request.deadline = (deadline, nextOrder()) }
        if early.remove(id, isForgotten: !hasFoundEarly) != nil {
            request.isCancelled = true
            owe(.abandon(request: number))
        }
        requests[number] = request
        requestsByIdentifier[id] = number
        requestNumbers[reference] = number
        seenRequests.insert(number)
        grants?.begin(request.grant)
        return answer
    }

    /// Returns whether every request for a name is admitted, now and as long as the grants stay.
    func admitsFreely(_ name: String, at now: Duration) -> Bool {
        !isTooLong(name) && grants?.admitsFreely(name, at: now) ?? true
    }

    /// Replies to a caller of a session that was closed; the caller of a lost context no longer exists.
    func endInline(_ message: SessionMessage) {
        guard life == .closed, case .request(_, let id?, let wishes, _) = message.body,
            wishes.contains(.errors)
        else {
            counted.lostMessages += 1
            return
        }
        let answer = SessionMessage(.response(id, .failure("disconnected")), account: message.account)
        owe(.send(answer, .known))
    }

    /// Returns whether items may use the fast path: only if all earlier items of their stream arrived in order, and no
    /// effect is pending that they would overtake.
    func openItems(_ id: SessionIdentifier, _ answer: SessionAnswer) -> SessionAnswer {
        guard life == .live, !owesActions, arrivals.isOpen, let number = readByIdentifier[id],
            let stream = readStreams[number], stream.early.isEmpty, stream.end == nil
        else { return .done }
        // Log lines may be pending, which the model does not know.
        guard case .stream(let reference, _, _) = answer else { return answer }
        guard readNumbers[reference] == number else { return .done }
        return .stream(reference, received: stream.received, granted: stream.granted)
    }

    func countItems(_ reference: SessionReference, _ count: UInt64) -> Bool {
        guard let number = readNumbers[reference], readStreams[number] != nil else {
            counted.unknownStreams += Int(count)
            return false
        }
        readStreams[number]?.received += count
        return true
    }

    /// Refuses a dispatched request whose handler was removed, like a request without a handler.
    func refuseDispatched(_ reference: SessionReference?, _ payload: Int) {
        guard let reference else {
            counted.droppedMessages += 1
            if let grant = notifications.removeValue(forKey: payload) { grants?.end(grant) }
            return
        }
        guard let number = inProgress(reference) else {
            counted.ignoredReplies += 1
            return
        }
        answer(number, .failure("handlerNotFound"), nil)
    }

    /// Ends a dispatched request whose handler will not run: it counts no more, and has no reply.
    func drop(_ reference: SessionReference?, _ payload: Int) {
        counted.droppedMessages += 1
        begin(payload)
        if let reference {
            if let number = inProgress(reference) { endRequest(number) }
        } else if let grant = notifications.removeValue(forKey: payload) {
            grants?.end(grant)
        }
    }
}
