internal import BridgeValues

/// The digits of a scanned number, which are known to be a JSON number.
struct JSONNumber {
    let units: UnsafePointer<UInt16>
    let count: Int
    /// A Boolean value that indicates whether it is written without a point and an exponent.
    let isWhole: Bool

    /// The number as it is written.
    var literal: String { JSONText(units: units, count: count).plainString }

    private var isNegative: Bool { units[0] == .minus }

    /// The number's magnitude as digits times a power of ten, where the digits fit.
    ///
    /// - Returns: `nil` for more than 19 significant digits or an exponent of more than four digits.
    @inline(__always)
    private var parts: (digits: UInt64, exponent: Int)? {
        var digits: UInt64 = 0
        var digitCount = 0
        var exponent = 0
        var index = isNegative ? 1 : 0
        var isFraction = false
        while index < count {
            let unit = units[index]
            if unit.isDigit {
                if digits != 0 || unit != .zero { digitCount += 1 }
                guard digitCount <= 19 else { return nil }
                digits = digits &* 10 &+ UInt64(unit &- .zero)
                if isFraction { exponent -= 1 }
            } else if unit == .point {
                isFraction = true
            } else {
                break
            }
            index += 1
        }
        guard index < count else { return (digits, exponent) }
        index += 1
        let isNegativeExponent = units[index] == .minus
        if units[index] == .minus || units[index] == .plus { index += 1 }
        guard count - index <= 4 else { return nil }
        var written = 0
        while index < count {
            written = written * 10 + Int(units[index] &- .zero)
            index += 1
        }
        return (digits, exponent + (isNegativeExponent ? -written : written))
    }

    /// The double nearest to the number.
    var double: Double {
        // Both operands of this one operation are exact, so that its result is rounded once: correctly.
        if let parts, parts.digits <= 1 << 53, parts.exponent.magnitude <= 22 {
            let digits = Double(parts.digits)
            let power = Self.powers[Int(parts.exponent.magnitude)]
            let magnitude = parts.exponent < 0 ? digits / power : digits * power
            return isNegative ? -magnitude : magnitude
        }
        return Double(literal) ?? .nan
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18,
        1e19, 1e20, 1e21, 1e22,
    ]

    /// Returns the exact number if it is whole and fits a type, however it is written: `1.0` and `1e3` are whole.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        if isWhole, count <= 18 {
            var result: Int64 = 0
            var index = isNegative ? 1 : 0
            while index < count {
                result = result &* 10 &+ Int64(units[index] &- .zero)
                index += 1
            }
            return Integer(exactly: isNegative ? -result : result)
        }
        return exactInteger(type)
    }

    @inline(never)
    private func exactInteger<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        guard !isWhole else { return Integer(literal) }
        var digits: [UInt8] = []
        var exponent = 0
        var index = isNegative ? 1 : 0
        var isFraction = false
        while index < count, units[index] != .letterE, units[index] != .capitalE {
            if units[index] == .point {
                isFraction = true
            } else {
                digits.append(UInt8(truncatingIfNeeded: units[index]))
                if isFraction { exponent -= 1 }
            }
            index += 1
        }
        if index < count {
            // With an exponent that does not fit an Int, only 0 is whole and small enough.
            let text = JSONText(units: units + index + 1, count: count - index - 1).plainString
            exponent += Int(text) ?? (text.hasPrefix("-") ? -1_000_000_000 : 1_000_000_000)
        }
        while exponent < 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
        guard !digits.isEmpty else { return 0 }
        // No integer type has more than 39 digits.
        guard exponent >= 0, digits.count + exponent <= 40 else { return nil }
        let text = String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: exponent)
        return Integer(isNegative ? "-" + text : text)
    }

    /// The number as ``Value`` holds it.
    ///
    /// Whole numbers are exact: within the range of `Int64` they are an ``Value/integer(_:)``. Beyond it, digits that
    /// JavaScript itself would write for a number are that number, and others are a ``Value/bigInt(_:)``.
    var value: Value {
        guard isWhole else { return .number(double) }
        if let small = integer(Int64.self) {
            return small == 0 && isNegative ? .double(-0.0) : .integer(small)
        }
        let number = double
        return number.isWrittenByScripts(as: literal) ? .number(number) : .bigInt(literal)
    }

    /// The number as a double; `nil` for a whole number that no double equals and that JavaScript would not write for a
    /// double.
    ///
    /// `1e23` and `0.1` become the nearest double; `9007199254740993` is not rounded (P68).
    var exactDouble: Double? {
        let number = double
        guard isWhole, count > 15 else { return number }
        if let exact = integer(Int64.self) {
            if Double(exactly: exact) != nil { return number }
        } else if let exact = integer(UInt128.self), Double(exactly: exact) != nil {
            return number
        }
        return number.isWrittenByScripts(as: literal) ? number : nil
    }
}

extension Double {
    /// Returns whether JavaScript writes this whole number with these digits.
    fileprivate func isWrittenByScripts(as literal: String) -> Bool {
        magnitude < 1e21 && JSNumberString(self).text == literal
    }
}
