/// Numbers with a fixed number of decimals, in a text for people or in a document.
package enum DecimalText {
    /// Returns a number with a point and a number of decimals.
    ///
    /// The number is rounded; its magnitude must be below 2^53 with its decimals as digits.
    package static func of(_ value: Double, decimals: Int = 1) -> String {
        var scale: UInt = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        let fraction = String(scaled.magnitude % scale)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / scale).\(zeros)\(fraction)"
    }

    /// Returns a time in microseconds as milliseconds.
    package static func milliseconds(_ microseconds: Int) -> String {
        of(Double(microseconds) / 1000) + " ms"
    }
}
