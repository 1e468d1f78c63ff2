internal import BridgeValues

/// A secret that a client must present to attach to a ``DebugServer``.
public struct DebugToken: Sendable, CustomStringConvertible {
    /// The characters.
    public let string: String

    /// A description without the secret.
    public var description: String { "DebugToken" }

    /// Creates a token of 256 random bits, as 64 hexadecimal digits.
    public init() {
        string = RandomToken.make(count: 64, of: "0123456789abcdef")
    }

    /// Returns whether a string is the token, in a time that does not depend on how much of it is right.
    func matches(_ other: String) -> Bool {
        RandomToken.matches(string, other.utf8)
    }
}
