import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport

/// A folder with files that a test gives, and a context that imports from it.
struct PackageTestFolder {
    private let folder: TemporaryFolder

    init(_ files: [String: String]) throws { folder = try TemporaryFolder(files) }

    var root: URL { folder.url }

    func write(_ name: String, _ text: String) throws { try folder.write(text, to: name) }

    /// Returns a context whose packages are in some folders, and which retains this folder.
    func modules(
        packageFolders: [String] = ["node_modules"],
        machine: JSVirtualMachine = JSVirtualMachine(),
        configure: (inout ModuleConfiguration) -> Void = { _ in }
    ) throws -> ModuleTestContext {
        var loader = try FolderModuleLoader(root: root.path)
        loader.packageFolders = packageFolders
        var modules = try ModuleTestContext(machine: machine) { [loader] in
            $0.loader = loader
            $0.resolver = PackageModuleResolver(loader: loader)
            configure(&$0)
        }
        modules.retained = folder
        return modules
    }
}
