internal import BridgeValues

/// A resolver of URLs, paths, an import map and the packages of `node_modules`, for a ``FolderModuleLoader`` whose
/// ``FolderModuleLoader/packageFolders`` has at least one name.
///
/// A package is found by its `package.json`: `exports` with conditions, subpaths and patterns, `imports` for names that
/// begin with `#`, else `module` and `main`. No target leads out of its package.
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
        if let url = try urls.url(of: specifier, from: referrer) { return url }
        return try search(specifier, from: referrer, conditions: importConditions, isRequired: false)
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
        guard let url = try urls.url(of: isFolder ? specifier + "/" : specifier, from: referrer) else {
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
        return loader.url(of: try search.path(of: specifier, from: loader.path(of: base) ?? ""))
    }
}
