internal import BridgeProtocol
internal import Foundation
internal import Stores

/// Which file a path leads to, through links and by any spelling.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// The name in that folder, for a file that is not there yet.
    private let name: String?

    /// What stands for a file that comes through standard input.
    static let standardInput = "/dev/stdin"

    /// - Returns: `nil` for what cannot be overwritten, such as a pipe, and where the path leads nowhere.
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

/// A file that a command is given, and what it is for.
struct FileUse {
    /// What for, as in "the script".
    let use: String
    let path: String
    /// Whether what was in it goes.
    let isWritten: Bool

    init(_ use: String, _ path: String, isWritten: Bool = false) {
        self.use = use
        self.path = path
        self.isWritten = isWritten
    }
}

extension [FileUse] {
    /// Refuses to write over a file that stands before: nothing would bring back what was in it.
    ///
    /// - Throws: ``UsageError`` that names both uses and the file.
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
