internal import BridgeProtocol
internal import Foundation

/// The replacement of a file's content as a whole, without a change to what the file is.
enum FileReplacement {
    /// Replaces the content of a file, or creates it.
    ///
    /// Symbolic links are followed. A regular file is replaced by a new one with the same permissions, so that a reader
    /// never finds a part of it. Pipes, devices, and files with other names or another owner are written in place.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - path: The path of the file.
    ///   - mode: The permissions of a new file, which the mask of the process narrows.
    /// - Throws: `FileWriting.Problem` with the reason, without the path.
    static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o666) throws(FileWriting.Problem) {
        let path = target(of: path)
        var status = stat()
        guard stat(path, &status) == 0 else { return try replace(path, by: bytes, mode: mode, isNew: true) }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        guard isRegular, status.st_nlink == 1, status.st_uid == geteuid() else {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (isRegular ? O_TRUNC : 0))
            guard descriptor >= 0 else { throw problem() }
            defer { close(descriptor) }
            return try write(bytes, to: descriptor)
        }
        try replace(path, by: bytes, mode: status.st_mode & 0o777, isNew: false)
    }

    private static func replace(
        _ path: String,
        by bytes: [UInt8],
        mode: UInt32,
        isNew: Bool
    ) throws(FileWriting.Problem) {
        let temporary = "\(path).\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw problem() }
        defer { close(descriptor) }
        do throws(FileWriting.Problem) {
            // Not narrowed by the mask of this process, as the mode of a new file is.
            if !isNew, fchmod(descriptor, mode) != 0 { throw problem() }
            try write(bytes, to: descriptor)
            if rename(temporary, path) != 0 { throw problem() }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileWriting.Problem) {
        do throws(OutputError) {
            try FileOutput(descriptor: descriptor).write(bytes: bytes)
        } catch {
            switch error {
            case .closed: throw FileWriting.Problem(reason: "nothing reads it")
            case .failed(let reason): throw FileWriting.Problem(reason: reason)
            }
        }
    }

    private static func problem() -> FileWriting.Problem {
        FileWriting.Problem(reason: String(cString: strerror(errno)))
    }

    /// Returns the path of a file without symbolic links, because a link that is replaced would be lost.
    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return FileWriting.target(of: path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
