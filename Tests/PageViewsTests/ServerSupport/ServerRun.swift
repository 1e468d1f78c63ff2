import Foundation
import Synchronization

@testable import PageViews

/// A running server with a handler that records what it is called with.
final class ServerRun {
    let server: PageServer
    let handler: RecordingHandler
    let location: PageServerLocation

    static let token = "0123456789abcdefghijklmnopqrstuvwxyz-_ABCDE"

    init(
        _ configure: (inout PageServerConfiguration) -> Void = { _ in },
        received: @escaping @Sendable (PageConnection, String) -> Void = { _, _ in },
        drained: @escaping @Sendable (PageConnection) -> Void = { _ in }
    ) throws {
        var configuration = PageServerConfiguration()
        configuration.token = PageToken(Self.token) ?? PageToken()
        configuration.files = [
            "/": PageFile(contentType: "text/html; charset=utf-8", bytes: Array("<!doctype html>".utf8)),
            "/page.js": PageFile(contentType: "text/javascript", bytes: Array("export {}".utf8)),
            "/large": PageFile(contentType: "text/plain", bytes: [UInt8](repeating: 65, count: 3_000_000)),
        ]
        configure(&configuration)
        handler = RecordingHandler(received: received, drained: drained)
        server = PageServer(configuration, handler: handler)
        location = try server.start()
    }

    deinit { server.stop() }

    var port: UInt16 { location.port ?? 0 }

    func connect(receiveBuffer: Int32? = nil) throws -> RawClient {
        try RawClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// Returns a handshake that the server accepts.
    func handshake() -> String { Self.handshake(port: port) }

    static func handshake(port: UInt16) -> String {
        """
        GET /bridge HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Connection: keep-alive, Upgrade\r
        Upgrade: websocket\r
        Origin: http://127.0.0.1:\(port)\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r
        Sec-WebSocket-Protocol: jsbridge, token.\(token)\r
        \r

        """
    }

    /// Opens a WebSocket.
    func open(receiveBuffer: Int32? = nil) throws -> RawClient {
        let client = try connect(receiveBuffer: receiveBuffer)
        client.send(handshake())
        let head = try client.readHead()
        guard head.first == "HTTP/1.1 101 Switching Protocols" else {
            throw RawClient.Failure(description: head.joined(separator: "|"))
        }
        return client
    }
}

/// A recorder of calls that waits for them without polling.
final class RecordingHandler: PageServerHandler {
    struct Record {
        var opened: [PageConnection] = []
        var messages: [String] = []
        var drains = 0
        var closures: [PageClosure] = []
    }

    // Unchecked because all uses hold the condition's lock.
    private final class Box: @unchecked Sendable {
        let condition = NSCondition()
        var record = Record()
    }

    private let box = Box()
    private let whenReceived: @Sendable (PageConnection, String) -> Void
    private let whenDrained: @Sendable (PageConnection) -> Void

    init(
        received: @escaping @Sendable (PageConnection, String) -> Void,
        drained: @escaping @Sendable (PageConnection) -> Void
    ) {
        whenReceived = received
        whenDrained = drained
    }

    private func note(_ change: (inout Record) -> Void) {
        box.condition.lock()
        change(&box.record)
        box.condition.broadcast()
        box.condition.unlock()
    }

    /// Waits until a condition holds, 30 seconds at most, and returns the record.
    @discardableResult
    func wait(_ isSo: (Record) -> Bool) throws -> Record {
        box.condition.lock()
        defer { box.condition.unlock() }
        let end = Date(timeIntervalSinceNow: 30)
        while !isSo(box.record) {
            guard box.condition.wait(until: end) else {
                throw RawClient.Failure(description: "the handler was called with \(box.record) only")
            }
        }
        return box.record
    }

    var record: Record {
        box.condition.lock()
        defer { box.condition.unlock() }
        return box.record
    }

    func connectionOpened(_ connection: PageConnection) { note { $0.opened.append(connection) } }
    func connection(_ connection: PageConnection, received text: String) {
        whenReceived(connection, text)
        note { $0.messages.append(text) }
    }
    func connectionDrained(_ connection: PageConnection) {
        whenDrained(connection)
        note { $0.drains += 1 }
    }
    func connection(_ connection: PageConnection, closed closure: PageClosure) {
        note { $0.closures.append(closure) }
    }
}
