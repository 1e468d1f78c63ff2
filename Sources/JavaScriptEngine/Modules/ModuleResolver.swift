/// A resolver of the specifiers in imports.
public protocol ModuleResolver: Sendable {
    /// Returns the URL of the module that a specifier names.
    ///
    /// It runs inside a turn, on the thread of the context, for each import of each module. Modules with the same URL
    /// are the same.
    ///
    /// - Parameters:
    ///   - specifier: The string in the import.
    ///   - referrer: The URL of the module or the source URL of the script that has the import; `nil` for an import by
    ///     native code.
    /// - Returns: The URL.
    /// - Throws: An error for a specifier that names no module, which rejects the import.
    func resolve(_ specifier: String, from referrer: String?) throws -> String

    /// Returns the URL of the file that a specifier of `require` names, in a CommonJS module.
    ///
    /// - Throws: An error for a specifier that names no file; by default always.
    func resolveRequired(_ specifier: String, from referrer: String?) throws -> String
}

extension ModuleResolver {
    /// Throws, because the resolver does not know CommonJS modules.
    public func resolveRequired(_ specifier: String, from referrer: String?) throws -> String {
        throw ModuleError.unresolved(specifier, from: referrer, "cannot be required here")
    }
}

/// A resolver of URLs and paths, as in a browser, with an import map for other names.
public struct URLModuleResolver: ModuleResolver {
    /// The URL that relative specifiers of native code, and of scripts whose source URL is not a URL, refer to.
    public var baseURL: String
    /// The modules for other names.
    public var importMap: ImportMap

    /// Creates a resolver.
    public init(baseURL: String = "file:///", importMap: ImportMap = ImportMap()) {
        self.baseURL = baseURL
        self.importMap = importMap
    }

    /// The longest specifier, in bytes of UTF-8.
    public static let maximumSpecifierBytes = 8_192

    /// Returns the URL for a specifier.
    ///
    /// - Throws: ``ModuleError`` for a name that is neither a URL nor a path nor in the import map, and for a
    ///   specifier of more than ``maximumSpecifierBytes`` bytes.
    public func resolve(_ specifier: String, from referrer: String?) throws -> String {
        if let url = try url(of: specifier, from: referrer) { return url }
        throw ModuleError.unresolved(
            specifier,
            from: referrer,
            """
            is neither a URL nor a path that begins with "/", "./" or "../", and the import \
            map does not have it
            """
        )
    }

    /// Returns the URL for a specifier; `nil` for another name.
    func url(of specifier: String, from referrer: String?) throws -> String? {
        guard specifier.utf8.count <= Self.maximumSpecifierBytes else {
            throw ModuleError.unresolved(
                specifier,
                from: referrer,
                "is too long for a specifier (limit \(Self.maximumSpecifierBytes) bytes)"
            )
        }
        let base = ModuleURL.base(of: referrer, or: baseURL)
        let url = ModuleURL.resolve(specifier, against: base)
        return try importMap.url(of: specifier, url: url, from: base, base: baseURL) ?? url
    }
}
