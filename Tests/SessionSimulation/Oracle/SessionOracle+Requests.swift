/// The requests of the other end.
extension SessionOracle {
    func receive(_ message: SessionMessage, _ sender: UInt64?, _ size: Int) {
        guard hears(message, sender) else { return }
        switch message.body {
        case .request(let name, let id, let wishes, let deadline):
            receiveRequest(name, id, wishes, message.payload, size, deadline, message.account)
        case .response(let id, let response):
            receiveResponse(id, response, message.payload, message.account)
        case .control(let kind, let id, let number, let code):
            knowsThatWeListen = isPeerExtended
            receiveControl(kind, id, number, code, message.payload)
        }
    }

    /// Refuses a request that cannot be performed.
    func refuse(_ message: SessionMessage, _ code: String, _ sender: UInt64?) {
        guard case .request(_, let id, let wishes, _) = message.body, hears(message, sender) else { return }
        refuse(id, wishes, code, message.account)
    }

    /// Returns whether the sender of a message still belongs to the session.
    private func hears(_ message: SessionMessage, _ sender: UInt64?) -> Bool {
        if let payload = message.payload { payloads.insert(payload) }
        if isListening, sender ?? epoch == epoch { return true }
        counted.lostMessages += 1
        counted.droppedMessages += 1
        return false
    }

    var isListening: Bool { life == .idle || life == .injected || life == .live }

    private func receiveRequest(
        _ name: String,
        _ id: SessionIdentifier?,
        _ wishes: SessionCapabilities,
        _ payload: Int?,
        _ size: Int,
        _ deadline: Duration?,
        _ account: Int?
    ) {
        if isTooLong(name) { return refuse(id, wishes, "limitExceeded", account) }
        var grant: Int?
        switch grants?.decide(name, size) {
        case .refused(let reason)?:
            deny(name, reason)
            return refuse(id, wishes, GrantOracle.code(of: reason), account)
        case .allowed(let instance)?: grant = instance
        case nil: break
        }
        guard let handler = handlers[NameBytes(name)] else {
            if id == nil, subscriptions[NameBytes(name)] != nil {
                arrivals.dispatched(payload)
                return owe(.event(name, payload: payload))
            }
            return refuse(id, wishes, "handlerNotFound", account)
        }
        guard let id else {
            if let payload { notifications[payload] = grant }
            grants?.begin(grant)
            arrivals.dispatched(payload)
            return owe(
                .dispatch(handler: handler, request: nil, name: name, payload: payload, deadline: deadline)
            )
        }
        if let code = early.remove(id, isForgotten: !hasFoundEarly) {
            return refuse(id, wishes, code, account)
        }
        guard requests.count < settings.maximumPendingCalls else {
            return refuse(id, wishes, "overloaded", account)
        }
        let number = nextOrder()
        requests[number] = Request(id: id, name: name, wishes: wishes, grant: grant, account: account)
        // Of two requests with one id, the later one is meant.
        requestsByIdentifier[id] = number
        grants?.begin(grant)
        arrivals.dispatched(payload)
        owe(.dispatch(handler: handler, request: number, name: name, payload: payload, deadline: deadline))
    }

    private func refuse(
        _ id: SessionIdentifier?,
        _ wishes: SessionCapabilities,
        _ code: String,
        _ account: Int?
    ) {
        guard let id, wishes.contains(.errors) else {
            counted.droppedMessages += 1
            return
        }
        send(SessionMessage(.response(id, .failure(code)), account: account))
    }

    /// Requires the report of a denial, which exists only with grants.
    func deny(_ name: String, _ reason: String) {
        guard let grants else { return }
        counted.denials += 1
        owe(.audit(SessionDenial(name, reason, at: grants.now)))
    }

    /// Returns whether a request may wait for results: its name is granted, or its context is not current.
    func admitsWaiting(_ message: SessionMessage, _ now: Duration) -> Bool {
        grants?.advance(now)
        guard isListening, case .request(let name, let id, let wishes, _) = message.body, !isTooLong(name),
            let reason = grants?.denial(of: name)
        else { return true }
        if let payload = message.payload { payloads.insert(payload) }
        deny(name, reason)
        refuse(id, wishes, GrantOracle.code(of: reason), message.account)
        return false
    }

    // MARK: - Operations

    /// Ends the work of an operation, and no other work.
    ///
    /// Its calls and streams end, the work on its requests is abandoned, and its messages that wait for the other end are
    /// not sent.
    func endWork(_ account: Int, _ code: String) {
        handOutArrivals()
        let ended = calls.filter { $0.value.account == account }.sorted { $0.value.order < $1.value.order }
        for (call, _) in ended {
            endCall(call)
            owe(.settle(call, .failure(code), payload: nil))
        }
        beginBatch()
        for (number, stream) in readStreams where stream.account == account {
            if endReading(number) != nil { owe(.finish(stream: number, code: code), inBatch: true) }
        }
        beginBatch()
        for (stream, source) in sentStreams where source.account == account {
            if endSending(stream) != nil { owe(.stop(stream), inBatch: true) }
        }
        beginBatch()
        for (number, request) in requests where request.account == account {
            requests[number]?.isCancelled = true
            owe(.abandon(request: number), inBatch: true)
        }
        waiting.removeAll { entry in
            guard entry.call == nil, case .send(let message, _) = entry.effect else { return false }
            return message.account == account
        }
    }

