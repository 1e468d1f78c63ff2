internal import Stores

/// The identities of a store's files at the time of opening.
///
/// A commit to a file that no longer has a path is lost when the process ends.
struct OpenFiles {
    private let files: [(path: String, identity: FileIdentity)]

    /// Records the database file, its log and the log's index, which stay the same while they are open.
    init(_ path: String) {
        files = ["", "-wal", "-shm"].compactMap { suffix in
            FileIdentity(path + suffix).map { (path + suffix, $0) }
        }
    }

    /// Checks that the files at the paths are still the open ones.
    ///
    /// - Throws: ``StoreError`` `fileReplaced` with the affected file and the reason.
    /// - Complexity: One `stat` call for each of the three files, about 2 us together.
    func requireUnmoved() throws {
        for file in files {
            let present = FileIdentity(file.path)
            guard present != file.identity else { continue }
            throw StoreError(
                .fileReplaced,
                "\(file.path) was \(present == nil ? "deleted" : "replaced") while the store was open: "
                    + "nothing more can be committed to it"
            )
        }
    }
}
