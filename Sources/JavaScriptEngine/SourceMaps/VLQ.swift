/// A decoder for the variable-length Base64 numbers of source maps.
///
/// Each digit holds five bits, the lowest first. The lowest bit of the number is its sign.
struct VLQDecoder {
    /// The value of each Base64 digit, 0xFF for other bytes.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Reads one number.
    ///
    /// - Parameters:
    ///   - bytes: The encoded numbers.
    ///   - position: The index where the number begins; on return, the index after it.
    /// - Returns: The number; `nil` if a number is missing, or if it does not fit 32 bits.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int) -> Int32? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let digit = UInt64(values[Int(bytes[position])])
            guard digit != 0xFF else { return nil }
            position += 1
            // 32 bits and the sign fit seven digits.
            guard shift <= 30 else { return nil }
            result |= (digit & 31) << shift
            shift += 5
            guard digit & 32 == 0 else { continue }
            let magnitude = Int64(result >> 1)
            return Int32(exactly: result & 1 == 1 ? -magnitude : magnitude)
        }
        return nil
    }
}
