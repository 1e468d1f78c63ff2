package import BridgeProtocol

/// A recording hook at the boundary between a session and its context, which observes all messages or replays them.
///
/// All functions except ``cross(_:)`` for notes are called where the context's turns run.
package protocol RecordingHook: ContextObserver, Sendable {
    /// A Boolean value that indicates whether this replays a journal: then the session sends nothing by itself and
    /// receives nothing.
    var isReplay: Bool { get }
    /// The journal that records the entries, if there is one.
    var journal: BridgeJournal? { get }

    /// Begins the recording of a bridge.
    func begin(_ header: JournalHeader)
    /// Begins a context.
    ///
    /// - Parameter epoch: The epoch that the session would use in the ids of its calls.
    /// - Returns: The epoch to use, and the seed of the random numbers.
    func beginContext(epoch: String) -> (epoch: String, seed: UInt64)
    /// Records that the bridge's own script is installed.
    func didBegin(_ context: ReplayTarget, in javaScript: JSContext)
    /// Connects the bridge.
    func connect(_ bridge: Bridge)
    /// Returns the time of day for the script's runtime, in milliseconds.
    func date(_ now: () -> Double) -> Double
    /// Returns the time since the context began for the script's runtime, in milliseconds.
    func clock(_ now: () -> Double) -> Double
    /// Records an entry.
    ///
    /// - Returns: Whether the hook has handled it completely: the session does nothing about it.
    func cross(_ entry: JournalEntry) -> Bool
    /// Handles a synchronous request of the script.
    ///
    /// - Parameters:
    ///   - handler: The name of the handler.
    ///   - payload: The payload.
    ///   - hidesPayload: Whether a journal that leaves secrets out writes a placeholder instead of the payload.
    ///   - context: The script's context.
    /// - Returns: The answer; `nil` if the session has to answer.
    func request(
        _ handler: String,
        _ payload: Value,
        hidesPayload: Bool,
        in context: JSContext
    ) -> JournalOutcome?
}

/// The actions of a replay on a context in place of its session; they do nothing once the session is gone.
package struct ReplayTarget {
    // Weak because the session's configuration retains the replay host, which would retain the session forever.
    private weak var session: BridgeSession?
    private weak var transport: (any MessageTransport)?

    init(session: BridgeSession, transport: any MessageTransport) {
        self.session = session
        self.transport = transport
    }

    /// Sends the script a message, and then runs the microtasks.
    ///
    /// - Throws: `invalidMessage` if it is not a valid message.
    package func send(_ message: JournalMessage, in context: JSContext) throws(BridgeError) {
        guard let session, let transport else { return }
        let (message, payload) = try message.message(now: session.configuration.clock.now)
        context.willEnterOrigin()
        transport.send(message, payload.map(MessagePayload.value))
        context.runMicrotasks()
    }

    /// Passes the host a message, as if the script had sent it.
    ///
    /// A turn must be open.
    ///
    /// - Throws: `invalidMessage` if it is not a valid message.
    package func receive(_ message: JournalMessage) throws(BridgeError) {
        guard let session else { return }
        var (message, payload) = try message.message(now: session.configuration.clock.now)
        guard session.admits(&message, size: { payload?.payloadBytes ?? 0 }) else { return }
        session.receive(.message(message, payload.map(MessagePayload.value)))
    }

    /// Drains the queue of a text transport.
    package func fetch() { transport?.receive() }

    /// Runs the setup callbacks that scripts have registered.
    package func setUp(in context: JSContext) { _ = try? context.internals.invokeMethod("installBridge") }

    /// Ends all calls of the script with an error.
    package func disconnect(_ record: Value, in context: JSContext) throws {
        try context.internals.invokeMethod("disconnect", withArguments: [JSValue(record, in: context)])
        context.runMicrotasks()
    }

    /// Returns the tables of the script's side: its pending calls, requests and streams.
    package func tables(in context: JSContext) throws -> Value {
        try context.internals.invokeMethod("tables").toValue()
    }
}
