internal import BridgeValues

// MARK: - Text

extension JSONTapeScanner {
    /// Scans a string in quotes and adds its token.
    @inline(__always)
    mutating func appendText(_ kind: JSONToken.Kind) throws(BridgeError) -> UInt32 {
        position += 1
        let start = position
        var traits: JSONToken.Traits = []
        while true {
            while position + 4 <= end {
                let stops = Self.stops(UnsafeRawPointer(units + position).loadUnaligned(as: UInt64.self))
                guard stops == 0 else {
                    position += stops.trailingZeroBitCount >> 4
                    break
                }
                position += 4
            }
            guard position < end else { throw unexpected("the quote that ends a string") }
            let unit = units[position]
            if unit == .quote { break }
            if unit >= 0x80 {
                traits.insert(.beyondASCII)
                repeat {
                    if units[position].isSurrogate { traits.insert(.surrogates) }
                    position += 1
                } while position < end && units[position] >= 0x80
            } else if unit == .backslash {
                traits.insert(.escaped)
                if try skipEscape().isSurrogate { traits.insert(.surrogates) }
            } else {
                guard unit >= 0x20 else { throw unexpected("no control character in a string") }
                position += 1
            }
        }
        if traits.contains(.surrogates), JSONText(units: units + start, count: position - start).isIllFormed {
            traits.insert(.illFormed)
            tape.illFormedTexts += 1
        }
        position += 1
        return tape.append(
            JSONToken(
                start: UInt32(truncatingIfNeeded: start),
                count: UInt32(truncatingIfNeeded: position - 1 - start),
                next: tape.count + 1,
                kind: kind,
                traits: traits
            )
        )
    }

    /// Returns the top bit of each of four units that needs a closer look: a quote, a backslash, a control character,
    /// or a non-ASCII unit.
    ///
    /// The lowest set bit is exact; a borrow can only affect the units above it.
    @inline(__always)
    private static func stops(_ four: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0001_0001_0001_0001
        let tops: UInt64 = 0x8000_8000_8000_8000
        let beyond = four & (ones &* 0xFF80)
        let isBeyond = ((beyond & ~tops) &+ ~tops) | beyond
        let quote = four ^ (ones &* 0x22)
        let backslash = four ^ (ones &* 0x5C)
        let isQuote = (quote &- ones) & ~quote
        let isBackslash = (backslash &- ones) & ~backslash
        let isControl = (four &- ones &* 0x20) & ~four
        return (isBeyond | isQuote | isBackslash | isControl) & tops
    }

    /// Skips an escape and returns its unit; 0 for an escape of one letter.
    private mutating func skipEscape() throws(BridgeError) -> UInt16 {
        position += 1
        switch current {
        case .quote, .backslash, .slash, .letterB, .letterF, .letterN, .letterR, .letterT:
            position += 1
            return 0
        case .letterU:
            position += 1
            var result: UInt16 = 0
            for _ in 0..<4 {
                guard let digit = current.hexadecimalValue else {
                    throw unexpected("four hexadecimal digits")
                }
                result = result << 4 | digit
                position += 1
            }
            return result
        default: throw unexpected("an escape")
        }
    }
}

// MARK: - Numbers and words

extension JSONTapeScanner {
    @inline(__always)
    mutating func appendWord() throws(BridgeError) {
        switch current {
        case .minus, .zero ... .nine: try appendNumber()
        case .letterT: try appendWord("true", .yes)
        case .letterF: try appendWord("false", .no)
        case .letterN: try appendWord("null", .null)
        default: throw unexpected("a value")
        }
    }

    private mutating func appendWord(_ word: StaticString, _ kind: JSONToken.Kind) throws(BridgeError) {
        let count = word.utf8CodeUnitCount
        guard end - position >= count else { throw unexpected("\"\(word)\"") }
        for offset in 0..<count where units[position + offset] != UInt16(word.utf8Start[offset]) {
            throw unexpected("\"\(word)\"")
        }
        append(kind, from: position, to: position + count, [])
        position += count
    }

    private mutating func append(
        _ kind: JSONToken.Kind,
        from start: Int,
        to end: Int,
        _ traits: JSONToken.Traits
    ) {
        _ = tape.append(
            JSONToken(
                start: UInt32(truncatingIfNeeded: start),
                count: UInt32(truncatingIfNeeded: end - start),
                next: tape.count + 1,
                kind: kind,
                traits: traits
            )
        )
    }

    private mutating func appendNumber() throws(BridgeError) {
        let start = position
        if current == .minus { position += 1 }
        if current == .zero { position += 1 } else { try skipDigits() }
        let wholeEnd = position
        var exponentStart: Int?
        if current == .point {
            position += 1
            try skipDigits()
        }
        if current == .letterE || current == .capitalE {
            position += 1
            if current == .plus || current == .minus { position += 1 }
            exponentStart = position
            try skipDigits()
        }
        // Only a long number, or one with an exponent of three digits, can exceed the range of Double.
        let isWhole = wholeEnd == position
        if position - start > 300 || exponentStart.map({ position - $0 > 2 }) ?? false {
            let number = JSONNumber(units: units + start, count: position - start, isWhole: isWhole)
            guard number.double.isFinite else {
                throw BridgeError(
                    .decodeFailed,
                    "The number \(number.literal.prefix(40)) is out of the range of 64-bit floating point."
                )
            }
        }
        append(.number, from: start, to: position, isWhole ? .whole : [])
    }

    @inline(__always)
    private mutating func skipDigits() throws(BridgeError) {
        guard current.isDigit else { throw unexpected("a digit") }
        repeat { position += 1 } while position < end && units[position].isDigit
    }
}
