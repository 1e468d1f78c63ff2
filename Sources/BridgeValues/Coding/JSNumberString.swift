/// A number as JavaScript's `Number.prototype.toString` writes it: the fewest digits that identify it.
package struct JSNumberString {
    /// The number as a string.
    package let text: String

    /// Formats a number.
    package init(_ number: Double) {
        guard number != 0, number.isFinite else {
            text = number.isNaN ? "NaN" : number == 0 ? "0" : number < 0 ? "-Infinity" : "Infinity"
            return
        }
        // Swift finds the same fewest digits, and writes them as 12.5, 1e+16, 1.5e-07.
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        var rest = number.magnitude.description.utf8[...]
        while let byte = rest.first, byte != UInt8(ascii: "e") {
            rest.removeFirst()
            if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
        }
        if !rest.isEmpty { exponent = Int(String(Substring(rest.dropFirst()))) ?? 0 }
        var places = (point ?? digits.count) + exponent
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        while digits.count > 1, digits.first == UInt8(ascii: "0") {
            digits.removeFirst()
            places -= 1
        }
        let body = Self.layOut(digits, places: places)
        text = number < 0 ? "-" + body : body
    }

    /// Places the point and the exponent as ECMA-262 (Number::toString) requires, with `places` digits before the
    /// point.
    private static func layOut(_ digits: [UInt8], places: Int) -> String {
        func string(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        let count = digits.count
        if count <= places, places <= 21 {
            return string(digits) + String(repeating: "0", count: places - count)
        }
        if 0 < places, places <= 21 { return string(digits[..<places]) + "." + string(digits[places...]) }
        if -6 < places, places <= 0 { return "0." + String(repeating: "0", count: -places) + string(digits) }
        let power = places - 1
        let fraction = count > 1 ? "." + string(digits[1...]) : ""
        return string(digits[..<1]) + fraction + (power < 0 ? "e-" : "e+") + String(power.magnitude)
    }
}
