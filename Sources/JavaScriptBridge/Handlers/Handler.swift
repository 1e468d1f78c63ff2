/// What runs when a name is called, and where it was registered.
struct RegisteredHandler: Sendable {
    let handler: Handler
    let site: CallSite
    /// What it takes and gives, where types say so.
    var types: HandlerTypes?
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

/// What a handler takes and gives.
///
/// Types are kept, and looked at only for who asks: a schema costs some microseconds.
struct HandlerTypes: Sendable {
    let request: Any.Type
    /// What it answers, or each item of its stream.
    let response: Any.Type
}

/// A handler with its types.
struct TypedHandler: Sendable {
    let handler: Handler
    let types: HandlerTypes?

    init(_ handler: Handler, _ request: Any.Type, _ response: Any.Type) {
        self.handler = handler
        types = HandlerTypes(request: request, response: response)
    }

    private init(_ handler: Handler) {
        self.handler = handler
        types = nil
    }

    /// A handler of the ancestor's form, which says nothing of its types.
    static func legacy(
        _ body: @escaping @Sendable (Value, @escaping @Sendable (Value) -> Void) -> Void
    ) -> TypedHandler { TypedHandler(.legacy(body)) }
}

/// Handlers of Codable types, for all ways in which one can be registered.
///
/// Each learns the secrets of its request's type first, so that no log shows one, not even of the first message (R38).
extension TypedHandler {
    static func answering<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) throws -> Response
    ) -> TypedHandler {
        SecretMembers.shared.learn(Request.self)
        return TypedHandler(
            .sync { try ValueEncoder().encode(body(ValueDecoder().decode(from: $0))) },
            Request.self,
            Response.self
        )
    }

    static func answering<Request: Decodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) throws -> Void
    ) -> TypedHandler {
        SecretMembers.shared.learn(Request.self)
        return TypedHandler(
            .sync {
                try body(ValueDecoder().decode(from: $0))
                return .undefined
            },
            Request.self,
            Void.self
        )
    }

    static func answeringLater<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) async throws -> Response
    ) -> TypedHandler {
        SecretMembers.shared.learn(Request.self)
        return TypedHandler(
            .async { try ValueEncoder().encode(await body(ValueDecoder().decode(from: $0))) },
            Request.self,
            Response.self
        )
    }

    static func answeringLater<Request: Decodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) async throws -> Void
    ) -> TypedHandler {
        SecretMembers.shared.learn(Request.self)
        return TypedHandler(
            .async {
                try await body(ValueDecoder().decode(from: $0))
                return .undefined
            },
            Request.self,
            Void.self
        )
    }

    static func streaming<Request: Decodable & SendableMetatype, Items: AsyncSequence & Sendable>(
        _ body: @escaping @Sendable (Request) async throws -> Items
    ) -> TypedHandler where Items.Element: Encodable {
        SecretMembers.shared.learn(Request.self)
        return TypedHandler(
            .stream { EncodedSequence(base: try await body(ValueDecoder().decode(from: $0))) },
            Request.self,
            Items.Element.self
        )
    }
}
