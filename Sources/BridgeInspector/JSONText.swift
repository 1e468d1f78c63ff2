internal import BridgeJSON
internal import BridgeValues

/// The JSON text of values.
enum JSONText {
    /// Returns the text of a value.
    static func of(_ value: Value) -> String {
        // Only NaN and infinities cannot be encoded, and those become `null`.
        (try? JSONTextEncoder(nonFiniteStrategy: .null).encode(value)) ?? "null"
    }

    /// Returns the value of a text; `nil` if it is not JSON.
    static func value(of text: String) -> Value? { try? JSONTextDecoder().decode(Value.self, from: text) }
}

extension Value {
    init(_ number: Int) { self = .integer(Int64(number)) }

    /// The number, if it is a whole one that fits.
    var int: Int? { integerValue.flatMap { Int(exactly: $0) } }
}
