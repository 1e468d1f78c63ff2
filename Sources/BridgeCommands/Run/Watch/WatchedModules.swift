internal import BridgeProtocol
internal import BridgeValues
internal import JavaScriptBridge
internal import Synchronization

/// A loader that watches the folders of the files that it loads, also of those that do not exist.
final class WatchedModules: ModuleLoader {
    let watch: FileWatch
    /// The script, which is read whatever the end of its name is.
    private let script: (url: String, path: String)
    private let loader: FolderModuleLoader
    private let state = Mutex<(urls: [String: String], folders: Set<String>, problem: WatchError?)>(
        ([:], [], nil)
    )

    /// Creates a loader, and watches the folder of the script.
    init(_ loader: FolderModuleLoader, scriptURL: String) throws(CommandFailure) {
        watch = try FileWatch()
        script = (scriptURL, ModuleURL.filePath(of: scriptURL))
        self.loader = loader
        note(scriptURL)
    }

    /// Returns the reason why a folder could not be watched, once.
    func takeProblem() -> WatchError? {
        state.withLock { state in
            defer { state.problem = nil }
            return state.problem
        }
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
        guard let slash = path.lastIndex(of: "/") else { return }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        state.withLock { state in
            state.urls[path] = url
            // The file may be the translation of another one.
            for (original, translation) in loader.transpiler?.fileExtensions ?? [:]
            where path.hasSuffix(translation) {
                let file = String(path.dropLast(translation.count)) + original
                state.urls[file] = state.urls[file] ?? url
            }
            if state.folders.insert(folder).inserted {
                state.problem = watch.watch(folder: folder) ?? state.problem
            }
        }
    }

    /// Returns the URLs of the files that have changed since the last call.
    func takeChangedURLs() -> Set<String> {
        let changes = watch.takeChanges()
        loader.forgetFiles()
        return state.withLock { state in
            if changes.isIncomplete { return Set(state.urls.values) }
            var urls = Set(changes.paths.compactMap { state.urls[$0] })
            // A folder that was created, removed or renamed.
            for path in changes.paths where state.urls[path] == nil {
                for folder in state.folders where folder == path || folder.hasPrefix(path + "/") {
                    _ = watch.watch(folder: folder)
                }
                for (file, url) in state.urls where file.hasPrefix(path + "/") { urls.insert(url) }
            }
            return urls
        }
    }
}