    func endRequest(_ number: Int) {
        guard let request = requests.removeValue(forKey: number) else { return }
        if requestsByIdentifier[request.id] == number { requestsByIdentifier[request.id] = nil }
        grants?.end(request.grant)
    }

    // MARK: - Requests that wait in place, and work on notifications

    func beginSynchronous(_ name: String, _ size: Int, _ answer: SessionAnswer) -> SessionAnswer {
        guard isListening else { return .refused("disconnected") }
        guard !isTooLong(name) else { return .refused("limitExceeded") }
        var grant: Int?
        switch grants?.decide(name, size) {
        case .refused(let reason)?:
            deny(name, reason)
            return .refused(GrantOracle.code(of: reason))
        case .allowed(let instance)?: grant = instance
        case nil: break
        }
        guard let handler = handlers[NameBytes(name)] else { return .refused("handlerNotFound") }
        guard requests.count + synchronous.count < settings.maximumPendingCalls else {
            return .refused("overloaded")
        }
        guard case .running(handler, let reference) = answer, synchronous[reference] == nil else {
            return .running(handler: handler, SessionReference(0))
        }
        grants?.begin(grant)
        synchronous[reference] = (grant, epoch)
        return answer
    }

    func endSynchronous(_ reference: SessionReference) -> SessionAnswer {
        guard let request = synchronous.removeValue(forKey: reference) else { return .done }
        grants?.end(request.grant)
        let isThere = isListening && request.epoch == epoch
        if !isThere { counted.ignoredReplies += 1 }
        return .taken(isThere)
    }

    /// Returns whether a notification may begin, which has a limit of its own.
    func beginNotification(_ payload: Int) -> Bool {
        if workedOn.count < settings.maximumNotifications {
            workedOn.insert(payload)
            return true
        }
        counted.droppedMessages += 1
        if let grant = notifications.removeValue(forKey: payload) { grants?.end(grant) }
        return false
    }

    func inProgress(_ reference: SessionReference) -> Int? {
        guard reference.epoch == epoch, let number = requestNumbers[reference], requests[number] != nil else {
            return nil
        }
        return number
    }

    // MARK: - Answers

    func reply(_ reference: SessionReference, _ response: SessionResponse, _ payload: Int?) -> Bool {
        if let payload { payloads.insert(payload) }
        guard let number = inProgress(reference) else {
            counted.ignoredReplies += 1
            return false
        }
        answer(number, response, payload)
        return true
    }

    func answer(_ number: Int, _ response: SessionResponse, _ payload: Int?) {
        guard let request = requests[number] else { return }
        endRequest(number)
        if case .failure = response, !request.wishes.contains(.errors) {
            counted.suppressedErrors += 1
            return
        }
        let message = SessionMessage(
            .response(request.id, response),
            payload: payload,
            account: request.account
        )
        send(message)
    }

    func setDeadline(of reference: SessionReference, _ deadline: Duration) {
        guard let number = inProgress(reference) else { return }
        let order = nextOrder()
        requests[number]?.deadline = (deadline, order)
    }

    func expireRequests(_ now: Duration) {
        let due = requests.compactMap { number, request in
            request.deadline.flatMap { $0.time <= now ? (number, $0) : nil }
        }
        let inOrder = due.sorted { left, right in
            left.1.time != right.1.time ? left.1.time < right.1.time : left.1.order < right.1.order
        }
        for (number, _) in inOrder {
            owe(.abandon(request: number))
            answer(number, .failure("deadlineExceeded"), nil)
        }
    }

    func reportProgress(_ reference: SessionReference, _ payload: Int) -> SessionAnswer {
        guard let number = inProgress(reference), let request = requests[number],
            request.wishes.contains(.progress)
        else { return .taken(false) }
        guard takesNews else { return .refused("overloaded") }
        payloads.insert(payload)
        let body = SessionMessage.Body.control(.progress, request.id, number: 0, code: nil)
        send(SessionMessage(body, payload: payload, account: request.account))
        return .taken(true)
    }

