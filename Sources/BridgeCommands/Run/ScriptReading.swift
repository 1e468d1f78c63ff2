internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

extension RunOptions.Script {
    /// Reads the script.
    ///
    /// - Returns: Its code, and its name in errors.
    /// - Throws: ``BridgeError`` with `scriptFailed`, the path and the reason.
    func read(in system: CommandSystem) throws -> (text: String, name: String) {
        switch self {
        case .file(let path):
            let (text, name) = try ScriptSource.file(path).read()
            return (text, isPage ? name : Self.evaluatedName(of: path))
        case .code(let code): return (code, name)
        case .standardInput:
            let bytes: [UInt8]
            do {
                bytes = try system.readInput()
            } catch {
                throw BridgeError(.scriptFailed, "standard input cannot be read: \(ErrorText.plain(error))")
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw BridgeError(.scriptFailed, "standard input is not UTF-8 text")
            }
            return (text, name)
        }
    }

    /// Returns the name under which the script of a file is evaluated: the path as it was given, or over links, the path
    /// of the file itself.
    ///
    /// Node does the same. An editor that shows the file then finds its breakpoints.
    static func evaluatedName(of path: String) -> String {
        let given = URL(fileURLWithPath: path)
        let file = given.resolvingSymlinksInPath().path
        // A pipe that the shell names has no path of its own.
        guard file != given.standardizedFileURL.path, FileManager.default.fileExists(atPath: file) else {
            return path
        }
        return file
    }
}
