/// The files, address, secret and limits of a page server.
public struct PageServerConfiguration: Sendable {
    /// The place where the server listens.
    public var address = PageServerAddress.loopback(port: 0)
    /// The secret that a page must show.
    public var token = PageToken()
    /// The limits of requests, messages and connections.
    public var limits = PageServerLimits()
    /// The files by their paths, such as `/` or `/page.css`.
    ///
    /// The paths are compared byte by byte, and a request for another one is answered with 404. Files need no token, so
    /// they must hold no data.
    public var files: [String: PageFile] = [:]
    /// The path of the WebSocket.
    public var webSocketPath = "/bridge"

    /// Creates a configuration without files, on any port of the loopback interface.
    public init() {}
}

/// The place where a page server listens.
public enum PageServerAddress: Sendable, Hashable {
    /// A port of the loopback interface 127.0.0.1; 0 is any that is free.
    case loopback(port: UInt16)
    /// A Unix socket at a path, with mode 0600.
    ///
    /// A browser reaches it through a tunnel, such as `ssh -L 8080:/path host`. The Host header then has the port of the
    /// tunnel, so any port of a loopback name is accepted.
    case socket(path: String)
}

/// A file that a page server serves.
public struct PageFile: Sendable, Hashable {
    /// The value of the Content-Type header, such as `text/html; charset=utf-8`.
    public var contentType: String
    /// The content.
    public var bytes: [UInt8]

    /// Creates a file.
    public init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
    }
}

/// The limits of a page server, each against a client that would exhaust the program.
public struct PageServerLimits: Sendable, Hashable {
    /// The number of WebSockets, and the number of connections that are still at their request.
    ///
    /// A WebSocket beyond it is refused with 503. A connection without a complete request beyond it replaces the oldest
    /// such connection, so that idle ones cannot lock out a page.
    public var connections = 64
    /// The size of the request line and headers.
    public var requestBytes = 16 * 1024
    /// The time for a request, and for taking its response.
    public var requestTime: Duration = .seconds(10)
    /// The size of a message from a page.
    public var incomingMessageBytes = 64 * 1024
    /// The size of the parts in which a message is sent.
    ///
    /// The library copies what a socket does not take of one part.
    public var outgoingPartBytes = 64 * 1024
    /// The bytes that may wait for a connection, beyond which it is closed.
    ///
    /// Each message counts 64 more than its length.
    /// A longer message is sent if nothing else waits, up to ``outgoingMessageBytes``.
    public var outgoingBudget = 1024 * 1024
    /// The size of a message to a page.
    public var outgoingMessageBytes = 16 * 1024 * 1024
    /// The time of silence after which a page is sent a ping.
    ///
    /// The server counts whole seconds, at least one.
    public var pingTime: Duration = .seconds(20)
    /// The time of silence after which a connection is closed.
    ///
    /// A page in a debugger reads nothing and answers no ping, so this is much longer than ``pingTime``.
    public var silenceTime: Duration = .seconds(120)
    /// The time for the closing handshake, after which the connection is cut.
    public var closingTime: Duration = .seconds(2)

    /// Creates the standard limits.
    public init() {}
}
