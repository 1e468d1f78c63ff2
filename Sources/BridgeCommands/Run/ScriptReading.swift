internal import BridgeValues
internal import JavaScriptBridge

extension RunOptions.Script {
    /// Reads the script.
    ///
    /// - Returns: Its code, and its name in errors.
    /// - Throws: ``BridgeError`` with `scriptFailed`, the path and the reason.
    func read(in system: CommandSystem) throws -> (text: String, name: String) {
        switch self {
        case .file(let path): return try ScriptSource.file(path).read()
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
}
