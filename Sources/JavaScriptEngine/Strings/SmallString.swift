/// A factory of strings of up to 15 ASCII characters, directly in the standard library's small-string layout.
///
/// The initializers of `String` take 7 to 12 ns for such a string, this takes 2 ns (measured on 6.3.1). The layout is
/// that of 64-bit little-endian processors, and not part of a stable ABI on Linux. It is compared with strings of every
/// length at the first use. If one differs, the standard library creates all strings.
enum SmallString {
    static let maximumCount = 15

    /// Returns the string of at most ``maximumCount`` bytes; `nil` if they are not all ASCII.
    @inline(__always)
    static func make(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard isLayoutKnown else { return nil }
        return assemble(bytes)
    }

    @inline(__always)
    private static func assemble(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var key = InternedStrings.Key(bytes)
        guard (key.low | key.high) & 0x8080_8080_8080_8080 == 0 else { return nil }
        // The highest byte is the count; these bits mark a small string of ASCII.
        key.high |= 0xE0 << 56
        return unsafeBitCast((key.low, key.high), to: String.self)
    }

    private static let isLayoutKnown: Bool = {
        guard MemoryLayout<String>.size == 16, UInt16(littleEndian: 1) == 1 else { return false }
        return (0...maximumCount).allSatisfy { count in
            let text = String(repeating: "aZ09~", count: 3).prefix(count)
            var bytes = Array(text.utf8)
            return bytes.withUnsafeMutableBufferPointer { bytes in
                let bytes = UnsafeBufferPointer(bytes)
                let expected = String(unsafeUninitializedCapacity: count) {
                    $0.initialize(fromContentsOf: bytes)
                }
                let bits = unsafeBitCast(expected, to: (UInt64, UInt64).self)
                var key = InternedStrings.Key(bytes)
                key.high |= 0xE0 << 56
                return bits == (key.low, key.high)
            }
        }
    }()
}
