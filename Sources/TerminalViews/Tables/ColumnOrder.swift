/// The values of a column, and the order that people expect of them.
///
/// If most of the values are numbers, numbers come first, by value. Other strings follow in the order of their folded
/// keys, and those with equal keys by code point. Empty values are last in both directions.
struct ColumnOrder {
    private var strings: [String] = []
    private var numberWeight = 0
    private var stringWeight = 0

    /// A value with the first part of what it is compared by.
    private struct Entry {
        /// The bits of a number, or the first bytes of a folded key.
        let rank: FoldedKeys.Rank
        let position: Int32
        /// The index of the folded key.
        var key: Int32 = 0
    }

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - string: The value.
    ///   - weight: The number of rows that have it.
    mutating func append(_ string: String, weight: Int = 1) {
        strings.append(string)
        if string.isEmpty { return }
        if Self.number(string) == nil { stringWeight += weight } else { numberWeight += weight }
    }

    /// Returns the positions of the values in order; equal values keep the order in which they were added.
    func sortedPositions(isDescending: Bool = false) -> [Int32] {
        let areMostlyNumbers = numberWeight > stringWeight
        var numbers: [Entry] = []
        var others: [Entry] = []
        var empty: [Int32] = []
        var keys = FoldedKeys()
        for (index, string) in strings.enumerated() {
            let position = Int32(index)
            if string.isEmpty {
                empty.append(position)
            } else if areMostlyNumbers, let number = Self.number(string) {
                numbers.append(Entry(rank: .init(first: Self.rank(number)), position: position))
            } else {
                let key = Int32(keys.count)
                others.append(Entry(rank: keys.append(string), position: position, key: key))
            }
        }
        numbers.sort { left, right in
            if left.rank != right.rank { return (left.rank < right.rank) != isDescending }
            return left.position < right.position
        }
        others.sort { left, right in
            if left.rank != right.rank { return (left.rank < right.rank) != isDescending }
            let difference = keys.difference(Int(left.key), Int(right.key))
            if difference != 0 { return (difference < 0) != isDescending }
            let (first, second) = (strings[Int(left.position)], strings[Int(right.position)])
            if first != second { return (first < second) != isDescending }
            return left.position < right.position
        }
        let filled = isDescending ? others + numbers : numbers + others
        return filled.map(\.position) + empty
    }

    private static func number(_ string: String) -> Double? {
        // Fast for the strings that begin with a letter, which of numbers only the infinite ones do.
        switch string.utf8.first ?? 0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "i"), UInt8(ascii: "I"):
            break
        default: return nil
        }
        guard let number = Double(string), !number.isNaN else { return nil }
        return number
    }

    /// Returns bits in the order of numbers.
    private static func rank(_ number: Double) -> UInt64 {
        // Adding 0 makes -0 equal to 0.
        let bits = (number + 0).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }
}
