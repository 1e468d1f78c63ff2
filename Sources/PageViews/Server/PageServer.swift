internal import Synchronization

/// A server of files and WebSockets for pages in a browser on the same machine.
///
/// It listens to the loopback interface or a Unix socket, and has one thread.
///
/// ```swift
/// var configuration = PageServerConfiguration()
/// configuration.files["/"] = PageFile(contentType: "text/html; charset=utf-8", bytes: Array(html.utf8))
/// let server = PageServer(configuration, handler: echo)
/// print(try server.start())  // http://127.0.0.1:43117/#token=...
/// ```
///
/// A page opens its WebSocket with the subprotocols `jsbridge` and `token.`, followed by the token from the fragment of
/// its address. Requests of other hosts, of pages of other origins, and WebSockets without the token are refused.
public final class PageServer: Sendable {
    /// The configuration.
    public let configuration: PageServerConfiguration
    private let handler: any PageServerHandler
    private let state = Mutex(State())

    private struct State {
        var thread: ServerThread?
        var location: PageServerLocation?
    }

    /// Creates a server that is not started.
    ///
    /// - Parameters:
    ///   - configuration: What to serve, and where.
    ///   - handler: What is called for each connection. The server retains it.
    public init(_ configuration: PageServerConfiguration, handler: any PageServerHandler) {
        self.configuration = configuration
        self.handler = handler
    }

    deinit { stop() }

    /// Starts to accept connections.
    ///
    /// - Returns: Where the server is. A server that runs returns the same again.
    /// - Throws: ``PageServerError`` if the address cannot be used.
    @discardableResult
    public func start() throws(PageServerError) -> PageServerLocation {
        try state.withLock { state throws(PageServerError) in
            if let location = state.location { return location }
            let listener = try ListeningSocket(configuration.address)
            let thread = try ServerThread(
                listener: listener,
                policy: RequestPolicy(configuration, port: listener.port),
                limits: configuration.limits,
                handler: handler
            )
            let location = PageServerLocation(configuration, port: listener.port)
            state.thread = thread
            state.location = location
            return location
        }
    }

    /// Closes all connections and ends the thread.
    ///
    /// It returns when the thread has ended, so that the handler is not called any more, unless the handler calls it.
    /// The server can be started again.
    public func stop() {
        let thread = state.withLock { state in
            let thread = state.thread
            state = State()
            return thread
        }
        thread?.stop()
    }
}

/// The place of a running server.
public struct PageServerLocation: Sendable, Hashable, CustomStringConvertible {
    /// The port, or `nil` for a Unix socket.
    public let port: UInt16?
    /// The path of the Unix socket, or `nil` for a port.
    public let path: String?
    private let token: String

    init(_ configuration: PageServerConfiguration, port: UInt16?) {
        self.port = port
        if case .socket(let path) = configuration.address { self.path = path } else { path = nil }
        token = configuration.token.string
    }

    /// The address with the secret, in one line: of the page to open, or of the Unix socket.
    public var description: String {
        if let path { return "unix:\(path)#token=\(token)" }
        return "http://127.0.0.1:\(port ?? 0)/#token=\(token)"
    }
}
