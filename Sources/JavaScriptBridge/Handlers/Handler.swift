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

/// Handlers of Codable types, for all ways in which one can be registered.
///
/// Each learns the secrets of its request's type first, so that no log shows one, not even of the first message (R38).
extension Handler {
    static func answering<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) throws -> Response
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .sync { try ValueEncoder().encode(body(ValueDecoder().decode(from: $0))) }
    }

    static func answering<Request: Decodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) throws -> Void
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .sync {
            try body(ValueDecoder().decode(from: $0))
            return .undefined
        }
    }

    static func answeringLater<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) async throws -> Response
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .async { try ValueEncoder().encode(await body(ValueDecoder().decode(from: $0))) }
    }

    static func answeringLater<Request: Decodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) async throws -> Void
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .async {
            try await body(ValueDecoder().decode(from: $0))
            return .undefined
        }
    }

    static func streaming<Request: Decodable & SendableMetatype, Items: AsyncSequence & Sendable>(
        _ body: @escaping @Sendable (Request) async throws -> Items
    ) -> Handler where Items.Element: Encodable {
        SecretMembers.shared.learn(Request.self)
        return .stream { EncodedSequence(base: try await body(ValueDecoder().decode(from: $0))) }
    }
}
