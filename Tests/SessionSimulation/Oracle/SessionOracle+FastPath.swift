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
    func takeUp(_ id: SessionIdentifier, _ deadline: Duration?, _ answer: SessionAnswer) -> SessionAnswer {
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
        send(SessionMessage(.response(id, .failure(code))))
    }

    /// Replies to a caller of a session that was closed; the caller of a lost context no longer exists.
    func endInline(_ message: SessionMessage) {
        guard life == .closed, case .request(_, let id?, let wishes, _) = message.body,
            wishes.contains(.errors)
        else {
            counted.lostMessages += 1
            return
        }
        owe(.send(SessionMessage(.response(id, .failure("disconnected"))), .known))
    }

    /// Returns whether items may use the fast path: only if all earlier items of their stream arrived in order, and no
    /// effect is pending that they would overtake.
    func openItems(_ id: SessionIdentifier, _ answer: SessionAnswer) -> SessionAnswer {
        guard life == .live, !owesEffects, arrivals.isOpen, let number = readByIdentifier[id],
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
}
