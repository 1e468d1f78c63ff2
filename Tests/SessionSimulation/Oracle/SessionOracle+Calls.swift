/// The calls of this end.
extension SessionOracle {
    func make(_ call: SessionCall, _ answer: SessionAnswer) -> SessionAnswer {
        let isCounted = call.reply != .none && !call.isPart
        if let refusal = refusal(of: call.name, isCounted, answer) { return .refused(refusal) }
        payloads.insert(call.payload)
        guard call.reply != .none else {
            let body = SessionMessage.Body.request(name: call.name, id: nil, wishes: [], deadline: nil)
            send(SessionMessage(body, payload: call.payload, account: call.account))
            return .done
        }
        guard let reference = newCall(answer) else { return .began(SessionReference(0)) }
        var wishes: SessionCapabilities = []
        if case .full(let others) = call.reply { wishes = others.union(.errors) }
        calls[reference] = Call(
            order: nextOrder(),
            role: call.isPart ? .part : .call,
            wishes: wishes,
            deadline: call.deadline,
            account: call.account,
            isSent: life == .live
        )
        // The id is known only when the message is seen.
        let body = SessionMessage.Body.request(
            name: call.name,
            id: .number(0),
            wishes: wishes,
            deadline: call.deadline
        )
        let message = SessionMessage(body, payload: call.payload, account: call.account)
        send(message, .newCall(reference), call: reference)
        return answer
    }

    // Calls that ended while they waited for the other end may remain in the queue for a while.
    func refusal(of name: String, _ isCounted: Bool, _ answer: SessionAnswer) -> String? {
        if life == .closed || life == .retired { return "disconnected" }
        if isTooLong(name) { return "limitExceeded" }
        if life != .live {
            if aliveCount >= settings.maximumQueuedMessages { return "overloaded" }
            if waiting.count >= settings.maximumQueuedMessages, answer == .refused("overloaded") {
                return "overloaded"
            }
        }
        return isCounted && pendingCount >= settings.maximumPendingCalls ? "limitExceeded" : nil
    }

    func newCall(_ answer: SessionAnswer) -> SessionReference? {
        guard case .began(let reference) = answer else { return nil }
        check(
            calls[reference] == nil && !endedCalls.contains(reference),
            "R4 a call has the identity of another: \(reference)"
        )
        return reference
    }

    /// Registers an intercepted call, for which nothing is sent.
    func hold(
        _ name: String,
        _ isNotification: Bool,
        _ deadline: Duration?,
        _ account: Int?,
        _ answer: SessionAnswer
    ) -> SessionAnswer {
        if let refusal = refusal(of: name, !isNotification, answer) { return .refused(refusal) }
        let notifications = calls.values.count { $0.role == .heldNotification }
        if isNotification, notifications >= settings.maximumQueuedMessages { return .refused("overloaded") }
        guard let reference = newCall(answer) else { return .began(SessionReference(0)) }
        calls[reference] = Call(
            order: nextOrder(),
            role: isNotification ? .heldNotification : .held,
            wishes: [],
            deadline: deadline,
            account: account,
            isSent: false
        )
        return answer
    }

    func settle(_ reference: SessionReference, _ response: SessionResponse, _ payload: Int?) {
        if let payload { payloads.insert(payload) }
        guard calls[reference] != nil else { return }
        endCall(reference)
        owe(.settle(reference, response, payload: payload))
    }

    func cancel(_ reference: SessionReference, code: String) -> Bool {
        guard let call = calls[reference] else { return false }
        endCall(reference)
        if life == .live, isPeerExtended, call.isSent {
            let body = SessionMessage.Body.control(.cancel, .number(0), number: 0, code: code)
            send(SessionMessage(body, account: call.account), .call(reference))
        }
        owe(.settle(reference, .failure(code), payload: nil))
        return true
    }

    func expire(_ now: Duration) {
        let due = calls.filter { $0.value.deadline.map { $0 <= now } ?? false }
        let inOrder = due.sorted { left, right in
            let times = (left.value.deadline ?? .zero, right.value.deadline ?? .zero)
            return times.0 != times.1 ? times.0 < times.1 : left.value.order < right.value.order
        }
        for (call, _) in inOrder { _ = cancel(call, code: "deadlineExceeded") }
        expireRequests(now)
    }

    func endCall(_ reference: SessionReference) {
        calls[reference] = nil
        endedCalls.insert(reference)
    }

    func takeResponse(
        _ id: SessionIdentifier,
        _ response: SessionResponse,
        _ payload: Int?,
        _ account: Int?
    ) {
        guard life == .live, let reference = callsByIdentifier[id], let call = calls[reference] else {
            counted.ignoredResponses += 1
            // The stream has no reader, so that its sender is notified.
            if life == .live, case .stream(let stream) = response {
                sendStop(stream, "cancelled", account: account)
            }
            return
        }
        endCall(reference)
        guard case .stream(let stream) = response else {
            return owe(.settle(reference, response, payload: payload))
        }
        guard call.wishes.contains(.streams) else {
            sendStop(stream, "cancelled", account: call.account)
            return owe(.settle(reference, .failure("unsupported"), payload: nil))
        }
        guard readByIdentifier[stream] == nil else {
            return owe(.settle(reference, .failure("invalidMessage"), payload: nil))
        }
        guard readStreams.count < settings.maximumStreams else {
            sendStop(stream, "limitExceeded", account: call.account)
            return owe(.settle(reference, .failure("limitExceeded"), payload: nil))
        }
        let number = nextOrder()
        readStreams[number] = ReadStream(id: stream, account: call.account)
        readByIdentifier[stream] = number
        owe(.opened(reference, stream: number))
    }

    func receiveProgress(_ id: SessionIdentifier, _ payload: Int?) {
        guard let reference = callsByIdentifier[id], calls[reference]?.wishes.contains(.progress) == true
        else {
            return
        }
        owe(.progress(reference, payload: payload))
    }
}
