internal import Foundation

/// A writer of files, which opens them so that two writers never mix their lines and no content is lost before the
/// first write.
package enum FileWriting {
    /// An open file.
    package struct Opened: Sendable {
        /// The descriptor, which the caller must close.
        package let descriptor: Int32
        /// The path of a file that was created; `nil` for one that existed before.
        package let madePath: String?
    }

    /// The reason why a file cannot be written, in words.
    package struct Problem: Error {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// Opens a file for appending, and creates it if it does not exist.
    ///
    /// While it is open, no other caller can open it in this way. That holds for regular files; output to a pipe or a
    /// device overwrites nothing.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - mode: The permissions of a new file.
    /// - Returns: The open file.
    /// - Throws: ``Problem`` with the reason.
    package static func open(_ path: String, mode: UInt32) throws(Problem) -> Opened {
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC
        let path = target(of: path)
        var isMade = false
        var descriptor = Foundation.open(path, flags)
        if descriptor < 0, errno == ENOENT {
            descriptor = Foundation.open(path, flags | O_CREAT | O_EXCL, mode_t(mode))
            isMade = descriptor >= 0
            // Another process created it first.
            if descriptor < 0, errno == EEXIST { descriptor = Foundation.open(path, flags) }
        }
        guard descriptor >= 0 else { throw Problem(reason: String(cString: strerror(errno))) }
        var status = stat()
        // On a file system without locks the file counts as free.
        guard
            fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
                || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        else {
            close(descriptor)
            throw Problem(reason: "another process is writing it")
        }
        return Opened(descriptor: descriptor, madePath: isMade ? path : nil)
    }

    /// Opens a file as ``open(_:mode:)`` does, and truncates it.
    ///
    /// - Returns: The descriptor, which the caller must close.
    /// - Throws: The errors of ``open(_:mode:)``.
    package static func openEmpty(_ path: String, mode: UInt32) throws(Problem) -> Int32 {
        let descriptor = try open(path, mode: mode).descriptor
        // Only a regular file has content to truncate.
        ftruncate(descriptor, 0)
        return descriptor
    }

    /// Returns the target of symbolic links whose last one is dangling; any other path unchanged.
    package static func target(of path: String) -> String {
        var path = path
        var status = stat()
        // The usual limit of operating systems.
        var links = 0
        while links < 40, stat(path, &status) != 0,
            let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        {
            links += 1
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        return path
    }
}
