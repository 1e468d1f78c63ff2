/// A selection of the protocol's numbered rules, such as `P40`, `P40-P45` or `P40,W2`.
struct AssertionSelection: Hashable, CustomStringConvertible {
    private struct Range: Hashable {
        let letter: Character
        let numbers: ClosedRange<Int>
    }

    /// The string that it was parsed from.
    let description: String
    private let ranges: [Range]

    /// Parses a selection; returns `nil` for an invalid string.
    init?(_ text: String) {
        var ranges: [Range] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard let first = ends.first, let last = ends.last, ends.count <= 2,
                let (letter, from) = Self.number(first), let (other, to) = Self.number(last),
                letter == other, from <= to
            else { return nil }
            ranges.append(Range(letter: letter, numbers: from...to))
        }
        self.ranges = ranges
        description = text
    }

    private init(description: String, ranges: [Range]) {
        self.description = description
        self.ranges = ranges
    }

    /// Returns the union of both selections.
    func union(_ other: AssertionSelection) -> AssertionSelection {
        AssertionSelection(
            description: "\(description),\(other.description)",
            ranges: ranges + other.ranges
        )
    }

    /// Returns whether a rule is selected.
    func contains(_ assertion: String) -> Bool {
        guard let (letter, number) = Self.number(assertion[...]) else { return false }
        return ranges.contains { $0.letter == letter && $0.numbers.contains(number) }
    }

    private static func number(_ text: Substring) -> (letter: Character, number: Int)? {
        guard let letter = text.first, letter.isASCII, letter.isLetter, text.count > 1, text.count <= 6,
            text.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text.dropFirst())
        else { return nil }
        return (Character(letter.uppercased()), number)
    }
}
