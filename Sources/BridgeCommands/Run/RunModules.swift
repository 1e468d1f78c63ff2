internal import BridgeProtocol
internal import Foundation
internal import JavaScriptBridge

/// The script of a run, and the modules that it can import.
struct SourceOfRun {
    var source: ScriptSource
    /// The same text as a module, unless it is known not to be one.
    var moduleSource: ScriptSource?
    /// The modules; `nil` while messages are recorded.
    var modules: ModuleConfiguration?
}

/// The modules of a run: the files below one folder.
struct RunModules {
    /// The modules.
    let configuration: ModuleConfiguration
    /// The URL of the script, in case it is a module.
    let mainURL: String

    /// Returns the modules of a run; `nil` if the folder of a script that may not need any cannot be opened.
    static func any(_ options: RunOptions) throws(CommandFailure) -> RunModules? {
        do {
            return try RunModules(options)
        } catch {
            guard options.modules == RunOptions.Modules() else { throw error }
            return nil
        }
    }

    /// Opens the folder of the modules.
    ///
    /// - Throws: ``CommandFailure`` for a folder or an import map that cannot be read.
    private init(_ options: RunOptions) throws(CommandFailure) {
        let manager = FileManager.default
        let here = URL(fileURLWithPath: manager.currentDirectoryPath, isDirectory: true)
        let script: URL
        switch options.script {
        case .file(let path): script = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        case .standardInput: script = here.appendingPathComponent("[stdin]")
        case .code: script = here.appendingPathComponent("[eval]")
        }
        let folder = script.deletingLastPathComponent()
        let root = options.modules.root ?? Self.packageFolder(of: folder) ?? folder.path
        do {
            var loader = try FolderModuleLoader(root: root)
            // Files are data only for a script that may read them.
            if options.tier == .constrained { loader.allowedTypes = [.javaScript] }
            guard let base = ModuleURL.ofFile(here.path + "/"), let url = ModuleURL.ofFile(script.path) else {
                throw ModuleError("the script has no absolute path")
            }
            let map = try options.modules.importMap.map { path in
                do throws(FileReading.Problem) {
                    return try FileReading.bytes(of: path)
                } catch {
                    throw ModuleError("\(path): \(error.reason)")
                }
            }
            var resolver = URLModuleResolver(baseURL: base)
            if let map { resolver.importMap = try ImportMap(json: map) }
            configuration = ModuleConfiguration(loader: loader, resolver: resolver)
            mainURL = url
        } catch {
            throw CommandFailure(status: ExitStatus.noInput, reason: error)
        }
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
