internal import BridgeValues

// MARK: - Text

extension JSONReader {
    /// Reads a text in quotes.
    ///
    /// - Returns: ``Value/string(_:)``, or ``Value/illFormedString(_:)`` if a surrogate has no partner.
    mutating func readText() throws(BridgeError) -> Value {
        position += 1
        let start = position
        var hasSurrogates = false
        while position < end {
            let unit = units[position]
            if unit == .quote {
                defer { position += 1 }
                return text(units[start..<position], hasSurrogates: hasSurrogates)
            }
            if unit == .backslash { return try readEscapedText(from: start, hasSurrogates: hasSurrogates) }
            guard unit >= 0x20 else { throw unexpected("no control character in text") }
            hasSurrogates = hasSurrogates || unit.isSurrogate
            position += 1
        }
        throw unexpected("the quote that ends a text")
    }

    private mutating func readEscapedText(from start: Int, hasSurrogates: Bool) throws(BridgeError) -> Value {
        var result = Array(units[start..<position])
        var hasSurrogates = hasSurrogates
        while position < end {
            var unit = units[position]
            position += 1
            if unit == .quote { return text(result[...], hasSurrogates: hasSurrogates) }
            guard unit >= 0x20 else {
                position -= 1
                throw unexpected("no control character in text")
            }
            if unit == .backslash { unit = try readEscape() }
            hasSurrogates = hasSurrogates || unit.isSurrogate
            result.append(unit)
        }
        throw unexpected("the quote that ends a text")
    }

    private mutating func readEscape() throws(BridgeError) -> UInt16 {
        let unit = current
        position += 1
        switch unit {
        case .quote, .backslash, UInt16(UInt8(ascii: "/")): return unit
        case UInt16(UInt8(ascii: "b")): return 0x08
        case .letterF: return 0x0C
        case .letterN: return 0x0A
        case UInt16(UInt8(ascii: "r")): return 0x0D
        case .letterT: return 0x09
        case .letterU: return try readHexadecimal()
        default:
            position -= 1
            throw unexpected("an escape")
        }
    }

    private mutating func readHexadecimal() throws(BridgeError) -> UInt16 {
        var result: UInt16 = 0
        for _ in 0..<4 {
            switch current {
            case .zero ... .nine: result = result << 4 | (current - .zero)
            case 0x41...0x46: result = result << 4 | (current - 0x41 + 10)
            case 0x61...0x66: result = result << 4 | (current - 0x61 + 10)
            default: throw unexpected("four hexadecimal digits")
            }
            position += 1
        }
        return result
    }

    private func text(_ slice: some Collection<UInt16>, hasSurrogates: Bool) -> Value {
        guard hasSurrogates, slice.hasLoneSurrogate else {
            return .string(String(decoding: slice, as: UTF16.self))
        }
        return .illFormedString(Array(slice))
    }
}

extension Collection<UInt16> {
    /// Whether a surrogate stands without its partner.
    var hasLoneSurrogate: Bool {
        var expectsLow = false
        for unit in self {
            guard unit.isLowSurrogate == expectsLow else { return true }
            expectsLow = unit.isHighSurrogate
        }
        return expectsLow
    }
}

// MARK: - Numbers

extension JSONReader {
    /// Reads a number.
    ///
    /// Whole numbers are exact: an ``Value/integer(_:)`` as far as `Int64` goes. Beyond it, digits that
    /// JavaScript itself would write for a number are that number, others are a ``Value/bigInt(_:)``.
    mutating func readNumber() throws(BridgeError) -> Value {
        let start = position
        _ = consume(.minus)
        if current == .zero {
            position += 1
        } else {
            guard current.isDigit else { throw unexpected("a digit") }
            skipDigits()
        }
        var isWhole = true
        if current == .point {
            isWhole = false
            position += 1
            guard current.isDigit else { throw unexpected("a digit") }
            skipDigits()
        }
        if current == .letterE || current == .capitalE {
            isWhole = false
            position += 1
            if current == .plus || current == .minus { position += 1 }
            guard current.isDigit else { throw unexpected("a digit") }
            skipDigits()
        }
        let literal = String(decoding: units[start..<position], as: UTF16.self)
        if isWhole, literal != "-0", let small = Int64(literal) { return .integer(small) }
        guard let number = Double(literal), number.isFinite else {
            throw BridgeError(.decodeFailed, "The number \(literal.prefix(40)) is too large to be held.")
        }
        guard isWhole, number != 0, !number.isWritten(as: literal) else { return .number(number) }
        return .bigInt(literal)
    }

    private mutating func skipDigits() {
        while position < end, units[position].isDigit { position += 1 }
    }
}

extension Double {
    /// Whether JavaScript writes this number, which is whole and beyond `Int64`, with these digits.
    ///
    /// JavaScript writes the fewest digits that lead back to the number, then zeros, and an exponent from
    /// 10^21 on.
    fileprivate func isWritten(as literal: String) -> Bool {
        guard magnitude < 1e21 else { return false }
        // Swift writes the same fewest digits, as 1.8446744073709552e+19.
        let shortest = "\(magnitude)"
        guard let exponent = shortest.firstIndex(of: "e"),
            let zeros = Int(shortest[shortest.index(after: exponent)...])
        else { return false }
        let digits = shortest[..<exponent].filter { $0 != "." }.trimmedOfZeros
        let written = digits + String(repeating: "0", count: zeros + 1 - digits.count)
        return literal == (sign == .minus ? "-" : "") + written
    }
}

extension String {
    // "1.0e+19" has a zero that stands for no digit.
    fileprivate var trimmedOfZeros: String {
        var result = self
        while result.count > 1, result.last == "0" { result.removeLast() }
        return result
    }
}
