internal import Foundation

/// A socket that listens on the loopback interface.
///
/// The server of pages has its own, with Unix sockets and functions of Linux: no lower module is about sockets.
struct ServerSocket {
    let descriptor: Int32
    let port: Int

    init(port: Int) throws(DebugServerError) {
        guard let number = UInt16(exactly: port) else {
            throw DebugServerError("the port \(port) is not between 0 and 65535")
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.error("open a socket") }
        var reuses: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, size) == 0, listen(descriptor, 8) == 0 else { return false }
                return getsockname(descriptor, address, &size) == 0
            }
        }
        guard status else {
            let error = Self.error("listen on port \(port) of 127.0.0.1")
            Foundation.close(descriptor)
            throw error
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        self.descriptor = descriptor
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    private static func error(_ action: String) -> DebugServerError {
        DebugServerError("cannot \(action): \(String(cString: strerror(errno)))")
    }

    /// Accepts a connection; `nil` if none waits.
    func accept() -> Int32? {
        let client = Foundation.accept(descriptor, nil, nil)
        guard client >= 0 else { return nil }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        var sendsImmediately: Int32 = 1
        setsockopt(
            client,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &sendsImmediately,
            socklen_t(MemoryLayout<Int32>.size)
        )
        return client
    }
}
