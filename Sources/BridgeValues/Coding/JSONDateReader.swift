/// A strict reader of ISO 8601 dates in the forms that `toJSON` does not write: it consumes the whole string and checks
/// the range of each part.
///
/// The forms are `YYYY-MM-DDThh:mm:ss`, an optional fraction of up to nine digits, and `Z`, `±hh:mm`, `±hhmm` or `±hh`.
/// A year of six digits has a sign. `24:00:00` is the end of a day. A second of 60 is a leap second, which is the same
/// moment as the next second.
struct JSONDateReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// Returns the seconds from 1970 to a date; `nil` for a string that is not a date.
    static func seconds(of text: UnsafeBufferPointer<UInt8>) -> Double? {
        var reader = JSONDateReader(text)
        return reader.seconds()
    }

    private mutating func seconds() -> Double? {
        guard let year = year(), skip("-"), let month = number(2), skip("-"), let day = number(2), skip("T"),
            let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
            let days = JSONDate.days(to: (year, month, day)),
            let fraction = fraction(), let offset = offset(), index == text.count
        else { return nil }
        let isEnd = hour == 24 && minute == 0 && second == 0 && fraction.digits == 0
        guard hour < 24 || isEnd, minute < 60, second < 60 || (second == 60 && minute == 59) else {
            return nil
        }
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
        // The same result as the fast reader's, to the last bit.
        if fraction.scale <= 1000 {
            return Double(seconds * 1000 + fraction.digits * (1000 / fraction.scale)) / 1000
        }
        return Double(seconds) + Double(fraction.digits) / Double(fraction.scale)
    }

    private mutating func year() -> Int? {
        let isNegative = skip("-")
        guard isNegative || skip("+") else { return number(4) }
        guard let year = number(6), year > 0 || !isNegative else { return nil }
        return isNegative ? -year : year
    }

    private mutating func fraction() -> (digits: Int, scale: Int)? {
        guard skip(".") else { return (0, 1) }
        var digits = 0
        var scale = 1
        while let digit = number(1) {
            guard scale < 1_000_000_000 else { return nil }
            digits = digits * 10 + digit
            scale *= 10
        }
        return scale > 1 ? (digits, scale) : nil
    }

    /// Parses the offset from UTC in minutes, positive to the east.
    private mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isBehind = skip("-")
        guard isBehind || skip("+"), let hours = number(2), hours < 24 else { return nil }
        guard index < text.count else { return isBehind ? -hours * 60 : hours * 60 }
        _ = skip(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return isBehind ? -(hours * 60 + minutes) : hours * 60 + minutes
    }

    /// Parses a number of digits; consumes nothing if there are fewer.
    private mutating func number(_ width: Int) -> Int? {
        guard text.count - index >= width else { return nil }
        var result = 0
        for place in index..<index + width {
            guard (0x30...0x39).contains(text[place]) else { return nil }
            result = result * 10 + Int(text[place] - 0x30)
        }
        index += width
        return result
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }
}
