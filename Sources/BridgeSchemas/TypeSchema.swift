internal import BridgeValues

/// The shape of a Codable type's values, as scripts see them.
///
/// A decoder that records the requests of the type finds it (``TypeSchemas``), so that no type needs a declaration.
package indirect enum TypeSchema: Sendable, Hashable {
    /// Anything: the schema is unknown, or depends on the value.
    case any
    /// No value.
    case nothing
    /// `true` or `false`.
    case bool
    /// An integer with a number of bits.
    case integer(bits: Int, isSigned: Bool)
    /// Any number.
    case number
    /// A string.
    case string
    /// One of these strings.
    case texts([String])
    /// One of these integers, which a JavaScript number can hold.
    case numbers([Int64])
    /// A number as a string, with all its digits.
    case decimal
    /// A URL as a string.
    case url
    /// A UUID as a string.
    case uuid
    /// A date.
    case date
    /// Bytes.
    case bytes
    /// The value, or `null`.
    case optional(TypeSchema)
    /// An array.
    case list(TypeSchema)
    /// An object with any keys.
    case dictionary(TypeSchema)
    /// One of these: the type tries one after another.
    case union([TypeSchema])
    /// A structure with a name, in ``TypeSchemas/structures``.
    case structure(String)
}

/// The schema of a structure.
package struct StructureSchema: Sendable, Hashable {
    /// A member of a structure.
    package struct Member: Sendable, Hashable {
        /// The key.
        package let name: String
        /// The schema of its value.
        package let schema: TypeSchema
        /// A Boolean value that indicates whether it may be missing, or be `null`.
        package let isOptional: Bool
        /// A Boolean value that indicates whether it may be missing only because the type does not need it, which does
        /// not describe the type's own output.
        package var isLenient = false

        /// Returns whether the member has no known schema; that of a lenient member does not describe the type's own
        /// output.
        func isAny(_ direction: TypeDeclarations.Direction) -> Bool {
            schema == .any || isLenient && direction == .got
        }
    }

    /// A case of an enumeration with associated values in compiler-written coding: an object whose only member is the
    /// case.
    package struct Variant: Sendable, Hashable {
        /// The key of the case.
        package let name: String
        /// The members of the object under the key: the associated values.
        package let members: [Member]
    }

    /// The members, in the order in which the type requests them.
    package var members: [Member] = []
    /// The cases, of which an object has exactly one instead of members of its own; empty for other types.
    package var variants: [Variant] = []
    /// A Boolean value that indicates whether there may be unknown members: the type needed a valid value before it
    /// continued, or chooses by its input.
    package var isOpen = false
    /// A Boolean value that indicates whether it may be an object.
    package var isObject = true
    /// The other schemas that it may have.
    package var alternatives: [TypeSchema] = []
}

extension TypeSchema {
    /// Returns the union of schemas in its simplest form; ``any`` where there are none.
    static func alternatives(_ schemas: [TypeSchema]) -> TypeSchema {
        var parts: [TypeSchema] = []
        var isNullable = false
        func add(_ schema: TypeSchema) {
            switch schema {
            case .union(let schemas): schemas.forEach(add)
            case .nothing: isNullable = true
            case .optional(let wrapped):
                isNullable = true
                add(wrapped)
            default: if !parts.contains(schema) { parts.append(schema) }
            }
        }
        schemas.forEach(add)
        guard !parts.contains(.any) else { return .any }
        guard let first = parts.first else { return isNullable ? .nothing : .any }
        let isText = parts.contains(.string)
        let isNumber = parts.contains(.number)
        let isWhole = parts.contains { if case .integer = $0 { true } else { false } }
        parts.removeAll { part in
            switch part {
            case .texts, .url, .uuid: isText
            case .integer: isNumber
            case .numbers: isNumber || isWhole
            default: false
            }
        }
        let schema = parts.count > 1 ? .union(parts) : parts.first ?? first
        return isNullable ? .optional(schema) : schema
    }
}

/// The kinds of data that a schema accepts.
struct DataKinds: OptionSet {
    let rawValue: UInt8
    static let null = DataKinds(rawValue: 1)
    static let bool = DataKinds(rawValue: 2)
    static let number = DataKinds(rawValue: 4)
    static let text = DataKinds(rawValue: 8)
    static let date = DataKinds(rawValue: 16)
    static let bytes = DataKinds(rawValue: 32)
    static let list = DataKinds(rawValue: 64)
    static let object = DataKinds(rawValue: 128)
    static let all = DataKinds(rawValue: 255)
}
