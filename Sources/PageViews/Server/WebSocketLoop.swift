internal import BridgeValues
internal import CWebSockets
internal import Foundation

/// The WebSockets of a server, and the loop that waits for all its descriptors.
///
/// It is the only user of libwebsockets. The library listens to no port and reads no request: it is given sockets whose
/// requests ``RequestGate`` has read, each with a handshake written here. All methods are called on one thread.
final class WebSocketLoop {
    private let limits: PageServerLimits
    private let handler: any PageServerHandler
    private let mailbox: ServerMailbox
    // Set until `stop()`.
    private var context: OpaquePointer?
    private let settings: Settings
    private var watcher: OpaquePointer?
    // By the library's connection, and by the number of the program's.
    private var peers: [OpaquePointer: Peer] = [:]
    private var numbered: [Int: Peer] = [:]
    // The connections that the library is making WebSockets of, by descriptor.
    private var opening: [Int32: PageConnection] = [:]
    private var opened = 0

    /// A connection with what only this thread uses.
    private final class Peer {
        let connection: PageConnection
        let socket: OpaquePointer
        var incoming = IncomingMessage()
        // The message whose parts are being sent, with the library's space before it.
        var outgoing: [UInt8] = []
        var sent = 0
        var owesDrained = false
        var closure = PageClosure.lost
        // True once the closing handshake has begun.
        var isEnding = false

        init(_ connection: PageConnection, _ socket: OpaquePointer) {
            self.connection = connection
            self.socket = socket
        }
    }

    /// Creates the loop, which also watches another descriptor.
    ///
    /// - Throws: ``PageServerError`` if the library cannot start.
    init(
        watching descriptor: Int32,
        limits: PageServerLimits,
        handler: any PageServerHandler,
        mailbox: ServerMailbox
    ) throws(PageServerError) {
        self.limits = limits
        self.handler = handler
        self.mailbox = mailbox
        settings = Settings(limits)
        context = settings.createContext(user: Unmanaged.passUnretained(self).toOpaque())
        guard let context else {
            throw PageServerError("libwebsockets cannot start: memory or descriptors are short")
        }
        // The library closes what it watches.
        watcher = CWebSockets_watch(context, fcntl(descriptor, F_DUPFD_CLOEXEC, 0), settings.protocolName)
        guard watcher != nil else {
            stop()
            throw PageServerError("libwebsockets cannot watch a descriptor")
        }
        let wakeable = Wakeable(context: context)
        mailbox.setWake { wakeable.wake() }
    }

    // Unchecked because the one function that is called with it is safe on any thread, and the mailbox does not call it
    // after the context is destroyed.
    private struct Wakeable: @unchecked Sendable {
        let context: OpaquePointer
        func wake() { lws_cancel_service(context) }
    }

    /// Waits until something happens, at most until a time has passed, and handles it.
    func service(atMost limit: Duration?) {
        guard let context, let watcher else { return }
        lws_set_timer_usecs(watcher, limit.map { Int64($0.clampedNanoseconds / 1_000) + 1 } ?? -1)
        lws_service(context, 0)
    }

    /// A Boolean value that indicates whether there may be one more WebSocket.
    var canOpen: Bool { peers.count < limits.connections }

    /// Makes a WebSocket of a connection whose request was accepted.
    func open(_ upgrade: RequestGate.Upgrade) {
        guard let context else { return }
        opened += 1
        opening[upgrade.descriptor] = PageConnection(number: opened, limits: limits, mailbox: mailbox)
        let handshake = """
            GET / HTTP/1.1\r
            Host: localhost\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: \(upgrade.key)\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Protocol: \(RequestPolicy.protocolName)\r
            \r

            """
        lws_adopt_socket_readbuf(context, upgrade.descriptor, handshake, handshake.utf8.count)
        // If the library has refused it, the descriptor is closed.
        opening[upgrade.descriptor] = nil
    }

    /// Does what other threads have asked for a connection.
    func attend(_ connection: PageConnection) {
        guard let peer = numbered[connection.number] else { return }
        if connection.closure != nil {
            // The page may never read again. From the closing handshake on, the library has a limit of five seconds.
            lws_set_timeout(peer.socket, PENDING_TIMEOUT_USER_REASON_BASE, wholeSeconds(limits.closingTime))
        }
        lws_callback_on_writable(peer.socket)
    }

