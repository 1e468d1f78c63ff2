internal import BridgeValues

/// The values of a vector's placeholders so far.
///
/// `{{any}}` matches any text, a different one each time. `{{cb 1}}` is the id of the script's first call with a reply,
/// `{{objc 1}}` that of the native side's first call. The first match fixes the id for later steps, including delivered
/// messages. `{{long N}}` is N times the letter x.
struct ConformanceBindings {
    let dialect: ConformanceDialect
    private var texts: [String: String] = [:]

    init(dialect: ConformanceDialect) { self.dialect = dialect }

    /// Returns whether a line matches a pattern; if so, the values of its ids are kept.
    mutating func matches(_ line: String, _ pattern: String) throws -> Bool {
        let parts = Self.parts(of: pattern).map { part -> Part in
            if case .placeholder(let name) = part, let text = known(name) { .text(text) } else { part }
        }
        let texts = parts.compactMap { part -> String? in
            if case .text(let text) = part { text } else { nil }
        }
        // The usual case needs no regular expression.
        guard texts.count < parts.count else { return Array(line.utf8) == Array(texts.joined().utf8) }
        // A regular expression may need quadratic time for a long line. Most lines that do not match lack a literal
        // part of the pattern and are refused first. Patterns without ids need no regular expression.
        guard Self.mayMatch(line, parts) else { return false }
        if parts.allSatisfy(\.isTextOrAny) { return true }
        guard line.utf8.count <= Self.maximumLength else { return false }
        var expression = ""
        var names: [String] = []
        for part in parts {
            switch part {
            case .text(let text): expression += Self.escaped(text)
            case .placeholder("any"): expression += "(?s:.*)"
            case .placeholder(let name):
                names.append(name)
                expression += "(" + (try identifier(name)) + ")"
            }
        }
        let regex = try Regex(expression).matchingSemantics(.unicodeScalar)
        guard let match = line.wholeMatch(of: regex) else { return false }
        // Kept only if the whole line matches: an id that occurs twice in it must have one value.
        var found: [String: String] = [:]
        for (index, name) in names.enumerated() {
            guard let text = match.output[index + 1].substring.map({ String($0) }) else { continue }
            guard found.updateValue(text, forKey: name) ?? text == text else { return false }
        }
        self.texts.merge(found) { _, new in new }
        return true
    }

    /// Returns a text with the values of its placeholders.
    func filled(_ text: String) throws -> String {
        guard text.contains("{{") else { return text }
        return try Self.parts(of: text).map { part in
            switch part {
            case .text(let text): return text
            case .placeholder(let name):
                guard let text = known(name) else {
                    throw BridgeError(.invalidArgument, "{{\(name)}} has no value yet")
                }
                return text
            }
        }.joined()
    }

    private func known(_ name: String) -> String? {
        switch name {
        case "global": dialect.globalName
        case "list": dialect.setUpListName
        case "entry": dialect.entryName
        default:
            if name.hasPrefix("long "), let count = Int(name.dropFirst(5)) {
                String(repeating: "x", count: count)
            } else {
                texts[name]
            }
        }
    }

    private func identifier(_ name: String) throws -> String {
        let words = name.split(separator: " ")
        let form =
            switch words.first {
            case "cb": dialect.scriptIdentifier
            case "objc": dialect.nativeIdentifier
            default: ""
            }
        guard words.count == 2, !form.isEmpty else {
            throw BridgeError(.invalidArgument, "{{\(name)}} is not a placeholder")
        }
        return form.replacing("#", with: words[1])
    }

    private enum Part {
        case text(String)
        case placeholder(String)

        var isTextOrAny: Bool {
            switch self {
            case .text, .placeholder("any"): true
            case .placeholder: false
            }
        }
    }

    /// The longest line that is matched against a regular expression, in bytes.
    private static let maximumLength = 16_384

    /// Returns whether a line contains the literal parts of a pattern in order, anchored at its ends like the pattern.
    ///
    /// For a pattern of literals and `{{any}}` that is the complete answer.
    private static func mayMatch(_ line: String, _ parts: [Part]) -> Bool {
        var rest = Array(line.utf8)[...]
        var parts = parts[...]
        if case .text(let text)? = parts.first {
            guard rest.starts(with: text.utf8) else { return false }
            rest = rest.dropFirst(text.utf8.count)
            parts = parts.dropFirst()
        }
        if case .text(let text)? = parts.last {
            guard rest.count >= text.utf8.count, rest.suffix(text.utf8.count).elementsEqual(text.utf8) else {
                return false
            }
            rest = rest.dropLast(text.utf8.count)
            parts = parts.dropLast()
        }
        for part in parts {
            guard case .text(let text) = part, !text.isEmpty else { continue }
            guard let found = rest.firstRange(of: Array(text.utf8)) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    private static func parts(of pattern: String) -> [Part] {
        var parts: [Part] = []
        var rest = pattern[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}")
        {
            parts.append(.text(String(rest[..<open.lowerBound])))
            parts.append(.placeholder(String(rest[open.upperBound..<close.lowerBound])))
            rest = rest[close.upperBound...]
        }
        parts.append(.text(String(rest)))
        return parts
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII, !(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) {
                // Every ASCII symbol is escaped by its number, line breaks and spaces included, so that none has a
                // meaning.
                escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
