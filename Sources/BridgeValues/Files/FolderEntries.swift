internal import CFileAccess
internal import Foundation
internal import Synchronization

/// A reader of the entries of a folder, in the order of the system, without `.` and `..`.
package final class FolderEntries: Sendable {
    /// An entry.
    package struct Entry: Sendable, Hashable {
        /// The name; bytes that are not UTF-8 are replaced.
        package let name: String
        /// The kind.
        package let kind: FileStatus.Kind
    }

    // nonisolated(unsafe) because every use is inside the lock.
    nonisolated(unsafe) private let stream: OpaquePointer
    private let lock = Mutex(())

    init(descriptor: Int32) throws(RegularFile.Problem) {
        guard descriptor >= 0 else { throw .opening(-descriptor) }
        guard CFileAccess_showsKernel(descriptor) == 0 else {
            close(descriptor)
            throw .notRegular
        }
        guard let stream = fdopendir(descriptor) else {
            let number = errno
            close(descriptor)
            throw .system(number)
        }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// Returns the next entries, at most some number; none at the end.
    package func next(_ maximum: Int) throws(RegularFile.Problem) -> [Entry] {
        let result: Result<[Entry], RegularFile.Problem> = lock.withLock { _ in
            var entries: [Entry] = []
            while entries.count < maximum {
                errno = 0
                guard let entry = readdir(stream) else {
                    return errno == 0 ? .success(entries) : .failure(.system(errno))
                }
                if let entry = self.entry(entry) { entries.append(entry) }
            }
            return .success(entries)
        }
        return try result.get()
    }

    private func entry(_ entry: UnsafeMutablePointer<dirent>) -> Entry? {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                String(cString: $0)
            }
        }
        guard name != ".", name != ".." else { return nil }
        let kind: FileStatus.Kind =
            switch Int(entry.pointee.d_type) {
            case Int(DT_REG): .file
            case Int(DT_DIR): .directory
            case Int(DT_LNK): .symbolicLink
            case Int(DT_UNKNOWN): kindOfUnknown(name)
            default: .other
            }
        return Entry(name: name, kind: kind)
    }

    // Some file systems do not report kinds.
    private func kindOfUnknown(_ name: String) -> FileStatus.Kind {
        var status = stat()
        guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .other }
        return FileStatus(status).kind
    }
}
