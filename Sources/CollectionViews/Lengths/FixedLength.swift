/// Lengths as whole numbers of 1/64 unit, in which sums are exact in any order of adding.
enum FixedLength {
    /// The parts of one unit.
    static let partsInUnit = 64.0
    /// The length of the longest row and of the longest spacing, 8,388,608 units.
    ///
    /// The sum of 2^32 rows with their spacings fits into an `Int`.
    static let longest = 1 << 29

    /// Returns the parts of a length, rounded to the nearest; NaN and negative lengths are 0.
    static func parts(_ length: Double) -> Int {
        guard length > 0 else { return 0 }
        return Int(min(length * partsInUnit, Double(longest)).rounded())
    }

    /// Returns the parts of a position, rounded down, in the range of all sums.
    static func position(_ position: Double) -> Int {
        guard !position.isNaN else { return 0 }
        return Int(max(-0x1p61, min(0x1p61, (position * partsInUnit).rounded(.down))))
    }

    /// Returns the length of a number of parts.
    static func length(_ parts: Int) -> Double { Double(parts) / partsInUnit }
}
