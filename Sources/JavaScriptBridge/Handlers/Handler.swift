/// What runs when a name is called, and where it was registered.
///
/// A class, as it goes along with each request.
final class RegisteredHandler: Sendable {
    let handler: Handler
    let site: CallSite
    /// How long a call may take before it is answered with `deadlineExceeded`, whatever its caller said.
    let timeout: Duration?
    /// What ``Bridge/describe()`` of a script tells of it.
    let description: HandlerDescription?

    init(handler: Handler, site: CallSite, timeout: Duration? = nil, description: HandlerDescription? = nil) {
        self.handler = handler
        self.site = site
        self.timeout = timeout
        self.description = description
    }

    /// The handler's types, if requests for it can be read as what it takes when they come.
    var typed: (any TypedHandler)? { handler.typed }

    /// What it takes and gives, where types say so.
    var types: HandlerTypes? { handler.types }
}

/// What runs when a name is called.
enum Handler: Sendable {
    /// Runs on the engine's actor, in the turn.
    case typed(any SynchronousHandler)
    /// Runs in a task of its own.
    case typedAsync(any AsynchronousHandler)
    /// Runs on the engine's actor, in the turn, with data.
    case sync(@Sendable (Value) throws -> Value)
    /// Runs in a task of its own, with data.
    case async(@Sendable (Value) async throws -> MessagePayload)
    /// Answers with many items: the sequence is made in a task of its own and read there, for the consumer's
    /// credit.
    case stream(@Sendable (MessagePayload, BridgeSession) async throws -> any ItemSource, HandlerTypes)
    /// The ancestor's form: replies through a callback, at any time, from any thread (P49).
    case legacy(@Sendable (Value, @escaping @Sendable (Value) -> Void) -> Void)
}

extension Handler {
    /// Its types, if requests for it can be read as what it takes when they come.
    var typed: (any TypedHandler)? {
        switch self {
        case .typed(let body): body
        case .typedAsync(let body): body
        case .sync, .async, .stream, .legacy: nil
        }
    }

    /// What it takes and gives, where types say so.
    var types: HandlerTypes? {
        if case .stream(_, let types) = self { types } else { typed?.types }
    }
}

/// Handlers of Codable types, for all ways in which one can be registered.
///
/// Each learns the names of the secrets in its request's type first, so that no log shows one, not even of the first
/// message (R38).
extension Handler {
    static func answering<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) throws -> Response
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .typed(AnsweringHandler(body: body))
    }

    static func answering<Request: Decodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) throws -> Void
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .typed(SilentHandler(body: body))
    }

    static func answeringLater<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) async throws -> Response
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .typedAsync(AnsweringAsyncHandler(body: body))
    }

    static func answeringLater<Request: Decodable & SendableMetatype>(
        _ body: @escaping @Sendable (Request) async throws -> Void
    ) -> Handler {
        SecretMembers.shared.learn(Request.self)
        return .typedAsync(SilentAsyncHandler(body: body))
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
    /// What reads its requests when a script hands them over.
    var requestReader: PayloadReader { get }
    /// What it takes and gives.
    var types: HandlerTypes { get }
}

/// What a handler takes and gives.
struct HandlerTypes: Sendable {
    let request: Any.Type
    /// What it answers, or each item of its stream.
    let response: Any.Type

    /// Asks the types now what scripts will be told of them later.
    func describe() {
        _ = DescribedTypes.shared.schema(of: request, .given)
        _ = DescribedTypes.shared.schema(of: response, .got)
    }
}

