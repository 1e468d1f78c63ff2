internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// Conversions between Swift strings and the engine's strings by way of UTF-16, with the package's own loops.
///
/// The C API's UTF-8 functions cut strings at NUL and at lone surrogates without an error. They are also 5 to 25 times
/// slower on long strings (measured on 2.50.6: 1 MiB of ASCII takes 2.05 ms, widening it here takes 0.08 ms).
enum EngineString {
    /// Creates an engine string, which the caller releases.
    static func make(_ text: String) -> JSStringRef {
        if let string = makeWithUTF8Function(text) { return string }
        var text = text
        return text.withUTF8 { bytes in
            let isASCII = isASCII(bytes)
            if isASCII, let narrow = jsb_make_narrow_string(bytes.baseAddress, bytes.count) {
                return narrow
            }
            return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: max(bytes.count, 1)) { units in
                let count = widen(bytes, isASCII: isASCII, into: units)
                return make(UnsafeBufferPointer(rebasing: units[..<count]))
            }
        }
    }

    /// Returns an engine string made by the engine's function for UTF-8, where this is the fastest way; else `nil`.
    ///
    /// From 2.52 on the function uses vector code: 1 MiB of mixed text takes 0.62 ms, and 0.76 by widening it here (VE10).
    /// It stops at NUL, and makes wide strings of Latin-1.
    private static func makeWithUTF8Function(_ text: String) -> JSStringRef? {
        guard text.utf8.count >= minimumUTF8Count, hasFastUTF8Function else { return nil }
        let count = text.utf8.count
        return text.withCString { characters in
            let bytes = UnsafeRawBufferPointer(start: characters, count: count)
            var highest: UInt8 = 0
            for byte in bytes { highest = max(highest, byte) }
            // The first bytes of characters beyond Latin-1 begin at C4.
            guard highest >= 0xC4, memchr(characters, 0, count) == nil else { return nil }
            return JSStringCreateWithUTF8CString(characters)
        }
    }

    /// The least number of bytes for which the call of the engine's function pays.
    private static let minimumUTF8Count = 1_024

    private static let hasFastUTF8Function =
        (jsc_get_major_version(), jsc_get_minor_version()) >= (2, 52)

    /// Creates an engine string from UTF-16 code units, well-formed or not.
    ///
    /// The caller releases it.
    static func make(_ units: UnsafeBufferPointer<UInt16>) -> JSStringRef {
        if isLatin1(units), let narrow = jsb_make_narrow_string_of_units(units.baseAddress, units.count) {
            return narrow
        }
        // Never nil: the function allocates or ends the process.
        return JSStringCreateWithCharacters(units.baseAddress, units.count)
    }

    /// Runs a body with an engine string that lives as long as the body.
    static func with<Result>(_ text: String, _ body: (JSStringRef) throws -> Result) rethrows -> Result {
        let string = make(text)
        defer { JSStringRelease(string) }
        return try body(string)
    }

    /// Converts UTF-8 to UTF-16.
    ///
    /// The target must have at least as many units as there are bytes.
    ///
    /// - Returns: The number of units that were written.
    static func widen(
        _ bytes: UnsafeBufferPointer<UInt8>,
        isASCII: Bool,
        into units: UnsafeMutableBufferPointer<UInt16>
    ) -> Int {
        guard let source = bytes.baseAddress, let target = units.baseAddress else { return 0 }
        if isASCII {
            for index in 0..<bytes.count { target[index] = UInt16(truncatingIfNeeded: source[index]) }
            return bytes.count
        }
        var index = 0
        var written = 0
        while index < bytes.count {
            let first = source[index]
            if first < 0x80 {
                target[written] = UInt16(first)
                index += 1
                written += 1
                // ASCII characters often come in runs, which are converted eight at a time.
                while index + 8 <= bytes.count {
                    let word = UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self)
                    guard word & 0x8080_8080_8080_8080 == 0 else { break }
                    for offset in 0..<8 {
                        target[written + offset] = UInt16(truncatingIfNeeded: source[index + offset])
                    }
                    index += 8
                    written += 8
                }
                continue
            }
            // `String` guarantees well-formed UTF-8, so the lead byte determines the length.
            if first < 0xE0 {
                target[written] = UInt16(first & 0x1F) << 6 | UInt16(source[index + 1] & 0x3F)
                index += 2
                written += 1
            } else if first < 0xF0 {
                target[written] =
                    UInt16(first & 0x0F) << 12 | UInt16(source[index + 1] & 0x3F) << 6
                    | UInt16(source[index + 2] & 0x3F)
                index += 3
                written += 1
            } else {
                let scalar =
                    UInt32(first & 0x07) << 18 | UInt32(source[index + 1] & 0x3F) << 12
                    | UInt32(source[index + 2] & 0x3F) << 6 | UInt32(source[index + 3] & 0x3F)
                target[written] = UInt16(truncatingIfNeeded: 0xD800 + ((scalar &- 0x10000) >> 10))
                target[written + 1] = UInt16(truncatingIfNeeded: 0xDC00 + ((scalar &- 0x10000) & 0x3FF))
                index += 4
                written += 2
            }
        }
        return written
    }

    /// Converts UTF-16 to a string; `nil` if it has a lone surrogate.
    static func narrow(_ units: UnsafeBufferPointer<UInt16>) -> String? {
        if isASCII(units) {
            return String(unsafeUninitializedCapacity: units.count) { bytes in
                guard let source = units.baseAddress, let target = bytes.baseAddress else { return 0 }
                for index in 0..<units.count { target[index] = UInt8(truncatingIfNeeded: source[index]) }
                return units.count
            }
        }
        // Three bytes a unit hold any text: a surrogate pair takes four bytes for two units. One pass into such memory
        // and a copy take a fifth of the time of counting the bytes first and letting the standard library validate
        // what was just encoded (1 MiB of mixed text: 0.6 ms instead of 2.9, measured on 2.50.6).
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: units.count * 3) { bytes in
            guard let count = encode(units, into: bytes) else { return nil }
            let encoded = UnsafeBufferPointer(rebasing: bytes[..<count])
            return String(copying: UTF8Span(unchecked: encoded.span))
        }
    }

    /// Converts the engine's narrow characters, one byte each from U+0000 to U+00FF, to a string.
    static func string(latin1 bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.count <= SmallString.maximumCount, let small = SmallString.make(bytes) { return small }
        if isASCII(bytes) {
            // ASCII needs no validation as UTF-8, and this initializer validates it cheaply.
            return String(unsafeUninitializedCapacity: bytes.count) { target in
                guard let source = bytes.baseAddress, let start = target.baseAddress else { return 0 }
                start.update(from: source, count: bytes.count)
                return bytes.count
            }
        }
        var wide = 0
        for byte in bytes { wide += Int(byte >> 7) }
        return String(unsafeUninitializedCapacity: bytes.count + wide) { target in
            var written = 0
            for byte in bytes {
                if byte < 0x80 {
                    target[written] = byte
                    written += 1
                } else {
                    target[written] = 0xC0 | byte >> 6
                    target[written + 1] = 0x80 | byte & 0x3F
                    written += 2
                }
            }
            return written
        }
    }

    /// Returns whether two strings have the same bytes.
    ///
    /// In contrast, `==` treats canonically equivalent strings as equal.
    static func areByteEqual(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress
                else {
                    return left.count == right.count
                }
                return memcmp(first, second, left.count) == 0
            }
        }
    }

    /// Converts UTF-16 to UTF-8.
    ///
    /// - Returns: The number of bytes; `nil` if there is a lone surrogate.
    private static func encode(
        _ units: UnsafeBufferPointer<UInt16>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        guard let source = units.baseAddress, let target = bytes.baseAddress else { return 0 }
        var index = 0
        var written = 0
        while index < units.count {
            let unit = UInt32(source[index])
            index += 1
            if unit < 0x80 {
                target[written] = UInt8(truncatingIfNeeded: unit)
                written += 1
                // ASCII characters often come in runs, which are converted four at a time.
                while index + 4 <= units.count {
                    let word = UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self)
                    guard word & 0xFF80_FF80_FF80_FF80 == 0 else { break }
                    for offset in 0..<4 {
                        target[written + offset] = UInt8(truncatingIfNeeded: source[index + offset])
                    }
                    index += 4
                    written += 4
                }
            } else if unit < 0x800 {
                target[written] = UInt8(truncatingIfNeeded: 0xC0 | unit >> 6)
                target[written + 1] = UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F)
                written += 2
            } else if unit & 0xF800 != 0xD800 {
                target[written] = UInt8(truncatingIfNeeded: 0xE0 | unit >> 12)
                target[written + 1] = UInt8(truncatingIfNeeded: 0x80 | unit >> 6 & 0x3F)
                target[written + 2] = UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F)
                written += 3
            } else {
                guard unit < 0xDC00, index < units.count, source[index] & 0xFC00 == 0xDC00 else { return nil }
                let scalar = 0x10000 + ((unit & 0x3FF) << 10 | UInt32(source[index]) & 0x3FF)
                index += 1
                target[written] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
                target[written + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F)
                target[written + 2] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
                target[written + 3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
                written += 4
            }
        }
        return written
    }

    /// Converts UTF-16 to a string with each lone surrogate replaced by U+FFFD, for names, messages and logs.
    static func repaired(_ units: UnsafeBufferPointer<UInt16>) -> String {
        narrow(units) ?? String(decoding: units, as: UTF16.self)
    }

    /// Runs a body with an engine string's UTF-16 code units.
    static func withUnits<Result>(
        of string: JSStringRef,
        _ body: (UnsafeBufferPointer<UInt16>) throws -> Result
    ) rethrows -> Result {
        try body(
            UnsafeBufferPointer(start: JSStringGetCharactersPtr(string), count: JSStringGetLength(string))
        )
    }

    /// Returns whether all bytes are ASCII.
    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        union(of: UnsafeRawBufferPointer(bytes)) & 0x8080_8080_8080_8080 == 0
    }

    /// Returns whether all units are ASCII.
    static func isASCII(_ units: UnsafeBufferPointer<UInt16>) -> Bool {
        union(of: UnsafeRawBufferPointer(units)) & 0xFF80_FF80_FF80_FF80 == 0
    }

    /// Returns whether all units are Latin-1 characters.
    private static func isLatin1(_ units: UnsafeBufferPointer<UInt16>) -> Bool {
        union(of: UnsafeRawBufferPointer(units)) & 0xFF00_FF00_FF00_FF00 == 0
    }

    /// Returns the union of all words of a memory area, of which the last one may overlap the one before it.
    ///
    /// An area of less than a word is read in smaller pieces, which begin at bit 0. The loop has no branch, so that the
    /// compiler can vectorize it. It is not generic: in debug builds, which tests use, a generic loop calls three
    /// functions for each byte.
    private static func union(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        guard let source = bytes.baseAddress else { return 0 }
        let count = bytes.count
        if count >= 8 {
            var seen = source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            var offset = 0
            while offset &+ 8 <= count {
                seen |= source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            return seen
        }
        if count >= 4 {
            return UInt64(source.loadUnaligned(as: UInt32.self))
                | UInt64(source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        }
        if count >= 2 {
            return UInt64(source.loadUnaligned(as: UInt16.self))
                | UInt64(source.loadUnaligned(fromByteOffset: count &- 2, as: UInt16.self))
        }
        return count == 0 ? 0 : UInt64(source.load(as: UInt8.self))
    }
}

extension EngineString {
    /// The number of digits of the largest `BigInt`: its magnitude has 2^20 bits.
    private static let maximumDigits = 315_652

    /// Returns whether a text is a number that the engine reads as a `BigInt`: decimal digits with an optional leading
    /// minus.
    static func isDecimal(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard text.utf8.count - digits.count < 2, 1...maximumDigits ~= digits.count else { return false }
        return digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
