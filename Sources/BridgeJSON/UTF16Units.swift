internal import BridgeValues

/// The UTF-16 code units of JSON syntax, by name.
extension UInt16 {
    static var space: UInt16 { 0x20 }
    @inlinable package static var quote: UInt16 { UInt16(UInt8(ascii: "\"")) }
    @inlinable package static var backslash: UInt16 { UInt16(UInt8(ascii: "\\")) }
    @inlinable package static var slash: UInt16 { UInt16(UInt8(ascii: "/")) }
    @inlinable package static var openBrace: UInt16 { UInt16(UInt8(ascii: "{")) }
    @inlinable package static var closeBrace: UInt16 { UInt16(UInt8(ascii: "}")) }
    @inlinable package static var openBracket: UInt16 { UInt16(UInt8(ascii: "[")) }
    @inlinable package static var closeBracket: UInt16 { UInt16(UInt8(ascii: "]")) }
    @inlinable package static var comma: UInt16 { UInt16(UInt8(ascii: ",")) }
    @inlinable package static var colon: UInt16 { UInt16(UInt8(ascii: ":")) }
    @inlinable package static var minus: UInt16 { UInt16(UInt8(ascii: "-")) }
    @inlinable package static var plus: UInt16 { UInt16(UInt8(ascii: "+")) }
    @inlinable package static var point: UInt16 { UInt16(UInt8(ascii: ".")) }
    @inlinable package static var zero: UInt16 { UInt16(UInt8(ascii: "0")) }
    @inlinable package static var nine: UInt16 { UInt16(UInt8(ascii: "9")) }
    @inlinable package static var letterB: UInt16 { UInt16(UInt8(ascii: "b")) }
    @inlinable package static var letterE: UInt16 { UInt16(UInt8(ascii: "e")) }
    @inlinable package static var capitalE: UInt16 { UInt16(UInt8(ascii: "E")) }
    @inlinable package static var letterF: UInt16 { UInt16(UInt8(ascii: "f")) }
    @inlinable package static var letterN: UInt16 { UInt16(UInt8(ascii: "n")) }
    @inlinable package static var letterR: UInt16 { UInt16(UInt8(ascii: "r")) }
    @inlinable package static var letterT: UInt16 { UInt16(UInt8(ascii: "t")) }
    @inlinable package static var letterU: UInt16 { UInt16(UInt8(ascii: "u")) }

    package var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
    package var isDigit: Bool { self >= .zero && self <= .nine }
    package var isHighSurrogate: Bool { self & 0xFC00 == 0xD800 }
    package var isLowSurrogate: Bool { self & 0xFC00 == 0xDC00 }
    package var isSurrogate: Bool { self & 0xF800 == 0xD800 }

    /// The value of the unit as a hexadecimal digit; `nil` if it is not one.
    var hexadecimalValue: UInt16? {
        switch self {
        case .zero ... .nine: self - .zero
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    /// The unit for a message: the character if it is visible, otherwise its number.
    package var shown: String {
        self > 0x20 && self < 0x7F
            ? "\"\(Character(Unicode.Scalar(UInt8(self))))\""
            : "U+" + String(self, radix: 16, uppercase: true)
    }
}
