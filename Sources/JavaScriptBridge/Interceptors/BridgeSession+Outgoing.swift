internal import BridgeProtocol
internal import Synchronization

/// Calls of Swift on their way to a script.
extension BridgeSession {
    func call(
        _ name: String,
        payload: MessagePayload?,
        timeout: Duration?,
        onProgress: (@Sendable (MessagePayload) -> Void)? = nil,
        from site: CallSite
    ) async throws -> MessagePayload {
        guard let chain = interceptors.chain(.outgoing, name) else {
            return try await callDirectly(
                name,
                payload: payload,
                timeout: timeout,
                onProgress: onProgress,
                from: site
            )
        }
        let answer = try await intercept(chain, .request, name, payload?.value(), timeout) { call in
            try await self.callDirectly(
                name,
                payload: call.sentPayload,
                timeout: timeout,
                onProgress: onProgress,
                from: site
            ).value()
        }
        return .value(answer)
    }

    func notify(_ name: String, payload: MessagePayload?) throws(BridgeError) {
        guard let chain = interceptors.chain(.outgoing, name) else {
            return try notifyDirectly(name, payload: payload)
        }
        send(name) {
            _ = try await self.intercept(chain, .notification, name, payload?.value(), nil) { call in
                try self.notifyDirectly(name, payload: call.sentPayload)
                return .undefined
            }
        }
    }

    /// Makes a call of the ancestor's form.
    func callWithCallback(_ name: String, payload: MessagePayload?, _ waiter: Waiter) {
        guard let chain = interceptors.chain(.outgoing, name) else {
            return start(name, payload: payload, reply: .legacy, timeout: nil, waiter)
        }
        send(name) {
            let outcome: Result<MessagePayload, BridgeError>
            do {
                let answer = try await self.intercept(chain, .request, name, payload?.value(), nil) { call in
                    let reply: MessagePayload =
                        try await withCheckedThrowingContinuation { continuation in
                            self.start(
                                name,
                                payload: call.sentPayload,
                                reply: .legacy,
                                timeout: nil,
                                .continuation(continuation)
                            )
                        }
                    return try reply.value()
                }
                outcome = .success(.value(answer))
            } catch {
                outcome = .failure(BridgeError(wrapping: error))
            }
            waiter.settle(outcome)
        }
    }

    func openStream<Element: Decodable & Sendable>(
        _ name: String,
        _ payload: MessagePayload?,
        window: Int,
        timeout: Duration?,
        from site: CallSite
    ) async throws -> BridgeStream<Element> {
        guard let chain = interceptors.chain(.outgoing, name) else {
            return try await openStreamDirectly(name, payload, window: window, timeout: timeout, from: site)
        }
        let opened = Mutex<BridgeStream<Element>?>(nil)
        let answer = try await intercept(chain, .stream, name, payload?.value(), timeout) { call in
            let stream: BridgeStream<Element> = try await self.openStreamDirectly(
                name,
                call.sentPayload,
                window: window,
                timeout: timeout,
                from: site
            )
            opened.withLock { $0 = stream }
            return .undefined
        }
        if let stream = opened.withLock({ $0 }) { return stream }
        // An interceptor answered: a stream of one item, as of a peer that knows no streams.
        let reader = StreamReader(session: self, window: window)
        reader.finish(with: .value(answer))
        return BridgeStream(reader: reader)
    }

    private func intercept(
        _ chain: [Bridge.Interceptor],
        _ kind: InterceptedCall.Kind,
        _ name: String,
        _ payload: Value?,
        _ timeout: Duration?,
        _ last: nonisolated(nonsending) @escaping @Sendable (InterceptedCall) async throws -> Value
    ) async throws -> Value {
        // What was sent before by a caller that does not wait goes first. What is sent from there is in order itself.
        if kind == .request || kind == .stream, !StartQueue.isStarting {
            await interceptors.outgoing.waitUntilBegun()
        }
        let time = kind == .notification ? nil : timeout ?? configuration.defaultTimeout
        let left = BridgeCall.current?.timeForCalls
        let call = InterceptedCall(
            direction: .outgoing,
            kind: kind,
            handlerName: name,
            payload: payload ?? .undefined,
            timeRemaining: time.map { min($0, left ?? $0) } ?? left
        )
        return try await InterceptedCall.Next(rest: chain[...], last: last)(call)
    }

    /// Sends something whose caller does not wait.
    private func send(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
        let (current, operation) = (BridgeCall.current, JSOperation.current)
        state.withLock { $0.interceptionsUnderWay += 1 }
        interceptors.outgoing.add {
            _ = JSOperation.withCurrent(operation) {
                Task.immediate {
                    await BridgeCall.$current.withValue(current) {
                        await StartQueue.$isStarting.withValue(true) {
                            do {
                                try await work()
                            } catch {
                                self.logWarning(
                                    "The call of \"\(name)\" was not sent. \(BridgeError(wrapping: error))"
                                )
                            }
                        }
                    }
                    self.state.withLock { $0.interceptionsUnderWay -= 1 }
                    self.lookForIdle()
                }
            }
        }
    }
}

extension InterceptedCall {
    /// The payload as it is sent: none where there is none.
    fileprivate var sentPayload: MessagePayload? { payload == .undefined ? nil : .value(payload) }
}
