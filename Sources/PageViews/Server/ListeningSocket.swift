internal import Foundation

/// A socket that accepts connections on a port of the loopback interface, or at a path.
final class ListeningSocket {
    /// The descriptor, which does not block.
    let descriptor: Int32
    /// The port, or `nil` for a Unix socket.
    let port: UInt16?
    // The path of a Unix socket with its inode, to remove no other file.
    private let file: (path: String, inode: ino_t)?

    /// Begins to listen.
    ///
    /// - Throws: ``PageServerError`` with a sentence that says why it cannot.
    init(_ address: PageServerAddress) throws(PageServerError) {
        switch address {
        case .loopback(let port):
            descriptor = try Self.open(AF_INET)
            do {
                self.port = try Self.bind(descriptor, port)
            } catch {
                close(descriptor)
                throw error
            }
            file = nil
        case .socket(let path):
            descriptor = try Self.open(AF_UNIX)
            port = nil
            do {
                file = (path, try Self.bind(descriptor, path))
            } catch {
                close(descriptor)
                throw error
            }
        }
    }

    deinit {
        close(descriptor)
        guard let file else { return }
        var status = stat()
        if lstat(file.path, &status) == 0, status.st_ino == file.inode { unlink(file.path) }
    }

    private static func open(_ family: Int32) throws(PageServerError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else {
            throw PageServerError("a socket cannot be created: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    private static func bind(_ descriptor: Int32, _ port: UInt16) throws(PageServerError) -> UInt16 {
        var reuses: Int32 = 1
        // A port with connections in TIME_WAIT is free. Two servers still cannot listen on it.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withGeneric(&address) { Foundation.bind(descriptor, $0, size) == 0 }
        guard isBound, listen(descriptor, SOMAXCONN) == 0 else {
            switch errno {
            case EADDRINUSE: throw PageServerError("port \(port) is in use by another program")
            case EACCES: throw PageServerError("port \(port) needs privileges: use one of 1024 or above")
            default:
                throw PageServerError("port \(port) cannot be used: \(String(cString: strerror(errno)))")
            }
        }
        guard withGeneric(&address, { getsockname(descriptor, $0, &size) == 0 }) else {
            throw PageServerError("the port is unknown: \(String(cString: strerror(errno)))")
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func bind(_ descriptor: Int32, _ path: String) throws(PageServerError) -> ino_t {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard !bytes.isEmpty, bytes.count <= limit else {
            throw PageServerError(
                "the path of a socket has 1 to \(limit) bytes, and \(path.debugDescription) has \(bytes.count)"
            )
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw PageServerError("the path \(path.debugDescription) has a control character")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        try removeStale(path, &address)
        // The mode that the file is created with: a later chmod would leave it open meanwhile.
        guard fchmod(descriptor, 0o600) == 0 else {
            throw PageServerError("the mode of \(path) cannot be set: \(String(cString: strerror(errno)))")
        }
        let isBound = withGeneric(&address) {
            Foundation.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
        guard isBound else {
            switch errno {
            case EADDRINUSE: throw PageServerError("the path \(path) is in use")
            case EACCES, EROFS: throw PageServerError("the folder of \(path) cannot be written")
            case ENOENT, ENOTDIR: throw PageServerError("the folder of \(path) does not exist")
            default: throw PageServerError("\(path) cannot be used: \(String(cString: strerror(errno)))")
            }
        }
        var status = stat()
        guard listen(descriptor, SOMAXCONN) == 0, lstat(path, &status) == 0 else {
            throw PageServerError("\(path) cannot be used: \(String(cString: strerror(errno)))")
        }
        return status.st_ino
    }

    /// Removes a socket of a program that has ended without doing so.
    private static func removeStale(_ path: String, _ address: inout sockaddr_un) throws(PageServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw PageServerError("\(path) exists and is not a socket")
        }
        let probe = try open(AF_UNIX)
        defer { close(probe) }
        let isRefused = withGeneric(&address) {
            connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) != 0 && errno == ECONNREFUSED
        }
        guard isRefused else { throw PageServerError("the socket \(path) is in use by another program") }
        unlink(path)
    }

    private static func withGeneric<Address, Result>(
        _ address: inout Address,
        _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
