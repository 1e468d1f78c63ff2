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
    private let folder: OpenFolder

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
        guard let real = folder.realPath,
            let url = ModuleURL.ofFile(real == "/" ? "/" : real + "/")
        else { throw ModuleError("the folder of modules has no path") }
        rootURL = url
    }

    /// Returns the source in a file.
    ///
    /// - Throws: ``ModuleError`` if the URL is not below the folder, if the file cannot be read, has another type, or
    ///   has more than ``maximumFileBytes`` bytes.
    public func load(_ request: ModuleRequest) throws -> ModuleLoadResponse {
        let path = try path(of: request)
        try checkType(of: path, request)
        do throws(RegularFile.Problem) {
            let file = try RegularFile(path: path, below: folder, maximumBytes: maximumFileBytes)
            return .sync(ModuleSource(bytes: try file.allBytes(), type: request.type))
        } catch {
            if case .system(ENOENT) = error { throw ModuleError.notFound(request) }
            throw ModuleError(
                """
                module "\(request.url)" cannot be read: \
                \(error.reason)\(ModuleError.importer(request.referrer))
                """
            )
        }
    }

    private func path(of request: ModuleRequest) throws -> String {
        let url = request.url.prefix { $0 != "?" && $0 != "#" }
        guard url.hasPrefix(rootURL) else {
            throw ModuleError(
                """
                module "\(request.url)" is outside the folder of \
                modules\(ModuleError.importer(request.referrer))
                """
            )
        }
        let encoded = url.dropFirst(rootURL.count)
        let lower = encoded.lowercased()
        // These would be other names than the URL shows.
        guard !lower.contains("%2f"), !lower.contains("%00"), !encoded.utf8.contains(0), !encoded.isEmpty,
            let path = String(encoded).removingPercentEncoding
        else { throw ModuleError.notFound(request) }
        return path
    }

    private func checkType(of path: String, _ request: ModuleRequest) throws {
        guard allowedTypes.contains(request.type) else {
            throw ModuleError(
                """
                module "\(request.url)" cannot be imported with the type "\(request.type.rawValue)" here: files are \
                not data for this script\(ModuleError.importer(request.referrer))
                """
            )
        }
        let found: ModuleType? =
            path.hasSuffix(".js") || path.hasSuffix(".mjs")
            ? .javaScript : path.hasSuffix(".json") ? .json : nil
        switch (request.type, found) {
        case (.text, _), (.bytes, _), (.javaScript, .javaScript), (.json, .json): return
        case (_, let found?): throw ModuleError.wrongType(request, found: found)
        case (_, nil):
            throw ModuleError(
                """
                module "\(request.url)" ends with neither .js, .mjs nor .json: import it with the \
                type "text" or "bytes"\(ModuleError.importer(request.referrer))
                """
            )
        }
    }
}
