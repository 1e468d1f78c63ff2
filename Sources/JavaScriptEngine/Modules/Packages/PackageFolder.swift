internal import BridgeValues
internal import Foundation
internal import Synchronization

/// The packages below a folder: their manifests and the kinds of their files, each looked up once.
final class PackageFolder: Sendable {
    /// The kind of a path.
    enum Kind { case file, folder, missing }

    /// The numbers of paths that are kept and of bytes that a manifest may have; more may exhaust memory.
    private static let maximumCount = 16_384
    private static let maximumManifestBytes = 1 << 20

    private let folder: OpenFolder
    private let state = Mutex<(kinds: [String: Kind], manifests: [String: PackageManifest?])>(([:], [:]))

    init(_ folder: OpenFolder) { self.folder = folder }

    /// Forgets all kinds and manifests.
    func forget() { state.withLock { $0 = ([:], [:]) } }

    /// Returns whether a path is that of a file or of a folder.
    func kind(of path: String) -> Kind {
        guard !path.isEmpty else { return .folder }
        if let known = state.withLock({ $0.kinds[path] }) { return known }
        let kind: Kind
        do throws(RegularFile.Problem) {
            _ = try RegularFile(path: path, below: folder, maximumBytes: nil)
            kind = .file
        } catch {
            kind = error == .notRegular ? .folder : .missing
        }
        state.withLock {
            if $0.kinds.count >= Self.maximumCount { $0.kinds = [:] }
            $0.kinds[path] = kind
        }
        return kind
    }

    /// Returns the manifest in a folder; `nil` if it has none.
    ///
    /// - Throws: ``ModuleError`` if the manifest cannot be read.
    func manifest(in path: String) throws -> PackageManifest? {
        if let known = state.withLock({ $0.manifests[path] }) { return known }
        let manifest = try readManifest(path.isEmpty ? "package.json" : path + "/package.json")
        state.withLock {
            if $0.manifests.count >= Self.maximumCount { $0.manifests = [:] }
            $0.manifests.updateValue(manifest, forKey: path)
        }
        return manifest
    }

    private func readManifest(_ path: String) throws -> PackageManifest? {
        let bytes: [UInt8]
        do throws(RegularFile.Problem) {
            bytes = try RegularFile(path: path, below: folder, maximumBytes: Self.maximumManifestBytes)
                .allBytes()
        } catch {
            switch error {
            case .system(ENOENT), .system(ENOTDIR), .notRegular: return nil
            default: throw ModuleError("\(Printable.quoted(path)) cannot be read: \(error.reason)")
            }
        }
        do {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ModuleError("it is not UTF-8")
            }
            return try PackageManifest(json: text)
        } catch {
            throw ModuleError("\(Printable.quoted(path)) is not a package's manifest: \(error)")
        }
    }

    /// Returns the nearest folder with a manifest that has a path, up to the folder of packages that it is in.
    func scope(of path: String) throws -> (folder: String, manifest: PackageManifest)? {
        var current = PackagePath.parent(of: path)
        while let folder = current, !PackagePath.hasSuffix("node_modules", folder) {
            if let manifest = try manifest(in: folder) { return (folder, manifest) }
            current = PackagePath.parent(of: folder)
        }
        return nil
    }

    /// Returns the file that `require` finds for a path: itself, with an extension, or the main file of a folder.
    func requiredFile(_ path: String) throws -> String? {
        if let file = file(path) { return file }
        guard kind(of: path) == .folder else { return nil }
        let main = try manifest(in: path)?.main.flatMap { PackagePath.join(path, $0) }
        return mainFile(main.map { [$0] } ?? [], in: path)
    }

    /// Returns the first of some paths that names a file, or the index of a folder.
    func mainFile(_ paths: [String], in folder: String) -> String? {
        for path in paths {
            if let file = file(path) ?? file(Self.index(of: path)) { return file }
        }
        return file(Self.index(of: folder))
    }

    private static func index(of folder: String) -> String { folder.isEmpty ? "index" : folder + "/index" }

    private func file(_ path: String) -> String? {
        ["", ".js", ".json", ".cjs"].map { path + $0 }.first { kind(of: $0) == .file }
    }
}
