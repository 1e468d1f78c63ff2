public import Foundation

/// A function that loads the source map which a script's last comment names: `//# sourceMappingURL=plugin.js.map`.
///
/// The engine itself reads no file. A map inside the comment (a `data:` URL) needs no loader.
public struct SourceMapLoader: Sendable {
    let load: @Sendable (_ url: String) throws -> Data

    /// Creates a loader from a function.
    ///
    /// - Parameter load: Takes the URL exactly as the comment has it, which the script's author chose, and returns the
    ///   map's JSON. It runs when the frames of an error of that script are first read, on the reading thread. An error
    ///   that it throws is recorded in ``JSException/sourceMapProblems``.
    public init(_ load: @escaping @Sendable (_ url: String) throws -> Data) { self.load = load }

    /// Returns a loader for maps next to a script's file.
    ///
    /// It accepts relative paths that stay inside the script's folder, and regular files of at most 32 MiB.
    ///
    /// - Parameter path: The script's path.
    /// - Returns: The loader.
    public static func beside(file path: String) -> SourceMapLoader {
        SourceMapLoader {
            try SiblingFile(
                reference: $0,
                path: path,
                noun: "map",
                owner: "script",
                maximumByteCount: SourceMap.maximumByteCount
            ).read()
        }
    }
}

/// A file that another file names, in the folder of that file or below.
package struct SiblingFile {
    private let reference: String
    private let folder: URL
    private let noun: String
    private let owner: String
    private let maximumByteCount: Int

    /// Creates a reference to a file by a relative path.
    ///
    /// - Parameters:
    ///   - reference: The path exactly as the other file has it, whose author chose it.
    ///   - path: The path of the other file.
    ///   - noun: The kind of file, for errors.
    ///   - owner: The kind of the other file, for errors.
    ///   - maximumByteCount: The maximum size of the file.
    package init(reference: String, path: String, noun: String, owner: String, maximumByteCount: Int) {
        self.reference = reference
        folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        self.noun = noun
        self.owner = owner
        self.maximumByteCount = maximumByteCount
    }

    /// Reads the file.
    ///
    /// - Throws: ``SourceMapProblem`` with the reason, which does not contain the path of the folder.
    package func read() throws -> Data {
        guard let path = reference.removingPercentEncoding, !path.contains("\0"),
            !SourcePath.isAbsolute(path), !path.contains("\\"), !path.isEmpty
        else {
            throw SourceMapProblem("only a relative path can name the file of a \(noun)")
        }
        // All links are resolved, so that no name leads out of the folder.
        let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let file = folder.appendingPathComponent(path).resolvingSymlinksInPath().standardizedFileURL.path
        guard file.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw SourceMapProblem("the path of the \(noun) leads out of the \(owner)'s folder")
        }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else {
            throw SourceMapProblem("the file of the \(noun) cannot be read")
        }
        // A pipe or a device may never end.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw SourceMapProblem("the path of the \(noun) does not name a regular file")
        }
        guard let size = attributes[.size] as? NSNumber, size.intValue <= maximumByteCount else {
            throw SourceMapProblem(
                "the file of the \(noun) is larger than the \(maximumByteCount) bytes that are read"
            )
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw SourceMapProblem("the file of the \(noun) cannot be read")
        }
        return data
    }
}
