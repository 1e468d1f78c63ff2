internal import BridgeProtocol
internal import Synchronization

/// Streams in both directions, and events.
extension BridgeSession {
    /// Opens a stream; adds no hop to the trace of its error.
    func openStreamDirectly<Element: Decodable & Sendable>(
        _ name: String,
        _ payload: MessagePayload?,
        window: Int,
        timeout: Duration?,
        within held: PendingInterceptedCall? = nil
    ) async throws -> BridgeStream<Element> {
        let reader = StreamReader(of: name, session: self, window: window)
        let opened = try await call {
            (continuation: CheckedContinuation<StreamReader, any Error>, cancellation) in
            let waiter = Waiter.stream(continuation, reader)
            let start: @Sendable () -> Void = {
                self.start(
                    name,
                    payload: payload,
                    reply: .full,
                    accepting: .streams,
                    timeout: timeout,
                    waiter,
                    cancellation,
                    within: held
                )
            }
            // The stream of an intercepted call is in its place already.
            if held == nil { startInOrder(name, waiter, start) } else { start() }
        }
        return BridgeStream(reader: opened)
    }

    func grant(_ stream: InboundStreamID, _ credit: UInt64) {
        update { $0.machine.grant(stream, credit) }
    }

    func stop(_ stream: InboundStreamID) {
        update { state in
            state.streams.readers[stream] = nil
            state.machine.stop(stream)
        }
    }

    // MARK: - To the script

    /// Answers a call with the items of a handler's sequence.
    func produce(
        _ body: @escaping @Sendable (MessagePayload, BridgeSession) async throws -> any ItemSource,
        _ payload: MessagePayload,
        for id: IncomingCallID?,
        at site: CallSite
    ) async {
        let source: any ItemSource
        let opened: (OutboundStreamID, StreamProducer)?
        do {
            source = try await body(payload, self)
            await interceptors.waitUntilSent()
            opened = try open(for: id)
        } catch {
            return reply(to: id, with: .failure(error), of: site, isInTurn: false)
        }
        guard let (stream, producer) = opened else { return }
        // The call is answered: its deadline applied to the opening only.
        BridgeCall.current?.endHandler()
        await producer.run {
            do {
                let isWanted = {
                    await self.waitForRoom()
                    return await producer.waitForCredit()
                }
                try await source.read(in: self, at: site, while: isWanted) { item in
                    await self.interceptors.waitUntilSent()
                    return try self.send(item, of: stream)
                }
                await self.interceptors.waitUntilSent()
                self.end(stream, nil)
            } catch {
                await self.interceptors.waitUntilSent()
                self.end(stream, self.failure(error, ofHandlerAt: site))
            }
        }
    }

    /// The number of messages queued for the engine from which on a stream waits too.
    private static let roomForItems = 1_024

    /// Waits for a turn of the engine if many messages are queued for one.
    ///
    /// Credit alone does not slow a producer down: a script may grant many streams more credit than the engine can
    /// serve.
    private func waitForRoom() async {
        let runtime = state.withLock { state in
            state.queue.count > Self.roomForItems ? state.queue.runtime : nil
        }
        // The turn first handles the queued messages. Without a turn, because the runtime was closed, the stream has
        // ended.
        try? await runtime?.withContext { _ in }
    }

    private func open(for id: IncomingCallID?) throws -> (OutboundStreamID, StreamProducer)? {
        guard let id else { throw BridgeError(.unsupported, "A notification cannot open a stream.") }
        return try update { state throws(BridgeError) in
            guard let stream = try state.machine.openStream(replyingTo: id) else { return nil }
            let producer = StreamProducer()
            state.streams.producers[stream] = producer
            return (stream, producer)
        }
    }

    private func send(_ item: MessagePayload, of stream: OutboundStreamID) throws(BridgeError) -> Bool {
        try update { state throws(BridgeError) in
            let token = state.payloads.insert(item)
            var isSent = false
            defer { if !isSent { state.payloads.discard(token) } }
            isSent = try state.machine.sendItem(token, of: stream)
            return isSent
        }
    }

    private func end(_ stream: OutboundStreamID, _ error: BridgeError?) {
        update { state in
            state.streams.producers[stream] = nil
            state.machine.end(stream, error)
        }
    }

    // MARK: - Events

    @usableFromInline
    func emitByMessage(_ topic: String, _ event: some Encodable) throws -> Bool {
        guard state.withLock({ $0.machine.hasPeerListener(topic) }) else { return false }
        let payload = try takenPayload(of: event)
        let account = try currentAccount(nil)
        let isLater = try sendLater(topic) { _ = try self.emit(topic, payload, account) }
        return try isLater || emit(topic, payload, account)
    }

    private func emit(_ topic: String, _ payload: MessagePayload, _ account: WorkBudget?)
        throws(BridgeError) -> Bool
    {
        try update { state throws(BridgeError) in
            try checkRoom(for: topic, in: state)
            let token = state.payloads.insert(payload)
            let isSent = state.machine.emit(topic, token, account: account)
            if !isSent { state.payloads.discard(token) }
            return isSent
        }
    }

    func listen(to topic: String, _ listener: TopicListeners.Listener) -> BridgeSubscription {
        let id = update { state -> Int in
            let (id, count) = state.listeners.add(topic, listener)
            if count == 1 { state.machine.subscribe(topic) }
            // Scripts know whether a topic has exactly one listener.
            if count <= 2 { state.machine.noteRegistration() }
            return id
        }
        return BridgeSubscription { [weak self] in
            let removed = self?.update { state in
                let (removed, count) = state.listeners.remove(topic, id)
                if removed != nil, count == 0 { state.machine.unsubscribe(topic) }
                if count <= 1 { state.machine.noteRegistration() }
                return removed
            }
            // Release the listener outside the lock: its deinitializers may use the bridge.
            withExtendedLifetime(removed) {}
        }
    }

    /// Calls the listeners of a topic with an event.
    func tell(_ topic: String, _ event: MessagePayload) {
        for listener in state.withLock({ $0.listeners.of(topic) }) {
            guard case .sync(let body) = listener.handler.handler else { continue }
            do {
                _ = try body.run(event, in: self, at: listener.handler.site)
            } catch {
                noteUnreadEvent(of: topic, error)
            }
        }
    }

    func noteUnreadEvent(of topic: String, _ error: any Error) {
        logWarning("An event of \"\(topic)\" cannot be read. \(error)")
    }
}
