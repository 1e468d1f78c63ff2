internal import BridgeValues
internal import Synchronization

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
    /// A lock that is held while bytes are taken from the input.
    private static let isTaken = Mutex(())

    /// Runs a closure that reads the input itself, such as an answer; ``next()`` returns nothing meanwhile.
    static func withExclusiveUse<Result>(_ body: () -> Result) -> Result { isTaken.withLock { _ in body() } }

    /// Waits for the next bytes and returns them; none at the end, and for an input that is closed.
    ///
    /// - Throws: ``BridgeError`` with the system's reason.
    static func next() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        while true {
            wait(milliseconds: -1)
            // Another reader may have taken the bytes that have arrived.
            let count = isTaken.withLock { _ in
                wait(milliseconds: 0) ? read(STDIN_FILENO, &bytes, bytes.count) : nil
            }
            guard let count else { continue }
            if count >= 0 { return Array(bytes.prefix(count)) }
            switch errno {
            case EINTR, EAGAIN, EWOULDBLOCK: continue
            // The parent closed it.
            case EBADF: return []
            default:
                let reason = String(cString: strerror(errno))
                throw BridgeError("process.inputFailed", "standard input cannot be read: \(reason)")
            }
        }
    }

    /// Waits until bytes or the end have arrived, or the time is over; returns whether they have.
    @discardableResult
    private static func wait(milliseconds: Int32) -> Bool {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