    /// Opens the stream that replies to a request, with the request's grant.
    func openStream(_ reference: SessionReference, _ answer: SessionAnswer) -> SessionAnswer {
        guard let number = inProgress(reference), let request = requests[number] else { return .done }
        guard !request.isCancelled else { return .refused("cancelled") }
        guard request.wishes.contains(.streams) else { return .refused("unsupported") }
        guard sentStreams.count < settings.maximumStreams else { return .refused("limitExceeded") }
        guard takesReplies else { return .refused("overloaded") }
        guard case .began(let stream) = answer else { return .began(SessionReference(0)) }
        check(
            sentStreams[stream] == nil && identifiersOfStreams[stream] == nil,
            "R4 a stream has the identity of another: \(stream)"
        )
        endRequest(number)
        grants?.begin(request.grant)
        sentStreams[stream] = SentStream(
            order: nextOrder(),
            grant: request.grant,
            account: request.account
        )
        let response = SessionMessage.Body.response(request.id, .stream(.number(0)))
        send(SessionMessage(response, account: request.account), .newStream(stream))
        return answer
    }

    // MARK: - Controls

    private func receiveControl(
        _ kind: SessionControl,
        _ id: SessionIdentifier,
        _ number: UInt64,
        _ code: String?,
        _ payload: Int?
    ) {
        switch kind {
        case .cancel:
            if let request = requestsByIdentifier[id] {
                requests[request]?.isCancelled = true
                return owe(.abandon(request: request))
            }
            counted.lateCancellations += 1
            early.insert(id, code ?? "cancelled")
        case .progress: receiveProgress(id, payload)
        case .next: receiveItem(id, number, payload)
        case .end: receiveEnd(id, number, code)
        case .more: receiveCredit(id, number)
        case .stop: receiveStop(id)
        case .subscribe: receiveSubscription(id.topic)
        case .unsubscribe: peerSubscriptions[NameBytes(id.topic)] = nil
        case .event: receiveEvent(id.topic, payload)
        case .hello: if isPeerExtended { greet() }
        // The session's storage handles the references.
        case .release: break
        }
    }

    private func greet() {
        guard !hasGreeted, life == .live else { return }
        hasGreeted = true
        send(.control(.hello, ""))
    }

    // MARK: - Events

    func subscribe(_ topic: String) {
        guard life != .closed, subscriptions.updateValue(topic, forKey: NameBytes(topic)) == nil else {
            return
        }
        if isPeerExtended, life == .live { send(.control(.subscribe, topic)) }
    }

    func unsubscribe(_ topic: String) {
        guard subscriptions.removeValue(forKey: NameBytes(topic)) != nil else { return }
        if isPeerExtended, life == .live { send(.control(.unsubscribe, topic)) }
    }

    func emit(_ topic: String, _ payload: Int, _ account: Int?) -> Bool {
        guard life == .live else { return false }
        guard knowsThatWeListen else {
            payloads.insert(payload)
            if isPeerExtended { greet() }
            let body = SessionMessage.Body.request(name: topic, id: nil, wishes: [], deadline: nil)
            send(SessionMessage(body, payload: payload, account: account))
            return true
        }
        guard let count = peerSubscriptions[NameBytes(topic)] else { return false }
        payloads.insert(payload)
        peerSubscriptions[NameBytes(topic)] = count + 1
        send(.control(.event, topic, number: count, payload: payload, account: account))
        return true
    }

    /// Gives an event that the transport delivers itself the next number of its topic.
    func beginEvent(_ topic: String) -> SessionAnswer {
        guard life == .live, knowsThatWeListen, let count = peerSubscriptions[NameBytes(topic)] else {
            return .done
        }
        peerSubscriptions[NameBytes(topic)] = count + 1
        return .number(count)
    }

    /// Takes the number of an event back that was not delivered; a later event would have the same number otherwise.
    func cancelEvent(_ topic: String, _ number: UInt64) {
        if peerSubscriptions[NameBytes(topic)] == number + 1 { peerSubscriptions[NameBytes(topic)] = number }
    }

    /// Releases references; only a peer that supports references is notified.
    func release(_ payload: Int) -> Bool {
        guard life == .live, isPeerExtended else { return false }
        payloads.insert(payload)
        send(.control(.release, "", payload: payload))
        return true
    }

    private func receiveSubscription(_ topic: String) {
        guard peerSubscriptions[NameBytes(topic)] == nil else { return }
        // A subscription is a request with a name of its own.
        if case .refused(let reason)? = grants?.decide("_wvjb.sub", 0) {
            counted.droppedMessages += 1
            return deny("_wvjb.sub", reason)
        }
        guard peerSubscriptions.count < settings.maximumTopics, !isTooLong(topic) else {
            counted.droppedMessages += 1
            return
        }
        peerSubscriptions[NameBytes(topic)] = 0
    }

    private func receiveEvent(_ topic: String, _ payload: Int?) {
        guard subscriptions[NameBytes(topic)] != nil else { return }
        if case .refused(let reason)? = grants?.decide(topic, 0) {
            counted.droppedMessages += 1
            return deny(topic, reason)
        }
        arrivals.dispatched(payload)
        owe(.event(topic, payload: payload))
    }
}

extension SessionIdentifier {
    fileprivate var topic: String { if case .text(let text) = self { text } else { "" } }
}
