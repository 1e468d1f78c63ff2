internal import BridgeProtocol
internal import Foundation

/// The source of a script, or of a page with its scripts.
public enum ScriptSource: Sendable, Hashable {
    /// A file of UTF-8 text; its path is its name in errors.
    ///
    /// A file whose name ends in `.html` or `.htm` is a page.
    case file(String)
    /// A string, and its name in errors.
    case text(String, name: String)
    /// The markup of a page, and its name in errors.
    case page(String, name: String)

    /// A Boolean value that indicates whether this is a page, whose scripts are run one after another.
    package var isPage: Bool {
        switch self {
        case .file(let path): Self.namesPage(path)
        case .text: false
        case .page: true
        }
    }

    /// Returns whether the file of a path is a page, by its name.
    package static func namesPage(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".html") || name.hasSuffix(".htm")
    }

    /// The path of the file; `nil` for a string.
    var path: String? {
        guard case .file(let path) = self else { return nil }
        return path
    }

    /// Reads the text.
    ///
    /// - Returns: The text and its name.
    /// - Throws: ``BridgeError`` with the code `scriptFailed` that names the file and the reason.
    package func read() throws -> (text: String, name: String) {
        switch self {
        case .text(let text, let name), .page(let text, let name): return (text, name)
        case .file(let path):
            let data: Data
            do throws(FileReading.Problem) {
                data = try FileReading.bytes(of: path)
            } catch {
                let folder = path.hasPrefix("/") ? "" : " (the current directory is \(currentDirectory))"
                throw BridgeError(.scriptFailed, "\(path): \(error.reason)\(folder)")
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw BridgeError(.scriptFailed, "\(path): the file is not UTF-8 text")
            }
            return (Self.withoutMark(text), path)
        }
    }

    private var currentDirectory: String { FileManager.default.currentDirectoryPath }

    /// The loader of the source map that the script names.
    var sourceMaps: SourceMapLoader? {
        guard case .file(let path) = self else { return nil }
        return .beside(file: path)
    }

    // Some editors write a byte order mark first; the engine would read it as white space and count a column for it.
    // The engine itself skips a first line for the system's loader (`#!`).
    static func withoutMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
