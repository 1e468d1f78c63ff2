extension RunOptions {
    /// Refuses to write the journal or the trace over a file of the same run.
    ///
    /// - Throws: ``UsageError`` that names both options and the file.
    func refuseSharedFiles() throws(UsageError) { try files.refuseOverwriting(about: .run) }

    // What is only read, or is not emptied, comes first.
    private var files: [FileUse] {
        var files: [FileUse] = []
        switch script {
        case .file(let path): files.append(FileUse("the script", path))
        case .standardInput: files.append(FileUse("the script", FileIdentity.standardInput))
        case .code: break
        }
        if case .file(let path) = store {
            // SQLite keeps what belongs to a file beside it.
            for ending in ["", "-wal", "-shm", "-journal"] {
                files.append(FileUse("the store", path + ending))
            }
        }
        if let journal { files.append(FileUse("--record", journal, isWritten: true)) }
        if case .file(let path)? = trace?.target { files.append(FileUse("--trace", path, isWritten: true)) }
        if case .file(let path)? = audit { files.append(FileUse("--audit", path, isWritten: true)) }
        return files
    }
}
