package import BridgeProtocol

/// What stands at the border between a session and its context: it sees all that crosses, or has it cross again.
///
/// All but ``cross(_:)`` of notes is called where the context's turns run.
package protocol CrossingPort: ContextObserver, Sendable {
    /// Whether this does what a journal says: then the session sends nothing by itself and is told of nothing.
    var isReplay: Bool { get }
    /// What writes down what crosses, if anything does.
    var journal: BridgeJournal? { get }

    /// A bridge begins.
    func begin(_ header: JournalHeader)
    /// A context begins.
    ///
    /// - Parameter epoch: What the session would have in the ids of its calls.
    /// - Returns: What they have, and what its random numbers come from.
    func beginContext(epoch: String) -> (epoch: String, seed: UInt64)
    /// The bridge's own script is in its place.
    func didBegin(_ context: ReplayedContext, in javaScript: JSContext)
    /// The bridge is there.
    func connect(_ bridge: Bridge)
    /// The script's runtime asks for the time of day, in milliseconds.
    func date(_ now: () -> Double) -> Double
    /// The script's runtime asks for the time since its context began, in milliseconds.
    func clock(_ now: () -> Double) -> Double
    /// Something crosses.
    ///
    /// - Returns: Whether that is all: the session does nothing about it.
    func cross(_ entry: JournalEntry) -> Bool
    /// The script asks and waits.
    ///
    /// - Parameters:
    ///   - handler: Whom it asks.
    ///   - payload: With what.
    ///   - hidesPayload: Whether a journal that leaves secrets out has a mark in the place of the payload.
    ///   - context: The script's context.
    /// - Returns: The answer; `nil` where the session has to give it.
    func request(
        _ handler: String,
        _ payload: Value,
        hidesPayload: Bool,
        in context: JSContext
    ) -> JournalOutcome?
}

/// What a replay does to a context in the place of its session; nothing once that is gone.
package struct ReplayedContext {
    // Whoever has this is held by the session's configuration, and would hold the session for ever.
    private weak var session: BridgeSession?
    private weak var transport: (any EngineTransport)?

    init(session: BridgeSession, transport: any EngineTransport) {
        self.session = session
        self.transport = transport
    }

    /// Gives the script a message, and runs what promises wait for then.
    ///
    /// - Throws: `invalidMessage` where it is none.
    package func send(_ message: JournalMessage, in context: JSContext) throws(BridgeError) {
        guard let session, let transport else { return }
        let (message, payload) = try message.message(now: session.configuration.clock.now)
        context.willEnterOrigin()
        transport.send(message, payload.map(MessagePayload.value), in: context)
        context.runMicrotasks()
    }

    /// Gives the host a message, as if the script had sent it.
    ///
    /// A turn must be open.
    ///
    /// - Throws: `invalidMessage` where it is none.
    package func receive(_ message: JournalMessage) throws(BridgeError) {
        guard let session else { return }
        var (message, payload) = try message.message(now: session.configuration.clock.now)
        guard session.admits(&message, size: { payload?.payloadBytes ?? 0 }) else { return }
        let received = message
        session.update(isInTurn: true) { state in
            state.machine.receive(received.carrying(payload.map { state.payloads.insert($0) }))
        }
    }

    /// Empties the queue of a text transport.
    package func fetch(in context: JSContext) { transport?.receive(in: context) }

    /// Runs the set-up callbacks that scripts have left.
    package func setUp(in context: JSContext) { _ = try? context.internals.invokeMethod("installBridge") }

    /// Ends all calls of the script with an error.
    package func disconnect(_ record: Value, in context: JSContext) throws {
        try context.internals.invokeMethod("disconnect", withArguments: [JSValue(record, in: context)])
        context.runMicrotasks()
    }

    /// What the script's side has in hand.
    package func tables(in context: JSContext) throws -> Value {
        try context.internals.invokeMethod("tables").toValue()
    }
}
