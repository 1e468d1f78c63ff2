/// A search for the import or export that an error of linking names: the engine says the name, but not the position.
///
/// The places where the name is in the text are candidates. Whether a candidate is in an import or an export, the engine's
/// parser tells: for the text before it and a number, its error says what was expected instead.
struct LinkErrorSearch {
    private let name: [UInt8]
    /// The ends of the messages that the parser has for a number at the place.
    private let expectations: [String]
    private let isDefault: Bool

    /// The largest text that is searched, and the number of candidates, each of which costs a parse.
    private static let maximumBytes = 256 * 1024
    private static let maximumCandidates = 32

    /// Creates a search; `nil` if a message is not that of an error of linking.
    init?(message: String) {
        guard let mark = message.firstIndex(of: "'"),
            let end = message.firstRange(of: "' is not found")
                ?? message.firstRange(of: "' cannot be resolved"),
            mark < end.lowerBound
        else { return nil }
        name = Array(message[message.index(after: mark)..<end.lowerBound].utf8)
        isDefault = name == Array("default".utf8)
        switch message[..<mark] {
        case "Importing binding name ":
            expectations = ["for the import declaration.", "Expected namespace import or import list."]
        case "Indirectly exported binding name ": expectations = ["for the export declaration."]
        default: return nil
        }
    }

    /// Returns the line and the column, from 1; `nil` if there is not exactly one such place.
    ///
    /// - Parameters:
    ///   - text: The source of the module.
    ///   - messageOf: Returns the message of the first error in a text.
    /// - Returns: The position, or `nil`.
    func position(in text: String, messageOf: (String) -> String?) -> (line: Int, column: Int)? {
        guard !name.isEmpty, text.utf8.count <= Self.maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        let candidates = candidates(in: bytes)
        guard candidates.count <= Self.maximumCandidates else { return nil }
        let found = candidates.filter { candidate in
            let message = messageOf(String(decoding: bytes[..<candidate], as: UTF8.self) + "1") ?? ""
            return message.hasPrefix("Unexpected number") && expectations.contains { message.hasSuffix($0) }
        }
        guard let place = found.first, found.count == 1 else { return nil }
        let before = String(decoding: bytes[..<place], as: UTF8.self)
        let lines = before.utf16.split(separator: 10, omittingEmptySubsequences: false)
        return (lines.count, (lines.last?.count ?? 0) + 1)
    }

    private func candidates(in bytes: [UInt8]) -> [Int] {
        // A name may be a string.
        var candidates = Self.places(of: name, in: bytes).map { place in
            place > 0 && (bytes[place - 1] == 0x22 || bytes[place - 1] == 0x27) ? place - 1 : place
        }
        guard isDefault else { return candidates }
        // The name of a default import follows the keyword.
        for place in Self.places(of: Array("import".utf8), in: bytes) {
            let rest = bytes[(place + 6)...]
            guard let next = rest.firstIndex(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }),
                next > rest.startIndex, Self.isPartOfName(bytes[next])
            else { continue }
            candidates.append(next)
        }
        return candidates
    }

    /// Returns where a name is in a text and not a part of a longer one.
    private static func places(of name: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard bytes.count >= name.count else { return [] }
        return (0...bytes.count - name.count).filter { start in
            let end = start + name.count
            return bytes[start] == name[0] && bytes[start..<end].elementsEqual(name)
                && (start == 0 || !isPartOfName(bytes[start - 1]))
                && (end == bytes.count || !isPartOfName(bytes[end]))
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x5F, 0x80...: true
        default: false
        }
    }
}
