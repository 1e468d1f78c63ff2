internal import BridgeValues
internal import Foundation

/// The types of Foundation whose values are strings in scripts.

extension UUID: ScalarMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> UUID? {
        scalars.withCharacters(of: value) { characters in
            guard characters.count == UUIDText.count, scalars.mayTake(characters.count) else { return nil }
            return switch characters {
            case .latin1(let bytes): UUIDText.read(bytes)
            case .utf16(let units): UUIDText.read(units)
            }
        } ?? nil
    }

    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(uuidString) }

    func write(into writer: SlabWriter) throws {
        writer.put(ValueSlab.Tag.string)
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: UUIDText.count) { bytes in
            UUIDText.write(uuid, into: bytes)
            try writer.put(ascii: UnsafeBufferPointer(bytes))
        }
    }
}

/// The form of a `UUID` as a string: `A0B1C2D3-0000-4000-8000-000000000001`.
private enum UUIDText {
    static let count = 36

    @inline(__always)
    private static func hasHyphen(before byte: Int) -> Bool {
        byte == 4 || byte == 6 || byte == 8 || byte == 10
    }

    /// Reads the form with digits in either case; returns `nil` for any other string.
    @inline(__always)
    static func read<Unit: FixedWidthInteger & UnsignedInteger>(_ text: UnsafeBufferPointer<Unit>) -> UUID? {
        var result = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        let isValid = withUnsafeMutableBytes(of: &result) { bytes in
            var index = 0
            for byte in 0..<16 {
                if hasHyphen(before: byte) {
                    guard text[index] == 0x2D else { return false }
                    index += 1
                }
                guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return false }
                bytes[byte] = high << 4 | low
                index += 2
            }
            return true
        }
        return isValid ? UUID(uuid: result) : nil
    }

    @inline(__always)
    private static func digit<Unit: FixedWidthInteger & UnsignedInteger>(_ unit: Unit) -> UInt8? {
        switch unit {
        case 0x30...0x39: UInt8(truncatingIfNeeded: unit - 0x30)
        case 0x41...0x46: UInt8(truncatingIfNeeded: unit - 0x37)
        case 0x61...0x66: UInt8(truncatingIfNeeded: unit - 0x57)
        default: nil
        }
    }

    /// Writes the form with upper-case digits, as `uuidString`.
    @inline(__always)
    static func write(_ uuid: uuid_t, into text: UnsafeMutableBufferPointer<UInt8>) {
        withUnsafeBytes(of: uuid) { bytes in
            var index = 0
            func put(_ digit: UInt8) {
                text[index] = digit < 10 ? 0x30 + digit : 0x37 + digit
                index += 1
            }
            for byte in 0..<16 {
                if hasHyphen(before: byte) {
                    text[index] = 0x2D
                    index += 1
                }
                put(bytes[byte] >> 4)
                put(bytes[byte] & 0x0F)
            }
        }
    }
}

extension URL: ScalarMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> URL? {
        scalars.string(of: value).flatMap { URL(string: $0) }
    }

    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(absoluteString) }

    func write(into writer: SlabWriter) throws { try absoluteString.write(into: writer) }
}

extension Decimal: ScalarMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> Decimal? {
        if let text = scalars.string(of: value) { return Decimal(exactly: text) }
        return scalars.wholeNumber(of: value).map { Decimal($0) }
    }

    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(text) }

    func write(into writer: SlabWriter) throws { try text.write(into: writer) }
}
