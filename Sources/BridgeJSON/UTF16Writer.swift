internal import BridgeValues

/// A converter from well-formed UTF-8 to UTF-16.
enum UTF16Writer {
    /// Converts a string.
    ///
    /// - Parameters:
    ///   - bytes: The UTF-8 of a `String`.
    ///   - units: A buffer with space for as many units as there are bytes.
    /// - Returns: The number of written units.
    static func write(_ bytes: UnsafeBufferPointer<UInt8>, to units: UnsafeMutablePointer<UInt16>) -> Int {
        guard let source = bytes.baseAddress else { return 0 }
        let count = bytes.count
        var read = 0
        var written = 0
        while read < count {
            let lead = source[read]
            if lead < 0x80 {
                units[written] = UInt16(lead)
                read += 1
                written += 1
                continue
            }
            let (scalar, length) = scalar(source + read)
            written += write(scalar, to: units + written)
            read += length
        }
        return written
    }

    /// Decodes a scalar that begins with a non-ASCII byte; returns the scalar and its number of bytes.
    @inline(__always)
    static func scalar(_ bytes: UnsafePointer<UInt8>) -> (scalar: UInt32, length: Int) {
        let lead = UInt32(bytes[0])
        func rest(_ index: Int) -> UInt32 { UInt32(bytes[index] & 0x3F) }
        if lead < 0xE0 { return ((lead & 0x1F) << 6 | rest(1), 2) }
        if lead < 0xF0 { return ((lead & 0x0F) << 12 | rest(1) << 6 | rest(2), 3) }
        return ((lead & 0x07) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3), 4)
    }

    /// Writes a scalar as one unit or two; returns their number.
    @inline(__always)
    static func write(_ scalar: UInt32, to units: UnsafeMutablePointer<UInt16>) -> Int {
        guard scalar >= 0x10000 else {
            units[0] = UInt16(truncatingIfNeeded: scalar)
            return 1
        }
        units[0] = UInt16(truncatingIfNeeded: 0xD800 + (scalar - 0x10000) >> 10)
        units[1] = UInt16(truncatingIfNeeded: 0xDC00 + scalar & 0x3FF)
        return 2
    }
}
