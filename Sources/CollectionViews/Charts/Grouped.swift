/// Whole numbers with commas between thousands, which are the same in every locale.
package enum Grouped {
    /// Returns a number as text.
    package static func text(_ number: Int) -> String {
        var text = ""
        let digits = String(number.magnitude)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }
}
