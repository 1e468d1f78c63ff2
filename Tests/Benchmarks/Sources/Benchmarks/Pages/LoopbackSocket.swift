import Foundation
import PageViews

/// A connection over the loopback interface.
final class LoopbackSocket: Sendable {
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

    /// Opens the WebSocket of a page, whose frames are read as bytes.
    convenience init(page location: PageServerLocation) throws {
        let port = location.port ?? 0
        let token = "\(location)".split(separator: "=").last.map(String.init) ?? ""
        try self.init(port: port)
        send(
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
        skipHead()
    }

    deinit { close(descriptor) }

    /// Ends the connection, so that a thread that reads it returns.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

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

    /// Reads what has arrived, and returns whether the connection is still open.
    func readSome(_ buffer: inout [UInt8]) -> Bool { recv(descriptor, &buffer, buffer.count, 0) > 0 }

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
