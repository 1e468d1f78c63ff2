internal import BridgeProtocol
internal import Foundation
internal import Stores

/// A file that a command uses, and its purpose.
struct FileUse {
    /// The purpose, as in "the script".
    let use: String
    let path: String
    /// A Boolean value that indicates whether the command overwrites the file.
    let isWritten: Bool

    /// The path that represents a file on standard input.
    static let standardInput = "/dev/stdin"

    init(_ use: String, _ path: String, isWritten: Bool = false) {
        self.use = use
        self.path = path
        self.isWritten = isWritten
    }

    /// Returns the files of a store: SQLite has further ones beside the database.
    static func store(_ use: String, _ path: String) -> [FileUse] {
        ["", "-wal", "-shm", "-journal"].map { FileUse(use, path + $0) }
    }

    /// The identity of a file, or of the folder and the name of a file that does not exist yet.
    fileprivate struct Identity: Equatable {
        let file: FileIdentity
        /// The name in the folder, for a file that does not exist yet.
        let newName: String?
    }

    /// The identity of the file; `nil` for a file that cannot be overwritten, such as a pipe, and for a path whose
    /// folder does not exist.
    fileprivate var identity: Identity? {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            return Identity(file: FileIdentity(status), newName: nil)
        }
        let url = URL(fileURLWithPath: FileWriting.target(of: path))
        return FileIdentity(url.deletingLastPathComponent().path).map { folder in
            Identity(file: folder, newName: url.lastPathComponent)
        }
    }
}

extension [FileUse] {
    /// Checks that no file is written that an earlier use names, because its content would be lost.
    ///
    /// - Throws: ``UsageError`` with both uses and the file.
    func refuseOverwriting(about topic: HelpTopic) throws(UsageError) {
        var seen: [(use: String, identity: FileUse.Identity)] = []
        for file in self {
            guard let identity = file.identity else { continue }
            if file.isWritten, let other = seen.first(where: { $0.identity == identity }) {
                let message =
                    "'\(file.use)' would write over \(other.use): both are \(MessageText.quoted(file.path))"
                throw UsageError(message, about: topic)
            }
            seen.append((file.use, identity))
        }
    }
}
