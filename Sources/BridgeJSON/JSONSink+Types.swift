internal import BridgeValues
internal import Foundation

extension JSONSink {
    /// Encodes a value of any type at the current position.
    func encode<Encoded: Encodable>(_ value: Encoded) throws {
        // Comparing metatypes costs a tenth of a cast.
        if Encoded.self == String.self { return try encode(text: cast(value)) }
        if Encoded.self == Value.self { return try write(value: cast(value)) }
        if Encoded.self == Date.self { return try write(date: cast(value)) }
        if Encoded.self == Data.self { return try write(data: cast(value)) }
        if Encoded.self == URL.self { return try encode(text: cast(value, to: URL.self).absoluteString) }
        if Encoded.self == Decimal.self { return try encode(text: cast(value, to: Decimal.self).text) }
        let slot = announce()
        let level = frames.count
        try value.encode(to: JSONSinkEncoder(sink: self, slot: slot, level: UInt32(level)))
        try settle(slot, level: level)
    }

    /// Returns whether a value is `undefined`, so that its member is left out.
    @inline(__always)
    func isUndefined<Encoded: Encodable>(_ value: Encoded) -> Bool {
        guard Encoded.self == Value.self, case .undefined = cast(value, to: Value.self) else { return false }
        return true
    }

    /// Casts a value to its own type, which the compiler cannot prove to be the same.
    @inline(__always)
    private func cast<Encoded, Special>(_ value: Encoded, to type: Special.Type = Special.self) -> Special {
        unsafeBitCast(value, to: type)
    }

    @inline(__always)
    func encode(text: String) throws {
        try countNode()
        try write(text: text)
    }

    /// Writes an integer with all its digits.
    @inline(__always)
    func write(exactly number: some FixedWidthInteger) throws {
        if let small = Int64(exactly: number) { return try write(integer: small) }
        try write(bigInteger: String(number))
    }

    /// Writes an integer that a JavaScript number cannot hold.
    func write(bigInteger digits: String) throws {
        if let index = places?.add("bigint", ("v", .string(digits))) { return try write(place: index) }
        try countNode()
        try write(literal: digits)
    }
}
