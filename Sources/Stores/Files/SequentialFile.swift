internal import BridgeValues
internal import Foundation

/// A file that is read sequentially from start to end.
///
/// The file may be a pipe or a device that never ends. Therefore every read and every wait for bytes checks the
/// thread's work limit.
package final class SequentialFile {
    let size: Int?
    private let path: String
    private let descriptor: Int32

    /// The longest wait for bytes between two checks of the limit, in milliseconds.
    private static let longestWait: Int32 = 10

    package init(path: String) throws {
        // Nonblocking: opening a pipe without a writer would otherwise block in the system, outside of any limit.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.error(path, errno) }
        self.path = path
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? Int(status.st_size) : nil
    }

    deinit { close(descriptor) }

    /// Reads some bytes and returns their number; 0 at the end of the file.
    package func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            try WorkLimit.check()
            guard size != nil || isReadable else { continue }
            let count = Foundation.read(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            guard errno == EAGAIN || errno == EINTR else { throw Self.error(path, errno) }
        }
    }

    /// A Boolean value that indicates whether bytes or the end of the file are available; waits for at most
    /// ``longestWait`` if a limit is set.
    private var isReadable: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, WorkLimit.current == nil ? -1 : Self.longestWait) > 0
    }

    private static func error(_ path: String, _ number: Int32) -> StoreError {
        StoreError(.cannotOpen, "\(path) cannot be read: \(String(cString: strerror(number)))")
    }
}
