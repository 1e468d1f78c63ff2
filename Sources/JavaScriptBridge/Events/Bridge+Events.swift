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
    @inlinable
    public func emit<Event: Encodable>(_ topic: String, with event: Event) throws -> Bool {
        let isSent = try withUnsafePointer(to: event) { try session.emitInline(topic, $0, Event.self) }
        return try isSent ?? session.emitByMessage(topic, event)
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
        let handler = RegisteredHandler(
            handler: .answering { (event: Event) in listener(event) },
            site: CallSite(function: "listener of \"\(topic)\"", fileID: #fileID, line: #line)
        )
        let shape = SecretMembers.shared.learn(Event.self)
        return session.listen(to: topic, TopicListeners.Listener(handler: handler, shape: shape))
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
