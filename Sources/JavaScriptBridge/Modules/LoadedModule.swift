internal import BridgeProtocol
internal import BridgeValues
internal import Foundation

/// A module that a bridge loads: its URL, and its text unless the loader reads it.
struct LoadedModule: Sendable {
    let url: String
    let text: String?
    /// The folder that its imports are from if the bridge has no configuration of modules.
    private let folder: String?

    /// Finds a module.
    ///
    /// - Throws: ``BridgeError`` with the code `scriptFailed` for a file that cannot be opened.
    init(_ source: ScriptSource) throws {
        if case .moduleText(let text, let name) = source {
            self.text = ScriptSource.withoutMark(text)
            let path = name.hasPrefix("/") ? name : FileManager.default.currentDirectoryPath + "/" + name
            guard let url = ModuleURL.scheme(of: name) == nil ? ModuleURL.ofFile(path) : name else {
                throw BridgeError(.scriptFailed, "\(name): the name of a module is a URL or a path")
            }
            self.url = url
            folder = ModuleURL.scheme(of: name) == nil ? Self.folder(of: path) : nil
            return
        }
        let path = source.path ?? ""
        let real: String?
        do {
            real = try RegularFile(path: path).realPath
        } catch {
            throw ScriptSource.unreadable(path, because: error.reason)
        }
        guard let real, let url = ModuleURL.ofFile(real) else {
            throw BridgeError(.scriptFailed, "\(path): the file has no absolute path")
        }
        self.url = url
        text = nil
        folder = Self.folder(of: real)
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    }

    /// Returns the configuration for a bridge that has none: the files of the module's folder.
    ///
    /// - Parameter tier: The tier.
    /// - Returns: The configuration.
    /// - Throws: ``ModuleError`` for a folder that cannot be opened.
    func configuration(for tier: ExecutionTier) throws -> ModuleConfiguration {
        guard let folder else { return ModuleConfiguration(loader: StringModuleLoader([String: String]())) }
        let loader = try FolderModuleLoader(root: folder, for: tier)
        return ModuleConfiguration(loader: loader, resolver: URLModuleResolver(baseURL: loader.rootURL))
    }
}

extension FolderModuleLoader {
    /// Opens a folder whose files only trusted scripts can import as data.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - tier: The tier of the scripts.
    /// - Throws: ``ModuleError`` if it cannot be opened.
    package init(root path: String, for tier: ExecutionTier) throws {
        try self.init(root: path)
        if tier == .constrained { allowedTypes = [.javaScript] }
    }
}
