internal import BridgeValues
internal import Foundation

extension JSONSink {
    // MARK: Words and numbers

    func write(word: StaticString) throws {
        let length = word.utf8CodeUnitCount
        try reserve(length)
        for index in 0..<length { units[count + index] = UInt16(word.utf8Start[index]) }
        count += length
    }

    @inline(__always)
    func write(bool flag: Bool) throws {
        try countNode()
        try write(word: flag ? "true" : "false")
    }

    func writeNull() throws {
        try countNode()
        try write(word: "null")
    }

    @inline(__always)
    func write(integer number: Int64) throws {
        if number.magnitude > UInt64(Value.maximumSafeInteger), places != nil {
            return try write(bigInteger: String(number))
        }
        try countNode()
        try write(digitsOf: number.magnitude, isNegative: number < 0)
    }

    @inline(__always)
    private func write(digitsOf number: UInt64, isNegative: Bool) throws {
        // UInt64.max has 20 digits.
        try reserve(21)
        if isNegative {
            units[count] = .minus
            count += 1
        }
        var length = 1
        var power = number
        while power >= 10 {
            power /= 10
            length += 1
        }
        var rest = number
        var place = count + length
        repeat {
            place -= 1
            units[place] = .zero &+ UInt16(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while place > count
        count += length
    }

    /// Writes digits or other ASCII as they are.
    func write(literal: String) throws {
        var literal = literal
        try literal.withUTF8 { bytes in
            try reserve(bytes.count)
            for index in 0..<bytes.count { units[count + index] = UInt16(bytes[index]) }
            count += bytes.count
        }
    }

    /// Writes JSON text as it is.
    func write(units text: [UInt16]) throws {
        guard count + text.count <= configuration.limits.maximumMessageLength else {
            count += text.count
            return try checkLength()
        }
        try reserve(text.count)
        text.withUnsafeBufferPointer { text in
            if let source = text.baseAddress { (units + count).update(from: source, count: text.count) }
        }
        count += text.count
    }

    /// Writes a number as JavaScript does; NaN and infinities by the configured strategy.
    @inline(__always)
    func write(double number: Double) throws {
        try countNode()
        guard number.isFinite else { return try writeNonFinite(number) }
        if number.magnitude < 1e15 {
            let whole = Int64(number)
            if Double(whole) == number {
                if whole == 0, number.sign == .minus, let index = places?.add(number) {
                    return try write(literal: ExtensionValues.mark(index))
                }
                return try write(digitsOf: whole.magnitude, isNegative: whole < 0)
            }
            if try writeShortFraction(number) { return }
        }
        try write(literal: JSNumberString(number).text)
    }

    /// Writes a number that has up to four digits after the point and up to 15 digits; returns whether it did.
    ///
    /// Doubles distinguish all numbers of 15 digits. The first power of ten that reproduces the number therefore gives
    /// its fewest digits.
    @inline(__always)
    private func writeShortFraction(_ number: Double) throws -> Bool {
        let magnitude = number.magnitude
        guard magnitude >= 1e-3, magnitude < 1e10 else { return false }
        var power = 10.0
        for places in 1...4 {
            let scaled = (magnitude * power).rounded()
            if scaled / power == magnitude {
                let digits = UInt64(scaled)
                let divisor = UInt64(power)
                try write(digitsOf: digits / divisor, isNegative: number < 0)
                try reserve(5)
                units[count] = .point
                var rest = digits % divisor
                for place in (1...places).reversed() {
                    units[count + place] = .zero &+ UInt16(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                count += places + 1
                return true
            }
            power *= 10
        }
        return false
    }

    private func writeNonFinite(_ number: Double) throws {
        if let index = places?.add(number) { return try write(literal: ExtensionValues.mark(index)) }
        switch configuration.nonFiniteStrategy {
        case .null: try write(word: "null")
        case .fail:
            let text = JSNumberString(number).text
            throw BridgeError(.encodeFailed, "\(place(to: frames.count)): \(text) is not a JSON number")
        }
    }

    private func place(to level: Int) -> String {
        path(to: level).reduce("data") { place, key in place + key.step }
    }

    // MARK: Text

    /// Writes a string in quotes.
    ///
    /// The escaped characters are those that JSON requires, U+007F, and U+2028 and U+2029, which end lines of source
    /// text (P63).
    @inline(__always)
    func write(text: String) throws {
        var text = text
        try text.withUTF8 { bytes in try write(utf8: bytes) }
    }

    func write(utf8 bytes: UnsafeBufferPointer<UInt8>) throws {
        try reserve(bytes.count + 2)
        units[count] = .quote
        count += 1
        guard let source = bytes.baseAddress else { return try put(.quote) }
        let end = bytes.count
        var read = 0
        while true {
            // Unless something is escaped, a byte becomes at most one unit, so that the reserved space suffices.
            var target = units + count
            while read < end {
                let byte = source[read]
                guard byte >= 0x20, byte != 0x22, byte != 0x5C, byte < 0x7F else { break }
                target[0] = UInt16(byte)
                target += 1
                read += 1
            }
            count = target - units
            guard read < end else { break }
            let byte = source[read]
            if byte < 0x80 {
                read += 1
                try writeEscape(UInt16(byte), remaining: end - read)
                continue
            }
            let (scalar, length) = UTF16Writer.scalar(source + read)
            read += length
            if scalar == 0x2028 || scalar == 0x2029 {
                try writeEscape(UInt16(truncatingIfNeeded: scalar), remaining: end - read)
            } else {
                count += UTF16Writer.write(scalar, to: units + count)
            }
        }
        try put(.quote)
    }

    /// Writes code units in quotes; lone surrogates are escaped, so that the text is well-formed.
    func write(illFormed text: [UInt16]) throws {
        try put(.quote)
        for (index, unit) in text.enumerated() {
            try reserve(text.count - index + 1)
            let isPaired =
                unit.isHighSurrogate
                ? index + 1 < text.count && text[index + 1].isLowSurrogate
                : index > 0 && text[index - 1].isHighSurrogate
            let isSpecial = unit < 0x20 || unit == .quote || unit == .backslash || unit == 0x7F
            if isSpecial || unit == 0x2028 || unit == 0x2029 || (unit.isSurrogate && !isPaired) {
                try writeEscape(unit, remaining: text.count - index)
            } else {
                units[count] = unit
                count += 1
            }
        }
        try put(.quote)
    }

    @inline(never)
    private func writeEscape(_ unit: UInt16, remaining: Int) throws {
        try reserve(6 + remaining + 1)
        units[count] = .backslash
        let short: UInt16? =
            switch unit {
            case .quote, .backslash: unit
            case 0x08: .letterB
            case 0x09: .letterT
            case 0x0A: .letterN
            case 0x0C: .letterF
            case 0x0D: .letterR
            default: nil
            }
        if let short {
            units[count + 1] = short
            count += 2
            return
        }
        units[count + 1] = .letterU
        for place in 0..<4 {
            let digit = unit >> UInt16(12 - 4 * place) & 0xF
            units[count + 2 + place] = digit < 10 ? .zero + digit : digit - 10 + 0x61
        }
        count += 6
    }

    // MARK: Foundation's types

    func write(date: Date) throws {
        if let index = places?.add(date) { return try write(place: index) }
        switch configuration.dateStrategy {
        case .millisecondsSince1970:
            // `toJSON` also gives `null` outside the range of JavaScript's dates.
            guard let milliseconds = date.javaScriptMilliseconds else { return try writeNull() }
            try write(double: milliseconds)
        case .iso8601:
            guard let text = JSONDate(date).text else { return try writeNull() }
            try countNode()
            try write(text: text)
        }
    }

    func write(data: Data) throws {
        if let index = places?.add(data) { return try write(place: index) }
        switch configuration.dataStrategy {
        case .base64:
            try countNode()
            try write(text: data.base64EncodedString())
        case .numbers:
            try open(isObject: false, slot: 0)
            for byte in data {
                try beginElement()
                try write(integer: Int64(byte))
            }
            try close(to: frames.count - 1)
        case .fail:
            let text = "\(place(to: frames.count)) has bytes, which JSON and the other side do not support"
            throw BridgeError(.encodeFailed, text)
        case .indexes:
            try open(isObject: true, slot: 0)
            for (index, byte) in data.enumerated() {
                if index > 0 { try put(.comma) }
                try put(.quote)
                try write(digitsOf: UInt64(index), isNegative: false)
                try put(.quote)
                try put(.colon)
                try write(integer: Int64(byte))
            }
            try close(to: frames.count - 1)
        }
    }

    // MARK: Value

    /// Writes data; `undefined` is `null` at the top level and in an array, and is left out of an object.
    ///
    /// Recursive, up to the depth limit.
    func write(value: Value) throws {
        switch value {
        case .undefined:
            if let index = places?.addUndefined() { try write(place: index) } else { try writeNull() }
        case .null: try writeNull()
        case .bool(let flag): try write(bool: flag)
        case .integer(let number): try write(integer: number)
        case .double(let number): try write(double: number)
        case .bigInt(let digits): try write(bigInteger: digits)
        case .string(let text):
            try countNode()
            try write(text: text)
        case .illFormedString(let units):
            try countNode()
            try write(illFormed: units)
        case .date(let date): try write(date: date)
        case .bytes(let data): try write(data: data)
        case .array(let elements):
            try open(isObject: false, slot: 0)
            for element in elements {
                try beginElement()
                try write(value: element)
            }
            try close(to: frames.count - 1)
        case .object(let object):
            try open(isObject: true, slot: 0)
            for member in object.members {
                if places == nil, case .undefined = member.value { continue }
                let top = frames.count - 1
                if frames[top].count > 0 { try put(.comma) }
                frames[top].count += 1
                frames[top].lastKey = count
                try write(text: places == nil ? member.key : escaped(member.key))
                try put(.colon)
                try write(value: member.value)
            }
            try close(to: frames.count - 1)
        case .reference(let reference): try write(reference: reference)
        }
    }
}
