internal import Foundation

/// The request of a file operation, as `bridge:fs` sends it.
struct FileRequest: Codable, Sendable {
    var path: String
    /// The second path of `rename` and `copyFile`.
    var to: String?
    var bytes: Data?
    var text: String?
    var append: Bool?
    var create: Bool?
    var createNew: Bool?
    var recursive: Bool?
    var mode: Int?

    /// Returns the permission bits, or the default ones; the process's mask applies to both.
    func mode(or standard: UInt32) throws(BridgeError) -> UInt32 {
        guard let mode else { return standard }
        guard (0...0o777).contains(mode) else {
            throw BridgeError(.invalidArgument, "a mode is an integer from 0 to 0o777; this is \(mode)")
        }
        return UInt32(mode)
    }
}

/// The status of a file for a script.
struct FileInfoReply: Codable, Sendable {
    var isFile: Bool
    var isDirectory: Bool
    var isSymlink: Bool
    var size: Int
    var mtime: Date
    var mode: Int

    init(_ status: FileStatus) {
        isFile = status.kind == .file
        isDirectory = status.kind == .directory
        isSymlink = status.kind == .symbolicLink
        size = status.size
        mtime = status.modified
        mode = Int(status.mode)
    }
}

/// An entry of a folder for a script.
struct FolderEntryReply: Codable, Sendable {
    var name: String
    var isFile: Bool
    var isDirectory: Bool
    var isSymlink: Bool

    init(_ entry: FolderEntries.Entry) {
        name = entry.name
        isFile = entry.kind == .file
        isDirectory = entry.kind == .directory
        isSymlink = entry.kind == .symbolicLink
    }
}

/// A change that a watch reports to a script.
struct FileChangeReply: Codable, Sendable {
    var kind: String
    var path: String
}
