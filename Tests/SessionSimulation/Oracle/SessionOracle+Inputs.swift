extension SessionOracle {
    /// Records an input and its result, and determines the effects that it requires.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - answer: Its result.
    ///   - earlyCancellations: The number of remembered cancellations for calls that have not arrived.
    func saw(_ input: SessionInput, answer: SessionAnswer, earlyCancellations: Int) {
        hasFoundEarly = earlyCancellations < lastEarlyCancellations
        lastEarlyCancellations = earlyCancellations
        let expected = expectedAnswer(to: input, answer)
        check(answer == expected, "R5 \(input) was answered by \(answer), should be \(expected)")
    }

    private func expectedAnswer(to input: SessionInput, _ answer: SessionAnswer) -> SessionAnswer {
        switch input {
        case .injected: if life == .idle { life = .injected }
        case .peerReady: return peerReady()
        case .peerShowedExtensions: peerShowedExtensions()
        case .call(let call): return make(call, answer)
        case .hold(let name, let isNotification, let deadline, let account):
            return hold(name, isNotification, deadline, account, answer)
        case .settle(let call, let response, let payload): settle(call, response, payload)
        case .beginInline(let name): return beginInline(name, answer)
        case .takeUp(let id, _, let deadline, let account): return takeUp(id, deadline, account, answer)
        case .admitsFreely(let name, let now):
            grants?.advance(now)
            return .taken(admitsFreely(name, at: now))
        case .adopt(let message, let epoch): return adopt(message, epoch, answer)
        case .answerInline(let message, let payload): answerInline(message, payload)
        case .failInline(let message, let code): failInline(message, code)
        case .endInline(let message): endInline(message)
        case .openItems(let id): return openItems(id, answer)
        case .countItems(let stream, let count): return .taken(countItems(stream, count))
        case .refuseDispatched(let request, let payload): refuseDispatched(request, payload)
        case .drop(let request, let payload): drop(request, payload)
        case .endWork(let account, let code): endWork(account, code)
        case .failStreams(let code):
            handOutArrivals()
            endStreams(code, tellsPeer: false)
        case .refuseStream(let id):
            if life == .live, readByIdentifier[id] == nil { sendStop(id, "cancelled") }
        case .cancel(let call): return .taken(cancel(call, code: "cancelled"))
        case .expire(let now): expire(now)
        case .receive(let message, let epoch, let size, let now):
            grants?.advance(now)
            receive(message, epoch, size)
        case .refuse(let message, let code, let epoch): refuse(message, code, epoch)
        case .beginSynchronous(let name, let size, let now):
            grants?.advance(now)
            return beginSynchronous(name, size, answer)
        case .endSynchronous(let reference): return endSynchronous(reference)
        case .reply(let request, let response, let payload): return .taken(reply(request, response, payload))
        case .answer(let request, let deadline): setDeadline(of: request, deadline)
        case .begin(let payload): begin(payload)
        case .beginNotification(let payload): return .taken(beginNotification(payload))
        case .endNotification(let payload):
            workedOn.remove(payload)
            if let grant = notifications.removeValue(forKey: payload) { grants?.end(grant) }
        case .openStream(let request): return openStream(request, answer)
        case .sendItem(let stream, let payload): return sendItem(stream, payload)
        case .endStream(let stream, let code): endStream(stream, code)
        case .grant(let stream, let credit): grant(stream, credit)
        case .stop(let stream): return .taken(stop(stream))
        case .subscribe(let topic): subscribe(topic)
        case .unsubscribe(let topic): unsubscribe(topic)
        case .emit(let topic, let payload, let account): return .taken(emit(topic, payload, account))
        case .beginEvent(let topic): return beginEvent(topic)
        case .cancelEvent(let topic, let number): cancelEvent(topic, number)
        case .reportProgress(let request, let payload): return reportProgress(request, payload)
        case .release(let payload): return .taken(release(payload))
        case .registerHandler(let name, let handler): return register(name, handler)
        case .removeHandler(let name): handlers[NameBytes(name)] = nil
        case .setGrants(let grants, let renewed, let now): setGrants(grants, renewed, now)
        case .beginAudit(let now):
            if grants == nil {
                grants = GrantOracle()
                grants?.advance(now)
            }
        case .reportDenial(let name, let reason, let now):
            grants?.advance(now)
            deny(name, reason)
        case .admitsWaiting(let message, let now): return .taken(admitsWaiting(message, now))
        case .keepResult(let id): return .taken(results.keep(id))
        case .releaseResult(let id): return .taken(results.release(id))
        case .findResults(let message, let ids): return .found(results.find(message, ids))
        case .contextLost:
            loseContext()
            return .epoch(epoch)
        case .tearDown:
            loseContext()
            if life != .closed { life = .tearingDown }
            return .epoch(epoch)
        case .tornDown(let ended): if life == .tearingDown, ended == epoch { life = .idle }
        case .retire: retire()
        case .reset: reset()
        case .close: close()
        }
        return .done
    }

    // MARK: - Life

    private func peerReady() -> SessionAnswer {
        guard life == .idle || life == .injected else { return .epoch(epoch) }
        life = .live
        announceSubscriptions()
        let queue = waiting
        waiting = []
        for entry in queue {
            if let call = entry.call {
                guard calls[call] != nil else { continue }
                calls[call]?.isSent = true
            }
            owe(entry.effect)
        }
        return .epoch(epoch)
    }

    private func peerShowedExtensions() {
        guard !isPeerExtended, life != .closed else { return }
        isPeerExtended = true
        announceSubscriptions()
    }

    private func announceSubscriptions() {
        guard isPeerExtended, life == .live else { return }
        beginBatch()
        for topic in subscriptions.values {
            send(.control(.subscribe, topic), inBatch: true)
        }
    }

    private func loseContext() {
        results = ResultsOracle(settings)
        guard life != .closed else { return }
        handOutArrivals(forgettingRequests: true)
        dropUndone()
        waiting.removeAll { entry in
            guard case .send(let message, _) = entry.effect, case .request = message.body else { return true }
            return false
        }
        var kept = Set(waiting.compactMap(\.call))
        // Calls that were intercepted without a peer are kept for the next peer.
        if life != .live { kept.formUnion(calls.filter { $0.value.isHeld }.keys) }
        settleAll("disconnected") { !kept.contains($0) }
        endStreams("disconnected", tellsPeer: false)
        abandonAll()
        peerSubscriptions = [:]
        early = EarlyCancellationOracle()
        callsByIdentifier = [:]
        isPeerExtended = settings.peerIsExtended
        knowsThatWeListen = settings.peerIsExtended
        hasGreeted = settings.peerIsExtended
        life = .idle
        epoch += 1
    }

    private func retire() {
        results = ResultsOracle(settings)
        guard life != .closed, life != .tearingDown else { return }
        handOutArrivals(forgettingRequests: true)
        dropUndone()
        waiting = []
        settleAll("terminated")
        endStreams("terminated", tellsPeer: false)
        abandonAll()
        life = .retired
    }

    private func reset() {
        guard life != .closed else { return }
        handOutArrivals()
        waiting.removeAll { entry in
            guard case .send(let message, _) = entry.effect, case .response = message.body else {
                return true
            }
            return false
        }
        settleAll("disconnected")
        endStreams("disconnected", tellsPeer: life == .live)
    }

    private func close() {
        results = ResultsOracle(settings)
        guard life != .closed else { return }
        handOutArrivals(forgettingRequests: true)
        waiting = []
        settleAll("disconnected")
        endStreams("disconnected", tellsPeer: life == .live)
        if life == .live {
            beginBatch()
            for request in requests.values where request.wishes.contains(.errors) {
                let answer = SessionMessage(
                    .response(request.id, .failure("disconnected")),
                    account: request.account
                )
                send(answer, inBatch: true)
            }
        }
        abandonAll()
        life = .closed
    }

    /// Drops the messages on their way to or from a lost context, except outcomes.
    private func dropUndone() {
        forget(kind: .sends) { _ in true }
        var dropped: [Int] = []
        forget(kind: .work) { effect in
            guard case .dispatch(_, let request, _, let payload, _) = effect else { return false }
            if request == nil, let payload { dropped.append(payload) }
            return true
        }
        for payload in dropped {
            counted.droppedMessages += 1
            if let grant = notifications.removeValue(forKey: payload) { grants?.end(grant) }
        }
    }

    private func settleAll(_ code: String, where isMeant: (SessionReference) -> Bool = { _ in true }) {
        for (call, _) in calls.filter({ isMeant($0.key) }).sorted(by: { $0.value.order < $1.value.order }) {
            endCall(call)
            owe(.settle(call, .failure(code), payload: nil))
        }
        // Fast-path calls that were not registered yet end in the same way.
        for id in handed.keys { handed[id]?.code = code }
    }

    private func abandonAll() {
        beginBatch()
        for number in requests.keys { owe(.abandon(request: number), inBatch: true) }
        for number in Array(requests.keys) { endRequest(number) }
    }

    // MARK: - Handlers and grants

    private func register(_ name: String, _ handler: Int) -> SessionAnswer {
        guard !isTooLong(name) else { return .refused("limitExceeded") }
        handlers[NameBytes(name)] = handler
        return .done
    }

    private func setGrants(_ new: SessionGrants, _ renewed: String?, _ now: Duration) {
        guard grants != nil || !new.allowsOthers || !new.rules.isEmpty else { return }
        if grants == nil { grants = GrantOracle() }
        grants?.advance(now)
        grants?.set(new, renewing: renewed)
    }

    func isTooLong(_ name: String) -> Bool { name.utf8.count > settings.maximumNameBytes }
}

extension SessionMessage {
    static func control(
        _ kind: SessionControl,
        _ topic: String,
        number: UInt64 = 0,
        payload: Int? = nil,
        account: Int? = nil
    ) -> Self {
        let body = Body.control(kind, .text(topic), number: number, code: nil)
        return SessionMessage(body, payload: payload, account: account)
    }
}
