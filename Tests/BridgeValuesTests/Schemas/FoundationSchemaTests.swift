import BridgeSchemas
import BridgeValues
import Foundation
import Testing

/// Types of the standard library and of Foundation, whose coding is not written in this package.
@Suite struct FoundationSchemaTests {
    /// A type with a value of it, and its declaration where that is interesting.
    struct Sample: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let schemas: @Sendable (TypeSchemas) -> [TypeSchema]
        let wires: @Sendable () throws -> [Value]
        let expected: TypeSchema?

        init<Coded: Codable & Sendable>(_ value: Coded, _ expected: TypeSchema? = nil) {
            testDescription = "\(Coded.self)"
            self.expected = expected
            schemas = {
                [$0.schema(of: Coded.self), $0.schema(of: Holder<Coded>.self), $0.schema(of: [Coded].self)]
            }
            wires = {
                let encoder = ValueEncoder()
                return [
                    try encoder.encode(value), try encoder.encode(Holder(value: value, other: value)),
                    try encoder.encode([value]),
                ]
            }
        }
    }

    struct Holder<Held: Codable & Sendable>: Codable, Sendable {
        var value: Held
        var other: Held?
    }

    private static let integer = TypeSchema.integer(bits: 64, isSigned: true)

    static let samples = [
        Sample(Date(timeIntervalSince1970: 1.5), .date), Sample(URL(filePath: "/a/b"), .url),
        Sample(Data([1, 2]), .bytes), Sample(UUID(), .uuid), Sample(Decimal(1.5), .decimal),
        Sample(CharacterSet.alphanumerics, .structure("CharacterSet")), Sample(CharacterSet()),
        Sample(Locale(identifier: "de_AT")), Sample(Locale.Language(identifier: "de")),
        Sample(Locale.Region.germany), Sample(Locale.Currency("EUR")),
        Sample(Locale.Components(identifier: "de_AT")),
        Sample(
            Locale.Weekday.monday,
            .texts(["sun", "mon", "tue", "wed", "thu", "fri", "sat"])
        ),
        Sample(TimeZone.gmt), Sample(TimeZone.autoupdatingCurrent),
        Sample(Calendar(identifier: .gregorian)), Sample(Calendar.autoupdatingCurrent),
        Sample(Calendar.RecurrenceRule(calendar: Calendar(identifier: .gregorian), frequency: .daily)),
        Sample(DateComponents(year: 2026, month: 11)),
        Sample(DateComponents(calendar: Calendar(identifier: .gregorian), timeZone: .gmt, day: 1)),
        Sample(DateInterval(start: Date(timeIntervalSince1970: 0), duration: 3)),
        Sample(IndexPath(indexes: [1, 2])), Sample(IndexSet([1, 2, 5])),
        Sample(NSRange(location: 1, length: 2)),
        Sample(URLComponents(string: "https://me:no@example.org:1/a?b#c") ?? URLComponents()),
        Sample(PersonNameComponents(givenName: "Ada", familyName: "Lovelace")),
        Sample(Measurement(value: 1.5, unit: UnitLength.meters)),
        Sample(Measurement<Unit>(value: 1.5, unit: UnitMass.grams)),
        Sample(CGFloat(1.5), .number), Sample(CGPoint(x: 1, y: 2), .list(.number)),
        Sample(CGSize(width: 1, height: 2), .list(.number)),
        Sample(CGRect(x: 1, y: 2, width: 3, height: 4), .list(.list(.number))),
        Sample(AffineTransform(translationByX: 1, byY: 2), .list(.number)),
        Sample(Date.FormatStyle()), Sample(Date.ISO8601FormatStyle()), Sample(Decimal.FormatStyle()),
        Sample(Morphology()),
        Sample(1..<5, .list(integer)), Sample(1...5, .list(integer)), Sample(1..., .list(integer)),
        Sample(..<5, .list(integer)), Sample(...5, .list(integer)), Sample("a"..<"b", .list(.string)),
        Sample(Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 1), .list(.date)),
        Sample(Duration.milliseconds(1500)), Sample(ContinuousClock.now),
        Sample(Set([1, 2]), .list(integer)), Sample(ContiguousArray([1, 2]), .list(integer)),
        Sample(Int??.some(.some(1)), .optional(integer)), Sample(Int??.some(nil), .optional(integer)),
        Sample([Int?.none, 1], .list(.optional(integer))),
        Sample([1: "a"], .dictionary(.string)), Sample([UUID(): 1], .list(.any)),
        Sample([Date(timeIntervalSince1970: 0): 1], .list(.any)),
        Sample(["a": [Date(timeIntervalSince1970: 0)]], .dictionary(.list(.date))),
        Sample([1, 2].difference(from: [2, 3])), Sample(SIMD2(1.5, 2)),
        Sample(Float16(1.5), .number), Sample(Int128(3), .integer(bits: 128, isSigned: true)),
        Sample(UInt8(3), .integer(bits: 8, isSigned: false)),
    ]

    @Test("the schema of a type with foreign coding matches its values on the wire", arguments: samples)
    func sample(_ sample: Sample) throws {
        let schemas = TypeSchemas()
        let found = sample.schemas(schemas)
        if let expected = sample.expected { #expect(found.first == expected) }
        for (schema, wire) in zip(found, try sample.wires()) {
            let mistake = Self.mistake(in: wire, as: schema, schemas)
            #expect(mistake == nil, "\(schema) \(schemas.structures)")
        }
    }

    @Test("a character set has the schema of its bitmap")
    func characterSet() throws {
        let schemas = TypeSchemas()
        _ = schemas.schema(of: CharacterSet.self)
        let structure = try #require(schemas.structures["CharacterSet"])
        #expect(!structure.isOpen && structure.members.map(\.name) == ["bitmap"])
        #expect(structure.members.first?.schema == .bytes && structure.members.first?.isOptional == false)
    }

    /// Returns the part of a value that does not match its declaration; `nil` if all of it does.
    private static func mistake(in value: Value, as schema: TypeSchema, _ schemas: TypeSchemas) -> String? {
        func unless(_ isFine: Bool) -> String? { isFine ? nil : "\(value.excerpt) is not \(schema)" }
        switch (schema, value) {
        case (.any, _): return nil
        case (.nothing, _): return unless(value.isNil)
        case (.bool, .bool), (.integer, .integer), (.integer, .bigInt), (.number, .integer),
            (.number, .double),
            (.string, .string), (.decimal, .string), (.url, .string), (.uuid, .string), (.date, .date),
            (.bytes, .bytes):
            return nil
        case (.texts(let texts), .string(let text)): return unless(texts.contains(text))
        case (.numbers(let numbers), .integer(let number)): return unless(numbers.contains(number))
        case (.optional(let wrapped), _): return value.isNil ? nil : mistake(in: value, as: wrapped, schemas)
        case (.list(let element), .array(let values)):
            return values.lazy.compactMap { mistake(in: $0, as: element, schemas) }.first
        case (.dictionary(let element), .object(let object)):
            return object.lazy.compactMap { mistake(in: $0.value, as: element, schemas) }.first
        case (.union(let parts), _):
            return unless(parts.contains { mistake(in: value, as: $0, schemas) == nil })
        case (.structure(let name), _):
            guard let structure = schemas.structures[name] else { return "\(name) is not there" }
            if structure.alternatives.contains(where: { mistake(in: value, as: $0, schemas) == nil }) {
                return nil
            }
            guard structure.isObject, case .object(let object) = value else { return unless(false) }
            if !structure.variants.isEmpty {
                guard object.count == 1,
                    let variant = structure.variants.first(where: { object[$0.name] != nil }),
                    case .object(let payload) = object[variant.name]
                else { return unless(false) }
                return mistake(in: payload, members: variant.members, named: name, schemas)
            }
            return mistake(
                in: object,
                members: structure.members,
                isOpen: structure.isOpen,
                named: name,
                schemas
            )
        default: return unless(false)
        }
    }

    private static func mistake(
        in object: ValueObject,
        members: [StructureSchema.Member],
        isOpen: Bool = false,
        named name: String,
        _ schemas: TypeSchemas
    ) -> String? {
        for member in members {
            guard let value = object[member.name] else {
                guard member.isOptional else { return "\(name).\(member.name) is missing" }
                continue
            }
            if value.isNil, member.isOptional { continue }
            if !member.isLenient, let mistake = mistake(in: value, as: member.schema, schemas) {
                return "\(name).\(member.name): \(mistake)"
            }
        }
        let known = Set(members.map(\.name))
        let unknown = object.map(\.key).filter { !known.contains($0) }
        return isOpen || unknown.isEmpty ? nil : "\(name) has no \(unknown)"
    }
}
