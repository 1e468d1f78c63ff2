/// The code units that JSON is made of, by name.
extension UInt16 {
    package static let quote = UInt16(UInt8(ascii: "\""))
    package static let backslash = UInt16(UInt8(ascii: "\\"))
    package static let slash = UInt16(UInt8(ascii: "/"))
    package static let openBrace = UInt16(UInt8(ascii: "{"))
    package static let closeBrace = UInt16(UInt8(ascii: "}"))
    package static let openBracket = UInt16(UInt8(ascii: "["))
    package static let closeBracket = UInt16(UInt8(ascii: "]"))
    package static let comma = UInt16(UInt8(ascii: ","))
    package static let colon = UInt16(UInt8(ascii: ":"))
    package static let minus = UInt16(UInt8(ascii: "-"))
    package static let plus = UInt16(UInt8(ascii: "+"))
    package static let point = UInt16(UInt8(ascii: "."))
    package static let zero = UInt16(UInt8(ascii: "0"))
    package static let nine = UInt16(UInt8(ascii: "9"))
    package static let letterB = UInt16(UInt8(ascii: "b"))
    package static let letterE = UInt16(UInt8(ascii: "e"))
    package static let capitalE = UInt16(UInt8(ascii: "E"))
    package static let letterF = UInt16(UInt8(ascii: "f"))
    package static let letterN = UInt16(UInt8(ascii: "n"))
    package static let letterR = UInt16(UInt8(ascii: "r"))
    package static let letterT = UInt16(UInt8(ascii: "t"))
    package static let letterU = UInt16(UInt8(ascii: "u"))

    package var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
    package var isDigit: Bool { self >= .zero && self <= .nine }
    package var isHighSurrogate: Bool { self & 0xFC00 == 0xD800 }
    package var isLowSurrogate: Bool { self & 0xFC00 == 0xDC00 }
    package var isSurrogate: Bool { self & 0xF800 == 0xD800 }

    /// What the unit counts as a hexadecimal digit, or `nil` if it is none.
    var hexadecimalValue: UInt16? {
        switch self {
        case .zero ... .nine: self - .zero
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    /// The unit for a message: itself if it can be seen, else its number.
    package var shown: String {
        self > 0x20 && self < 0x7F
            ? "\"\(Character(Unicode.Scalar(UInt8(self))))\""
            : "U+" + String(self, radix: 16, uppercase: true)
    }
}
