/// Functions on names of sources: paths or URLs relative to the script's.
enum SourcePath {
    /// Returns the name of a source of a map.
    ///
    /// - Parameters:
    ///   - source: The name in the map.
    ///   - root: The map's prefix for all its names.
    ///   - scriptURL: The script's name.
    /// - Returns: The name, relative to the same folder or URL as the script's name.
    static func resolve(_ source: String, root: String?, scriptURL: String) -> String {
        var path = source
        if let root, !isAbsolute(source) { path = root.hasSuffix("/") ? root + source : "\(root)/\(source)" }
        guard !isAbsolute(path) else { return path }
        let folder = scriptURL.lastIndex(of: "/").map { scriptURL[...$0] } ?? ""
        return normalize(folder + path)
    }

    /// Returns whether a name is absolute: a path from the root, or a URL.
    static func isAbsolute(_ path: String) -> Bool {
        if path.hasPrefix("/") { return true }
        guard let colon = path.firstIndex(of: ":") else { return false }
        let scheme = path[..<colon]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Returns the path without `.` components, and without `..` where it has a parent folder to remove.
    static func normalize(_ path: String) -> String {
        // The part of a URL before its path stays unchanged.
        var prefix = ""
        var rest = path[...]
        if isAbsolute(path), !path.hasPrefix("/"), let colon = path.firstIndex(of: ":") {
            var start = path.index(after: colon)
            if path[start...].hasPrefix("//") {
                start =
                    path[path.index(start, offsetBy: 2)...].firstIndex(of: "/") ?? path.endIndex
            }
            prefix = String(path[..<start])
            rest = path[start...]
        }
        let isRooted = rest.hasPrefix("/")
        var parts: [Substring] = []
        for part in rest.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !isRooted {
                parts.append(part)
            }
        }
        return prefix + (isRooted ? "/" : "") + parts.joined(separator: "/")
    }
}
