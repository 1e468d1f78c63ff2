internal import BridgeValues

/// Quoting of words for a command line that a user may copy.
enum ShellText {
    /// Returns a word quoted for a shell, in a printable form.
    static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.unicodeScalars.allSatisfy(isPlain) { return word }
        guard Printable.text(word) != word else {
            // By scalars: a quote with a combining mark is another character to Swift, but a quote to a shell.
            let parts = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
            return "'\(parts.map { String($0) }.joined(separator: "'\\''"))'"
        }
        // bash, zsh and POSIX shells since 2024 read this form; quotes of older shells cannot hide a control character.
        let bytes = word.utf8.map { byte -> String in
            switch byte {
            case 0x20...0x7E where byte != 0x27 && byte != 0x5C: String(UnicodeScalar(byte))
            default:
                "\\" + String(repeating: "0", count: byte < 8 ? 2 : byte < 64 ? 1 : 0)
                    + String(byte, radix: 8)
            }
        }
        return "$'\(bytes.joined())'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "/._-+:,@%=".unicodeScalars.contains(scalar)
        }
    }
}
