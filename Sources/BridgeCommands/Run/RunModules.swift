internal import BridgeProtocol
internal import Foundation
internal import JavaScriptBridge

/// A script of a command, which may be an ES module, with the modules that it can import.
struct LoadableScript {
    private let source: ScriptSource
    /// The same text as a module, unless it is known not to be one.
    private let moduleSource: ScriptSource?
    private let sourceMaps: SourceMapLoader?
    /// The modules that the script can import; `nil` for none.
    let modules: ModuleConfiguration?

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - content: Its text, and its name in errors.
    ///   - options: The modules that it can import; `nil` for none.
    ///   - tier: The trust in the script.
    /// - Throws: ``CommandFailure`` for a folder of modules or an import map that cannot be read.
    init(
        _ script: RunOptions.Script,
        _ content: (text: String, name: String),
        _ options: RunOptions.Modules?,
        tier: ExecutionTier = .trusted
    ) throws(CommandFailure) {
        let (text, name) = content
        let modules =
            if let options { try RunModules.any(options, of: script, tier: tier) } else { RunModules?.none }
        let module = modules.map { ScriptSource.moduleText(text, name: $0.mainURL) }
        let isModule = options?.includesScript == true
        // A page loads the script files beside it.
        let source = script.isPage ? ScriptSource.file(name) : .text(text, name: name)
        self.source = isModule ? module ?? source : source
        moduleSource = isModule || script.isPage ? nil : module
        sourceMaps = script.sourceMaps
        self.modules = modules?.configuration
    }

    /// Runs the script, or loads it as a module if it cannot be parsed otherwise.
    ///
    /// - Parameters:
    ///   - bridge: The bridge.
    ///   - moduleHasBegun: Called with a module that is being loaded.
    /// - Throws: The errors of `Bridge.load(_:sourceMaps:)`.
    func load(on bridge: Bridge, moduleHasBegun: (ModuleLoad) -> Void = { _ in }) async throws {
        if source.isModule {
            let load = try await bridge.beginLoading(module: source)
            moduleHasBegun(load)
            return try await load.finish()
        }
        do {
            try await bridge.load(source, sourceMaps: sourceMaps)
        } catch let error as JSException where error.isOfParsing {
            guard let moduleSource, try moduleSource.read().text.mayBeModule else { throw error }
            do {
                let load = try await bridge.beginLoading(module: moduleSource)
                moduleHasBegun(load)
                try await load.finish()
            } catch let other as JSException where other.isOfParsing && other.isSame(as: error) {
                throw error
            }
        }
    }
}

extension JSException {
    /// A Boolean value that indicates whether the text of a script or module is wrong, so that nothing of it has run.
    fileprivate var isOfParsing: Bool { name == "SyntaxError" && frames.isEmpty }

    fileprivate func isSame(as other: JSException) -> Bool { message == other.message && line == other.line }
}

extension String {
    /// A Boolean value that indicates whether a script that cannot be parsed may be a module.
    fileprivate var mayBeModule: Bool { contains("import") || contains("export") || contains("await") }
}

/// The modules of a run: the files below one folder.
struct RunModules {
    /// The modules.
    let configuration: ModuleConfiguration
    /// The URL of the script, in case it is a module.
    let mainURL: String

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
            var loader = try FolderModuleLoader(root: root)
            loader.packageFolders = ["node_modules"]
            // Files are data only for a script that may read them.
            if tier == .constrained { loader.allowedTypes = [.javaScript] }
            guard let base = ModuleURL.ofFile(here.path + "/"), let url = ModuleURL.ofFile(file.path) else {
                throw ModuleError("the script has no absolute path")
            }
            var resolver = PackageModuleResolver(loader: loader)
            resolver.baseURL = base
            if let path = options.importMap { resolver.importMap = try Self.importMap(path) }
            configuration = ModuleConfiguration(loader: loader, resolver: resolver)
            mainURL = url
        } catch {
            throw CommandFailure(status: ExitStatus.noInput, reason: error)
        }
    }

    /// Reads an import map, whose addresses are relative to its file.
    private static func importMap(_ path: String) throws -> ImportMap {
        let json: Data
        do throws(FileReading.Problem) {
            json = try FileReading.bytes(of: path)
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
