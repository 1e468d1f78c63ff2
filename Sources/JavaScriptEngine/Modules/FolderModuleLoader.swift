internal import BridgeValues
internal import Foundation

/// A loader of modules from the files of one folder.
///
/// A file is found only below the folder: no path and no symbolic link leads out of it, and links are not followed,
/// whatever changes while it is loaded. Files that end with `.js` or `.mjs` are JavaScript modules, and a file that ends
/// with `.json` is imported with the type `json`. Every file can be imported as text or bytes.
///
/// ```swift
/// let loader = try FolderModuleLoader(root: "/srv/plugins/shop")
/// context.moduleConfiguration = ModuleConfiguration(
///     loader: loader,
///     resolver: URLModuleResolver(baseURL: loader.rootURL)
/// )
/// ```
public struct FolderModuleLoader: ModuleLoader {
    /// The URL of the folder, which ends with a slash.
    public let rootURL: String
    /// The number of bytes that a file may have.
    public var maximumFileBytes = 16 * 1024 * 1024
    /// The types as which files can be imported; all by default.
    ///
    /// Without ``ModuleType/json``, ``ModuleType/text`` and ``ModuleType/bytes`` scripts cannot read the folder's files.
    public var allowedTypes = Set(ModuleType.allCases)
    /// The names of the folders that have packages, such as `node_modules`.
    ///
    /// The name `.` means that packages are beside the importing file or above it. There are none by default. With at
    /// least one, ``PackageModuleResolver`` finds packages, and the loader loads CommonJS modules: files that end with
    /// `.cjs`, and files that end with `.js` in a package whose `type` is not `module`.
    public var packageFolders: [String] = []
    /// The transpiler of files in another language, such as ``TypeScriptTranspiler``; `nil` for none.
    public var transpiler: (any ModuleTranspiler)?
    private let folder: OpenFolder
    let packages: PackageFolder

    /// Opens a folder.
    ///
    /// - Parameter path: The path of the folder; symbolic links in it are followed now.
    /// - Throws: ``ModuleError`` if it cannot be opened.
    public init(root path: String) throws {
        do {
            folder = try OpenFolder(path: path)
        } catch {
            throw ModuleError("the folder of modules cannot be opened: \(error.reason)")
        }
        packages = PackageFolder(folder)
        guard let real = folder.realPath,
            let url = ModuleURL.ofFile(real == "/" ? "/" : real + "/")
        else { throw ModuleError("the folder of modules has no path") }
        rootURL = url
    }

    /// Forgets which files and packages exist, which are looked up once.
    package func forgetFiles() { packages.forget() }

    /// Returns the source in a file.
    ///
    /// - Throws: ``ModuleError`` if the URL is not below the folder, if the file cannot be read, has another type, or
    ///   has more than ``maximumFileBytes`` bytes.
    public func load(_ request: ModuleRequest) throws -> ModuleLoadResponse {
        let path = try path(of: request)
        if let response = try transpiled(path, request) { return response }
        try checkType(of: path, request)
        let format = try format(of: path, request)
        do throws(ModuleError) {
            var source = ModuleSource(bytes: try bytes(of: path, request), type: request.type)
            source.format = format
            return .sync(source)
        } catch {
            // The file may be the translation of another one.
            guard error == .notFound(request), let path = originalPath(of: path),
                let response = try transpiled(path, request)
            else { throw error }
            return response
        }
    }

    /// Returns the loader of the source map of a module, for maps below the folder that scripts may read.
    public func sourceMaps(of url: String) -> SourceMapLoader? {
        guard allowedTypes.contains(.json) else { return nil }
        return SourceMapLoader { reference in
            let isAbsolute = ModuleURL.hasScheme(reference) || reference.utf8.first == UInt8(ascii: "/")
            guard let map = ModuleURL.resolve(isAbsolute ? reference : "./" + reference, against: url),
                let path = path(of: map)
            else { throw SourceMapProblem("the path of the map leads out of the folder of modules") }
            do throws(RegularFile.Problem) {
                let file = try RegularFile(
                    path: path,
                    below: folder,
                    maximumBytes: SourceMap.maximumByteCount
                )
                return Data(try file.allBytes())
            } catch {
                throw SourceMapProblem("the file of the map cannot be read: \(error.reason)")
            }
        }
    }

    // MARK: - Other languages

    /// Returns the response for a file in another language; `nil` for a file that needs no transpiler.
    private func transpiled(_ path: String, _ request: ModuleRequest) throws -> ModuleLoadResponse? {
        guard let transpiler, request.type == .javaScript,
            transpiler.fileExtensions.keys.contains(where: { path.utf8.ends(with: $0.utf8) })
        else { return nil }
        guard !request.isRequired else {
            throw ModuleError("module \(Printable.quoted(request.url)) cannot be required: import it")
        }
        let url = url(of: path)
        guard let text = String(validating: try bytes(of: path, request), as: UTF8.self) else {
            throw ModuleError("module \(Printable.quoted(url)) is not valid UTF-8")
        }
        return .async { ModuleSource(try await transpiler.transpile(text, url: url)) }
    }

