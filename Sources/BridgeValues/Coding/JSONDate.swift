package import Foundation

/// A point in time as `Date.prototype.toJSON` writes it: `2025-11-21T04:40:00.123Z`.
package struct JSONDate {
    package let date: Date

    package init(_ date: Date) { self.date = date }

    /// Creates a date from an ISO 8601 string.
    ///
    /// A fast reader handles the form that `toJSON` writes, and ``JSONDateReader`` handles the others. The result is
    /// `nil` for any other string, and for a date outside the range of JavaScript's dates.
    package init?(parsing text: String) {
        var copy = text
        let found = copy.withUTF8 { text in
            Self.milliseconds(of: text).map { Double($0) / 1000 } ?? JSONDateReader.seconds(of: text)
        }
        guard let found, found.magnitude <= Date.maximumJavaScriptMilliseconds / 1000 else { return nil }
        date = Date(timeIntervalSince1970: found)
    }

    /// The date as a string; `nil` outside the range of JavaScript's dates.
    package var text: String? {
        date.javaScriptMilliseconds.map { Self.text(milliseconds: Int($0)) }
    }

    private static let day = 86_400_000

    private static func text(milliseconds: Int) -> String {
        let days = (milliseconds - (milliseconds < 0 ? day - 1 : 0)) / day
        let rest = milliseconds - days * day
        // Years begin in March, so that the leap day is the last of its year; an era has 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        var bytes: [UInt8] = []
        func write(_ number: Int, _ width: Int, _ before: Unicode.Scalar? = nil) {
            if let before { bytes.append(UInt8(ascii: before)) }
            var power = 1
            for _ in 1..<width { power *= 10 }
            while power > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(number / power % 10))
                power /= 10
            }
        }
        if (0...9999).contains(year) { write(year, 4) } else { write(abs(year), 6, year < 0 ? "-" : "+") }
        write(month, 2, "-")
        write(dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2, "-")
        write(rest / 3_600_000, 2, "T")
        write(rest / 60_000 % 60, 2, ":")
        write(rest / 1000 % 60, 2, ":")
        write(rest % 1000, 3, ".")
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses exactly the form that ``text`` writes; returns `nil` for any other form.
    private static func milliseconds(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        var isValid = true
        func number(_ width: Int) -> Int {
            var result = 0
            for place in index..<index + width {
                guard text[place] >= 0x30, text[place] <= 0x39 else {
                    isValid = false
                    return 0
                }
                result = result * 10 + Int(text[place] - 0x30)
            }
            index += width
            return result
        }
        func skip(_ scalar: Unicode.Scalar) {
            if text[index] != UInt8(ascii: scalar) { isValid = false }
            index += 1
        }
        var year: Int
        switch text.count {
        case 24: year = number(4)
        case 27 where text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"):
            index = 1
            year = number(6)
            if text[0] == UInt8(ascii: "-") { year = -year }
        default: return nil
        }
        // Returning at the first wrong part keeps the indexes of later parts within the buffer.
        guard isValid else { return nil }
        skip("-")
        let month = number(2)
        guard isValid else { return nil }
        skip("-")
        let dayOfMonth = number(2)
        guard isValid else { return nil }
        skip("T")
        let hour = number(2)
        guard isValid else { return nil }
        skip(":")
        let minute = number(2)
        guard isValid else { return nil }
        skip(":")
        let second = number(2)
        guard isValid else { return nil }
        skip(".")
        let fraction = number(3)
        guard isValid else { return nil }
        skip("Z")
        guard isValid, hour < 24, minute < 60, second < 60,
            let days = Self.days(to: (year, month, dayOfMonth)), text[0] != UInt8(ascii: "-") || year != 0
        else { return nil }
        return days * day + ((hour * 60 + minute) * 60 + second) * 1000 + fraction
    }

    /// Returns the days from 1970 to a date of the proleptic Gregorian calendar; `nil` for a date that does not exist.
    static func days(to date: (year: Int, month: Int, day: Int)) -> Int? {
        let (year, month, dayOfMonth) = date
        guard (1...12).contains(month), dayOfMonth >= 1, dayOfMonth <= days(inMonth: month, of: year) else {
            return nil
        }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + dayOfMonth - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
