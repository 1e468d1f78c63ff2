public import BridgeValues
internal import Dispatch
internal import JavaScriptBridge
internal import Synchronization

/// A connection to a page, as a host needs it.
///
/// The functions may be called on any thread.
public protocol PageSocket: AnyObject, Sendable {
    /// Sends the text of a message, and returns whether the connection is open.
    func send(_ text: String) -> Bool

    /// Closes the connection with a sentence.
    func close(_ reason: String)
}

/// The views of a program for pages in browsers: each connection has a bridge and a view of its own.
///
/// ```swift
/// let host = PageHost(executor: .main) { Page(view: makeView(), content: TitledContent(title: "Rows")) }
/// let server = PageServer(configuration, handler: host)
/// print(try server.start())
/// ```
///
/// A server calls its functions on any thread; the calls for one connection are in order: opened, messages, closed.
public final class PageHost: Sendable {
    /// The parts of one connection.
    struct Guest {
        let bridge: Bridge
        let channel: PeerChannel
        let viewer: PageViewer
    }

    private let executor: PageExecutor
    private let clock: any MonotonicClock
    private let drags = PageDrags()
    private let makePage: @Sendable () throws -> Page
    // One after another and not on the server's thread: the context of a bridge takes a moment to create.
    let queue = DispatchQueue(label: "PageViews.host", qos: .userInitiated)
    let guests = Mutex<[ObjectIdentifier: Guest]>([:])
    // The bytes of each connection's messages that wait for the queue; -1 for one that has too many.
    private let waiting = Mutex<[ObjectIdentifier: Int]>([:])

    /// The bytes of messages that may wait while the bridge of a connection is made.
    static let maximumWaitingBytes = 4 * 1_024 * 1_024

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - executor: The isolation of the views.
    ///   - clock: The clock of announcements and typed letters.
    ///   - makePage: Makes the view of a connection, on the executor, each time that a page opens its view.
    public init(
        executor: PageExecutor,
        clock: any MonotonicClock = SystemClock(),
        makePage: @escaping @Sendable () throws -> Page
    ) {
        self.executor = executor
        self.clock = clock
        self.makePage = makePage
    }

    /// The number of pages that are connected.
    public var pageCount: Int { guests.withLock { $0.count } }

    /// Begins with a connection; the socket is retained until ``closed(_:reason:)``.
    public func opened(_ socket: any PageSocket) {
        waiting.withLock { $0[ObjectIdentifier(socket)] = 0 }
        queue.async { [self] in
            do {
                let channel = PeerChannel { [weak socket] text in _ = socket?.send(text) }
                let bridge = try Bridge(configuration: BridgeConfiguration(peer: channel))
                let viewer = PageViewer(executor: executor, clock: clock, drags: drags, makePage: makePage)
                try viewer.registerHandlers(on: bridge)
                let guest = Guest(bridge: bridge, channel: channel, viewer: viewer)
                guests.withLock { $0[ObjectIdentifier(socket)] = guest }
                closeAtEnd(of: bridge, socket)
            } catch {
                socket.close("The page cannot be served: \(error)")
            }
        }
    }

    /// Passes a message of the page on.
    public func received(_ text: String, from socket: any PageSocket) {
        let key = ObjectIdentifier(socket)
        let count = text.utf8.count
        let isAccepted = waiting.withLock { waiting -> Bool? in
            guard let before = waiting[key], before >= 0 else { return nil }
            let isAccepted = before + count <= Self.maximumWaitingBytes
            waiting[key] = isAccepted ? before + count : -1
            return isAccepted
        }
        guard let isAccepted else { return }
        guard isAccepted else {
            return socket.close(
                "More than \(Self.maximumWaitingBytes >> 20) MiB of messages wait for the server."
            )
        }
        queue.async { [self] in
            waiting.withLock { waiting in
                if let before = waiting[key], before >= 0 { waiting[key] = before - count }
            }
            guests.withLock { $0[key] }?.channel.receive(text)
        }
    }

    /// Closes a connection whose bridge ends by itself: nothing would answer the page.
    private func closeAtEnd(of bridge: Bridge, _ socket: any PageSocket) {
        let key = ObjectIdentifier(socket)
        Task { [states = bridge.states, weak self, weak socket] in
            for await _ in states {}
            guard let self, self.guests.withLock({ $0[key] != nil }) else { return }
            socket?.close("The bridge of the page has ended.")
        }
    }

    /// Ends with a connection: its session ends, and what it has begun is cancelled.
    public func closed(_ socket: any PageSocket, reason: String) {
        let key = ObjectIdentifier(socket)
        _ = waiting.withLock { $0.removeValue(forKey: key) }
        queue.async { [self] in
            guard let guest = guests.withLock({ $0.removeValue(forKey: key) }) else { return }
            guest.viewer.end()
            guest.channel.close(reason)
        }
    }
}
