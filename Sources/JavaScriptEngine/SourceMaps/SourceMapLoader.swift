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
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        return SourceMapLoader { try SourceMapFile(reference: $0, folder: folder).read() }
    }
}

/// A map in the folder of its script.
private struct SourceMapFile {
    let reference: String
    let folder: URL

    func read() throws -> Data {
        guard let path = reference.removingPercentEncoding, !path.contains("\0"),
            !SourcePath.isAbsolute(path), !path.contains("\\"), !path.isEmpty
        else {
            throw SourceMapProblem("only a relative path can name the file of a map")
        }
        // With all links followed: no name leads out of the folder.
        let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let file = folder.appendingPathComponent(path).resolvingSymlinksInPath().standardizedFileURL.path
        guard file.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw SourceMapProblem("the path of the map leads out of the script's folder")
        }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else {
            throw SourceMapProblem("the file of the map cannot be read")
        }
        // Of a pipe or a device the end may never come.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw SourceMapProblem("what the path of the map names is no file")
        }
        guard let size = attributes[.size] as? NSNumber, size.intValue <= SourceMap.maximumByteCount else {
            throw SourceMapProblem(
                "the file of the map is larger than the \(SourceMap.maximumByteCount) bytes that are read"
            )
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw SourceMapProblem("the file of the map cannot be read")
        }
        return data
    }
}
