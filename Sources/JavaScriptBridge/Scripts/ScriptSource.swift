internal import BridgeProtocol
internal import Foundation

/// Where a script comes from.
public enum ScriptSource: Sendable, Hashable {
    /// A file of UTF-8 text; its path is its name in errors.
    case file(String)
    /// A text, and its name in errors.
    case text(String, name: String)

    /// Reads the text.
    ///
    /// - Returns: The text and its name.
    /// - Throws: ``BridgeError`` with the code `scriptFailed` that names the file and the reason.
    package func read() throws -> (text: String, name: String) {
        switch self {
        case .text(let text, let name): return (text, name)
        case .file(let path):
            let data: Data
            do throws(FileReading.Problem) {
                data = try FileReading.bytes(of: path)
            } catch {
                throw BridgeError(.scriptFailed, "\(path): \(error.reason)")
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw BridgeError(.scriptFailed, "\(path): the file is not UTF-8 text")
            }
            return (Self.withoutMark(text), path)
        }
    }

    /// What finds the source map that the script names.
    var sourceMaps: SourceMapLoader? {
        guard case .file(let path) = self else { return nil }
        return .beside(file: path)
    }

    // Editors of other systems put a byte order mark first; the engine would read it as white space with a
    // column. A first line for the system's loader (`#!`) is the engine's own to skip.
    private static func withoutMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
