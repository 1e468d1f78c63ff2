import Foundation

/// A client of bytes and WebSocket frames on a socket, which shares no code with the server.
final class RawClient {
    private var descriptor: Int32
    private var received: [UInt8] = []
    /// A Boolean value that indicates whether the server has closed the connection.
    private(set) var isAtEnd = false

    struct Failure: Error, CustomStringConvertible { var description: String }

    /// Creates a client for ``connect(port:)``.
    static func unconnected() throws -> RawClient { try RawClient() }

    private init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// Connects to a port.
    func connect(port: UInt16) throws {
        var address = Self.address(port)
        try connect(&address)
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Connects to a port.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = Self.address(port)
        try connect(&address)
    }

    /// Connects to a Unix socket.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try connect(&address)
    }

    private func connect<Address>(_ address: inout Address) throws {
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard code == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
    }

    /// Cuts the connection, so that the other side sees a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Sends bytes, and ignores that the server may have closed the connection.
    func send(_ bytes: some Collection<UInt8>) {
        var rest = ArraySlice(Array(bytes))
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) { send(text.utf8) }

    /// Waits for bytes, and returns whether there were any.
    @discardableResult
    func receive(within seconds: Double = 30, atMost limit: Int = 65_536) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard !isAtEnd else { return false }
        // A signal of another test interrupts both calls.
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let rest = max(0, (end - .now) / .milliseconds(1))
            let ready = poll(&request, 1, Int32(rest.rounded(.up)))
            if ready > 0 { break }
            guard ready < 0, errno == EINTR else { return false }
        }
        var buffer = [UInt8](repeating: 0, count: limit)
        var count = recv(descriptor, &buffer, limit, 0)
        while count < 0, errno == EINTR { count = recv(descriptor, &buffer, limit, 0) }
        guard count > 0 else {
            isAtEnd = true
            return false
        }
        received += buffer[..<count]
        return true
    }

    /// Reads until the server closes the connection, and returns all bytes.
    func readToEnd() throws -> String {
        while receive() {}
        guard isAtEnd else { throw Failure(description: "the server did not close the connection") }
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads the head of a response, and returns its lines.
    func readHead() throws -> [String] {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = received.firstRange(of: end) {
                let head = String(decoding: received[..<range.lowerBound], as: UTF8.self)
                received.removeSubrange(..<range.upperBound)
                return head.components(separatedBy: "\r\n")
            }
            guard receive() else {
                throw Failure(
                    description:
                        "no response, but \(String(decoding: received, as: UTF8.self).debugDescription)"
                )
            }
        }
    }

    // MARK: - Frames

    struct Frame: Equatable, CustomStringConvertible {
        var opcode: UInt8
        var isFinal = true
        var payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
        /// The code of a closing frame.
        var code: Int? { opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
        var description: String {
            "\(opcode)\(isFinal ? "" : "+") \(payload.count) \(text.prefix(40).debugDescription)"
        }
    }

    /// Returns the bytes of a frame.
    static func frame(
        _ opcode: UInt8,
        _ payload: some Collection<UInt8>,
        isFinal: Bool = true,
        reserved: UInt8 = 0,
        mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
    ) -> [UInt8] {
        let count = payload.count
        let bit: UInt8 = mask == nil ? 0 : 0x80
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        switch count {
        case ..<126: bytes.append(bit | UInt8(count))
        case ..<65_536: bytes += [bit | 126, UInt8(count >> 8), UInt8(count & 255)]
        default: bytes += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    func sendText(_ text: String) { send(Self.frame(1, Array(text.utf8))) }

    /// Reads a frame, or returns `nil` at the end of the connection.
    func readFrame(within seconds: Double = 30) throws -> Frame? {
        while true {
            if let frame = takeFrame() { return frame }
            guard receive(within: seconds) else {
                if isAtEnd { return nil }
                throw Failure(description: "no frame within \(seconds) s")
            }
        }
    }

    /// Reads a text message, of one or more frames, and skips other frames.
    func readText() throws -> String? {
        var payload: [UInt8] = []
        while let frame = try readFrame() {
            guard frame.opcode < 3 else { continue }
            payload += frame.payload
            if frame.isFinal { return String(decoding: payload, as: UTF8.self) }
        }
        return nil
    }

    /// Reads frames until one that closes, which it returns.
    func readClose() throws -> Frame? {
        while let frame = try readFrame() {
            if frame.opcode == 8 { return frame }
        }
        return nil
    }

    private func takeFrame() -> Frame? {
        guard received.count >= 2 else { return nil }
        var start = 2
        var count = Int(received[1] & 127)
        if count >= 126 {
            let size = count == 126 ? 2 : 8
            guard received.count >= 2 + size else { return nil }
            count = received[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
            start += size
        }
        guard received.count >= start + count else { return nil }
        defer { received.removeSubrange(..<(start + count)) }
        return Frame(
            opcode: received[0] & 15,
            isFinal: received[0] & 128 != 0,
            payload: Array(received[start..<start + count])
        )
    }
}
