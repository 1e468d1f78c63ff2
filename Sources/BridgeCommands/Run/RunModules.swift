internal import BridgeProtocol
internal import Foundation
internal import JavaScriptBridge

/// The modules of a run: the files below one folder.
struct RunModules {
    /// The modules.
    private(set) var configuration: ModuleConfiguration
    /// The URL of the script, in case it is a module.
    let mainURL: String
    private let loader: FolderModuleLoader

    /// Returns the transpiler for a script.
    ///
    /// - Throws: ``CommandFailure`` if there is none.
    func requireTranspiler(of script: String) throws(CommandFailure) -> any ModuleTranspiler {
        if let transpiler = loader.transpiler { return transpiler }
        throw CommandFailure(
            status: ExitStatus.failure,
            reason: CommandError(
                """
                '\(script)' is TypeScript, whose compiler is not installed: apt-get install node-typescript \
                (expected: \(TypeScriptTranspiler.debianCompiler))
                """
            )
        )
    }

    /// Returns the modules of a run; `nil` if the folder of a script that may not need any cannot be opened.
    static func any(
        _ options: RunOptions.Modules,
        of script: RunOptions.Script,
        tier: ExecutionTier
    ) throws(CommandFailure) -> RunModules? {
        do {
            return try RunModules(options, of: script, tier: tier)
        } catch {
            guard options == RunOptions.Modules() else { throw error }
            return nil
        }
    }

    /// Opens the folder of the modules.
    ///
    /// - Throws: ``CommandFailure`` for a folder or an import map that cannot be read.
    private init(
        _ options: RunOptions.Modules,
        of script: RunOptions.Script,
        tier: ExecutionTier
    ) throws(CommandFailure) {
        let manager = FileManager.default
        let here = URL(fileURLWithPath: manager.currentDirectoryPath, isDirectory: true)
        let file =
            switch script {
            case .file(let path): URL(fileURLWithPath: path).resolvingSymlinksInPath()
            case .standardInput: here.appendingPathComponent("[stdin]")
            case .code: here.appendingPathComponent("[eval]")
            }
        let folder = file.deletingLastPathComponent()
        let root = options.root ?? Self.packageFolder(of: folder) ?? folder.path
        do {
            var loader = try FolderModuleLoader(root: root, for: tier)
            loader.packageFolders = ["node_modules"]
            if manager.fileExists(atPath: TypeScriptTranspiler.debianCompiler) {
                loader.transpiler = TypeScriptTranspiler(compiler: TypeScriptTranspiler.debianCompiler)
            }
            guard let base = ModuleURL.ofFile(here.path + "/"), let url = ModuleURL.ofFile(file.path) else {
                throw ModuleError("the script has no absolute path")
            }
            var resolver = PackageModuleResolver(loader: loader)
            resolver.baseURL = base
            if let path = options.importMap { resolver.importMap = try Self.importMap(path) }
            configuration = ModuleConfiguration(loader: loader, resolver: resolver)
            mainURL = url
            self.loader = loader
        } catch {
            throw CommandFailure(status: ExitStatus.noInput, reason: error)
        }
    }

    /// Makes the modules reloadable, and watches their files.
    mutating func watch() throws(CommandFailure) -> WatchedModules {
        let watched = watch(in: try WatchedFiles())
        configuration.isReloadable = true
        return watched
    }

    /// Watches the files of the modules, which remain as they are.
    @discardableResult
    mutating func watch(in files: WatchedFiles) -> WatchedModules {
        let watched = WatchedModules(loader, scriptURL: mainURL, files: files)
        configuration.loader = watched
        return watched
    }

    /// Reads an import map, whose addresses are relative to its file.
    private static func importMap(_ path: String) throws -> ImportMap {
        let json: Data
        do throws(FileReading.Problem) {
            json = try FileReading.source(of: path)
        } catch {
            throw ModuleError("\(path): \(error.reason)")
        }
        guard let base = ModuleURL.ofFile(URL(fileURLWithPath: path).path) else {
            throw ModuleError("\(path): the file has no absolute path")
        }
        var map = try ImportMap(json: json)
        func absolute(_ address: String?) -> String? {
            address.map { ModuleURL.resolve($0, against: base) ?? $0 }
        }
        map.imports = map.imports.mapValues(absolute)
        let scopes = map.scopes.map { scope, table in
            (ModuleURL.resolve(scope, against: base) ?? scope, table.mapValues(absolute))
        }
        map.scopes = Dictionary(scopes) { _, last in last }
        return map
    }

    private static func packageFolder(of folder: URL) -> String? {
        var folder = folder
        while true {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("package.json").path) {
                return folder.path
            }
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { return nil }
            folder = parent
        }
    }
}
