/// What runs when a name is called, and where it was registered.
struct RegisteredHandler: Sendable {
    let handler: Handler
    let site: CallSite
    /// How long a call may take before it is answered with `deadlineExceeded`, whatever its caller said.
    var timeout: Duration?
    /// What ``Bridge/describe()`` of a script tells of it.
    var description: HandlerDescription?
}

/// What runs when a name is called.
enum Handler: Sendable {
    /// Runs on the engine's actor, in the turn.
    case sync(@Sendable (Value) throws -> Value)
    /// Runs in a task of its own.
    case async(@Sendable (Value) async throws -> Value)
    /// Answers with many items: the sequence is made in a task of its own and read there, for the consumer's
    /// credit.
    case stream(@Sendable (Value) async throws -> any ValueSource)
    /// The ancestor's form: replies through a callback, at any time, from any thread (P49).
    case legacy(@Sendable (Value, @escaping @Sendable (Value) -> Void) -> Void)
}
