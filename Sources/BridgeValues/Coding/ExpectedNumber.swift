/// The parts of messages about numbers that do not fit a type, without the type's name (R39).
package enum ExpectedNumber {
    /// The expected number of an integer type.
    package static let whole = "a whole number"
    /// The expected number of `Double`.
    package static let exact = "a number that 64 bits of floating point hold exactly"
    /// The expected number of `Float`.
    package static let single = "a number that 32 bits of floating point hold"

    /// Describes the number that an integer type expects; it names the range only if that is why the value does not
    /// fit.
    package static func range<Integer: FixedWidthInteger>(of type: Integer.Type, for value: Value) -> String {
        if case .double(let number) = value, number != number.rounded() || !number.isFinite { return whole }
        return "\(whole) from \(Integer.min) to \(Integer.max)"
    }
}
