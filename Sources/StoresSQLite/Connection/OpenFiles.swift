internal import Stores

/// The files of a store as they were opened: what is committed into a file that no path leads to is lost with the
/// process.
struct OpenFiles {
    private let files: [(path: String, identity: FileIdentity)]

    /// Notes the database's file, its log and the log's index, all of which stay the same while they are open.
    init(_ path: String) {
        files = ["", "-wal", "-shm"].compactMap { suffix in
            FileIdentity(path + suffix, isEmptyCounted: true).map { (path + suffix, $0) }
        }
    }

    /// Checks that the files are those that stand at their paths.
    ///
    /// - Throws: ``StoreError`` `fileReplaced` with what has happened to which file.
    /// - Complexity: A look at each of the three files, about 2 us together.
    func requireUnmoved() throws {
        for file in files {
            let present = FileIdentity(file.path, isEmptyCounted: true)
            guard present != file.identity else { continue }
            throw StoreError(
                .fileReplaced,
                "\(file.path) was \(present == nil ? "deleted" : "replaced") while the store was open: "
                    + "nothing more can be committed to it"
            )
        }
    }
}
