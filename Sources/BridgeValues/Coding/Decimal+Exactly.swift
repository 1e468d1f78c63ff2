internal import Foundation

extension Decimal {
    /// Creates a number from the whole of a string, or returns `nil`; Foundation reads the beginning and ignores the
    /// rest.
    package init?(exactly text: String) {
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
}
