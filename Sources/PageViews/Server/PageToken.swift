internal import BridgeValues

/// A secret that a page must show to open a WebSocket.
///
/// It is in the fragment of the page's address, which a browser sends to no server, and reaches this one as a
/// subprotocol. It is therefore in no request line, log or Referer header.
public struct PageToken: Sendable, CustomStringConvertible {
    /// The characters.
    public let string: String

    /// A description without the secret.
    public var description: String { "PageToken" }

    /// Creates a token of 256 random bits.
    public init() {
        // 43 characters of 6 bits.
        string = RandomToken.make(
            count: 43,
            of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        )
    }

    /// Creates a token of characters that the program has chosen, or `nil` if a subprotocol cannot have them.
    ///
    /// - Parameter string: 16 to 128 ASCII letters, digits, `-` and `_`.
    public init?(_ string: String) {
        let isValid = string.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isValid, (16...128).contains(string.utf8.count) else { return nil }
        self.string = string
    }

    /// Returns whether bytes are the token, in a time that does not depend on how many of them are right.
    func matches(_ bytes: some Collection<UInt8>) -> Bool {
        RandomToken.matches(string, bytes)
    }
}
