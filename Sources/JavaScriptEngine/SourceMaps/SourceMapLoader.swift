public import Foundation

/// How the source map of a script is found that its last comment names: `//# sourceMappingURL=plugin.js.map`.
///
/// The engine itself reads no file. A map in the comment itself (a `data:` URL) needs no loader.
public struct SourceMapLoader: Sendable {
    let load: @Sendable (_ url: String) throws -> Data

    /// Makes a loader of a function.
    ///
    /// - Parameter load: Takes the URL of the comment as it stands there, which the script's author chose;
    ///   gives the map's JSON. It runs when somebody first reads the frames of an error of that script, on
    ///   that thread. What it throws is noted in ``JSException/sourceMapProblems``.
    public init(_ load: @escaping @Sendable (_ url: String) throws -> Data) { self.load = load }

    /// Finds maps beside a script's file: relative paths that stay inside its folder, regular files of at
    /// most 32 MiB.
    ///
    /// - Parameter path: The script's path.
    /// - Returns: The loader.
    public static func beside(file path: String) -> SourceMapLoader {
        SourceMapLoader {
            try NeighbourFile(
                reference: $0,
                path: path,
                noun: "map",
                owner: "script",
                maximumByteCount: SourceMap.maximumByteCount
            ).read()
        }
    }
}

/// A file in the folder of another, which names it.
package struct NeighbourFile {
    private let reference: String
    private let folder: URL
    private let noun: String
    private let owner: String
    private let maximumByteCount: Int

    /// Names a file by a relative path.
    ///
    /// - Parameters:
    ///   - reference: The path as it stands in the other file, whose author chose it.
    ///   - path: The path of the other file.
    ///   - noun: What the file is, for errors.
    ///   - owner: What the other file is.
    ///   - maximumByteCount: How large it may be.
    package init(reference: String, path: String, noun: String, owner: String, maximumByteCount: Int) {
        self.reference = reference
        folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        self.noun = noun
        self.owner = owner
        self.maximumByteCount = maximumByteCount
    }

    /// Reads the file.
    ///
    /// - Throws: ``SourceMapProblem`` that says why not, without the path of the folder.
    package func read() throws -> Data {
        guard let path = reference.removingPercentEncoding, !path.contains("\0"),
            !SourcePath.isAbsolute(path), !path.contains("\\"), !path.isEmpty
        else {
            throw SourceMapProblem("only a relative path can name the file of a \(noun)")
        }
        // With all links followed: no name leads out of the folder.
        let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let file = folder.appendingPathComponent(path).resolvingSymlinksInPath().standardizedFileURL.path
        guard file.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw SourceMapProblem("the path of the \(noun) leads out of the \(owner)'s folder")
        }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else {
            throw SourceMapProblem("the file of the \(noun) cannot be read")
        }
        // Of a pipe or a device the end may never come.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw SourceMapProblem("what the path of the \(noun) names is no file")
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
