internal import Foundation

extension CSVReader {
    /// Converts a field to a value of a type; returns `nil` if the field cannot be converted.
    ///
    /// An empty field is ``AttributeValue/null``, except for the string type, where it is an empty string. Booleans are
    /// `1` and `0`, or `true` and `false` in any case. Numbers are decimal, finite and without spaces. Dates are ISO
    /// 8601, with or without a time. Data is Base64.
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

/// A parser for numbers in files: decimal, without spaces, separators or words.
enum CSVNumber {
    static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.allSatisfy({ isDigit($0) || isSign($0) }) else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self))
    }

    static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        // Swift also parses "nan", "inf" and hexadecimal numbers, which a column of numbers does not contain.
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
