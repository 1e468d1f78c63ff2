internal import Foundation

extension FilePlace {
    /// Writes a new file and gives it the name of this place when it is whole.
    ///
    /// - Parameters:
    ///   - request: The options that decide whether the file may, or must, exist.
    ///   - mode: The permission bits of a file that did not exist.
    ///   - write: Writes the content.
    /// - Throws: `RegularFile.Problem`, and the errors of `write`; the temporary file is removed then.
    func replaceFile(_ request: FileRequest, _ mode: UInt32, _ write: (OpenFile) throws -> Void) throws {
        guard !isRoot else { throw RegularFile.Problem.system(EISDIR) }
        let (folder, name) = try folder.parent(of: path)
        let existing = try folder.fileToReplace(name)
        if existing == nil, request.create == false { throw RegularFile.Problem.system(ENOENT) }
        if existing != nil, request.createNew == true { throw RegularFile.Problem.system(EEXIST) }
        let temporary = ".jsbridge-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
        let file = try folder.createFile(temporary, mode: mode)
        do {
            if let existing { try file.setMode(existing.mode & 0o777) }
            try write(file)
            if request.createNew == true {
                // Fails if the name exists by now.
                try folder.linkEntry(temporary, to: name)
                try folder.removeEntry(temporary)
            } else {
                try folder.renameEntry(temporary, to: name, in: folder)
            }
        } catch {
            try? folder.removeEntry(temporary)
            throw error
        }
    }

    /// Creates a folder and those above it, below the granted one.
    func makeFolders(_ mode: UInt32) throws {
        guard !isRoot else { return }
        var path = ""
        for name in self.path.split(separator: "/") {
            path += path.isEmpty ? String(name) : "/\(name)"
            do throws(RegularFile.Problem) {
                try folder.makeFolder(path, mode: mode)
            } catch {
                guard error == .system(EEXIST) else { throw error }
            }
        }
        // The existing entry may be a file or a link.
        guard try folder.status(of: path).kind == .directory else { throw RegularFile.Problem.system(EEXIST) }
    }
}

extension OpenFolder {
    /// Returns the status of a regular file; `nil` if the name is free.
    fileprivate func fileToReplace(_ name: String) throws -> FileStatus? {
        let status: FileStatus
        do throws(RegularFile.Problem) {
            status = try self.status(of: name)
        } catch {
            guard error == .system(ENOENT) else { throw error }
            return nil
        }
        switch status.kind {
        case .file: return status
        case .directory: throw RegularFile.Problem.system(EISDIR)
        case .symbolicLink: throw RegularFile.Problem.leadsOut
        case .other: throw RegularFile.Problem.notRegular
        }
    }

    private static let maximumDepth = 256

    /// Removes a folder with its entries.
    ///
    /// Each level keeps a descriptor open, so the depth is limited.
    ///
    /// - Parameters:
    ///   - name: The name of the folder.
    ///   - path: The path that the script gave, for errors.
    ///   - depth: The number of folders above it in the tree.
    ///   - cancellation: Ends the work.
    /// - Throws: `RegularFile.Problem`, and ``BridgeError`` with `limitExceeded`.
    func removeTree(
        _ name: String,
        of path: String,
        depth: Int = 0,
        _ cancellation: FileWork.Cancellation
    ) throws {
        guard depth < Self.maximumDepth else {
            throw BridgeError(
                .limitExceeded,
                "\(Printable.quoted(path)): too many folders below each other (limit \(Self.maximumDepth))",
                data: .object(["path": .string(path)])
            )
        }
        let folder = try openFolder(name)
        let entries = try openEntries(name)
        while true {
            let part = try entries.next(256)
            if part.isEmpty { break }
            for entry in part {
                try cancellation.check()
                if entry.kind == .directory {
                    try folder.removeTree(entry.name, of: path, depth: depth + 1, cancellation)
                } else {
                    try folder.removeEntry(entry.name)
                }
            }
        }
        try removeEntry(name)
    }
}

extension OpenFile {
    /// Writes bytes in parts, so that the caller can give up between them.
    func write(_ bytes: Data, _ cancellation: FileWork.Cancellation) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try cancellation.check()
            let part = rest.prefix(1 << 20)
            try write(part)
            rest = rest.dropFirst(part.count)
        }
    }
}
