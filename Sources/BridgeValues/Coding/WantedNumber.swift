/// What is said of numbers that a type does not take, without the type's name (R39).
enum WantedNumber {
    /// What an integer type takes at most.
    static let whole = "a whole number"
    /// What `Double` takes.
    static let exact = "a number that 64 bits of floating point hold exactly"
    /// What `Float` takes.
    static let single = "a number that 32 bits of floating point hold"

    /// What an integer type takes, said of a number that it does not take: its range only where that is the reason.
    static func range<Integer: FixedWidthInteger>(of type: Integer.Type, for value: Value) -> String {
        if case .double(let number) = value, number != number.rounded() || !number.isFinite { return whole }
        return "\(whole) from \(Integer.min) to \(Integer.max)"
    }
}
