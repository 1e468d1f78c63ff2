internal import BridgeProtocol
internal import JavaScriptBridge

/// A loader that watches the files that it loads, also those that do not exist.
final class WatchedModules: ModuleLoader {
    /// The files, whose names are the URLs of their modules.
    let files: WatchedFiles
    /// The script, which is read whatever the end of its name is.
    private let script: (url: String, path: String)
    private let loader: FolderModuleLoader

    /// Creates a loader, and watches the script.
    init(_ loader: FolderModuleLoader, scriptURL: String, files: WatchedFiles) {
        self.files = files
        script = (scriptURL, ModuleURL.filePath(of: scriptURL))
        self.loader = loader
        note(scriptURL)
    }

    func load(_ request: ModuleRequest) throws -> ModuleLoadResponse {
        note(request.url)
        let isScript = request.url == script.url && request.type == .javaScript
        guard isScript, !RunOptions.Script.file(script.path).isTypeScript else {
            return try loader.load(request)
        }
        return .sync(ModuleSource(try ScriptSource.file(script.path).read().text))
    }

    func sourceMaps(of url: String) -> SourceMapLoader? { loader.sourceMaps(of: url) }

    private func note(_ url: String) {
        let path = ModuleURL.filePath(of: url)
        files.add(path, as: url)
        // The file may be the translation of another one.
        for (original, translation) in loader.transpiler?.fileExtensions ?? [:]
        where path.hasSuffix(translation) {
            files.add(String(path.dropLast(translation.count)) + original, as: url, replaces: false)
        }
    }

    /// Returns the URLs of the files that have changed since the last call.
    func takeChangedURLs() -> Set<String> {
        loader.forgetFiles()
        return files.takeChanged()
    }
}
