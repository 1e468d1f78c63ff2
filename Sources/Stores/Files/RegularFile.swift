internal import BridgeValues
internal import CFileAccess
internal import Foundation

/// A regular file that is open for reading, with the size that it had when it was opened.
package final class RegularFile {
    /// Why a file is not opened.
    package enum Problem: Error, Hashable {
        /// The system says so; the number is its error.
        case system(Int32)
        /// It is a folder, a pipe, a device or a socket.
        case notRegular
        /// A symbolic link, or a path that leads out of the folder, is on the way.
        case leadsOut
        /// It is larger than the limit.
        case tooLarge(bytes: Int)
        /// The kernel cannot open files below a folder.
        case unsupported
    }

    /// The size in bytes.
    package let size: Int
    private let descriptor: Int32

    /// Opens a file wherever it is; symbolic links are followed.
    package convenience init(path: String, maximumBytes: Int? = nil) throws(Problem) {
        try self.init(descriptor: CFileAccess_open(path), maximumBytes)
    }

    /// Opens a file below a folder, from which no path and no symbolic link leads out; no link is followed.
    ///
    /// - Parameters:
    ///   - path: The path, which begins at the folder.
    ///   - folder: The folder; links on the way to it are followed.
    ///   - maximumBytes: How large the file may be; `nil` means no limit.
    /// - Throws: ``Problem`` that says why the file is not opened.
    package convenience init(path: String, below folder: String, maximumBytes: Int?) throws(Problem) {
        let root = CFileAccess_openFolder(folder)
        guard root >= 0 else { throw .system(-root) }
        defer { close(root) }
        try self.init(descriptor: CFileAccess_openBeneath(root, path), maximumBytes)
    }

    private init(descriptor: Int32, _ maximumBytes: Int?) throws(Problem) {
        switch descriptor {
        case 0...: break
        case -ENOSYS: throw .unsupported
        case -ELOOP, -EXDEV: throw .leadsOut
        // A socket.
        case -ENXIO: throw .notRegular
        default: throw .system(-descriptor)
        }
        var status = stat()
        // Of what was opened, not of what the path leads to by now.
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
                .tooLarge(bytes: size)
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

    /// The absolute path of what is open, without symbolic links; `nil` where the system does not say it.
    package var realPath: String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(validating: bytes[..<count], as: UTF8.self)
    }

    /// Reads some bytes at a position; 0 at the end that the file had when it was opened.
    ///
    /// - Throws: The system's error number as a problem.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at position: Int) throws(Problem) -> Int {
        let count = min(bytes.count, size - position)
        guard count > 0 else { return 0 }
        while true {
            let result = pread(descriptor, bytes.baseAddress, count, position)
            if result >= 0 { return result }
            if errno != EINTR { throw .system(errno) }
        }
    }
}

extension RegularFile.Problem {
    /// The problem in words, without a path.
    package var reason: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .notRegular: "it is not a regular file"
        case .leadsOut: "a symbolic link or a path that leads out of the folder is on the way"
        case .tooLarge(let bytes): "it has \(bytes) bytes"
        case .unsupported: "this kernel cannot open files below a folder: openat2 needs Linux 5.6 or later"
        }
    }
}

extension CSVReader {
    /// Makes a reader of a file that is open, from its start.
    ///
    /// - Parameters:
    ///   - file: The file; several readers may read it.
    ///   - name: The file as errors name it.
    ///   - nameForScripts: The file as errors name it to scripts.
    ///   - delimiter: What stands between fields.
    /// - Throws: ``StoreError`` with the code `invalidRequest` for a delimiter that cannot be one.
    package convenience init(
        _ file: RegularFile,
        name: String,
        nameForScripts: String,
        delimiter: Character = ","
    ) throws {
        var position = 0
        let separator = try Self.delimiterByte(delimiter)
        self.init(
            name: name,
            nameForScripts: nameForScripts,
            totalBytes: file.size,
            chunkBytes: 1 << 17,
            delimiter: separator
        ) { bytes in
            try WorkLimit.check()
            do throws(RegularFile.Problem) {
                let count = try file.read(into: bytes, at: position)
                position += count
                return count
            } catch {
                throw StoreError(
                    .cannotOpen,
                    "\(name) cannot be read: \(error.reason)",
                    forScripts: "\(MessageText.quoted(nameForScripts)) cannot be read: \(error.reason)"
                )
            }
        }
    }
}
