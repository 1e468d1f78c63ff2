internal import Foundation

/// Keys by which strings are compared without regard to case and diacritics, the same on each machine.
///
/// A key is the UTF-8 of a string in lowercase, decomposed, without the marks of Latin, Greek, Cyrillic and Japanese
/// letters. Letters with a stroke and ligatures, which Unicode does not decompose, are replaced too.
struct FoldedKeys {
    // All keys one after the other, so that a key is not an allocation.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var folded: [Unicode.Scalar: [UInt8]] = [:]

    /// The first sixteen bytes of a key, in the order of keys.
    struct Rank: Equatable, Comparable {
        let first: UInt64
        var second: UInt64 = 0

        static func < (left: Rank, right: Rank) -> Bool {
            left.first != right.first ? left.first < right.first : left.second < right.second
        }
    }

    /// The number of keys.
    var count: Int { ends.count }

    /// Adds the key of a string, and returns its first bytes.
    mutating func append(_ string: String) -> Rank {
        let start = bytes.count
        var string = string
        string.withUTF8 { text in
            if text.allSatisfy({ $0 < 0x80 }) {
                for byte in text { bytes.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
            } else {
                for scalar in String(decoding: text, as: UTF8.self).unicodeScalars { append(scalar) }
            }
        }
        ends.append(bytes.count)
        return Rank(first: number(at: start), second: number(at: start + 8))
    }

    /// Returns eight bytes of the last key as a number, in which bytes beyond the key are 0.
    private func number(at start: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in start..<start + 8 {
            number = number << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
        }
        return number
    }

    /// Returns a negative number if the first key is before the second, 0 if they are equal, and a positive one
    /// otherwise.
    func difference(_ first: Int, _ second: Int) -> Int {
        let (left, right) = (range(first), range(second))
        let order = bytes.withUnsafeBufferPointer { bytes -> Int32 in
            guard let base = bytes.baseAddress else { return 0 }
            return memcmp(base + left.lowerBound, base + right.lowerBound, min(left.count, right.count))
        }
        return order != 0 ? Int(order) : left.count - right.count
    }

    private func range(_ key: Int) -> Range<Int> { (key == 0 ? 0 : ends[key - 1])..<ends[key] }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if let known = folded[scalar] {
            bytes += known
        } else {
            let made = Self.fold(scalar)
            folded[scalar] = made
            bytes += made
        }
    }

    private static func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
        // Uppercase first, which makes SS of the German sharp S, and one letter of both Greek sigmas.
        let upper = scalar.properties.uppercaseMapping
        let lower = upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
        let base = lower.decomposedStringWithCanonicalMapping.unicodeScalars.filter { !isMark($0) }
        return base.flatMap { Array((withoutStroke[$0] ?? String($0)).utf8) }
    }

    // Not all marks: the vowels of some scripts are marks too.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        (0x300...0x36F).contains(scalar.value) || (0x3099...0x309A).contains(scalar.value)
    }

    private static let withoutStroke: [Unicode.Scalar: String] = [
        "æ": "ae", "đ": "d", "ð": "d", "ħ": "h", "ł": "l", "ø": "o", "œ": "oe", "ŧ": "t", "þ": "th",
    ]
}
