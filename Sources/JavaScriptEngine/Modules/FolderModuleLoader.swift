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
        guard let real = folder.realPath else { throw ModuleError("the folder of modules has no path") }
        rootURL = ModuleURL.file(path: real == "/" ? "/" : real + "/")
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
                module \(Printable.quoted(request.url)) cannot be read: \
                \(error.reason)\(ModuleError.importer(request.referrer))
                """
            )
        }
    }

    private func path(of request: ModuleRequest) throws -> String {
        let end =
            request.url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? request.url.endIndex
        guard request.url[..<end].utf8.starts(with: rootURL.utf8) else {
            throw ModuleError(
                """
                module \(Printable.quoted(request.url)) is outside the folder of \
                modules\(ModuleError.importer(request.referrer))
                """
            )
        }
        let encoded = request.url.utf8[..<end].dropFirst(rootURL.utf8.count)
        guard !encoded.isEmpty, let path = ModuleURL.decodedPath(Substring(encoded)) else {
            throw ModuleError.notFound(request)
        }
        return path
    }

    private func checkType(of path: String, _ request: ModuleRequest) throws {
        let found: ModuleType? =
            path.utf8.hasSuffix(".js") || path.utf8.hasSuffix(".mjs")
            ? .javaScript : path.utf8.hasSuffix(".json") ? .json : nil
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
    /// Returns whether the bytes end with those of another string.
    fileprivate func hasSuffix(_ suffix: StaticString) -> Bool {
        suffix.withUTF8Buffer { self.suffix($0.count).elementsEqual($0) }
    }
}
