import Foundation
import JavaScriptBridge

/// A folder with modules.
final class ModuleFolder {
    let url = FileManager.default.temporaryDirectory.appending(
        path: "bridge-modules-\(UUID().uuidString)"
    )

    init(_ files: [String: String]) throws {
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    func module(_ name: String) -> ScriptSource { .module(url.appending(path: name).path) }
}
