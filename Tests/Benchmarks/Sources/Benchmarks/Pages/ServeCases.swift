import BenchmarkHarness
import Foundation
import PageViews
import Synchronization

/// Messages to a page that reads as fast as it can.
@MainActor let serveCases = [
    BenchmarkCase(
        "serve.push",
        baseline:
            "a loop that sends the same bytes, of frames made before, over a socket of the loopback interface",
        granularity: 100,
        wanted: 0.3
    ) {
        let server = PageServer(PageServerConfiguration(), handler: MessageSource())
        let location = try server.start()
        let port = location.port ?? 0
        let token = "\(location)".split(separator: "=").last.map(String.init) ?? ""
        let page = try LoopbackSocket(port: port)
        page.send(
            Array(
                """
                GET /bridge HTTP/1.1\r
                Host: 127.0.0.1:\(port)\r
                Origin: http://127.0.0.1:\(port)\r
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Protocol: jsbridge, token.\(token)\r
                \r

                """.utf8
            )
        )
        page.skipHead()
        let bare = try BareSender()
        return Contest(
            plain: .synchronous { operations in Outcome(Double(bare.run(operations))) },
            ours: .synchronous { operations in
                // A masked frame, with a mask of zeros.
                let request = Array("\(operations)".utf8)
                page.send([0x81, 0x80 | UInt8(request.count), 0, 0, 0, 0] + request)
                let count = page.read(operations * MessageSource.frameLength)
                withExtendedLifetime(server) {}
                return Outcome(Double(count / MessageSource.frameLength))
            },
            expected: { Double($0) }
        )
    }
]

/// A handler that sends as many messages as it was asked for, as the socket takes them.
private final class MessageSource: PageServerHandler {
    /// The bytes of a message of 256 with its header.
    static let frameLength = 260
    private static let text = String(repeating: "x", count: 256)

    private let remaining = Mutex(0)

    func connection(_ connection: PageConnection, received text: String) {
        remaining.withLock { $0 = Int(text) ?? 0 }
        connectionDrained(connection)
    }

    func connectionDrained(_ connection: PageConnection) {
        remaining.withLock { remaining in
            while remaining > 0, connection.waitingByteCount < 256 * 1_024 {
                connection.send(Self.text)
                remaining -= 1
            }
        }
    }
}

/// A thread that sends frames over a connection of its own.
private final class BareSender {
    private let page: LoopbackSocket
    private let sender: LoopbackSocket
    private let frame = [0x81, 126, 1, 0] + [UInt8](repeating: UInt8(ascii: "x"), count: 256)

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = LoopbackSocket.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, size)
                _ = listen(listener, 1)
                _ = getsockname(listener, $0, &size)
            }
        }
        page = try LoopbackSocket(port: UInt16(bigEndian: address.sin_port))
        sender = LoopbackSocket(descriptor: accept(listener, nil, nil))
    }

    func run(_ operations: Int) -> Int {
        let thread = Thread { [sender, frame] in
            for _ in 0..<operations { sender.send(frame) }
        }
        thread.start()
        return page.read(operations * frame.count) / frame.count
    }
}

/// A connection over the loopback interface.
private final class LoopbackSocket: Sendable {
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    convenience init(port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw CocoaError(.fileReadUnknown) }
        self.init(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Reads the head of the response to the handshake.
    func skipHead() {
        var end = 0
        var byte: UInt8 = 0
        while end < 4, recv(descriptor, &byte, 1, 0) == 1 { end = byte == 13 || byte == 10 ? end + 1 : 0 }
    }

    /// Reads bytes, and returns their number.
    func read(_ count: Int) -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        while total < count {
            let read = recv(descriptor, &buffer, min(buffer.count, count - total), 0)
            guard read > 0 else { break }
            total += read
        }
        return total
    }
}
