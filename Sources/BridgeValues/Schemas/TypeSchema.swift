/// What a value of a Codable type looks like to a script.
///
/// It is found by a decoder that writes down what the type asks for (``TypeSchemas``), so no type has to declare anything.
package indirect enum TypeSchema: Sendable, Hashable {
    /// Anything: the type says nothing, or decides by the value.
    case any
    /// Nothing at all.
    case nothing
    /// `true` or `false`.
    case bool
    /// A whole number of so many bits.
    case integer(bits: Int, isSigned: Bool)
    /// Any number.
    case number
    /// A text.
    case string
    /// One of these texts.
    case texts([String])
    /// One of these whole numbers, which a script's numbers hold.
    case numbers([Int64])
    /// A number as text, with all its digits.
    case decimal
    /// A URL as text.
    case url
    /// A UUID as text.
    case uuid
    /// A moment.
    case date
    /// Bytes.
    case bytes
    /// The value, or nothing.
    case optional(TypeSchema)
    /// A list.
    case list(TypeSchema)
    /// An object with any keys.
    case dictionary(TypeSchema)
    /// One of these: the type tries one after another.
    case union([TypeSchema])
    /// A structure that has a name and stands in ``TypeSchemas/structures``.
    case structure(String)
}

/// What a structure is made of.
package struct StructureSchema: Sendable, Hashable {
    /// A member of a structure.
    package struct Member: Sendable, Hashable {
        /// The key.
        package let name: String
        /// What stands there.
        package let schema: TypeSchema
        /// Whether it may be left out, or be `null`.
        package let isOptional: Bool
        /// Whether it may be missing because the type gets along without it, which says nothing of what it writes.
        package var isLenient = false

        /// Whether nothing is said of it: what a type gets along without says nothing of what it writes.
        func isAny(_ direction: TypeDeclarations.Direction) -> Bool {
            schema == .any || isLenient && direction == .got
        }
    }

    /// A case of an enumeration with associated values, as the compiler writes it: an object whose only member is the case.
    package struct Variant: Sendable, Hashable {
        /// The key of the case.
        package let name: String
        /// The members of the object that stands there: the associated values.
        package let members: [Member]
    }

    /// The members, in the order in which the type asks for them.
    package var members: [Member] = []
    /// The cases that an object is one of, instead of having members of its own; empty for what is no enumeration.
    package var variants: [Variant] = []
    /// Whether there may be members that are not known: the type wanted a value that makes sense before it went on, or
    /// chooses by what it reads.
    package var isOpen = false
    /// Whether it may be an object at all.
    package var isObject = true
    /// What it may be instead.
    package var alternatives: [TypeSchema] = []
}

extension TypeSchema {
    /// One of several, in the plainest form; anything where there are none.
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

/// The kinds of data that a schema is fine with.
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
