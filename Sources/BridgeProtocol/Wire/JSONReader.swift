internal import BridgeValues

/// Reads the members of a message out of UTF-16 code units that may hold lone surrogates.
///
/// Values are read whole or cut out unread as a ``JSONPayload``. Either way keeps what JavaScript's own reader and
/// Foundation's do not: `true` is a boolean, whole numbers are exact at any size (P68), a lone surrogate stays where
/// it is in text (P66), the depth is limited by a number of ours (P67).
struct JSONReader {
    let units: UnsafeBufferPointer<UInt16>
    let limits: BridgeLimits
    var position: Int
    let end: Int
    /// How many keys and names had a lone surrogate, which became U+FFFD as `String` cannot hold one.
    var repairedTexts = 0

    init(_ units: UnsafeBufferPointer<UInt16>, in range: Range<Int>, limits: BridgeLimits) {
        self.units = units
        self.limits = limits
        position = range.lowerBound
        end = range.upperBound
    }

    /// The unit at the position, or 0 at the end.
    ///
    /// A NUL in the text is no valid token either.
    var current: UInt16 { position < end ? units[position] : 0 }

    mutating func skipSpace() {
        while position < end, units[position].isSpace { position += 1 }
    }

    /// Moves past a unit, if it is the next one.
    mutating func consume(_ unit: UInt16) -> Bool {
        guard current == unit, position < end else { return false }
        position += 1
        return true
    }

    func unexpected(_ wanted: String) -> BridgeError {
        let found = position < end ? "found \(units[position].shown)" : "the text ended"
        return BridgeError(.decodeFailed, "Not JSON at unit \(position): expected \(wanted), \(found).")
    }

    /// Reads one value and stops behind it.
    ///
    /// - Throws: `decodeFailed` for text that is not JSON, `limitExceeded` past the depth or the node limit.
    mutating func readValue() throws(BridgeError) -> Value {
        try Value(reading: units, from: &position, to: end, limits: limits, repairedKeys: &repairedTexts)
    }

    /// Checks one value, stops behind it, and gives its text.
    ///
    /// - Throws: As ``readValue()``.
    mutating func readPayload() throws(BridgeError) -> JSONPayload {
        let payload = try JSONPayload(cutting: units, from: &position, to: end, limits: limits)
        repairedTexts += payload.repairedTexts
        return payload
    }

    /// Reads a key and its colon.
    mutating func readKey() throws(BridgeError) -> String {
        skipSpace()
        guard current == .quote else { throw unexpected("a key in quotes") }
        let key = try readName()
        skipSpace()
        guard consume(.colon) else { throw unexpected("\":\"") }
        return key
    }

    /// Reads a text that must be a `String`: lone surrogates become U+FFFD.
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

    /// Reads a text as nearly all names are, ASCII without escapes; else the position stays.
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
