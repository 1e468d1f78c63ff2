extension RunOptions {
    /// Checks that the journal, the trace and the audit do not overwrite a file of the same run.
    ///
    /// - Throws: ``UsageError`` with both options and the file.
    func refuseSharedFiles(about topic: HelpTopic = .run) throws(UsageError) {
        try files.refuseOverwriting(about: topic)
    }

    // The files that are only read, or not truncated, come first.
    private var files: [FileUse] {
        var files: [FileUse] = []
        switch script {
        case .file(let path): files.append(FileUse("the script", path))
        case .standardInput: files.append(FileUse("the script", FileUse.standardInput))
        case .code: break
        }
        if let map = modules.importMap { files.append(FileUse("--import-map", map)) }
        if case .file(let path) = store { files += FileUse.store("the store", path) }
        if let journal { files.append(FileUse("--record", journal, isWritten: true)) }
        if case .file(let path)? = trace?.target { files.append(FileUse("--trace", path, isWritten: true)) }
        if case .file(let path)? = audit { files.append(FileUse("--audit", path, isWritten: true)) }
        if let path = recordings.cpuProfile { files.append(FileUse("--cpu-profile", path, isWritten: true)) }
        if let path = recordings.heapSnapshot {
            files.append(FileUse("--heap-snapshot", path, isWritten: true))
        }
        if let path = recordings.coverage {
            files.append(FileUse("--coverage", "\(path)/\(CoverageTable.fileName)", isWritten: true))
        }
        return files
    }
}
