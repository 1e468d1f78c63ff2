internal import BridgeProtocol
internal import Foundation
internal import Stores

/// The identity of a file, whichever path or link it is opened by.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// The name in that folder, for a file that does not exist yet.
    private let name: String?

    /// The path that represents a file on standard input.
    static let standardInput = "/dev/stdin"

    /// Creates the identity of the file at a path.
    ///
    /// - Returns: `nil` for a file that cannot be overwritten, such as a pipe, and for a path whose folder does not
    ///   exist.
    init?(_ path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            name = nil
        } else {
            let url = URL(fileURLWithPath: FileWriting.target(of: path))
            guard stat(url.deletingLastPathComponent().path, &status) == 0 else { return nil }
            name = url.lastPathComponent
        }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}

/// A file that a command uses, and its purpose.
struct FileUse {
    /// The purpose, as in "the script".
    let use: String
    let path: String
    /// A Boolean value that indicates whether the command overwrites the file.
    let isWritten: Bool

    init(_ use: String, _ path: String, isWritten: Bool = false) {
        self.use = use
        self.path = path
        self.isWritten = isWritten
    }
}

extension [FileUse] {
    /// Checks that no file is written that an earlier use names, because its content would be lost.
    ///
    /// - Throws: ``UsageError`` with both uses and the file.
    func refuseOverwriting(about topic: HelpTopic) throws(UsageError) {
        var seen: [(use: String, identity: FileIdentity)] = []
        for file in self {
            guard let identity = FileIdentity(file.path) else { continue }
            if file.isWritten, let other = seen.first(where: { $0.identity == identity }) {
                let message =
                    "'\(file.use)' would write over \(other.use): both are \(MessageText.quoted(file.path))"
                throw UsageError(message, about: topic)
            }
            seen.append((file.use, identity))
        }
    }
}
