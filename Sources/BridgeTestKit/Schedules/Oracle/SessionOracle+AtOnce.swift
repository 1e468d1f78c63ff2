/// What passes by the tables of a session: calls, requests and items that a transport hands over within one step.
extension SessionOracle {
    func beginAtOnce(_ name: String, _ answer: SessionAnswer) -> SessionAnswer {
        if let refusal = refusal(of: name, true, answer) { return .refused(refusal) }
        guard life == .live else { return .done }
        guard case .handed(let id) = answer else { return .handed(.number(0)) }
        check(usedIdentifiers.insert(id).inserted, "R4 an id was used twice: \(id)")
        handed[id] = (nextOrder(), nil)
        return answer
    }

    /// A call that is answered later after all; all calls may have ended since it was handed over.
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

    /// A call was answered in the step in which it was handed over.
    func answeredAtOnce(_ id: SessionIdentifier) { handed[id] = nil }

    func failAtOnce(_ message: SessionMessage, _ code: String) {
        guard life == .live else { return endAtOnce(message) }
        guard case .request(_, let id?, let wishes, _) = message.body else { return }
        guard wishes.contains(.errors) else {
            counted.suppressedErrors += 1
            return
        }
        send(SessionMessage(.response(id, .failure(code))))
    }

    /// Who waits for a session that was closed is told; nobody is left of a context that has gone.
    func endAtOnce(_ message: SessionMessage) {
        guard life == .closed, case .request(_, let id?, let wishes, _) = message.body,
            wishes.contains(.errors)
        else {
            counted.lostMessages += 1
            return
        }
        owe(.send(SessionMessage(.response(id, .failure("disconnected"))), .known))
    }

    /// Items pass by only where nothing of their stream has come out of order, and nothing waits that they would pass.
    func openItems(_ id: SessionIdentifier, _ answer: SessionAnswer) -> SessionAnswer {
        guard life == .live, !owesEffects, arrivals.isOpen, let number = readByIdentifier[id],
            let stream = readStreams[number], stream.early.isEmpty, stream.end == nil
        else { return .done }
        // Lines of the log may wait, of which nothing is known here.
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

    /// Whose handler is gone gets what a call without one gets.
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
