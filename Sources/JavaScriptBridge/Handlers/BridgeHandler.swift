internal import BridgeProtocol

/// A handler that is not registered yet, as a value: its name, its description, and its function.
///
/// Several handlers form a ``HandlerGroup``; a single one can be registered by itself.
public struct BridgeHandler: Sendable {
    /// The name within its group.
    public let name: String
    let description: HandlerDescription?
    let timeout: Duration?
    let handler: Handler
    let site: CallSite

    /// Creates a handler that runs on the engine's actor, as `Bridge.registerHandler(_:_:)` does.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: The description that discovery returns for it.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: The function to run for each call.
    public init<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ name: String,
        description: HandlerDescription? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Response
    ) {
        self.init(name, description, nil, .answering(handler), fileID, line)
    }

    /// Creates a handler without a result that runs on the engine's actor.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: The description that discovery returns for it.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: The function to run for each call.
    public init<Request: Decodable & SendableMetatype>(
        _ name: String,
        description: HandlerDescription? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Void
    ) {
        self.init(name, description, nil, .answering(handler), fileID, line)
    }

    /// Creates an asynchronous handler, as `Bridge.registerHandler(_:timeout:_:)` does.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: The description that discovery returns for it.
    ///   - timeout: The maximum duration of a call; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: The function to run for each call.
    public init<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ name: String,
        description: HandlerDescription? = nil,
        timeout: Duration? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        self.init(name, description, timeout, .answeringLater(handler), fileID, line)
    }

    /// Creates an asynchronous handler without a result.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: The description that discovery returns for it.
    ///   - timeout: The maximum duration of a call; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: The function to run for each call.
    public init<Request: Decodable & SendableMetatype>(
        _ name: String,
        description: HandlerDescription? = nil,
        timeout: Duration? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Void
    ) {
        self.init(name, description, timeout, .answeringLater(handler), fileID, line)
    }

    /// Creates a handler that answers with a stream.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: The description that discovery returns for it.
    ///   - timeout: The maximum time until the handler returns its sequence; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: The function that returns the sequence.
    public init<Request: Decodable & SendableMetatype, Items: AsyncSequence & Sendable>(
        _ name: String,
        description: HandlerDescription? = nil,
        timeout: Duration? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Items
    ) where Items.Element: Encodable {
        self.init(name, description, timeout, .streaming(handler), fileID, line)
    }

    /// Creates a handler that answers with a stream, by a function that is not asynchronous.
    ///
    /// Without this overload, a closure of one expression would be a handler without a result.
    public init<Request: Decodable & SendableMetatype, Items: AsyncSequence & Sendable>(
        _ name: String,
        description: HandlerDescription? = nil,
        timeout: Duration? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Items
    ) where Items.Element: Encodable {
        self.init(name, description, timeout, .streaming(handler), fileID, line)
    }

    private init(
        _ name: String,
        _ description: HandlerDescription?,
        _ timeout: Duration?,
        _ handler: Handler,
        _ fileID: String,
        _ line: Int
    ) {
        self.name = name
        self.description = description
        self.timeout = timeout
        self.handler = handler
        site = CallSite(handler: name, fileID: fileID, line: line)
    }
}
