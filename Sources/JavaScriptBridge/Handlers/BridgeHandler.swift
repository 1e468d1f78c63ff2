internal import BridgeProtocol

/// A handler that is not registered yet, as a value: its name, what it does, and what runs.
///
/// Several make a ``HandlerGroup``; one can be registered by itself.
public struct BridgeHandler: Sendable {
    /// The name within its group.
    public let name: String
    let description: HandlerDescription?
    let timeout: Duration?
    let handler: Handler
    let site: CallSite

    /// Makes a handler that runs on the engine's actor, as ``Bridge/registerHandler(_:_:)`` takes it.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: What it does, for whoever asks.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: What runs.
    public init<Request: Decodable & SendableMetatype, Response: Encodable & SendableMetatype>(
        _ name: String,
        description: HandlerDescription? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Response
    ) {
        self.init(name, description, nil, .answering(handler), fileID, line)
    }

    /// Makes a handler that runs on the engine's actor and gives nothing back.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: What it does, for whoever asks.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: What runs.
    public init<Request: Decodable & SendableMetatype>(
        _ name: String,
        description: HandlerDescription? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Void
    ) {
        self.init(name, description, nil, .answering(handler), fileID, line)
    }

    /// Makes an asynchronous handler, as ``Bridge/registerHandler(_:timeout:_:)`` takes it.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: What it does, for whoever asks.
    ///   - timeout: How long a call may take; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: What runs.
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

    /// Makes an asynchronous handler that gives nothing back.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: What it does, for whoever asks.
    ///   - timeout: How long a call may take; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: What runs.
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

    /// Makes a handler that answers with a stream.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: What it does, for whoever asks.
    ///   - timeout: How long the handler may take to give its sequence; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: Makes the sequence.
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

    /// Makes a handler that answers with a stream.
    ///
    /// - Parameters:
    ///   - name: The name within the group.
    ///   - description: What it does, for whoever asks.
    ///   - timeout: How long the handler may take to give its sequence; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: Makes the sequence.
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
