internal import Foundation

extension Decimal {
    /// Creates a number from the whole of a string, or returns `nil`; Foundation reads the beginning and ignores the
    /// rest.
    package init?(exactly text: String) {
        if let decimal = Self.short(text) {
            self = decimal
            return
        }
        var rest = text.utf8[...]
        func skipSign() { if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest.removeFirst() } }
        func skipDigits() -> Bool {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            return !digits.isEmpty
        }
        skipSign()
        var hasDigits = skipDigits()
        if rest.first == 0x2E {
            rest.removeFirst()
            hasDigits = skipDigits() || hasDigits
        }
        guard hasDigits else { return nil }
        if let exponent = rest.first, exponent == 0x65 || exponent == 0x45 {
            rest.removeFirst()
            skipSign()
            guard skipDigits() else { return nil }
        }
        guard rest.isEmpty,
            let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !decimal.isNaN
        else { return nil }
        self = decimal
    }

    /// The largest whole number up to which `Double` is exact.
    private static let maximumExactDouble = 9_007_199_254_740_992.0

    /// Returns the number of a string of at most 15 digits with an optional minus and point; `nil` for any other string.
    ///
    /// Foundation takes several times as long, because it also creates a locale.
    private static func short(_ text: String) -> Decimal? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= 17 else { return nil }
            var whole = 0
            var digitCount = 0
            var place: Int?
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case 0x30...0x39:
                    whole = whole * 10 + Int(byte - 0x30)
                    digitCount += 1
                case 0x2D where index == 0: break
                case 0x2E where place == nil: place = digitCount
                default: return nil
                }
            }
            guard digitCount > 0, digitCount <= 15 else { return nil }
            var fractionCount = digitCount - (place ?? digitCount)
            while fractionCount > 0, whole.isMultiple(of: 10) {
                whole /= 10
                fractionCount -= 1
            }
            // Zero does not have a sign.
            let sign: FloatingPointSign = bytes[0] == 0x2D && whole > 0 ? .minus : .plus
            return Decimal(sign: sign, exponent: -fractionCount, significand: Decimal(whole))
        }
    }

    /// The number as `description` writes it.
    ///
    /// For up to 15 digits it is written here, because `description` divides the 128-bit significand by 10 for each digit.
    package var text: String {
        let exponent = self.exponent
        guard !isNaN, !isZero, (-15...15).contains(exponent) else { return description }
        let whole = NSDecimalNumber(decimal: significand).doubleValue
        guard whole.magnitude < Self.maximumExactDouble else { return description }
        let digits = String(UInt64(whole.magnitude))
        let sign = isSignMinus ? "-" : ""
        guard exponent < 0 else { return sign + digits + String(repeating: "0", count: exponent) }
        guard !digits.hasSuffix("0") else { return description }
        let split = digits.count + exponent
        guard split > 0 else { return sign + "0." + String(repeating: "0", count: -split) + digits }
        return sign + digits.prefix(split) + "." + digits.dropFirst(split)
    }
}
