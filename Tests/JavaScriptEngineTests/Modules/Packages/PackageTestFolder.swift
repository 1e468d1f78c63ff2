import BridgeValues
import Foundation
import JavaScriptEngine

/// A folder with files that a test gives, and a context that imports from it.
struct PackageTestFolder {
    let root: URL

    init(_ files: [String: String]) throws {
        root = FileManager.default.temporaryDirectory.appending(path: "packages-\(UUID().uuidString)")
        for (name, text) in files { try write(name, text) }
    }

    func write(_ name: String, _ text: String) throws {
        let file = root.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    /// Returns a context whose packages are in some folders.
    func modules(
        packageFolders: [String] = ["node_modules"],
        machine: JSVirtualMachine = JSVirtualMachine(),
        configure: (inout ModuleConfiguration) -> Void = { _ in }
    ) throws -> ModuleTestContext {
        var loader = try FolderModuleLoader(root: root.path)
        loader.packageFolders = packageFolders
        return try ModuleTestContext(machine: machine) { [loader] in
            $0.loader = loader
            $0.resolver = PackageModuleResolver(loader: loader)
            configure(&$0)
        }
    }
}
