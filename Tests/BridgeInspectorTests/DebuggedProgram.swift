import BridgeInspector
import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Synchronization

/// A bridge with a debug server, and a folder of scripts.
final class DebuggedProgram: Sendable {
    let folder: URL
    let server: DebugServer
    let bridge: Bridge
    /// The lines that scripts have written to the console.
    let lines: Mutex<[String]>

    init(_ files: [String: String], server: DebugServer? = nil) throws {
        folder = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
            .appendingPathComponent("inspector-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        self.server = try server ?? DebugServer()
        var configuration = BridgeConfiguration()
        configuration.isolation = .thread
        configuration.inspector = self.server
        var loader = try FolderModuleLoader(root: folder.path)
        loader.transpiler = TypeScriptTranspiler(compiler: TypeScriptTranspiler.debianCompiler)
        configuration.modules = ModuleConfiguration(loader: loader)
        let sink = LineSink()
        configuration.consoleSink = { message in sink.add(message.text) }
        lines = Mutex([])
        bridge = try Bridge(configuration: configuration)
        sink.target = self
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Connects a client that has attached.
    func client(_ arguments: [(String, Value)] = []) throws -> DebugClient {
        let client = try DebugClient(port: server.port)
        try client.attach(server.token, arguments)
        return client
    }

    /// Loads a file in the background: a module if its name ends with `.mjs` or `.ts`.
    func load(_ name: String) -> Task<Void, any Error> {
        Task { [bridge, path = path(name)] in
            let isModule = name.hasSuffix(".mjs") || name.hasSuffix(".ts")
            _ = try await bridge.load(isModule ? .module(path) : .file(path), sourceMaps: .beside(file: path))
        }
    }

    /// Closes the bridge and the server.
    func close() {
        bridge.close()
        server.close()
    }

    var printed: [String] { lines.withLock { $0 } }
}

// @unchecked Sendable because the target is set before a script runs.
private final class LineSink: @unchecked Sendable {
    weak var target: DebuggedProgram?
    func add(_ line: String) { target?.lines.withLock { $0.append(line) } }
}
