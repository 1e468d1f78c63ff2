/// Functions for tokens: secrets that a client shows to be let in.
package enum RandomToken {
    /// Returns random characters of an alphabet, from the system's generator.
    package static func make(count: Int, of alphabet: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array(alphabet.utf8)
        let characters = (0..<count).map { _ in
            alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Returns whether bytes are a token, in a time that does not depend on how many of them are right.
    package static func matches(_ token: String, _ bytes: some Collection<UInt8>) -> Bool {
        let expected = Array(token.utf8)
        var difference = expected.count ^ bytes.count
        for (index, byte) in bytes.enumerated() { difference |= Int(byte ^ expected[index % expected.count]) }
        return difference == 0
    }
}
