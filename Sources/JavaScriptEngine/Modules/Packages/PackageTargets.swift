internal import BridgeValues

/// The resolution of `exports` and `imports` of a package, as Node's documentation of ES modules describes it.
struct PackageTargets {
    /// The result of a resolution.
    enum Target: Equatable {
        /// A path inside the package.
        case path(String)
        /// The specifier of another package, which `imports` may have.
        case specifier(String)
        /// A subpath that the package refuses.
        case refused
    }

    /// The conditions that hold, besides `default`.
    let conditions: [String]
    /// A Boolean value that indicates whether a target may be another package.
    let allowsSpecifiers: Bool

    /// Returns the target of a subpath such as `./file`, or of a name such as `#name`; `nil` if the table has none.
    func target(of key: String, in table: ValueObject) throws -> Target? {
        if !key.utf8.contains(star), let value = table[key] {
            return try target(value, match: nil)
        }
        var best: (key: String, match: String)?
        for pattern in table.keys {
            guard let match = Self.match(key, pattern: pattern) else { continue }
            if best == nil || Self.precedes(pattern, best?.key ?? "") { best = (pattern, match) }
        }
        guard let best, let value = table[best.key] else { return nil }
        return try target(value, match: best.match)
    }

    private func target(_ value: Value, match: String?) throws -> Target? {
        switch value {
        case .null: return .refused
        case .string(let text): return try target(text, match: match)
        case .array(let values): return try firstTarget(values, match: match)
        case .object(let table):
            for member in table where member.key == "default" || conditions.contains(member.key) {
                if let found = try target(member.value, match: match) { return found }
            }
            return nil
        default: throw ModuleError("a target is neither a string, an object nor null")
        }
    }

    private func firstTarget(_ values: [Value], match: String?) throws -> Target? {
        var failure: (any Error)?
        var result: Target? = values.isEmpty ? .refused : nil
        for value in values {
            do {
                guard let found = try target(value, match: match) else { continue }
                if found != .refused { return found }
                (result, failure) = (found, nil)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    private func target(_ text: String, match: String?) throws -> Target {
        let whole =
            match.map { match in
                text.split(separator: "*", omittingEmptySubsequences: false).joined(separator: match)
            } ?? text
        func fail() -> ModuleError {
            ModuleError("the target \(Printable.quoted(text)) is not inside the package")
        }
        guard text.utf8.starts(with: "./".utf8) else {
            let isPath = text.utf8.starts(with: "../".utf8) || text.utf8.first == UInt8(ascii: "/")
            let hasScheme = ModuleURL.hasScheme(NodeModules.name(of: text) ?? text)
            guard allowsSpecifiers, !isPath, !hasScheme, !text.isEmpty else { throw fail() }
            return .specifier(whole)
        }
        // Neither the target nor what replaces its stars may lead out.
        guard PackagePath.plain(Substring(text.utf8.dropFirst(2))) != nil,
            match.map({ PackagePath.plain($0[...]) != nil }) ?? true,
            let path = PackagePath.plain(Substring(whole.utf8.dropFirst(2)))
        else { throw fail() }
        return .path(path)
    }

    // MARK: - Patterns

    private static let star = UInt8(ascii: "*")
    private var star: UInt8 { Self.star }

    /// Returns the characters that the star of a pattern represents; `nil` if the key does not match.
    private static func match(_ key: String, pattern: String) -> String? {
        guard let index = pattern.utf8.firstIndex(of: star) else { return nil }
        let (before, after) = (pattern.utf8[..<index], pattern.utf8[pattern.utf8.index(after: index)...])
        guard !after.contains(star), key.utf8.count > before.count + after.count,
            key.utf8.starts(with: before), key.utf8.suffix(after.count).elementsEqual(after)
        else { return nil }
        return String(Substring(key.utf8.dropFirst(before.count).dropLast(after.count)))
    }

    /// Returns whether a pattern is more exact than another: a longer text before its star, then a longer one at all.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        func base(_ pattern: String) -> Int { pattern.utf8.prefix { $0 != star }.count }
        return (base(left), left.utf8.count) > (base(right), right.utf8.count)
    }
}
