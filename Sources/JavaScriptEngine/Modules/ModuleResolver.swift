/// A resolver of the specifiers in imports.
public protocol ModuleResolver: Sendable {
    /// Returns the URL of the module that a specifier names.
    ///
    /// It runs inside a turn, on the thread of the context, for each import of each module. Modules with the same URL
    /// are the same.
    ///
    /// - Parameters:
    ///   - specifier: The string in the import.
    ///   - referrer: The URL of the module or the source URL of the script that has the import; `nil` for an import by
    ///     native code.
    /// - Returns: The URL.
    /// - Throws: An error for a specifier that names no module, which rejects the import.
    func resolve(_ specifier: String, from referrer: String?) throws -> String
}

/// A resolver of URLs and paths, as in a browser, with an import map for other names.
public struct URLModuleResolver: ModuleResolver {
    /// The URL that relative specifiers of native code, and of scripts whose source URL is not a URL, refer to.
    public var baseURL: String
    /// The modules for other names.
    public var importMap: ImportMap

    /// Creates a resolver.
    public init(baseURL: String = "file:///", importMap: ImportMap = ImportMap()) {
        self.baseURL = baseURL
        self.importMap = importMap
    }

    /// The longest specifier, in bytes of UTF-8.
    public static let maximumSpecifierBytes = 8_192

    /// Returns the URL for a specifier.
    ///
    /// - Throws: ``ModuleError`` for a name that is neither a URL nor a path nor in the import map, and for a
    ///   specifier of more than ``maximumSpecifierBytes`` bytes.
    public func resolve(_ specifier: String, from referrer: String?) throws -> String {
        guard specifier.utf8.count <= Self.maximumSpecifierBytes else {
            throw ModuleError.unresolved(
                specifier,
                from: referrer,
                "is too long for a specifier (limit \(Self.maximumSpecifierBytes) bytes)"
            )
        }
        let base = ModuleURL.base(of: referrer, or: baseURL)
        let url = ModuleURL.resolve(specifier, against: base)
        if let mapped = try importMap.address(of: specifier, url: url, from: base) {
            guard let target = ModuleURL.resolve(mapped, against: baseURL) else {
                throw ModuleError.unresolved(
                    mapped,
                    from: referrer,
                    "in the import map is neither a URL nor a path"
                )
            }
            return target
        }
        guard let url else {
            throw ModuleError.unresolved(
                specifier,
                from: referrer,
                """
                is neither a URL nor a path that begins with "/", "./" or "../", and the import \
                map does not have it
                """
            )
        }
        return url
    }
}

/// The resolution of relative references, as far as specifiers of modules have them.
package enum ModuleURL {
    static func base(of referrer: String?, or base: String) -> String {
        guard let referrer, !referrer.isEmpty else { return base }
        if scheme(of: referrer) != nil { return referrer }
        return resolve(referrer.hasPrefix("/") ? "file://" + referrer : "./" + referrer, against: base)
            ?? base
    }

    /// Returns the `file:` URL of an absolute path; `nil` for another path.
    package static func ofFile(_ path: String) -> String? {
        guard path.hasPrefix("/") else { return nil }
        // These have a meaning in a URL and none in a path.
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
        return resolve(escaped, against: "file:///")
    }

    /// Returns the scheme with its colon; `nil` without one.
    package static func scheme(of text: String) -> Substring? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text[..<colon]
        guard let first = name.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A,
            name.utf8.allSatisfy({
                ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2B
                    || $0 == 0x2D
                    || $0 == 0x2E
            })
        else { return nil }
        return text[...colon]
    }

    /// Returns the URL of a URL or of a path that begins with `/`, `./` or `../`; `nil` for another name.
    static func resolve(_ specifier: String, against base: String) -> String? {
        if let scheme = scheme(of: specifier) {
            let rest = specifier[scheme.endIndex...]
            guard rest.hasPrefix("//") else { return scheme.lowercased() + rest }
            let (authority, path, suffix) = split(rest)
            return scheme.lowercased() + authority.lowercased() + normalized(path) + suffix
        }
        guard specifier.hasPrefix("/") || specifier.hasPrefix("./") || specifier.hasPrefix("../"),
            let scheme = scheme(of: base)
        else { return nil }
        let rest = base[scheme.endIndex...]
        guard rest.hasPrefix("//") else { return nil }
        let (authority, path, _) = split(rest)
        if specifier.hasPrefix("//") { return resolve(scheme + specifier, against: base) }
        let (own, suffix) = splitSuffix(specifier[...])
        guard !specifier.hasPrefix("/") else { return scheme + authority + normalized(own) + suffix }
        let folder = path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
        return scheme + authority + normalized((folder.isEmpty ? "/" : folder) + own) + suffix
    }

    private static func split(_ rest: Substring) -> (authority: Substring, path: Substring, suffix: Substring)
    {
        let start = rest.index(rest.startIndex, offsetBy: 2)
        let end = rest[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let (path, suffix) = splitSuffix(rest[end...])
        return (rest[..<end], path, suffix)
    }

    private static func splitSuffix(_ text: Substring) -> (Substring, Substring) {
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        return (text[..<end], text[end...])
    }

    /// Returns an absolute path without `.` and `..`, with characters encoded that a URL does not have.
    private static func normalized(_ path: Substring) -> String {
        var parts: [String] = []
        let segments = path.dropFirst(path.hasPrefix("/") ? 1 : 0).split(
            separator: "/",
            omittingEmptySubsequences: false
        )
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.lowercased().replacing("%2e", with: ".") {
            case ".": if isLast { parts.append("") }
            case "..":
                _ = parts.popLast()
                if isLast { parts.append("") }
            default: parts.append(encoded(segment))
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static func encoded(_ segment: Substring) -> String {
        let plain = segment.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>`{}^".utf8.contains($0) }
        guard !plain else { return String(segment) }
        var result = ""
        for byte in segment.utf8 {
            if byte > 0x20, byte < 0x7F, !"\"<>`{}^".utf8.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return result
    }
}
