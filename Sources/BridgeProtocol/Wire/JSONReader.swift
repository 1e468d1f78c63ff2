internal import BridgeJSON
internal import BridgeValues

/// A reader of a message's members from UTF-16 code units, which may contain lone surrogates.
///
/// Values are decoded whole, or cut out undecoded as a ``JSONPayload``. Both preserve more than JavaScript's own parser
/// and Foundation's do. `true` is a boolean, whole numbers are exact at any size (P68), and a lone surrogate keeps its
/// place in a string (P66). The depth has a limit of the package (P67).
struct JSONReader {
    let units: UnsafeBufferPointer<UInt16>
    let limits: BridgeLimits
    var position: Int
    let end: Int
    /// The number of keys and names with a lone surrogate, which became U+FFFD as `String` cannot hold one.
    var repairedTexts = 0

    init(_ units: UnsafeBufferPointer<UInt16>, in range: Range<Int>, limits: BridgeLimits) {
        self.units = units
        self.limits = limits
        position = range.lowerBound
        end = range.upperBound
    }

    /// The unit at the position, or 0 at the end.
    ///
    /// A NUL in the text is not a valid token either.
    var current: UInt16 { position < end ? units[position] : 0 }

    mutating func skipSpace() {
        while position < end, units[position].isSpace { position += 1 }
    }

    /// Skips a unit, if it is the next one.
    mutating func consume(_ unit: UInt16) -> Bool {
        guard current == unit, position < end else { return false }
        position += 1
        return true
    }

    func unexpected(_ wanted: String) -> BridgeError {
        let found = position < end ? "found \(units[position].shown)" : "the text ended"
        return BridgeError(.decodeFailed, "Not JSON at unit \(position): expected \(wanted), \(found).")
    }

    /// Decodes one value and stops after it.
    ///
    /// - Throws: `decodeFailed` for a text that is not JSON, `limitExceeded` beyond the depth or the number of values.
    mutating func readValue() throws(BridgeError) -> Value {
        try Value(reading: units, from: &position, to: end, limits: limits, repairedKeys: &repairedTexts)
    }

    /// Validates one value, stops after it, and returns its text.
    ///
    /// - Throws: The errors of ``readValue()``.
    mutating func readPayload() throws(BridgeError) -> JSONPayload {
        let payload = try JSONPayload(cutting: units, from: &position, to: end, limits: limits)
        repairedTexts += payload.repairedTexts
        return payload
    }

    /// The ranges of an object's member: the key with its quotes, and the value without the space around it.
    struct Member {
        let key: Range<Int>
        let value: Range<Int>
    }

    /// Finds the first member of the object at the position, without decoding it; returns `nil` after an empty object.
    mutating func firstMember() throws(BridgeError) -> Member? {
        skipSpace()
        guard consume(.openBrace) else { throw unexpected("\"{\"") }
        skipSpace()
        return consume(.closeBrace) ? nil : try member()
    }

    /// Finds the next member of an object; returns `nil` after the closing brace.
    mutating func nextMember() throws(BridgeError) -> Member? {
        skipSpace()
        if consume(.closeBrace) { return nil }
        guard consume(.comma) else { throw unexpected("\",\" or \"}\"") }
        return try member()
    }

    // The value ends at the next comma or closing bracket outside of it: its reader checks whether it
    // is one.
    private mutating func member() throws(BridgeError) -> Member {
        let scanner = JSONScanner(units: units)
        skipSpace()
        guard current == .quote else { throw unexpected("a key in quotes") }
        let start = position
        position = scanner.endOfText(from: position, to: end)
        let key = start..<position
        skipSpace()
        guard consume(.colon) else { throw unexpected("\":\"") }
        skipSpace()
        let valueStart = position
        position = scanner.endOfValue(from: position, to: end)
        var valueEnd = position
        while valueEnd > valueStart, units[valueEnd - 1].isSpace { valueEnd -= 1 }
        return Member(key: key, value: valueStart..<valueEnd)
    }

    /// Checks that a value ended where its range ends.
    mutating func expectEnd(of value: Range<Int>) throws(BridgeError) {
        skipSpace()
        guard position >= value.upperBound else { throw unexpected("\",\" or \"}\"") }
    }

    /// Returns whether a key is a string, written without escapes.
    func isKey(_ key: Range<Int>, _ text: StaticString) -> Bool {
        guard key.count == text.utf8CodeUnitCount + 2 else { return false }
        return text.withUTF8Buffer { bytes in
            bytes.indices.allSatisfy { units[key.lowerBound + 1 + $0] == UInt16(bytes[$0]) }
        }
    }

    /// Reads a string that must be a `String`: lone surrogates become U+FFFD.
    mutating func readName() throws(BridgeError) -> String {
        if let plain = readPlainName() { return plain }
        switch try readValue() {
        case .string(let text): return text
        case .illFormedString(let units):
            repairedTexts += 1
            return String(decoding: units, as: UTF16.self)
        default: return ""
        }
    }

    /// Reads a string of ASCII without escapes, as nearly all names are; otherwise the position does not change.
    private mutating func readPlainName() -> String? {
        let start = position + 1
        var stop = start
        while stop < end, units[stop] >= 0x20, units[stop] < 0x80, units[stop] != .quote,
            units[stop] != .backslash
        {
            stop += 1
        }
        guard stop < end, units[stop] == .quote else { return nil }
        position = stop + 1
        return String(unsafeUninitializedCapacity: stop - start) { bytes in
            for index in start..<stop { bytes[index - start] = UInt8(truncatingIfNeeded: units[index]) }
            return stop - start
        }
    }
}