    /// Closes all connections and releases the library's memory.
    func stop() {
        for peer in peers.values {
            peer.connection.close(.serverStopped)
            attend(peer.connection)
        }
        // A page that does not read is not waited for.
        let clock = SystemClock()
        let end = clock.time(after: .milliseconds(200))
        while peers.values.contains(where: { !$0.isEnding }), clock.now < end {
            service(atMost: end - clock.now)
        }
        mailbox.setWake(nil)
        guard let context else { return }
        self.context = nil
        lws_context_destroy(context)
        watcher = nil
    }

    /// Returns a message as the library wants it: behind space for the header of its first part.
    static func message(_ text: String) -> [UInt8] {
        let padding = Int(CWebSockets_PRE)
        var text = text
        return text.withUTF8 { utf8 in
            [UInt8](unsafeUninitializedCapacity: padding + utf8.count) { bytes, count in
                bytes[..<padding].initialize(repeating: 0)
                _ = bytes[padding...].initialize(from: utf8)
                count = padding + utf8.count
            }
        }
    }

    // MARK: - Callbacks

    fileprivate func handle(
        _ reason: lws_callback_reasons,
        _ socket: OpaquePointer?,
        _ bytes: UnsafeMutableRawPointer?,
        _ count: Int
    ) -> Int32 {
        guard let socket else { return 0 }
        switch reason {
        case LWS_CALLBACK_ESTABLISHED:
            guard let connection = opening[lws_get_socket_fd(socket)] else { return -1 }
            let peer = Peer(connection, socket)
            peers[socket] = peer
            numbered[connection.number] = peer
            handler.connectionOpened(connection)
        case LWS_CALLBACK_RECEIVE:
            guard let peer = peers[socket] else { return -1 }
            return receive(UnsafeRawBufferPointer(start: bytes, count: count), peer)
        case LWS_CALLBACK_SERVER_WRITEABLE:
            guard let peer = peers[socket] else { return -1 }
            return write(peer)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            let payload = UnsafeRawBufferPointer(start: bytes, count: count)
            peers[socket]?.isEnding = true
            peers[socket]?.closure = .byPage(
                code: payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : 1005,
                reason: String(decoding: payload.dropFirst(2), as: UTF8.self)
            )
        case LWS_CALLBACK_CLOSED:
            guard let peer = peers.removeValue(forKey: socket) else { return 0 }
            numbered[peer.connection.number] = nil
            handler.connection(peer.connection, closed: peer.connection.finish(peer.closure))
        // A request would be one that this module has not written.
        case LWS_CALLBACK_HTTP: return -1
        default: break
        }
        return 0
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, _ peer: Peer) -> Int32 {
        // Bytes that arrive after the program has closed the connection are dropped.
        guard peer.connection.isOpen, !peer.isEnding else { return 0 }
        let outcome = peer.incoming.append(
            bytes,
            isText: lws_frame_is_binary(peer.socket) == 0,
            isLast: lws_is_final_fragment(peer.socket) != 0,
            limit: limits.incomingMessageBytes
        )
        switch outcome {
        case .needsMore: return 0
        case .complete(let text):
            handler.connection(peer.connection, received: text)
            return 0
        case .refused(let closure):
            peer.closure = closure
            return end(peer, closure)
        }
    }

    /// Sends what waits until the socket takes no more.
    private func write(_ peer: Peer) -> Int32 {
        let padding = Int(CWebSockets_PRE)
        // At most as many parts in one turn, so that a fast page does not hold up the others.
        for _ in 0..<64 {
            // Not choked also means that the library has sent what the socket did not take of the part before.
            guard lws_send_pipe_choked(peer.socket) == 0 else {
                lws_callback_on_writable(peer.socket)
                return 0
            }
            if !peer.outgoing.isEmpty, peer.sent == peer.outgoing.count - padding {
                peer.outgoing = []
                peer.connection.finishMessage()
                peer.owesDrained = true
            }
            if peer.outgoing.isEmpty {
                guard let message = peer.connection.takeMessage(padding: padding) else {
                    return wroteAll(peer)
                }
                peer.outgoing = message
                peer.sent = 0
            }
            let count = peer.outgoing.count - padding
            let part = min(count - peer.sent, limits.outgoingPartBytes)
            let isLast = peer.sent + part == count
            var kind = peer.sent == 0 ? LWS_WRITE_TEXT.rawValue : LWS_WRITE_CONTINUATION.rawValue
            if !isLast { kind |= LWS_WRITE_NO_FIN.rawValue }
            let result = peer.outgoing.withUnsafeMutableBufferPointer { bytes -> Int32 in
                guard let start = bytes.baseAddress else { return -1 }
                return lws_write(peer.socket, start + padding + peer.sent, part, lws_write_protocol(kind))
            }
            guard result >= Int32(part) else { return -1 }
            peer.sent += part
        }
        lws_callback_on_writable(peer.socket)
        return 0
    }

