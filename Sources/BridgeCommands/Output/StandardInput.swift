internal import BridgeValues

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The standard input of this process, in the parts in which it arrives.
enum StandardInput {
    private static let maximumBytes = 64 << 10

    /// Waits for the next bytes and returns them; none at the end, and for an input that is closed.
    ///
    /// - Throws: ``BridgeError`` with the system's reason.
    static func next() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        while true {
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count >= 0 { return Array(bytes.prefix(count)) }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK:
                // Another process made the pipe non-blocking.
                var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                poll(&wait, 1, -1)
            // The parent closed it.
            case EBADF: return []
            default:
                let reason = String(cString: strerror(errno))
                throw BridgeError("process.inputFailed", "standard input cannot be read: \(reason)")
            }
        }
    }
}
