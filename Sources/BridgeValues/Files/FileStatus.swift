package import Foundation

/// The status of an entry of a folder.
package struct FileStatus: Sendable, Hashable {
    /// The kind of an entry.
    package enum Kind: Sendable, Hashable {
        case file
        case directory
        case symbolicLink
        /// A pipe, a socket or a device.
        case other
    }

    /// The kind.
    package let kind: Kind
    /// The size in bytes.
    package let size: Int
    /// The permission bits.
    package let mode: UInt32
    /// The time of the last change of the content.
    package let modified: Date

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        size = Int(status.st_size)
        mode = UInt32(status.st_mode) & 0o7777
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}