    private func wroteAll(_ peer: Peer) -> Int32 {
        if let closure = peer.connection.closure { return end(peer, closure) }
        if peer.owesDrained {
            peer.owesDrained = false
            handler.connectionDrained(peer.connection)
        }
        return 0
    }

    private func end(_ peer: Peer, _ closure: PageClosure) -> Int32 {
        peer.isEnding = true
        var reason = Array(closure.closingReason.utf8)
        lws_close_reason(peer.socket, lws_close_status(UInt32(closure.code)), &reason, reason.count)
        return -1
    }

    private func wholeSeconds(_ duration: Duration) -> Int32 {
        Int32(clamping: max(1, (duration + .milliseconds(999)).components.seconds))
    }

    // MARK: - The library

    /// The structures that the library reads while the context exists.
    private final class Settings {
        let protocolName: UnsafeMutablePointer<CChar>
        private let protocols: UnsafeMutablePointer<lws_protocols>
        private let retry: UnsafeMutablePointer<lws_retry_bo>
        private let limits: PageServerLimits

        // The library sets the process's action for SIGPIPE for a moment, and its log level.
        private static let creation = NSLock()

        init(_ limits: PageServerLimits) {
            self.limits = limits
            protocolName = strdup(RequestPolicy.protocolName)
            protocols = .allocate(capacity: 2)
            protocols.initialize(repeating: lws_protocols(), count: 2)
            protocols[0].name = UnsafePointer(protocolName)
            protocols[0].callback = receiveCallback
            retry = .allocate(capacity: 1)
            retry.initialize(to: lws_retry_bo())
            retry.pointee.secs_since_valid_ping = Self.seconds(limits.pingTime)
            retry.pointee.secs_since_valid_hangup = max(
                Self.seconds(limits.silenceTime),
                Self.seconds(limits.pingTime) + 1
            )
        }

        deinit {
            free(protocolName)
            protocols.deallocate()
            retry.deallocate()
        }

        private static func seconds(_ duration: Duration) -> UInt16 {
            UInt16(clamping: max(1, duration.components.seconds))
        }

        func createContext(user: UnsafeMutableRawPointer) -> OpaquePointer? {
            var info = lws_context_creation_info()
            info.port = CONTEXT_PORT_NO_LISTEN
            info.protocols = UnsafePointer(protocols)
            info.user = user
            info.gid = -1
            info.uid = -1
            // Without it the library allocates for as many descriptors as the process may have.
            info.fd_limit_per_thread = UInt32(limits.connections * 2 + 16)
            info.retry_and_idle_policy = UnsafePointer(retry)
            // No extension is ever offered: `extensions` stays nil. Compression aborted under the fuzzer.
            return Self.creation.withLock {
                lws_set_log_level(0, nil)
                var action = sigaction()
                sigaction(SIGPIPE, nil, &action)
                // The library ignores SIGPIPE for the whole process, but sends with MSG_NOSIGNAL.
                defer { sigaction(SIGPIPE, &action, nil) }
                return lws_create_context(&info)
            }
        }
    }
}

/// Passes a call of the library to its loop: a stored closure does not convert to a function of C.
private func receiveCallback(
    _ socket: OpaquePointer?,
    _ reason: lws_callback_reasons,
    _ user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawPointer?,
    _ count: Int
) -> Int32 {
    guard let socket, let context = lws_get_context(socket), let owner = lws_context_user(context) else {
        return 0
    }
    return Unmanaged<WebSocketLoop>.fromOpaque(owner).takeUnretainedValue().handle(
        reason,
        socket,
        bytes,
        count
    )
}
