import Foundation

/// The content of a text, as a type that decodes itself from any decoder: the same code uses both decoders.
///
/// Numbers are compared by value: `1.0` and `1` are equal.
enum JSONTree: Codable {
    case null
    case flag(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case text(String)
    case list([JSONTree])
    case table([String: JSONTree])

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Key.self) {
            var table: [String: JSONTree] = [:]
            for key in members.allKeys {
                table[key.stringValue] = try members.decode(JSONTree.self, forKey: key)
            }
            self = .table(table)
        } else if var elements = try? decoder.unkeyedContainer() {
            var list: [JSONTree] = []
            while !elements.isAtEnd { list.append(try elements.decode(JSONTree.self)) }
            self = .list(list)
        } else {
            self = try JSONTree(scalar: decoder.singleValueContainer())
        }
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(UInt64.self) {
            self = .unsigned(number)
        } else {
            self = .double(try container.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .unsigned(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let elements): try container.encode(elements)
        case .table(let members): try container.encode(members)
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONTree: Equatable {
    static func == (left: JSONTree, right: JSONTree) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.flag(let left), .flag(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.double(let double), .integer(let number)), (.integer(let number), .double(let double)):
            double == Double(number)
        case (.double(let double), .unsigned(let number)), (.unsigned(let number), .double(let double)):
            double == Double(number)
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.list(let left), .list(let right)): left == right
        case (.table(let left), .table(let right)):
            left.count == right.count
                && left.allSatisfy { key, value in right[key].map { $0 == value } ?? false }
        default: false
        }
    }
}

/// Foundation's decoder as a reference, with the texts for which it is not one.
enum JSONOracle {
    private static let decoder = JSONDecoder()

    /// Returns Foundation's result, or `nil` if it refuses the text.
    static func read(_ units: [UInt16]) -> JSONTree? {
        try? decoder.decode(JSONTree.self, from: Data(String(decoding: units, as: UTF16.self).utf8))
    }

    /// An intended difference.
    enum Difference: String, CaseIterable {
        /// Foundation refuses the whole text, this package replaces the surrogate (P66).
        case loneSurrogate
        /// Foundation guesses the encoding from the first bytes, and accepts a byte order mark.
        case encodingGuess
        /// Foundation rounds a whole number beyond 64 bits, this package refuses it for a Double (P68).
        case wideInteger
        /// Foundation accepts a fraction that a Double cannot distinguish from a whole number, this package parses the
        /// digits.
        case roundedFraction
        /// Of several members with the same key, Foundation uses the first, this package the last, as JavaScript does.
        case duplicateKey
        /// Foundation allows a comma after the last element or member.
        case trailingComma
    }

    /// Returns the differences that a text may have, found in the text without code of either decoder.
    static func differences(_ units: [UInt16]) -> Set<Difference> {
        var found: Set<Difference> = []
        let text = String(decoding: units, as: UTF16.self)
        if text.contains(/,[ \t\r\n]*[\]}]/) { found.insert(.trailingComma) }
        let keys = text.matches(of: /"((?:[^"\\]|\\.)*)"[ \t\r\n]*:/).map { String($0.1) }
        if Set(keys).count < keys.count { found.insert(.duplicateKey) }
        if hasLoneSurrogate(units) { found.insert(.loneSurrogate) }
        if units.first == 0xFEFF || units.first == 0xFFFE || units.prefix(4).contains(0) {
            found.insert(.encodingGuess)
        }
        if text.contains(/[0-9]{17,}(?![0-9.eE])/) { found.insert(.wideInteger) }
        if text.contains(/[.](0{14,}|9{14,})|[0-9]{16,}[.]/) { found.insert(.roundedFraction) }
        return found
    }

    private static func hasLoneSurrogate(_ units: [UInt16]) -> Bool {
        // A pair with one half as a character and one as an escape is a pair in this package, while Foundation has lost
        // the character before it reaches the escape.
        guard String(decoding: units, as: UTF16.self).utf16.elementsEqual(units) else { return true }
        // Escapes become units first; an escaped backslash does not begin an escape.
        var plain: [UInt16] = []
        var index = 0
        while index < units.count {
            if units[index] == 0x5C, index + 1 < units.count {
                if units[index + 1] == 0x75, index + 5 < units.count,
                    let unit = UInt16(
                        String(decoding: units[(index + 2)...(index + 5)], as: UTF16.self),
                        radix: 16
                    )
                {
                    plain.append(unit)
                    index += 6
                } else {
                    plain.append(0x20)
                    index += 2
                }
            } else {
                plain.append(units[index])
                index += 1
            }
        }
        return !String(decoding: plain, as: UTF16.self).utf16.elementsEqual(plain)
    }
}