    /// Returns the path of the file whose translation a path would be; `nil` without a transpiler for it.
    private func originalPath(of path: String) -> String? {
        transpiler?.fileExtensions.first { path.utf8.ends(with: $0.value.utf8) }
            .map { String(Substring(path.utf8.dropLast($0.value.utf8.count))) + $0.key }
    }

    private func bytes(of path: String, _ request: ModuleRequest) throws(ModuleError) -> [UInt8] {
        do throws(RegularFile.Problem) {
            return try RegularFile(path: path, below: folder, maximumBytes: maximumFileBytes).allBytes()
        } catch {
            if case .system(ENOENT) = error { throw ModuleError.notFound(request) }
            if error == .leadsOut, let link = symbolicLink(in: path) {
                let subject = link == path ? "" : "is in \(Printable.quoted(link)), which "
                throw ModuleError(
                    """
                    module \(Printable.quoted(request.url)) \(subject)is a symbolic link, which modules may not \
                    be\(ModuleError.importer(request.referrer))
                    """
                )
            }
            throw ModuleError(
                """
                module \(Printable.quoted(request.url)) cannot be read: \
                \(error.reason)\(ModuleError.importer(request.referrer))
                """
            )
        }
    }

    /// Returns the first part of a path that is a symbolic link; `nil` if there is none.
    private func symbolicLink(in path: String) -> String? {
        let ends = path.indices.filter { path[$0] == "/" } + [path.endIndex]
        return ends.lazy.map { String(path[..<$0]) }
            .first { (try? folder.status(of: $0))?.kind == .symbolicLink }
    }

    private func path(of request: ModuleRequest) throws -> String {
        guard let encoded = encodedPath(of: request.url) else {
            // A program that loads the module has to know the folder; a script that imports it has its own URL.
            let place = request.referrer == nil ? ", \(rootURL), of its configuration" : ""
            throw ModuleError(
                """
                module \(Printable.quoted(request.url)) is outside the folder of \
                modules\(place)\(ModuleError.importer(request.referrer))
                """
            )
        }
        guard !encoded.isEmpty, let path = ModuleURL.decodedPath(encoded) else {
            throw ModuleError.notFound(request)
        }
        return path
    }

    private func encodedPath(of url: String) -> Substring? {
        let end =
            url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.endIndex
        guard url[..<end].utf8.starts(with: rootURL.utf8) else { return nil }
        return Substring(url.utf8[..<end].dropFirst(rootURL.utf8.count))
    }

    /// Returns the path below the folder that a URL names; `nil` if it names none.
    func path(of url: String) -> String? { encodedPath(of: url).flatMap(ModuleURL.decodedPath) }

    /// Returns the URL of a path below the folder.
    func url(of path: String) -> String {
        rootURL + (ModuleURL.ofFile("/" + path) ?? "file:///").dropFirst("file:///".count)
    }

    /// Returns the format of a file by its name and its package.
    private func format(of path: String, _ request: ModuleRequest) throws -> ModuleFormat {
        guard !packageFolders.isEmpty, request.type == .javaScript else { return .module }
        if PackagePath.hasSuffix(".cjs", path) { return .commonJS }
        if PackagePath.hasSuffix(".mjs", path) { return .module }
        switch try packages.scope(of: path)?.manifest.type {
        case .module: return .module
        // Packages also have modules that only bundlers read, which ignore the type.
        case .commonJS: return isInPackage(path) ? .detected : .commonJS
        case .unknown, nil: return isInPackage(path) || request.isRequired ? .detected : .module
        }
    }

    /// Returns whether a path is that of a file of a package.
    func isInPackage(_ path: String) -> Bool {
        packageFolders.contains { name in
            name == "." ? path.utf8.contains(UInt8(ascii: "/")) : PackagePath.hasSegment(name, path)
        }
    }

    private func checkType(of path: String, _ request: ModuleRequest) throws {
        guard allowedTypes.contains(request.type) else {
            throw ModuleError(
                """
                module \(Printable.quoted(request.url)) cannot be imported with the type "\(request.type.rawValue)" here: files are \
                not data for this script\(ModuleError.importer(request.referrer))
                """
            )
        }
        let found: ModuleType? =
            PackagePath.hasSuffix(".js", path) || PackagePath.hasSuffix(".mjs", path)
                || !packageFolders.isEmpty && PackagePath.hasSuffix(".cjs", path)
            ? .javaScript : PackagePath.hasSuffix(".json", path) ? .json : nil
        switch (request.type, found) {
        case (.text, _), (.bytes, _), (.javaScript, .javaScript), (.json, .json): return
        case (_, let found?): throw ModuleError.wrongType(request, found: found)
        case (_, nil):
            throw ModuleError(
                """
                module \(Printable.quoted(request.url)) ends with neither .js, .mjs nor .json: import it with the \
                type "text" or "bytes"\(ModuleError.importer(request.referrer))
                """
            )
        }
    }
}

extension String.UTF8View {
    fileprivate func ends(with suffix: Self) -> Bool { reversed().starts(with: suffix.reversed()) }
}
