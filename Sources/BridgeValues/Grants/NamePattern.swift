/// A pattern of names of handlers and topics: one name, or all names with a prefix.
///
/// In a string, a `*` at the end matches any rest: `"store.*"`, `"*"`. Anywhere else it is an ordinary character. Names
/// are compared by their bytes, as JavaScript compares strings.
public struct NamePattern: Sendable, Hashable {
    /// The name, or the prefix of the names.
    public let text: String
    /// A Boolean value that indicates whether the pattern matches all names that begin with the text, instead of only
    /// the text itself.
    public let isPrefix: Bool

    /// Creates a pattern from a string: `store.read` is a name, `store.*` matches all names that begin with `store.`.
    public init(_ pattern: String) {
        isPrefix = pattern.utf8.last == UInt8(ascii: "*")
        text = isPrefix ? String(pattern.dropLast()) : pattern
    }

    private init(text: String, isPrefix: Bool) {
        self.text = text
        self.isPrefix = isPrefix
    }

    /// Creates a pattern of one name, which may end with `*`.
    public static func exactly(_ name: String) -> NamePattern { NamePattern(text: name, isPrefix: false) }

    /// A pattern of every name that is not reserved.
    public static let any = NamePattern(text: "", isPrefix: true)

    /// The prefix of the names that are reserved for the protocol (W5).
    package static let reservedPrefix = "_wvjb."

    /// Returns whether a name is reserved for the protocol (W5).
    ///
    /// Bytes are compared, because a combining accent after the prefix would hide it from a comparison of characters.
    package static func isReserved(_ name: String) -> Bool { name.utf8.starts(with: reservedPrefix.utf8) }

    /// Returns whether the pattern matches a name.
    ///
    /// Names that begin with `_wvjb.` are reserved for the protocol. Only patterns that also begin with it match them.
    public func matches(_ name: String) -> Bool {
        guard isPrefix else { return text.utf8.elementsEqual(name.utf8) }
        guard name.utf8.starts(with: text.utf8) else { return false }
        return Self.isReserved(text)
            || !Self.isReserved(name)
    }

    /// Returns whether two patterns match the same names, byte by byte.
    public static func == (left: NamePattern, right: NamePattern) -> Bool {
        left.isPrefix == right.isPrefix && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the properties that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isPrefix)
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension NamePattern: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a pattern from a string.
    public init(stringLiteral value: String) { self.init(value) }

    /// The pattern as a string.
    public var description: String { isPrefix ? text + "*" : text }
}
