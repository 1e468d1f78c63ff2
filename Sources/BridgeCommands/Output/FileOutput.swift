#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// An open file, pipe or terminal that text is written to without a buffer.
///
/// Without a buffer, the writes to two streams keep their order, and nothing is lost however the process ends.
public struct FileOutput: TextOutput {
    /// The standard output of this process.
    public static let standardOutput = FileOutput(descriptor: STDOUT_FILENO)
    /// The standard error of this process.
    public static let standardError = FileOutput(descriptor: STDERR_FILENO)

    private let descriptor: Int32

    /// Creates an output to an open file descriptor, which the caller continues to own.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a whole string before it returns, and waits while a pipe is full.
    public func write(_ text: String) throws(OutputError) {
        var text = text
        try Self.check(text.withUTF8 { write(UnsafeRawBufferPointer($0)) })
    }

    /// Writes bytes before it returns, and waits while a pipe is full.
    public func write(bytes: [UInt8]) throws(OutputError) {
        try Self.check(bytes.withUnsafeBytes { write($0) })
    }

    private static func check(_ failure: Int32) throws(OutputError) {
        if failure == EPIPE { throw .closed }
        if failure != 0 { throw .failed(String(cString: strerror(failure))) }
    }

    /// Returns the error number of the system, or 0.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                // Another process made the pipe non-blocking, as some shells and test runners do.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// The present width of the terminal, which may change while a program runs.
    public var terminalColumns: Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

// A free function, because inside the type the name refers to the method.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
