internal import BridgeProtocol
internal import Synchronization

/// A listener to a topic, which listens until ``cancel()`` or until nobody holds this any more.
public final class BridgeSubscription: Sendable {
    private let isCancelled = Mutex(false)
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { cancel() }

    /// Stops listening.
    ///
    /// Harmless when done twice. An event that is being delivered on another thread may still come.
    public func cancel() {
        let isFirst = isCancelled.withLock { isCancelled in
            defer { isCancelled = true }
            return !isCancelled
        }
        if isFirst { onCancel() }
    }
}

extension Bridge {
    /// Tells the scripts about a topic, if one of them listens to it.
    ///
    /// Events arrive in the order in which they were sent, and in order with calls.
    ///
    /// - Returns: Whether it was sent. Where nobody listens nothing is encoded.
    /// - Throws: ``BridgeError`` with `encodeFailed`, or `overloaded` at ``BridgeLimits/maximumQueuedMessages``.
    @discardableResult
    public func emit(_ topic: String, with event: some Encodable) throws -> Bool {
        guard session.state.withLock({ $0.machine.isHeard(topic) }) else { return false }
        let payload = try session.takenPayload(of: event)
        let account = try session.currentAccount(nil)
        return try session.update { state throws(BridgeError) in
            try session.checkRoom(for: topic, in: state)
            let token = state.payloads.insert(payload)
            let isSent = state.machine.emit(topic, token, account: account)
            if !isSent { state.payloads.discard(token) }
            return isSent
        }
    }

    /// Calls a function with what scripts tell about a topic, as long as the result is held.
    ///
    /// The function runs on the engine's thread, between scripts, in the order of the events: keep it short. An
    /// event that cannot be read as its parameter is logged and passed over. Listening goes on in every context
    /// that follows a lost one.
    public func on<Event: Decodable & SendableMetatype>(
        _ topic: String,
        _ listener: @escaping @Sendable (Event) -> Void
    ) -> BridgeSubscription {
        let session = self.session
        return session.listen(to: topic, SecretMembers.shared.learn(Event.self)) { value in
            do {
                listener(try ValueDecoder().decode(from: value))
            } catch {
                session.logWarning("An event of \"\(topic)\" cannot be read. \(error)")
            }
        }
    }

    /// What scripts tell about a topic, as a sequence that begins now.
    ///
    /// - Parameters:
    ///   - topic: The topic, any text.
    ///   - type: What to read the events as; one that cannot be is logged and passed over.
    ///   - count: How many events to keep for a reader that is slower; of more the oldest go.
    /// - Returns: The events. The sequence ends when the bridge is closed.
    public func events<Event: Decodable & Sendable>(
        _ topic: String,
        of type: Event.Type = Event.self,
        bufferingNewest count: Int = 256
    ) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(count)) { continuation in
            let subscription = on(topic) { (event: Event) in continuation.yield(event) }
            let end = session.whenClosed { continuation.finish() }
            continuation.onTermination = { _ in
                subscription.cancel()
                end.cancel()
            }
        }
    }
}

extension BridgeSession {
    func listen(
        to topic: String,
        _ shape: SecretShape?,
        _ listener: @escaping TopicListeners.Listener
    ) -> BridgeSubscription {
        let id = update { state -> Int in
            let (id, isFirst) = state.listeners.add(topic, shape, listener)
            if isFirst { state.machine.subscribe(topic) }
            return id
        }
        return BridgeSubscription { [weak self] in
            let removed = self?.update { state in
                let (removed, isLast) = state.listeners.remove(topic, id)
                if isLast { state.machine.unsubscribe(topic) }
                return removed
            }
            // Let go outside the lock: what a listener holds may use the bridge when it goes.
            withExtendedLifetime(removed) {}
        }
    }

    /// Runs a body when the session ends, at once if it has.
    func whenClosed(_ body: @escaping @Sendable () -> Void) -> BridgeSubscription {
        let id = state.withLock { state -> Int? in
            guard state.machine.state != .closed else { return nil }
            state.lastEnding += 1
            state.endings[state.lastEnding] = body
            return state.lastEnding
        }
        guard let id else {
            body()
            return BridgeSubscription {}
        }
        return BridgeSubscription { [weak self] in
            let removed = self?.state.withLock { $0.endings.removeValue(forKey: id) }
            withExtendedLifetime(removed) {}
        }
    }
}
