internal import Foundation

/// The operations of `bridge:fs`.
struct ScriptFiles: Sendable {
    let access: ScriptAccess

    private static let chunkBytes = 1 << 20

    /// Runs work on files off the engine's thread; its errors name the path as the script gave it.
    func run<Output: Sendable>(
        _ path: String,
        _ body: @escaping @Sendable (FileWork.Cancellation) throws -> Output
    ) async throws -> Output {
        do {
            return try await FileWork.run(body)
        } catch let problem as RegularFile.Problem {
            throw access.fileError(problem, path)
        } catch is CancellationError {
            throw BridgeError(.cancelled, "\(Printable.quoted(path)): the operation was cancelled")
        }
    }

    // MARK: - Reading

    /// Reads a file as a whole.
    func readFile(_ request: FileRequest) async throws -> Data {
        let place = try await access.place(request.path, for: .read)
        let limit = access.permissions.maximumFileBytes
        return try await run(request.path) { cancellation in
            let file = try place.folder.openFile(place.path)
            let size = try file.status().size
            guard size <= limit else { throw RegularFile.Problem.tooLarge(bytes: size, limit: limit) }
            var bytes = Data(capacity: size)
            // Up to the end, because a file may grow, or may not know its size.
            while true {
                try cancellation.check()
                let part = try file.read(upTo: min(max(size + 1 - bytes.count, 4_096), Self.chunkBytes))
                guard !part.isEmpty else { return bytes }
                bytes += part
                guard bytes.count <= limit else {
                    throw RegularFile.Problem.tooLarge(bytes: bytes.count, limit: limit)
                }
            }
        }
    }

    /// Reads a file as a whole, as UTF-8.
    func readTextFile(_ request: FileRequest) async throws -> String {
        let bytes = try await readFile(request)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed(request.path) }
        return text
    }

    func malformed(_ path: String) -> BridgeError {
        BridgeError(
            "fs.malformedText",
            "\(Printable.quoted(path)): the file is not UTF-8 text",
            data: .object(["path": .string(path)])
        )
    }

    /// Returns the status of an entry; that of a symbolic link is the link's own.
    func stat(_ request: FileRequest) async throws -> FileInfoReply {
        let place = try await access.place(request.path, for: .read)
        return try await run(request.path) { _ in FileInfoReply(try place.folder.status(of: place.path)) }
    }

    // MARK: - Writing

    /// Writes a file as a whole, or appends to it.
    func writeFile(_ request: FileRequest) async throws {
        let content = request.bytes ?? Data((request.text ?? "").utf8)
        let limit = access.permissions.maximumFileBytes
        guard content.count <= limit else {
            throw access.fileError(.tooLarge(bytes: content.count, limit: limit), request.path)
        }
        let mode = try request.mode(or: 0o666)
        let place = try await access.place(request.path, for: .write)
        try await run(request.path) { cancellation in
            guard request.append == true else {
                return try place.replaceFile(request, mode) { try $0.write(content, cancellation) }
            }
            let file =
                request.createNew == true
                ? try place.folder.createFile(place.path, mode: mode)
                : try place.folder.openFileToAppend(
                    place.path,
                    creating: request.create == false ? nil : mode
                )
            try file.write(content, cancellation)
        }
    }

    /// Copies a file in parts.
    func copyFile(_ request: FileRequest) async throws {
        let to = request.to ?? ""
        let source = try await access.place(request.path, for: .read)
        let target = try await access.place(to, for: .write)
        let file = try await run(request.path) { _ in try source.folder.openFile(source.path) }
        try await run(to) { cancellation in
            try target.replaceFile(request, try file.status().mode & 0o777) { copy in
                while true {
                    try cancellation.check()
                    let part = try file.read(upTo: Self.chunkBytes)
                    guard !part.isEmpty else { return }
                    try copy.write(part)
                }
            }
        }
    }

    /// Creates a folder, with those above it if `recursive` is set.
    func makeDirectory(_ request: FileRequest) async throws {
        let mode = try request.mode(or: 0o777)
        let place = try await access.place(request.path, for: .write)
        try await run(request.path) { _ in
            guard request.recursive == true else {
                guard !place.isRoot else { throw RegularFile.Problem.system(EEXIST) }
                return try place.folder.makeFolder(place.path, mode: mode)
            }
            try place.makeFolders(mode)
        }
    }

    /// Removes an entry, with all that is below it if `recursive` is set.
    func remove(_ request: FileRequest) async throws {
        let place = try await access.place(
            request.path,
            for: .write,
            includesContent: request.recursive == true
        )
        try await run(request.path) { cancellation in
            let isTree =
                try request.recursive == true && place.folder.status(of: place.path).kind == .directory
            guard isTree else { return try place.folder.removeEntry(place.path) }
            let (folder, name) = try place.folder.parent(of: place.path)
            try folder.removeTree(name, of: request.path, cancellation)
        }
    }

    /// Renames an entry; reading its old path must be granted too, since its new path may be readable.
    func rename(_ request: FileRequest) async throws {
        let to = request.to ?? ""
        _ = try await access.place(request.path, for: .read, includesContent: true)
        let source = try await access.place(request.path, for: .write, includesContent: true)
        let target = try await access.place(to, for: .write)
        try await run(request.path) { _ in
            try source.folder.renameEntry(source.path, to: target.path, in: target.folder)
        }
    }
}

extension ScriptFiles {
    /// Registers the handlers of `bridge:fs`.
    func register(on session: BridgeSession) {
        func add(_ name: String, _ handler: Handler) { session.register(handler, reserved: "fs." + name) }
        add("readFile", .answeringLater { (request: FileRequest) in try await readFile(request) })
        add(
            "readTextFile",
            .answeringLater { (request: FileRequest) in try await readTextFile(request) }
        )
        add("stat", .answeringLater { (request: FileRequest) in try await stat(request) })
        add("writeFile", .answeringLater { (request: FileRequest) in try await writeFile(request) })
        add("copyFile", .answeringLater { (request: FileRequest) in try await copyFile(request) })
        add("makeDir", .answeringLater { (request: FileRequest) in try await makeDirectory(request) })
        add("remove", .answeringLater { (request: FileRequest) in try await remove(request) })
        add("rename", .answeringLater { (request: FileRequest) in try await rename(request) })
        add("readDir", .streaming { (request: FileRequest) in try await readDirectory(request) })
        add("readLines", .streaming { (request: FileRequest) in try await readLines(request) })
        #if canImport(Glibc)
            add("watch", .streaming { (request: FileRequest) in try await watch(request) })
        #endif
    }
}
