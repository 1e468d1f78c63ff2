/// Which names of handlers and topics are meant: one, or all that begin alike.
///
/// As text, a `*` at the end stands for any rest: `"store.*"`, `"*"`. Anywhere else it is a character like others.
/// Names are compared by their bytes, as JavaScript tells texts apart.
public struct NamePattern: Sendable, Hashable {
    /// What names are, or begin with.
    public let text: String
    /// Whether all names that begin with the text are meant, instead of the one that it is.
    public let isPrefix: Bool

    /// Makes a pattern of its text: `store.read` is a name, `store.*` all names that begin with `store.`.
    public init(_ pattern: String) {
        isPrefix = pattern.utf8.last == UInt8(ascii: "*")
        text = isPrefix ? String(pattern.dropLast()) : pattern
    }

    private init(text: String, isPrefix: Bool) {
        self.text = text
        self.isPrefix = isPrefix
    }

    /// The one name, also one that ends with `*`.
    public static func exactly(_ name: String) -> NamePattern { NamePattern(text: name, isPrefix: false) }

    /// Every name that is not reserved.
    public static let any = NamePattern(text: "", isPrefix: true)

    /// What names begin with that the protocol keeps for itself (W5).
    package static let reservedPrefix = "_wvjb."

    /// Whether a name is the protocol's own (W5), judged by its bytes: as characters, an accent behind the prefix would hide it.
    package static func isReserved(_ name: String) -> Bool { name.utf8.starts(with: reservedPrefix.utf8) }

    /// Whether a name is meant.
    ///
    /// Names that begin with `_wvjb.`, which the protocol keeps for itself, are meant only by patterns that begin
    /// so too.
    public func matches(_ name: String) -> Bool {
        guard isPrefix else { return text.utf8.elementsEqual(name.utf8) }
        guard name.utf8.starts(with: text.utf8) else { return false }
        return Self.isReserved(text)
            || !Self.isReserved(name)
    }

    /// Whether two patterns mean the same names, byte by byte.
    public static func == (left: NamePattern, right: NamePattern) -> Bool {
        left.isPrefix == right.isPrefix && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isPrefix)
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension NamePattern: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Makes a pattern of its text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The pattern's text.
    public var description: String { isPrefix ? text + "*" : text }
}
