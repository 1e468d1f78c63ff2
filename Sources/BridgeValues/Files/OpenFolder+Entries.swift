internal import CFileAccess
internal import Foundation

/// Access to the entries below an open folder: no path leads out of it, and symbolic links are not followed.
extension OpenFolder {
    /// Opens a file for reading.
    ///
    /// - Throws: ``RegularFile/Problem``, also for anything that is not a regular file.
    package func openFile(_ path: String) throws(RegularFile.Problem) -> OpenFile {
        try OpenFile(descriptor: CFileAccess_openBeneath(descriptor, path))
    }

    /// Opens a file for writing at its end.
    ///
    /// - Parameters:
    ///   - path: The path below the folder.
    ///   - mode: The permission bits of a file that is created; `nil` creates none.
    /// - Returns: The file.
    /// - Throws: ``RegularFile/Problem``, also for anything that is not a regular file.
    package func openFileToAppend(
        _ path: String,
        creating mode: UInt32?
    ) throws(RegularFile.Problem) -> OpenFile {
        let flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | (mode == nil ? 0 : O_CREAT)
        return try OpenFile(descriptor: CFileAccess_openEntry(descriptor, path, flags, mode ?? 0))
    }

    /// Creates a file for writing, which must not exist.
    package func createFile(_ path: String, mode: UInt32) throws(RegularFile.Problem) -> OpenFile {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY
        return try OpenFile(descriptor: CFileAccess_openEntry(descriptor, path, flags, mode))
    }

    /// Opens a folder for lookups.
    package func openFolder(_ path: String) throws(RegularFile.Problem) -> OpenFolder {
        try OpenFolder(descriptor: CFileAccess_openPath(descriptor, path, O_DIRECTORY))
    }

    /// Opens a folder for reading its entries.
    package func openEntries(_ path: String) throws(RegularFile.Problem) -> FolderEntries {
        try FolderEntries(
            descriptor: CFileAccess_openEntry(descriptor, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK, 0)
        )
    }

    /// Opens the folder that has an entry.
    ///
    /// - Returns: The folder, and the entry's name in it.
    /// - Throws: ``RegularFile/Problem``; `EBUSY` for the open folder itself, which has no entry below it.
    package func parent(of path: String) throws(RegularFile.Problem) -> (folder: OpenFolder, name: String) {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
            guard path != ".", path != "..", !path.isEmpty else { throw .system(EBUSY) }
            return (self, path)
        }
        return (try openFolder(String(path[..<slash])), String(path[bytes.index(after: slash)...]))
    }

    /// Returns the status of an entry; that of a symbolic link is the link's own.
    package func status(of path: String) throws(RegularFile.Problem) -> FileStatus {
        // With both flags, a link at the end of the path is opened itself.
        let opened = CFileAccess_openPath(descriptor, path, O_NOFOLLOW)
        guard opened >= 0 else { throw .opening(-opened) }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0 else { throw .system(errno) }
        return FileStatus(status)
    }

    /// Creates a folder.
    package func makeFolder(_ path: String, mode: UInt32) throws(RegularFile.Problem) {
        let (folder, name) = try parent(of: path)
        guard mkdirat(folder.descriptor, name, mode_t(mode)) == 0 else { throw .system(errno) }
    }

    /// Removes an entry that is not a folder, or an empty folder.
    package func removeEntry(_ path: String) throws(RegularFile.Problem) {
        let (folder, name) = try parent(of: path)
        guard unlinkat(folder.descriptor, name, 0) != 0 else { return }
        guard errno == EISDIR else { throw .system(errno) }
        guard unlinkat(folder.descriptor, name, AT_REMOVEDIR) == 0 else { throw .system(errno) }
    }

    /// Renames an entry, and replaces the one that has the new name.
    package func renameEntry(
        _ path: String,
        to other: String,
        in otherFolder: OpenFolder
    ) throws(RegularFile.Problem) {
        let (from, name) = try parent(of: path)
        let (to, newName) = try otherFolder.parent(of: other)
        guard renameat(from.descriptor, name, to.descriptor, newName) == 0 else { throw .system(errno) }
    }

    /// Gives a file a second name, which must not exist.
    package func linkEntry(_ path: String, to other: String) throws(RegularFile.Problem) {
        let (from, name) = try parent(of: path)
        let (to, newName) = try parent(of: other)
        guard linkat(from.descriptor, name, to.descriptor, newName, 0) == 0 else { throw .system(errno) }
    }
}
