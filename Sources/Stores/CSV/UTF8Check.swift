/// A check for valid UTF-8 (Unicode, table 3-7) that creates no string.
enum UTF8Check {
    /// Returns the offset of the first byte of the first invalid sequence, or `nil`.
    static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index += asciiCount(at: index, in: bytes)
                continue
            }
            guard let length = sequenceLength(at: index, in: bytes) else { return index }
            index += length
        }
        return nil
    }

    /// Returns 8 if so many bytes from an index on are ASCII, otherwise 1.
    private static func asciiCount(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard index + 8 <= bytes.count else { return 1 }
        let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        return word & 0x8080_8080_8080_8080 == 0 ? 8 : 1
    }

    private static func sequenceLength(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let length: Int
        // Some first bytes narrow the range of the second byte: no overlong forms, no surrogates, and nothing above
        // U+10FFFF.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[index] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return nil
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
        for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return nil }
        return length
    }
}
