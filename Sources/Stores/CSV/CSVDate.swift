internal import Foundation

/// A parser for ISO 8601 dates: `2024-02-29` or `2024-02-29T12:30:00.25+01:00`.
///
/// Foundation's parser is not used, because it reads the 30th of February as the 1st of March. A date without a time is
/// its midnight in UTC; a time must name its zone.
enum CSVDate {
    static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        var rest = Scanner(bytes: bytes)
        guard let year = rest.number(digits: 4), rest.take("-"), let month = rest.number(digits: 2),
            rest.take("-"),
            let day = rest.number(digits: 2), let days = days(year, month, day)
        else { return nil }
        let midnight = Double(days * 86_400)
        if rest.isAtEnd { return Date(timeIntervalSince1970: midnight) }
        guard rest.take("T"), let time = rest.time(), let zone = rest.zone(), rest.isAtEnd else { return nil }
        return Date(timeIntervalSince1970: midnight + Double(time.seconds - zone) + time.fraction)
    }

    /// Returns the number of days since January 1, 1970, in the Gregorian calendar; `nil` for a date that does not
    /// exist.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard lengths.indices.contains(month - 1), (1...lengths[month - 1]).contains(day) else { return nil }
        // The leap days before this year, counted from year 1; year 0 is a leap year itself.
        let before = year - 1
        let leapDays = before < 0 ? -1 : before / 4 - before / 100 + before / 400
        let daysBefore1970 = 719_162
        return before * 365 + leapDays - daysBefore1970 + lengths[..<(month - 1)].reduce(0, +) + day - 1
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var index = 0

        var isAtEnd: Bool { index == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
            index += 1
            return true
        }

        mutating func number(digits: Int) -> Int? {
            guard index + digits <= bytes.count else { return nil }
            var number = 0
            for _ in 0..<digits {
                guard CSVNumber.isDigit(bytes[index]) else { return nil }
                number = number * 10 + Int(bytes[index] - 0x30)
                index += 1
            }
            return number
        }

        mutating func number(digits: Int, below limit: Int) -> Int? {
            number(digits: digits).flatMap { $0 < limit ? $0 : nil }
        }

        mutating func time() -> (seconds: Int, fraction: Double)? {
            guard let hour = number(digits: 2, below: 24), take(":"),
                let minute = number(digits: 2, below: 60)
            else {
                return nil
            }
            var second = 0
            var fraction = 0.0
            if take(":") {
                guard let found = number(digits: 2, below: 60) else { return nil }
                second = found
                if take(".") {
                    let start = index
                    while index < bytes.count, CSVNumber.isDigit(bytes[index]) { index += 1 }
                    guard index > start else { return nil }
                    let digits = String(decoding: bytes[start..<index], as: UTF8.self)
                    fraction = Double("0." + digits) ?? 0
                }
            }
            return (hour * 3_600 + minute * 60 + second, fraction)
        }

        /// Parses a time zone and returns its offset from UTC in seconds.
        mutating func zone() -> Int? {
            if take("Z") { return 0 }
            let isAhead = take("+")
            guard isAhead || take("-"), let hours = number(digits: 2, below: 24), take(":"),
                let minutes = number(digits: 2, below: 60)
            else { return nil }
            return (hours * 3_600 + minutes * 60) * (isAhead ? 1 : -1)
        }
    }
}
