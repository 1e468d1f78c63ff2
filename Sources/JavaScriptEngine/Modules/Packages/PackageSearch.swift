internal import BridgeValues

/// A search for the file of a package.
struct PackageSearch {
    let loader: FolderModuleLoader
    /// The specifier and its importer, for errors.
    let specifier: String
    let referrer: String?
    let conditions: [String]
    let isRequired: Bool
    /// The number of names of `imports` that led to another package, which could lead on forever.
    private var depth = 0

    init(
        loader: FolderModuleLoader,
        specifier: String,
        referrer: String?,
        conditions: [String],
        isRequired: Bool
    ) {
        self.loader = loader
        self.specifier = specifier
        self.referrer = referrer
        self.conditions = conditions
        self.isRequired = isRequired
    }

    private func error(_ reason: String) -> ModuleError {
        ModuleError.unresolved(specifier, from: referrer, reason)
    }

    /// Returns the path of the file that a name refers to, for a file that imports it.
    mutating func path(of name: String, from importer: String) throws -> String {
        if name.utf8.first == UInt8(ascii: "#") { return try internalPath(of: name, from: importer) }
        guard let (package, subpath) = Self.split(name) else { throw error("is not the name of a package") }
        if let (folder, manifest) = try loader.packages.scope(of: importer), let table = manifest.exports,
            let own = manifest.name, own.utf8.elementsEqual(package.utf8)
        {
            return try exportedPath(of: subpath, in: folder, table)
        }
        var current = PackagePath.parent(of: importer) ?? ""
        while true {
            for folder in loader.packageFolders {
                guard let candidate = PackagePath.join(current, folder + "/" + package),
                    loader.packages.kind(of: candidate) == .folder
                else { continue }
                return try path(of: subpath, in: candidate)
            }
            guard let parent = PackagePath.parent(of: current) else { break }
            current = parent
        }
        throw error(
            NodeModules.reason(for: name)
                ?? "is neither a URL, a path, in the import map nor a package in a folder of packages"
        )
    }

    /// Returns the name of a package and a subpath that begins with a dot.
    private static func split(_ name: String) -> (package: String, subpath: String)? {
        let segments = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let count = name.utf8.first == UInt8(ascii: "@") ? 2 : 1
        guard segments.count >= count,
            segments[..<count].allSatisfy({ segment in
                !segment.isEmpty && segment.first != UInt8(ascii: ".")
                    && !segment.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") || $0 == 0 }
            })
        else { return nil }
        let package = segments[..<count].map { String(Substring($0)) }.joined(separator: "/")
        return (package, "." + String(Substring(name.utf8.dropFirst(package.utf8.count))))
    }

    // MARK: - Tables of the manifest

    private mutating func internalPath(of name: String, from importer: String) throws -> String {
        guard let (folder, manifest) = try loader.packages.scope(of: importer) else {
            throw error("is an internal name, and no package has the importer")
        }
        let targets = PackageTargets(conditions: conditions, allowsSpecifiers: true)
        switch try targets.target(of: name, in: manifest.imports) {
        case .path(let path): return folder.isEmpty ? path : folder + "/" + path
        case .specifier(let specifier):
            depth += 1
            guard depth < 8, specifier.utf8.first != UInt8(ascii: "#") else {
                throw error("leads to another internal name")
            }
            return try self.path(
                of: NodeModules.name(of: specifier) ?? specifier,
                from: PackagePath.join(folder, "package.json") ?? ""
            )
        case .refused, nil: throw error("is not in \"imports\" of the package \"\(folder)\"")
        }
    }

    private func exportedPath(of subpath: String, in folder: String, _ table: ValueObject) throws -> String {
        // Some packages name files for Node alone, which mostly need nothing of it.
        for conditions in [conditions, conditions + ["node"]] {
            let targets = PackageTargets(conditions: conditions, allowsSpecifiers: false)
            guard case .path(let path) = try targets.target(of: subpath, in: table) else { continue }
            return folder.isEmpty ? path : folder + "/" + path
        }
        throw error("is not exported by the package \"\(folder)\"")
    }

    private func path(of subpath: String, in folder: String) throws -> String {
        let manifest = try loader.packages.manifest(in: folder)
        if let table = manifest?.exports { return try exportedPath(of: subpath, in: folder, table) }
        guard subpath.utf8.count > 1 else {
            let names = isRequired ? [manifest?.main] : [manifest?.module, manifest?.main]
            let given = names.compactMap(\.self)
            let paths = try given.map { name in
                guard let path = PackagePath.join(folder, name) else {
                    throw error("has a main file outside of the package \"\(folder)\"")
                }
                return path
            }
            guard let file = loader.packages.mainFile(paths, in: folder) else {
                let shown =
                    given.first.map { " (\(Printable.quoted($0)) is missing or a symbolic link)" } ?? ""
                throw error("has no main file in the package \"\(folder)\"\(shown)")
            }
            return file
        }
        guard let rest = PackagePath.plain(Substring(subpath.utf8.dropFirst(2))) else {
            throw error("leads out of the package \"\(folder)\"")
        }
        guard isRequired else { return folder + "/" + rest }
        guard let file = try loader.packages.requiredFile(folder + "/" + rest) else {
            throw error("is not a file of the package \"\(folder)\"")
        }
        return file
    }
}