/// A typed handler that answers before it returns.
///
/// A class, as transports take it up once a message: an existential of a structure is copied by its type's witnesses then
/// (a twentieth of a notification, measured).
protocol SynchronousHandler: AnyObject, TypedHandler {
    /// Runs it; `nil` where it gives nothing back.
    ///
    /// - Throws: `decodeFailed` where the payload is no request, and what the handler throws.
    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) throws
        -> MessagePayload?

    /// The type of its results; `nil` where it gives nothing back.
    var responseKind: (any PayloadKind.Type)? { get }

    /// Takes a request out of memory, and makes the result in memory.
    ///
    /// - Throws: What the handler throws. The request has gone in any case.
    func answer(_ request: UnsafeMutableRawPointer, into response: UnsafeMutableRawPointer) throws

    /// Whether requests that are text may go to ``answer(_:in:takesReferences:_:)``: data goes by the machine.
    var takesText: Bool { get }

    /// Answers a request that is text.
    ///
    /// - Parameters:
    ///   - request: The request's JSON.
    ///   - session: Whose codecs are used.
    ///   - takesReferences: Whether the caller's side takes references; `nil` where it takes nothing but JSON.
    ///   - reply: Gets the result's JSON, and what it lacks; `nil` where the handler gives nothing back.
    /// - Throws: ``TextNotRead`` where the text is not the request: the type was asked to read it, the handler was not called; else what the handler
    ///   throws, or `encodeFailed`.
    func answer(
        _ request: UnsafeBufferPointer<UInt16>,
        in session: BridgeSession,
        takesReferences: Bool?,
        _ reply: (UnsafeBufferPointer<UInt16>?, PayloadPlaces?) -> Void
    ) throws
}

/// A text is not the request that its handler takes, or not quite: a lone surrogate was repaired in it.
struct TextNotRead: Error {}

extension BridgeSession {
    /// Reads a request whose handler is called at once.
    fileprivate func request<Request: Decodable>(_ text: UnsafeBufferPointer<UInt16>) throws(TextNotRead)
        -> Request
    {
        var repairedTexts = 0
        guard let request = try? textDecoder.decode(Request.self, from: text, repairedTexts: &repairedTexts),
            repairedTexts == 0
        else { throw TextNotRead() }
        return request
    }
}

/// A typed handler that may wait.
protocol AsynchronousHandler: TypedHandler {
    /// Runs it; `nil` where it gives nothing back.
    ///
    /// - Throws: `decodeFailed` where the payload is no request, and what the handler throws.
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

    var responseKind: (any PayloadKind.Type)? { HeldKind<Response>.self }

    func answer(_ request: UnsafeMutableRawPointer, into response: UnsafeMutableRawPointer) throws {
        response.initializeMemory(
            as: Response.self,
            to: try body(request.assumingMemoryBound(to: Request.self).move())
        )
    }

    var takesText: Bool { Request.self != Value.self && Response.self != Value.self }

    func answer(
        _ request: UnsafeBufferPointer<UInt16>,
        in session: BridgeSession,
        takesReferences: Bool?,
        _ reply: (UnsafeBufferPointer<UInt16>?, PayloadPlaces?) -> Void
    ) throws {
        let response = try body(session.request(request))
        try session.textEncoder.withUnitsAndPlaces(of: response, takesReferences: takesReferences) {
            reply($0, $1)
        }
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

    var responseKind: (any PayloadKind.Type)? { nil }

    func answer(_ request: UnsafeMutableRawPointer, into response: UnsafeMutableRawPointer) throws {
        try body(request.assumingMemoryBound(to: Request.self).move())
    }

    var takesText: Bool { Request.self != Value.self }

    func answer(
        _ request: UnsafeBufferPointer<UInt16>,
        in session: BridgeSession,
        takesReferences: Bool?,
        _ reply: (UnsafeBufferPointer<UInt16>?, PayloadPlaces?) -> Void
    ) throws {
        try body(session.request(request))
        reply(nil, nil)
    }
}

struct AnsweringAsyncHandler<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>:
    AsynchronousHandler
{
    let body: @Sendable (Request) async throws -> Response
    let requestReader = PayloadReader(Request.self)
    var types: HandlerTypes { HandlerTypes(request: Request.self, response: Response.self) }
    let form = PayloadForm<Response>()

    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) async throws
        -> MessagePayload?
    {
        try form.payload(of: await body(payload.decode(by: session.textDecoder)), in: session, at: site)
    }
}

struct SilentAsyncHandler<Request: Decodable & SendableMetatype>: AsynchronousHandler {
    let body: @Sendable (Request) async throws -> Void
    let requestReader = PayloadReader(Request.self)
    var types: HandlerTypes { HandlerTypes(request: Request.self, response: Void.self) }

    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) async throws
        -> MessagePayload?
    {
        try await body(payload.decode(by: session.textDecoder))
        return nil
    }
}
