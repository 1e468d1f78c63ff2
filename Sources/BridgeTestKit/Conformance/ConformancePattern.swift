internal import BridgeValues

/// The texts that a vector's placeholders stood for so far.
///
/// `{{any}}` is any text, each time another. `{{cb 1}}` is the id of the script's first call with a reply,
/// `{{objc 1}}` of the native side's: seen once, it is the same text ever after, also in what is delivered.
/// `{{long N}}` is N times the letter x.
struct ConformanceBindings {
    let dialect: ConformanceDialect
    private var texts: [String: String] = [:]

    init(dialect: ConformanceDialect) { self.dialect = dialect }

    /// Whether a line is what a pattern says; what its ids stand for is kept if so.
    mutating func matches(_ line: String, _ pattern: String) throws -> Bool {
        let parts = Self.parts(of: pattern).map { part -> Part in
            if case .placeholder(let name) = part, let text = known(name) { .text(text) } else { part }
        }
        let texts = parts.compactMap { part -> String? in
            if case .text(let text) = part { text } else { nil }
        }
        // The usual case needs no expression.
        guard texts.count < parts.count else { return line.utf8.elementsEqual(texts.joined().utf8) }
        // An expression may take the square of a long line's length. Those that lack what the pattern has for certain,
        // which is nearly all, are told at once; so are those whose pattern has no id.
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
        // Kept only if the whole line fits: an id that stands twice in it is one id.
        var found: [String: String] = [:]
        for (index, name) in names.enumerated() {
            guard let text = match.output[index + 1].substring.map({ String($0) }) else { continue }
            guard found.updateValue(text, forKey: name) ?? text == text else { return false }
        }
        self.texts.merge(found) { _, new in new }
        return true
    }

    /// A text with what its placeholders stand for.
    func filled(_ text: String) throws -> String {
        guard text.contains("{{") else { return text }
        return try Self.parts(of: text).map { part in
            switch part {
            case .text(let text): return text
            case .placeholder(let name):
                guard let text = known(name) else {
                    throw BridgeError(.invalidArgument, "{{\(name)}} was not seen yet")
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
            throw BridgeError(.invalidArgument, "{{\(name)}} is no placeholder")
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

    /// The longest line that is held against an expression, in bytes.
    private static let maximumLength = 16_384

    /// Whether the texts of a pattern stand in a line, in their order, at its ends where they are at the pattern's; for
    /// a pattern of texts and `{{any}}` that is the whole question.
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
                // By number, so that no sign has a meaning, line breaks and spaces included.
                escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
