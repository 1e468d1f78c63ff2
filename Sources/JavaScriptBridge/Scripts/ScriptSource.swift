internal import BridgeProtocol
internal import Foundation

/// The source of a script, of a module, or of a page with its scripts.
public enum ScriptSource: Sendable, Hashable {
    /// A file of UTF-8 text; its path is its name in errors.
    ///
    /// A file whose name ends in `.html` or `.htm` is a page.
    case file(String)
    /// A string, and its name in errors.
    case text(String, name: String)
    /// The markup of a page, and its name in errors.
    case page(String, name: String)
    /// A file that is an ES module.
    ///
    /// Its imports are those of ``BridgeConfiguration/modules``; without that, files in its own folder.
    case module(String)
    /// A string that is an ES module, and its name: a URL, or a path, to which its imports are relative.
    case moduleText(String, name: String)

    /// A Boolean value that indicates whether this is a page, whose scripts are run one after another.
    package var isPage: Bool {
        switch self {
        case .file(let path): Self.namesPage(path)
        case .text, .module, .moduleText: false
        case .page: true
        }
    }

    /// A Boolean value that indicates whether this is an ES module.
    package var isModule: Bool {
        switch self {
        case .module, .moduleText: true
        case .file, .text, .page: false
        }
    }

    /// Returns whether the file of a path is a page, by its name.
    package static func namesPage(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".html") || name.hasSuffix(".htm")
    }

    /// The path of the file; `nil` for a string.
    var path: String? {
        switch self {
        case .file(let path), .module(let path): path
        case .text, .page, .moduleText: nil
        }
    }

    /// Reads the text.
    ///
    /// - Returns: The text and its name.
    /// - Throws: ``BridgeError`` with the code `scriptFailed` that names the file and the reason.
    package func read() throws -> (text: String, name: String) {
        switch self {
        case .text(let text, let name), .page(let text, let name), .moduleText(let text, let name):
            return (text, name)
        case .file(let path), .module(let path):
            let data: Data
            do throws(FileReading.Problem) {
                data = try FileReading.source(of: path)
            } catch {
                throw Self.unreadable(path, because: error.reason)
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw BridgeError(.scriptFailed, "\(path): the file is not UTF-8 text")
            }
            return (Self.withoutMark(text), path)
        }
    }

    /// Returns the error for a file that cannot be read, which says where a relative path begins.
    static func unreadable(_ path: String, because reason: String) -> BridgeError {
        let current = FileManager.default.currentDirectoryPath
        let folder = path.hasPrefix("/") ? "" : " (the current directory is \(current))"
        return BridgeError(.scriptFailed, "\(path): \(reason)\(folder)")
    }

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
