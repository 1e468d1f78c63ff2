internal import CFileAccess
internal import Foundation

/// A regular file that is open for reading, with its size at the time of opening.
package final class RegularFile {
    /// The reason why a file cannot be opened or read.
    package enum Problem: Error, Hashable {
        /// An error of the system, with its number.
        case system(Int32)
        /// A folder, a pipe, a device or a socket instead of a regular file.
        case notRegular
        /// A symbolic link in the path, or a path that leaves the folder.
        case leadsOut
        /// A file that is larger than the limit.
        case tooLarge(bytes: Int, limit: Int)
        /// A kernel that cannot open files beneath a folder.
        case unsupported
    }

    /// The size in bytes.
    package let size: Int
    private let descriptor: Int32

    /// Opens a file at any path and follows symbolic links.
    package convenience init(path: String, maximumBytes: Int? = nil) throws(Problem) {
        try self.init(descriptor: CFileAccess_open(path), maximumBytes)
    }

    /// Opens a file beneath a folder.
    ///
    /// The path must not leave the folder, and symbolic links in it are not followed.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the folder.
    ///   - folder: The folder; symbolic links in its own path are followed.
    ///   - maximumBytes: The maximum size of the file; `nil` means no limit.
    /// - Throws: ``Problem`` with the reason.
    package convenience init(path: String, below folder: String, maximumBytes: Int?) throws(Problem) {
        let root = CFileAccess_openFolder(folder)
        guard root >= 0 else { throw .system(-root) }
        defer { close(root) }
        try self.init(descriptor: CFileAccess_openBeneath(root, path), maximumBytes)
    }

    /// Opens a file beneath an open folder.
    ///
    /// - Throws: ``Problem`` with the reason.
    package convenience init(path: String, below folder: OpenFolder, maximumBytes: Int?) throws(Problem) {
        try self.init(descriptor: CFileAccess_openBeneath(folder.descriptor, path), maximumBytes)
    }

    private init(descriptor: Int32, _ maximumBytes: Int?) throws(Problem) {
        guard descriptor >= 0 else { throw .opening(-descriptor) }
        var status = stat()
        // The status of the open file, because the path may lead to another file by now.
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw .system(number)
        }
        let size = Int(status.st_size)
        let problem: Problem? =
            if status.st_mode & S_IFMT != S_IFREG {
                .notRegular
            } else if let maximumBytes, size > maximumBytes {
                .tooLarge(bytes: size, limit: maximumBytes)
            } else {
                nil
            }
        if let problem {
            close(descriptor)
            throw problem
        }
        self.size = size
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The absolute path of the open file, without symbolic links; `nil` if the system does not provide it.
    package var realPath: String? { pathOfDescriptor(descriptor) }

    /// Reads some bytes at a position; returns 0 at the end that the file had at the time of opening.
    ///
    /// - Throws: ``Problem`` with the system's error number.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at position: Int) throws(Problem) -> Int {
        let count = min(bytes.count, size - position)
        guard count > 0 else { return 0 }
        while true {
            let result = pread(descriptor, bytes.baseAddress, count, position)
            if result >= 0 { return result }
            if errno != EINTR { throw .system(errno) }
        }
    }

    /// Reads the bytes that the file had at the time of opening.
    package func allBytes() throws(Problem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var position = 0
        while position < size {
            let result = bytes.withUnsafeMutableBytes { buffer -> Result<Int, Problem> in
                do throws(Problem) {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[position...])
                    return .success(try read(into: rest, at: position))
                } catch {
                    return .failure(error)
                }
            }
            let count = try result.get()
            // The file has become shorter.
            guard count > 0 else { break }
            position += count
        }
        bytes.removeSubrange(position...)
        return bytes
    }
}

/// A folder that is open for lookups below it, wherever its path leads later.
package final class OpenFolder: Sendable {
    let descriptor: Int32

    /// Opens a folder and follows symbolic links.
    ///
    /// - Throws: ``RegularFile/Problem`` with the reason.
    package init(path: String) throws(RegularFile.Problem) {
        descriptor = CFileAccess_openFolder(path)
        guard descriptor >= 0 else { throw .system(-descriptor) }
    }

    /// Takes over a descriptor, or reports the error that it is.
    init(descriptor: Int32) throws(RegularFile.Problem) {
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw .opening(-descriptor) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The absolute path of the open folder, without symbolic links; `nil` if the system does not provide it.
    package var realPath: String? { pathOfDescriptor(descriptor) }
}

private func pathOfDescriptor(_ descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return nil }
    return String(validating: bytes[..<count], as: UTF8.self)
}

extension RegularFile.Problem {
    /// Returns the problem of a failed opening beneath a folder.
    static func opening(_ number: Int32) -> Self {
        switch number {
        case ENOSYS: .unsupported
        case ELOOP, EXDEV: .leadsOut
        // A socket, or a pipe without a reader.
        case ENXIO: .notRegular
        default: .system(number)
        }
    }

    /// A description of the problem, without a path.
    package var reason: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .notRegular: "it is not a regular file"
        case .leadsOut: "the path has a symbolic link or leads out of the folder"
        case .tooLarge(let bytes, let limit): "it has \(bytes) bytes (limit \(limit))"
        case .unsupported: "this kernel cannot open files below a folder: openat2 needs Linux 5.6 or later"
        }
    }
}
