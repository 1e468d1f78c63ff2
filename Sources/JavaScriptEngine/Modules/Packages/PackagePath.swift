/// Paths relative to a root, with slashes and without `.` and `..`; the root is the empty path.
enum PackagePath {
    /// Returns a part of a URL's path, decoded; `nil` if it has a segment that is empty, `.`, `..` or `node_modules`.
    static func plain(_ text: Substring) -> String? {
        guard let path = ModuleURL.decodedPath(text) else { return nil }
        let segments = path.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
        let refused = ["", ".", "..", "node_modules"]
        return segments.contains { refused.contains(String(Substring($0)).lowercased()) } ? nil : path
    }

    /// Returns the path of a relative one; `nil` if it leads out of its base.
    static func join(_ base: String, _ relative: String) -> String? {
        var parts: [Substring.UTF8View] = []
        for part in Substring(relative).utf8.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8) {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(part)
            }
        }
        let own = parts.map { String(Substring($0)) }.joined(separator: "/")
        return base.isEmpty ? own : own.isEmpty ? base : base + "/" + own
    }

    /// Returns the folder that has a file or a folder; `nil` for the root.
    static func parent(of path: String) -> String? {
        guard !path.isEmpty else { return nil }
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[..<end])
    }

    /// Returns whether one of the segments of a path is a name.
    static func hasSegment(_ name: String, _ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(name.utf8) }
    }

    /// Returns whether a path ends with a suffix.
    static func hasSuffix(_ suffix: StaticString, _ path: String) -> Bool {
        suffix.withUTF8Buffer { path.utf8.suffix($0.count).elementsEqual($0) }
    }
}
