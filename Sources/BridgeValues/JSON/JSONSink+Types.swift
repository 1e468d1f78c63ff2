internal import Foundation

extension JSONSink {
    /// Writes a value of any type, at a place where one may stand.
    func encode<Encoded: Encodable>(_ value: Encoded) throws {
        // Comparing the types themselves costs a tenth of a cast.
        if Encoded.self == String.self { return try encode(text: cast(value)) }
        if Encoded.self == Value.self { return try write(value: cast(value)) }
        if Encoded.self == Date.self { return try write(date: cast(value)) }
        if Encoded.self == Data.self { return try write(data: cast(value)) }
        if Encoded.self == URL.self { return try encode(text: cast(value, to: URL.self).absoluteString) }
        if Encoded.self == Decimal.self { return try encode(text: cast(value, to: Decimal.self).description) }
        let slot = announce()
        let level = frames.count
        try value.encode(to: JSONSinkEncoder(sink: self, slot: slot, level: UInt32(level)))
        try settle(slot, level: level)
    }

    /// Whether a value leaves no member behind.
    @inline(__always)
    func isUndefined<Encoded: Encodable>(_ value: Encoded) -> Bool {
        guard Encoded.self == Value.self, case .undefined = cast(value, to: Value.self) else { return false }
        return true
    }

    /// Gives a value the name of its own type, which the compiler does not know to be the same.
    @inline(__always)
    private func cast<Encoded, Special>(_ value: Encoded, to type: Special.Type = Special.self) -> Special {
        unsafeBitCast(value, to: type)
    }

    @inline(__always)
    func encode(text: String) throws {
        try countNode()
        try write(text: text)
    }

    /// Writes a whole number with all its digits.
    @inline(__always)
    func write(exactly number: some FixedWidthInteger) throws {
        if let small = Int64(exactly: number) { return try write(integer: small) }
        try write(bigInteger: String(number))
    }

    /// Writes a whole number that JavaScript's numbers do not hold.
    func write(bigInteger digits: String) throws {
        if let index = places?.add("bigint", ("v", .string(digits))) { return try write(place: index) }
        try countNode()
        try write(literal: digits)
    }
}
