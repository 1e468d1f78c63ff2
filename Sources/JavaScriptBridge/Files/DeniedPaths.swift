internal import Foundation

/// The paths that scripts may not access, whatever else allows it.
struct DeniedPaths: Sendable {
    private let paths: [ScriptPath]

    init(_ paths: [ScriptPath]) { self.paths = paths }

    /// Returns whether a place is a denied path or below it, or optionally contains one.
    ///
    /// Links below the folder of a place are not followed, so its path without links is that of its folder with its own
    /// names. The links in denied paths are resolved now: the host may have changed them.
    ///
    /// - Parameters:
    ///   - path: The path as the script requested it.
    ///   - place: The place that it leads to.
    ///   - includesContent: Whether a denied path below the place counts.
    /// - Returns: Whether the place is denied.
    func contain(_ path: ScriptPath, at place: FilePlace, includesContent: Bool) -> Bool {
        guard !paths.isEmpty else { return false }
        // A folder without a path, such as a removed one, cannot be compared.
        guard let real = place.realNames else { return true }
        for denied in paths {
            for names in [denied.names, denied.realNames] {
                for requested in [path.names, real] {
                    if requested.hasNames(of: names) || includesContent && names.hasNames(of: requested) {
                        return true
                    }
                }
            }
        }
        return false
    }
}

extension [String] {
    /// Returns whether these names begin with those of a folder, byte for byte.
    fileprivate func hasNames(of folder: [String]) -> Bool {
        count >= folder.count && zip(self, folder).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }
}

extension FilePlace {
    /// The present names of the path without symbolic links; `nil` if the system does not provide it.
    fileprivate var realNames: [String]? {
        guard let path = folder.realPath else { return nil }
        return ScriptPath.names(of: isRoot ? path : "\(path)/\(self.path)")
    }
}

extension ScriptPath {
    /// Returns the names of an absolute path without dots.
    static func names(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// The present names without symbolic links; names that do not exist follow those of the last folder that does.
    fileprivate var realNames: [String] {
        for count in stride(from: names.count, through: 1, by: -1) {
            guard let resolved = realpath("/" + names[..<count].joined(separator: "/"), nil) else { continue }
            defer { free(resolved) }
            return Self.names(of: String(cString: resolved)) + names[count...]
        }
        return names
    }
}
