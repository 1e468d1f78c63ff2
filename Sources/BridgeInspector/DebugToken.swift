/// A secret that a client must present to attach to a ``DebugServer``.
public struct DebugToken: Sendable, CustomStringConvertible {
    /// The characters.
    public let string: String

    /// A description without the secret.
    public var description: String { "DebugToken" }

    /// Creates a token of 256 random bits, as 64 hexadecimal digits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef".utf8)
        let characters = (0..<64).map { _ in digits[Int.random(in: 0..<16, using: &generator)] }
        string = String(decoding: characters, as: UTF8.self)
    }

    /// Returns whether a string is the token, in a time that does not depend on how much of it is right.
    func matches(_ other: String) -> Bool {
        let expected = Array(string.utf8)
        let given = other.utf8
        var difference = expected.count ^ given.count
        for (index, byte) in given.enumerated() { difference |= Int(byte ^ expected[index % expected.count]) }
        return difference == 0
    }
}
