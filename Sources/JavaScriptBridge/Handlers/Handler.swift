internal import BridgeJSON
internal import BridgeSchemas

/// A registered handler, with the place where it was registered.
///
/// It is a class because each request carries it.
final class RegisteredHandler: Sendable {
    let handler: Handler
    let site: CallSite
    /// The maximum duration of a call before it is answered with `deadlineExceeded`, regardless of its caller's
    /// timeout.
    let timeout: Duration?
    /// The description that ``Bridge/describe()`` of a script returns.
    let description: HandlerDescription?

    init(handler: Handler, site: CallSite, timeout: Duration? = nil, description: HandlerDescription? = nil) {
        self.handler = handler
        self.site = site
        self.timeout = timeout
        self.description = description
    }

    /// The handler's types, if its requests can be decoded as its request type on arrival.
    var typed: (any TypedHandler)? { handler.typed }

    /// The types of its requests and responses, if known.
    var types: HandlerTypes? { handler.types }
}

/// The function that runs when a handler is called.
enum Handler: Sendable {
    /// A function that runs on the engine's actor, in the turn.
    case sync(any SynchronousHandler)
    /// A function that runs in its own task.
    case async(any AsynchronousHandler)
    /// A function that answers with many items: its own task creates the sequence and reads it as the consumer grants
    /// credit.
    case stream(@Sendable (MessagePayload, BridgeSession) async throws -> any ItemSource, HandlerTypes)
    /// A handler of the legacy API: replies through a callback, at any time, from any thread (P49).
    case legacy(@Sendable (Value, @escaping @Sendable (Value) -> Void) -> Void)
}

extension Handler {
    /// Its types, if its requests can be decoded as its request type on arrival.
    var typed: (any TypedHandler)? {
        switch self {
        case .sync(let body): body
        case .async(let body): body
        case .stream, .legacy: nil
        }
    }

    /// The types of its requests and responses, if known.
    var types: HandlerTypes? {
        if case .stream(_, let types) = self { types } else { typed?.types }
    }

    /// A Boolean value that indicates whether it answers before it returns, so that a script may block on it.
    var isSynchronous: Bool {
        if case .sync = self { true } else { false }
    }

    /// A Boolean value that indicates whether its own task answers, and ends the work on its request.
    var hasTask: Bool {
        switch self {
        case .async, .stream: true
        case .sync, .legacy: false
        }
    }

    /// A Boolean value that indicates whether it answers with one result, so that its interceptors can begin before a
    /// table has the call.
    var answersOnce: Bool {
        switch self {
        case .sync, .async: true
        case .stream, .legacy: false
        }
    }

    var isStream: Bool {
        if case .stream = self { true } else { false }
    }

    /// A Boolean value that indicates whether it replies by a callback, at any time or never.
    var takesCallback: Bool {
        if case .legacy = self { true } else { false }
    }
}

/// Handlers of Codable types, for all functions that register one.
///
/// Each first records the names of the secret properties of its request's type. So no log shows a secret, not even of
/// the first message (R38).
extension Handler {
    static func answering<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) throws -> Response
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .sync(AnsweringHandler(body: body))
    }

    static func answering<Request: Decodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) throws -> Void
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .sync(SilentHandler(body: body))
    }

    static func answeringLater<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) async throws -> Response
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .async(AnsweringAsyncHandler(body: body))
    }

    static func answeringLater<Request: Decodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) async throws -> Void
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .async(SilentAsyncHandler(body: body))
    }

    static func streaming<Request: Decodable & SendableMetatype, Items: AsyncSequence & Sendable>(
        _ body: @escaping @Sendable (Request) async throws -> Items
    ) -> Handler where Items.Element: Encodable {
        SecretMembers.shared.learn(Request.self)
        return .stream(
            { TypedSequence(base: try await body($0.decode(by: $1.textDecoder))) },
            HandlerTypes(request: Request.self, response: Items.Element.self)
        )
    }
}

/// A handler whose request is a Swift type.
protocol TypedHandler: Sendable {
    /// The reader that decodes its requests when a script delivers them.
    var requestReader: PayloadReader { get }
    /// The types of its requests and responses.
    var types: HandlerTypes { get }
    /// The type of its results; `nil` if it has none.
    var responseKind: (any EncodedKind.Type)? { get }
}

