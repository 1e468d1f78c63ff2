internal import BridgeValues

/// The raw values of an enumeration that, as far as can be determined, accepts no others.
///
/// They are those of all cases in the type's layout, as an author's own `allCases` may leave some out. An author's own
/// `init?(rawValue:)` may accept more. It is called with values that such initializers typically accept. If it accepts
/// any of them, or maps a raw value to another case than the one that has it, the enumeration stays open.
struct EnumerationRawValues {
    /// The values, as a schema.
    let schema: TypeSchema
    /// A raw value that is not one of them.
    let other: Any

    /// Returns the raw values of a type; `nil` for types other than enumerations of strings or integers, and for one
    /// that stays open.
    static func of(_ type: Any.Type) -> EnumerationRawValues? {
        (type as? any RawRepresentable.Type).flatMap { find($0) }
    }

    /// The maximum number of cases of an enumeration whose raw values the schema has.
    private static let maximumCount = 256

    private static func find<Cases: RawRepresentable>(_ type: Cases.Type) -> EnumerationRawValues? {
        guard let count = EnumerationCases.count(of: type), (1...maximumCount).contains(count),
            let cases = EnumerationCases.all(of: type)
        else { return nil }
        switch Cases.RawValue.self {
        case is String.Type: return texts(cases)
        case let number as any FixedWidthInteger.Type: return numbers(cases, number)
        default: return nil
        }
    }

    /// Returns the raw value of the case that a raw value creates.
    private static func raw<Cases: RawRepresentable, Raw>(_ type: Cases.Type, of value: Raw) -> Raw? {
        (value as? Cases.RawValue).flatMap { Cases(rawValue: $0)?.rawValue as? Raw }
    }

    /// Returns other spellings of a text: its case, blanks, and separators of words.
    private static func spellings(of text: String) -> [String] {
        let plain: String = text.filter { !"_- ".contains($0) }
        let capitalized: String = text.prefix(1).uppercased() + text.dropFirst()
        return [
            text.uppercased(), text.lowercased(), capitalized, "\(text) ", " \(text)", plain,
            text.replacing("-", with: "_"), text.replacing("_", with: "-"),
        ]
    }

    private static func texts<Cases: RawRepresentable>(_ cases: [Cases]) -> EnumerationRawValues? {
        let texts = cases.compactMap { $0.rawValue as? String }
        let known = Set(texts)
        // Typical initializers ignore case, blanks and word separators, and have a case for unknown values.
        let spellings = texts.prefix(64).flatMap(spellings(of:))
        let other = "\u{FFFD}"
        guard known.count == texts.count, texts.allSatisfy({ raw(Cases.self, of: $0) == $0 }),
            (spellings + ["", other]).allSatisfy({ known.contains($0) || raw(Cases.self, of: $0) == nil })
        else { return nil }
        return EnumerationRawValues(schema: .texts(texts), other: other)
    }

    private static func numbers<Cases: RawRepresentable, Number: FixedWidthInteger>(
        _ cases: [Cases],
        _ type: Number.Type
    ) -> EnumerationRawValues? {
        let raws = cases.compactMap { $0.rawValue as? Number }
        let numbers = raws.compactMap { Int64(exactly: $0) }
        let known = Set(raws)
        guard known.count == raws.count, raws.allSatisfy({ raw(Cases.self, of: $0) == $0 }),
            numbers.count == raws.count,
            numbers.allSatisfy({ $0.magnitude <= UInt64(Value.maximumSafeInteger) })
        else { return nil }
        let powers = (0..<type.bitWidth).map { Number(truncatingIfNeeded: 1) << $0 }
        let near = raws.flatMap { [$0 &- 1, $0 &+ 1] } + (-64...1024).compactMap { Number(exactly: $0) }
        let others = ([.min, .max] + powers + near).filter { !known.contains($0) }
        guard let other = others.first, others.allSatisfy({ raw(Cases.self, of: $0) == nil }) else {
            return nil
        }
        return EnumerationRawValues(schema: .numbers(numbers), other: other)
    }
}
