package import Foundation

/// A reader of files of all kinds, including pipes and devices, which `Data(contentsOf:)` refuses.
package enum FileReading {
    /// The reason why a file cannot be read, in words.
    package struct Problem: Error {
        package let reason: String
    }

    /// Returns all bytes up to the end of a file.
    package static func bytes(of path: String) throws(Problem) -> Data {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw Problem(reason: "there is no such file")
        }
        guard !isDirectory.boolValue else { throw Problem(reason: "this is a directory") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Problem(reason: "the file cannot be read (\(String(cString: strerror(errno))))")
        }
        defer { try? file.close() }
        do {
            return try file.readToEnd() ?? Data()
        } catch {
            throw Problem(reason: "the file cannot be read (\((error as NSError).localizedDescription))")
        }
    }

    /// The maximum size of a source, in bytes.
    private static let maximumSourceBytes = 256 << 20

    /// Returns the bytes of a source text, which is a regular file.
    ///
    /// Not through ``RegularFile``, which ends at the size at the time of opening: a pipe has none.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - allowsInherited: Whether the path may also be that of a descriptor that this process was given, such as
    ///     `/dev/stdin` and the pipe of a shell's `<(command)`.
    /// - Returns: The bytes.
    /// - Throws: ``Problem`` with the reason, for a source of more than 256 MiB too.
    package static func source(of path: String, allowsInherited: Bool = true) throws(Problem) -> Data {
        // A pipe without a writer must not block.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        let number = errno
        guard descriptor >= 0 else {
            let isMissing = number == ENOENT || number == ENOTDIR
            throw Problem(
                reason: isMissing
                    ? "there is no such file"
                    : "the file cannot be read (\(String(cString: strerror(number))))"
            )
        }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        let isInherited =
            allowsInherited && ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Problem(reason: "this is a directory")
        default: guard isInherited else { throw Problem(reason: "it is not a regular file") }
        }
        return try bytes(of: descriptor)
    }

    private static func bytes(of descriptor: Int32) throws(Problem) -> Data {
        var data = Data()
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &part, part.count)
            if count > 0 {
                data.append(contentsOf: part[..<count])
                guard data.count <= maximumSourceBytes else {
                    throw Problem(reason: "it has more bytes than the limit of \(maximumSourceBytes)")
                }
            } else if count == 0 {
                return data
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&request, 1, -1)
            } else if errno != EINTR {
                throw Problem(reason: "the file cannot be read (\(String(cString: strerror(errno))))")
            }
        }
    }
}
