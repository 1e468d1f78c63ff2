internal import Foundation
internal import Stores

extension RunOptions {
    /// Refuses to write the journal or the trace over a file of the same run: nothing would bring back what was in it.
    ///
    /// - Throws: ``UsageError`` that names both options and the file.
    func refuseSharedFiles() throws(UsageError) {
        var seen: [(use: String, identity: FileIdentity)] = []
        for (use, path, isWritten) in files {
            guard let identity = FileIdentity(path) else { continue }
            if isWritten, let other = seen.first(where: { $0.identity == identity }) {
                let message = "'\(use)' would write over \(other.use): both are \(MessageText.quoted(path))"
                throw UsageError(message, about: .run)
            }
            seen.append((use, identity))
        }
    }

    // What is only read, or is not emptied, comes first.
    private var files: [(use: String, path: String, isWritten: Bool)] {
        var files: [(String, String, Bool)] = []
        if case .file(let path) = script { files.append(("the script", path, false)) }
        if case .file(let path) = store {
            // SQLite keeps what belongs to a file beside it.
            for ending in ["", "-wal", "-shm", "-journal"] {
                files.append(("the store", path + ending, false))
            }
        }
        if let journal { files.append(("--record", journal, true)) }
        if case .file(let path)? = trace?.target { files.append(("--trace", path, true)) }
        return files
    }
}

/// Which file a path leads to, through links and by any spelling.
private struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// The name in that folder, for a file that is not there yet.
    private let name: String?

    /// - Returns: `nil` for what cannot be overwritten, such as a pipe, and where the path leads nowhere.
    init?(_ path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            name = nil
        } else {
            let url = URL(fileURLWithPath: path)
            guard stat(url.deletingLastPathComponent().path, &status) == 0 else { return nil }
            name = url.lastPathComponent
        }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
