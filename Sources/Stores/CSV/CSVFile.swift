internal import BridgeValues
internal import Foundation

/// A file that is read from start to end.
///
/// It may be a pipe or a device that never ends: each read asks the thread's limit, and so does the wait for bytes.
final class CSVFile {
    let size: Int?
    private let path: String
    private let descriptor: Int32

    /// How long a wait for bytes lasts before the limit is asked again, in milliseconds.
    private static let longestWait: Int32 = 10

    init(path: String) throws {
        // Without waiting, since a pipe that nobody writes to would be waited for by the system, under no limit.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.error(path, errno) }
        self.path = path
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? Int(status.st_size) : nil
    }

    deinit { close(descriptor) }

    /// Reads some bytes; none at the end.
    func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            try WorkLimit.check()
            guard size != nil || isReadable else { continue }
            let count = Foundation.read(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            guard errno == EAGAIN || errno == EINTR else { throw Self.error(path, errno) }
        }
    }

    /// Waits until there are bytes, or the end, but not longer than a limit may go unasked.
    private var isReadable: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, WorkLimit.current == nil ? -1 : Self.longestWait) > 0
    }

    private static func error(_ path: String, _ number: Int32) -> StoreError {
        StoreError(.cannotOpen, "\(path) cannot be read: \(String(cString: strerror(number)))")
    }
}
