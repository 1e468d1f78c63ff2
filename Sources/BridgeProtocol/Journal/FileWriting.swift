package import Foundation

/// Opens files for writing, so that no two writers mix their lines and nothing is lost before something is written.
package enum FileWriting {
    /// A file that is open.
    package struct Opened: Sendable {
        /// Its descriptor, which is the caller's to close.
        package let descriptor: Int32
        /// The path of a file that was not there before; `nil` for one that was.
        package let madePath: String?
    }

    /// Why a file cannot be written, in some words.
    package struct Problem: Error {
        package let reason: String
    }

    /// Opens a file and leaves what is in it; it is made where it is not there.
    ///
    /// While it is open nobody else opens it in this way. That holds for plain files: what is written to a pipe or a
    /// device is not written over.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: Who may use it, if it is made.
    /// - Returns: The open file.
    /// - Throws: ``Problem`` that says why not.
    package static func open(_ path: String, mode: mode_t) throws(Problem) -> Opened {
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC
        let path = target(of: path)
        var isMade = false
        var descriptor = Foundation.open(path, flags)
        if descriptor < 0, errno == ENOENT {
            descriptor = Foundation.open(path, flags | O_CREAT | O_EXCL, mode)
            isMade = descriptor >= 0
            // Somebody else was faster.
            if descriptor < 0, errno == EEXIST { descriptor = Foundation.open(path, flags) }
        }
        guard descriptor >= 0 else { throw Problem(reason: String(cString: strerror(errno))) }
        var status = stat()
        // A file system that has no locks refuses nobody.
        guard
            fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
                || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        else {
            close(descriptor)
            throw Problem(reason: "somebody else is writing it")
        }
        return Opened(descriptor: descriptor, madePath: isMade ? path : nil)
    }

    /// Opens a file as ``open(_:mode:)`` does, and empties it.
    ///
    /// - Returns: Its descriptor, which is the caller's to close.
    /// - Throws: As ``open(_:mode:)``.
    package static func openEmpty(_ path: String, mode: mode_t) throws(Problem) -> Int32 {
        let descriptor = try open(path, mode: mode).descriptor
        // What is no plain file has nothing to lose.
        ftruncate(descriptor, 0)
        return descriptor
    }

    /// Where a path leads through links of which the last leads to nothing yet; any other path as it is.
    package static func target(of path: String) -> String {
        var path = path
        var status = stat()
        // As many links as systems follow.
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
