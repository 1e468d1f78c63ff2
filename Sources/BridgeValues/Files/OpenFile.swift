internal import CFileAccess
package import Foundation

/// A regular file that is open for reading or writing.
package final class OpenFile: Sendable {
    private let descriptor: Int32

    /// Takes over a descriptor, or reports the error that it is.
    ///
    /// - Throws: ``RegularFile/Problem``, also for a pipe, a device, a folder, or a file that shows the kernel.
    init(descriptor: Int32) throws(RegularFile.Problem) {
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw .opening(-descriptor) }
        // The status of the open file, because the path may lead to another file by now.
        switch try status().kind {
        case .file: break
        case .directory: throw .system(EISDIR)
        case .symbolicLink: throw .leadsOut
        case .other: throw .notRegular
        }
        // Such a file has secrets of other processes and no size, and some of them change the system when they are written.
        guard CFileAccess_showsKernel(descriptor) == 0 else { throw .notRegular }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the status of the open file.
    package func status() throws(RegularFile.Problem) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        return FileStatus(status)
    }

    /// Reads at most some number of bytes; returns none at the end.
    package func read(upTo count: Int) throws(RegularFile.Problem) -> Data {
        var bytes = Data(count: count)
        while true {
            let result = bytes.withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
            if result >= 0 { return bytes.prefix(result) }
            if errno != EINTR { throw .system(errno) }
        }
    }

    /// Writes all bytes.
    package func write(_ bytes: Data) throws(RegularFile.Problem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if result >= 0 {
                rest = rest.dropFirst(result)
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// Sets the permission bits.
    package func setMode(_ mode: UInt32) throws(RegularFile.Problem) {
        guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .system(errno) }
    }
}
