import JavaScriptBridge

// Debian installs packages for Node in one folder, in which they import each other by name: as in a node_modules.
var loader = try FolderModuleLoader(root: "/usr/share/nodejs")
loader.packageFolders = ["."]
var configuration = BridgeConfiguration()
configuration.modules = ModuleConfiguration(loader: loader, resolver: PackageModuleResolver(loader: loader))

let bridge = try Bridge(configuration: configuration)
let report = try ScriptSource.file("Examples/Packages/report.mjs").read().text
// A module finds packages from its own URL, so the report is a module of that folder.
try await bridge.load(.moduleText(report, name: loader.rootURL + "report.mjs"))
let source = try ScriptSource.file("Examples/Packages/queue.js").read().text
print(try await bridge.callHandler("report", with: source, returning: String.self))
