internal import BridgeValues

/// Reads JSON text into ``Value``s, one at a time, from UTF-16 code units that may hold lone surrogates.
///
/// It never recurses, so nesting costs memory and not stack, and it keeps what JavaScript's own reader and
/// Foundation's do not: `true` is a boolean, whole numbers are exact at any size (P68), a lone surrogate
/// stays where it is in text (P66), the depth is limited by a number of ours (P67).
struct JSONReader {
    let units: UnsafeBufferPointer<UInt16>
    let limits: BridgeLimits
    var position: Int
    let end: Int
    /// How many keys and names had a lone surrogate, which became U+FFFD as `String` cannot hold one.
    var repairedTexts = 0
    private var nodes = 0

    init(_ units: UnsafeBufferPointer<UInt16>, in range: Range<Int>, limits: BridgeLimits) {
        self.units = units
        self.limits = limits
        position = range.lowerBound
        end = range.upperBound
    }

    /// The unit at the position, or 0 at the end.
    ///
    /// A NUL in the text is no valid token either.
    var current: UInt16 { position < end ? units[position] : 0 }

    mutating func skipSpace() {
        while position < end, units[position].isSpace { position += 1 }
    }

    /// Moves past a unit, if it is the next one.
    mutating func consume(_ unit: UInt16) -> Bool {
        guard current == unit, position < end else { return false }
        position += 1
        return true
    }

    func unexpected(_ wanted: String) -> BridgeError {
        let found = position < end ? "found \(units[position].shown)" : "the text ended"
        return BridgeError(.decodeFailed, "Not JSON at unit \(position): expected \(wanted), \(found).")
    }
}

// MARK: - Values

extension JSONReader {
    private struct Container {
        var elements: [Value] = []
        var members = ValueObject()
        var key = ""
        let isObject: Bool
    }

    /// Reads one value and stops behind it.
    ///
    /// - Throws: `decodeFailed` for text that is not JSON, `limitExceeded` past the depth or the node limit.
    mutating func readValue() throws(BridgeError) -> Value {
        var open: [Container] = []
        nodes = 0
        while true {
            skipSpace()
            try countNode()
            var value: Value
            switch current {
            case .openBrace:
                try enter(depth: open.count + 1)
                guard consume(.closeBrace) else {
                    open.append(Container(isObject: true))
                    open[open.count - 1].key = try readKey()
                    continue
                }
                value = .object(ValueObject())
            case .openBracket:
                try enter(depth: open.count + 1)
                guard consume(.closeBracket) else {
                    open.append(Container(isObject: false))
                    continue
                }
                value = .array([])
            case .quote: value = try readText()
            default: value = try readWord()
            }
            // The value may be the last of its container, and that of its own, and so on.
            while true {
                guard !open.isEmpty else { return value }
                let top = open.count - 1
                skipSpace()
                if open[top].isObject {
                    open[top].members[open[top].key] = value
                    if consume(.comma) {
                        open[top].key = try readKey()
                        break
                    }
                    guard consume(.closeBrace) else { throw unexpected("\",\" or \"}\"") }
                    value = .object(open.removeLast().members)
                } else {
                    open[top].elements.append(value)
                    if consume(.comma) { break }
                    guard consume(.closeBracket) else { throw unexpected("\",\" or \"]\"") }
                    value = .array(open.removeLast().elements)
                }
            }
        }
    }

    private mutating func enter(depth: Int) throws(BridgeError) {
        guard depth <= limits.maximumDepth else {
            throw BridgeError(
                .limitExceeded,
                "A payload may nest \(limits.maximumDepth) levels deep, this one goes deeper than \(depth - 1)."
            )
        }
        position += 1
        skipSpace()
    }

    private mutating func countNode() throws(BridgeError) {
        nodes += 1
        guard nodes <= limits.maximumNodes else {
            throw BridgeError(
                .limitExceeded,
                "A payload may hold \(limits.maximumNodes) values, this one holds \(nodes) or more."
            )
        }
    }

    /// Reads a key and its colon.
    mutating func readKey() throws(BridgeError) -> String {
        skipSpace()
        guard current == .quote else { throw unexpected("a key in quotes") }
        let key = try readName()
        skipSpace()
        guard consume(.colon) else { throw unexpected("\":\"") }
        return key
    }

    /// Reads a text that must be a `String`: lone surrogates become U+FFFD.
    mutating func readName() throws(BridgeError) -> String {
        switch try readText() {
        case .string(let text): return text
        case .illFormedString(let units):
            repairedTexts += 1
            return String(decoding: units, as: UTF16.self)
        default: return ""
        }
    }

    private mutating func readWord() throws(BridgeError) -> Value {
        switch current {
        case .minus, .zero ... .nine: return try readNumber()
        case .letterT: return try readWord("true", as: .bool(true))
        case .letterF: return try readWord("false", as: .bool(false))
        case .letterN: return try readWord("null", as: .null)
        default: throw unexpected("a value")
        }
    }

    private mutating func readWord(_ word: StaticString, as value: Value) throws(BridgeError) -> Value {
        let count = word.utf8CodeUnitCount
        let start = position
        guard end - position >= count else { throw unexpected("\"\(word)\"") }
        for offset in 0..<count where units[start + offset] != UInt16(word.utf8Start[offset]) {
            throw unexpected("\"\(word)\"")
        }
        position += count
        return value
    }
}
