internal import BridgeProtocol
internal import Synchronization

/// A subscription to a topic, active until ``cancel()`` or until the object is released.
public final class BridgeSubscription: Sendable {
    private let isCancelled = Mutex(false)
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { cancel() }

    /// Stops listening.
    ///
    /// Calling it again has no effect. An event that another thread is delivering may still arrive.
    public func cancel() {
        let isFirst = isCancelled.withLock { isCancelled in
            defer { isCancelled = true }
            return !isCancelled
        }
        if isFirst { onCancel() }
    }
}

extension Bridge {
    /// Emits an event of a topic to the scripts, if one of them listens to it.
    ///
    /// Events arrive in the order in which they were sent, and in order with calls.
    ///
    /// - Returns: Whether it was sent. Without a listener nothing is encoded.
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

    /// Calls a function with the events that scripts emit for a topic, as long as the returned subscription is
    /// retained.
    ///
    /// The function runs on the engine's thread, between scripts, in the order of the events: keep it short. An event
    /// that cannot be decoded as its parameter is logged and skipped. The subscription continues in every context that
    /// follows a lost one.
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

    /// Returns the events that scripts emit for a topic from now on, as a sequence.
    ///
    /// - Parameters:
    ///   - topic: The topic, any string.
    ///   - type: The type to decode the events as; an event that cannot be decoded is logged and skipped.
    ///   - count: The number of events to buffer for a slower reader; beyond it the oldest are dropped.
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
            // Release the listener outside the lock: its deinitializers may use the bridge.
            withExtendedLifetime(removed) {}
        }
    }

    /// Runs a body when the session ends, immediately if it has ended.
    func whenClosed(_ body: @escaping @Sendable () -> Void) -> BridgeSubscription {
        let id = state.withLock { state -> Int? in
            guard state.machine.state != .closed else { return nil }
            return state.lifecycle.addEnding(body)
        }
        guard let id else {
            body()
            return BridgeSubscription {}
        }
        return BridgeSubscription { [weak self] in
            let removed = self?.state.withLock { $0.lifecycle.removeEnding(id) }
            withExtendedLifetime(removed) {}
        }
    }
}
