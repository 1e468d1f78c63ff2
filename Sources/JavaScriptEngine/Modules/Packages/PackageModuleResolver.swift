internal import BridgeValues

/// A resolver of URLs, paths, an import map and the packages of `node_modules`, for a ``FolderModuleLoader`` whose
/// ``FolderModuleLoader/packageFolders`` has at least one name.
///
/// A package is found by its `package.json`: `exports` with conditions, subpaths and patterns, `imports` for names that
/// begin with `#`, else `module` and `main`. No target leads out of its package. A package that names files only for the
/// condition `node` gets them. An import inside a package may omit the extension, as bundlers allow. A specifier such as
/// `node:events` is searched as the package `events`.
///
/// ```swift
/// var loader = try FolderModuleLoader(root: "/srv/plugins/shop")
/// loader.packageFolders = ["node_modules"]
/// context.moduleConfiguration = ModuleConfiguration(
///     loader: loader,
///     resolver: PackageModuleResolver(loader: loader)
/// )
/// ```
public struct PackageModuleResolver: ModuleResolver {
    /// The modules for other names, which precede packages.
    public var importMap: ImportMap
    /// The conditions of `exports` and `imports` that hold for `import`, besides `default`.
    public var importConditions = ["import"]
    /// The conditions that hold for `require`, besides `default`.
    public var requireConditions = ["require"]
    /// The URL that relative specifiers of native code, and of scripts whose source URL is not a URL, refer to; by default
    /// the folder of the loader.
    public var baseURL: String
    private let loader: FolderModuleLoader

    /// Creates a resolver for the files of a loader.
    public init(loader: FolderModuleLoader, importMap: ImportMap = ImportMap()) {
        self.loader = loader
        baseURL = loader.rootURL
        self.importMap = importMap
    }

    /// Returns the URL for a specifier of an import.
    ///
    /// - Throws: ``ModuleError`` for a specifier that names no module.
    public func resolve(_ specifier: String, from referrer: String?) throws -> String {
        let urls = URLModuleResolver(baseURL: baseURL, importMap: importMap)
        guard !loader.packageFolders.isEmpty else { return try urls.resolve(specifier, from: referrer) }
        guard let url = try urls.url(of: specifier, from: referrer), NodeModules.name(of: url) == nil else {
            return try search(specifier, from: referrer, conditions: importConditions, isRequired: false)
        }
        return try withExtension(url, from: referrer)
    }

    /// Returns the URL for a specifier of `require`, which may omit an extension or name a folder.
    ///
    /// - Throws: ``ModuleError`` for a specifier that names no file.
    public func resolveRequired(_ specifier: String, from referrer: String?) throws -> String {
        guard !loader.packageFolders.isEmpty else {
            throw ModuleError.unresolved(specifier, from: referrer, "cannot be required here")
        }
        let urls = URLModuleResolver(baseURL: baseURL, importMap: importMap)
        let isFolder = specifier == "." || specifier == ".."
        guard let url = try urls.url(of: isFolder ? specifier + "/" : specifier, from: referrer),
            NodeModules.name(of: url) == nil
        else {
            return try search(specifier, from: referrer, conditions: requireConditions, isRequired: true)
        }
        guard let path = loader.path(of: url) else {
            throw ModuleError.unresolved(specifier, from: referrer, "is outside the folder of modules")
        }
        let trimmed = path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
        guard let file = try loader.packages.requiredFile(trimmed) else {
            throw ModuleError.unresolved(specifier, from: referrer, "is not a file")
        }
        return loader.url(of: file)
    }

    /// Returns a URL with the extension, or the index of a folder, that an import inside a package omits: their modules
    /// are often written for bundlers.
    ///
    /// The path of each importer is decoded: a copy of some bytes, beside the file that the import reads.
    private func withExtension(_ url: String, from referrer: String?) throws -> String {
        guard let importer = referrer.flatMap(loader.path), loader.isInPackage(importer),
            let path = loader.path(of: url), loader.packages.kind(of: path) != .file,
            let file = try loader.packages.requiredFile(path)
        else { return url }
        return loader.url(of: file)
    }

    private func search(
        _ specifier: String,
        from referrer: String?,
        conditions: [String],
        isRequired: Bool
    ) throws -> String {
        var search = PackageSearch(
            loader: loader,
            specifier: specifier,
            referrer: referrer,
            conditions: conditions,
            isRequired: isRequired
        )
        let base = ModuleURL.base(of: referrer, or: loader.rootURL)
        let name = NodeModules.name(of: specifier) ?? specifier
        return loader.url(of: try search.path(of: name, from: loader.path(of: base) ?? ""))
    }
}
