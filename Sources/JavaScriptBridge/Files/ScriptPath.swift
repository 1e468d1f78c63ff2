internal import Foundation

/// A path as a script gave it, and the names of the absolute path that it means.
///
/// `.` and `..` are resolved by the names alone, which is the same as on disk where symbolic links are not followed. All
/// comparisons are by bytes: `String` would treat the two spellings of "é" as one name.
struct ScriptPath: Sendable {
    /// The path, for messages.
    let given: String
    /// The names from the root folder on.
    let names: [String]

    private static let maximumBytes = 4_096

    /// Parses a path.
    ///
    /// - Parameters:
    ///   - given: The path as the script gave it.
    ///   - base: The names of the folder from which a relative path starts.
    /// - Throws: ``BridgeError`` with `invalidArgument` for an empty path, one with NUL, and one that is too long.
    init(_ given: String, from base: [String]) throws(BridgeError) {
        self.given = given
        let bytes = given.utf8
        guard !bytes.isEmpty else { throw BridgeError(.invalidArgument, "the path is empty") }
        guard bytes.count <= Self.maximumBytes else {
            throw BridgeError(
                .invalidArgument,
                "the path is too long (\(bytes.count) bytes, limit \(Self.maximumBytes))"
            )
        }
        guard !bytes.contains(0) else {
            throw BridgeError(.invalidArgument, "the path \(Printable.quoted(given)) has a NUL character")
        }
        var names = bytes.first == UInt8(ascii: "/") ? [] : base
        for name in bytes.split(separator: UInt8(ascii: "/")).map({ String(Substring($0)) }) {
            switch name {
            case ".": break
            case "..": _ = names.popLast()
            default: names.append(name)
            }
        }
        self.names = names
    }

    /// The absolute path.
    var absolute: String { "/" + names.joined(separator: "/") }

    /// Returns the names after those of a folder; `nil` if the path is not below it.
    func names(below folder: [String]) -> ArraySlice<String>? {
        guard names.count >= folder.count else { return nil }
        for (name, other) in zip(names, folder) where !name.utf8.elementsEqual(other.utf8) { return nil }
        return names[folder.count...]
    }
}

/// A place that is granted: an open folder, or one entry of it.
struct FileRoot: Sendable {
    private let folder: OpenFolder
    /// The names of the folder's paths: as it was given, and without symbolic links.
    private let paths: [[String]]
    /// The name of the only entry that is granted; `nil` for all that is below the folder.
    private let entry: String?

    /// Opens the folder of a path, or the folder that has it if it is not a folder.
    init(_ path: ScriptPath) throws(RegularFile.Problem) {
        do throws(RegularFile.Problem) {
            folder = try OpenFolder(path: path.absolute)
            entry = nil
            paths = [path.names] + Self.realNames(of: folder)
        } catch {
            guard [.system(ENOENT), .system(ENOTDIR)].contains(error), let name = path.names.last else {
                throw error
            }
            let parent = path.names.dropLast()
            folder = try OpenFolder(path: "/" + parent.joined(separator: "/"))
            entry = name
            paths = [Array(parent)] + Self.realNames(of: folder)
        }
    }

    private static func realNames(of folder: OpenFolder) -> [[String]] {
        guard let path = folder.realPath else { return [] }
        return [ScriptPath.names(of: path)]
    }

    /// Opens the place of a path.
    static func opening(_ path: ScriptPath) -> Result<FileRoot, RegularFile.Problem> {
        Result { () throws(RegularFile.Problem) in try FileRoot(path) }
    }

    /// The present path without symbolic links in its folders; `nil` if the system does not provide it.
    var realPath: String? {
        guard let path = folder.realPath else { return nil }
        guard let entry else { return path }
        return path == "/" ? "/" + entry : "\(path)/\(entry)"
    }

    /// Returns the place of a path in the folder; `nil` if it is not granted.
    func place(of path: ScriptPath) -> FilePlace? {
        for folderNames in paths {
            guard let rest = path.names(below: folderNames) else { continue }
            if let entry {
                guard let first = rest.first, first.utf8.elementsEqual(entry.utf8) else { continue }
            }
            return FilePlace(folder: folder, path: rest.isEmpty ? "." : rest.joined(separator: "/"))
        }
        return nil
    }
}

/// The path of a file below an open folder.
struct FilePlace: Sendable {
    let folder: OpenFolder
    let path: String

    /// A Boolean value that indicates whether this is the granted folder itself.
    var isRoot: Bool { path == "." }
}
