package import Foundation

extension Date {
    /// The largest distance from 1970 that a JavaScript `Date` can represent, in milliseconds.
    package static let maximumJavaScriptMilliseconds = 8.64e15

    /// The representation of an invalid date in Swift: infinitely far in the future.
    ///
    /// It is not NaN: Foundation's `description` traps for NaN, which also equals nothing and has no order.
    package static let invalid = Date(timeIntervalSinceReferenceDate: .infinity)

    /// Creates the date of a JavaScript time value; ``invalid`` for NaN and for other numbers that JavaScript has no
    /// date for.
    package init(javaScriptMilliseconds milliseconds: Double) {
        // False for NaN.
        let isValid = milliseconds.magnitude <= Self.maximumJavaScriptMilliseconds
        self = isValid ? Date(timeIntervalSince1970: milliseconds / 1000) : .invalid
    }

    /// The JavaScript time value, in whole milliseconds since 1970; `nil` where JavaScript has no such date.
    package var javaScriptMilliseconds: Double? {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds.magnitude <= Self.maximumJavaScriptMilliseconds ? milliseconds : nil
    }

    /// The date as `Date.prototype.toISOString` writes it, without a fraction of zero, or `Invalid Date`: safe for
    /// every date.
    package var safeText: String {
        guard let text = JSONDate(self).text else { return "Invalid Date" }
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }
}
