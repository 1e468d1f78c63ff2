package import Foundation

extension Date {
    /// The largest distance from 1970 that a JavaScript `Date` holds, in milliseconds.
    package static let maximumJavaScriptMilliseconds = 8.64e15

    /// An invalid date as Swift holds it: infinitely far in the future.
    ///
    /// Not a NaN, whose `description` traps in Foundation, which equals nothing, and which has no order.
    package static let invalid = Date(timeIntervalSinceReferenceDate: .infinity)

    /// Makes the date of a JavaScript time value; ``invalid`` for NaN and whatever else JavaScript has no date for.
    package init(javaScriptMilliseconds milliseconds: Double) {
        // False for NaN.
        let isValid = milliseconds.magnitude <= Self.maximumJavaScriptMilliseconds
        self = isValid ? Date(timeIntervalSince1970: milliseconds / 1000) : .invalid
    }

    /// The JavaScript time value, whole milliseconds since 1970; `nil` where JavaScript has no such date.
    package var javaScriptMilliseconds: Double? {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds.magnitude <= Self.maximumJavaScriptMilliseconds ? milliseconds : nil
    }

    /// The date as `Date.prototype.toISOString` writes it, without a fraction of zero, or `Invalid Date`: safe for every date.
    package var safeText: String {
        guard let text = JSONDate(self).text else { return "Invalid Date" }
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }
}
