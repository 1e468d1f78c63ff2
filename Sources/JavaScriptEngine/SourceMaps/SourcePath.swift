/// Names of sources: paths or URLs relative to that of the script.
enum SourcePath {
    /// The name of a source of a map.
    ///
    /// - Parameters:
    ///   - source: The name as it stands in the map.
    ///   - root: What the map wants in front of all its names.
    ///   - scriptURL: The script's name.
    /// - Returns: The name, relative to what the script's name is relative to.
    static func resolve(_ source: String, root: String?, scriptURL: String) -> String {
        var path = source
        if let root, !isAbsolute(source) { path = root.hasSuffix("/") ? root + source : "\(root)/\(source)" }
        guard !isAbsolute(path) else { return path }
        let folder = scriptURL.lastIndex(of: "/").map { scriptURL[...$0] } ?? ""
        return normalize(folder + path)
    }

    /// Whether a name says by itself where it is: a path from the root, or a URL.
    static func isAbsolute(_ path: String) -> Bool {
        if path.hasPrefix("/") { return true }
        guard let colon = path.firstIndex(of: ":") else { return false }
        let scheme = path[..<colon]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// The path without `.`, and without `..` where there is a folder to go back from.
    static func normalize(_ path: String) -> String {
        // Of a URL the part before the path stays as it is.
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
