internal import Foundation

extension CSVReader {
    /// A field as a value of a type, or `nil` where its text is not one.
    ///
    /// Empty text is no value, but for text, where it is empty text. Booleans are `true` and `false` in any
    /// case or `1` and `0`; numbers are decimal without spaces, and finite; dates are ISO 8601, with or
    /// without the time; bytes are Base64.
    func value(of index: Int, as type: AttributeType) -> AttributeValue? {
        if type == .string { return .string(self[index]) }
        return withBytes(of: index) { bytes in
            if bytes.isEmpty { return .null }
            return switch type {
            case .integer: CSVNumber.integer(bytes).map { .integer($0) }
            case .double: CSVNumber.double(bytes).map { .double($0) }
            case .boolean: Self.boolean(self[index]).map { .boolean($0) }
            case .date: CSVDate.date(bytes).map { .date($0) }
            case .data: Data(base64Encoded: self[index]).map { .data($0) }
            case .string: nil
            }
        }
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}

/// Numbers as they are written in files: decimal, without spaces, separators or words.
enum CSVNumber {
    static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.allSatisfy({ isDigit($0) || isSign($0) }) else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self))
    }

    static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        // Swift reads "nan", "inf" and hexadecimal too, which a column of numbers does not mean.
        let isDecimal = bytes.allSatisfy {
            isDigit($0) || isSign($0) || $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e")
        }
        guard isDecimal, let number = Double(String(decoding: bytes, as: UTF8.self)) else { return nil }
        return number.isFinite ? number : nil
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }
}