/// The types of a handler's requests and responses.
struct HandlerTypes: Sendable {
    let request: Any.Type
    /// The type of its answer, or of each item of its stream.
    let response: Any.Type

    /// Inspects the types now, for the descriptions that scripts will read later.
    func describe() {
        _ = DescribedTypes.shared.schema(of: request, .given)
        _ = DescribedTypes.shared.schema(of: response, .got)
    }
}

/// A typed handler that answers before it returns.
///
/// It is a class because transports read it for every message: copying an existential of a structure calls the
/// witnesses of its type (measured: 5 % of a notification).
protocol SynchronousHandler: AnyObject, TypedHandler {
    /// Runs the handler; returns `nil` if it has no result.
    ///
    /// - Throws: `decodeFailed` if the payload does not match the request type, and any error that the handler throws.
    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) throws
        -> MessagePayload?

    /// Moves a request out of memory, and initializes the result in memory.
    ///
    /// - Throws: Any error that the handler throws. The request has been consumed in any case.
    func answer(_ request: UnsafeMutableRawPointer, into response: UnsafeMutableRawPointer) throws
}

/// A typed handler that may suspend.
///
/// It is a class for the same reason.
protocol AsynchronousHandler: AnyObject, TypedHandler {
    /// Runs the handler; returns `nil` if it has no result.
    ///
    /// - Throws: `decodeFailed` if the payload does not match the request type, and any error that the handler throws.
    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) async throws
        -> MessagePayload?
}

final class AnsweringHandler<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>:
    SynchronousHandler
{
    private let body: @Sendable (Request) throws -> Response
    let requestReader = PayloadReader(Request.self)
    var types: HandlerTypes { HandlerTypes(request: Request.self, response: Response.self) }
    private let form = PayloadForm<Response>()

    init(body: @escaping @Sendable (Request) throws -> Response) { self.body = body }

    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) throws
        -> MessagePayload?
    {
        try form.payload(of: body(payload.decode(by: session.textDecoder)), in: session, at: site)
    }

    var responseKind: (any EncodedKind.Type)? { HeldKind<Response>.self }

    func answer(_ request: UnsafeMutableRawPointer, into response: UnsafeMutableRawPointer) throws {
        response.initializeMemory(
            as: Response.self,
            to: try body(request.assumingMemoryBound(to: Request.self).move())
        )
    }
}

final class SilentHandler<Request: Decodable & SendableMetatype>: SynchronousHandler {
    private let body: @Sendable (Request) throws -> Void
    let requestReader = PayloadReader(Request.self)
    var types: HandlerTypes { HandlerTypes(request: Request.self, response: Void.self) }

    init(body: @escaping @Sendable (Request) throws -> Void) { self.body = body }

    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) throws
        -> MessagePayload?
    {
        try body(payload.decode(by: session.textDecoder))
        return nil
    }

    var responseKind: (any EncodedKind.Type)? { nil }

    func answer(_ request: UnsafeMutableRawPointer, into response: UnsafeMutableRawPointer) throws {
        try body(request.assumingMemoryBound(to: Request.self).move())
    }
}

final class AnsweringAsyncHandler<
    Request: Decodable & SendableMetatype,
    Response: Encodable & SendableMetatype
>: AsynchronousHandler {
    private let body: @Sendable (Request) async throws -> Response
    let requestReader = PayloadReader(Request.self)
    var types: HandlerTypes { HandlerTypes(request: Request.self, response: Response.self) }
    var responseKind: (any EncodedKind.Type)? { HeldKind<Response>.self }
    private let form = PayloadForm<Response>()

    init(body: @escaping @Sendable (Request) async throws -> Response) { self.body = body }

    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) async throws
        -> MessagePayload?
    {
        try form.payload(of: await body(payload.decode(by: session.textDecoder)), in: session, at: site)
    }
}

final class SilentAsyncHandler<Request: Decodable & SendableMetatype>: AsynchronousHandler {
    private let body: @Sendable (Request) async throws -> Void
    let requestReader = PayloadReader(Request.self)
    var types: HandlerTypes { HandlerTypes(request: Request.self, response: Void.self) }
    var responseKind: (any EncodedKind.Type)? { nil }

    init(body: @escaping @Sendable (Request) async throws -> Void) { self.body = body }

    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) async throws
        -> MessagePayload?
    {
        try await body(payload.decode(by: session.textDecoder))
        return nil
    }
}
