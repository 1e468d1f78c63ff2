internal import Foundation

/// Finds the schemas of types, and keeps those of structures by name.
///
/// What is asked of a type is `init(from:)` with a decoder that answers everything with a value that means nothing. A type
/// that insists on sense, such as an enumeration with payloads, stays open from there on. A type that can only be encoded
/// is ``TypeSchema/any``: it shows its shape with a value alone.
package struct TypeSchemas {
    /// The structures that were met, by their names.
    package private(set) var structures: [String: StructureSchema] = [:]
    /// Their names, in the order in which they were met.
    package private(set) var names: [String] = []
    private var nameOfType: [ObjectIdentifier: String] = [:]
    private var plain: [ObjectIdentifier: TypeSchema] = [:]
    private var underWay: Set<ObjectIdentifier> = []
    /// A value of each type that could be made without sense, for the types that hold it.
    private var values: [ObjectIdentifier: Any] = [:]

    /// Makes an empty collection.
    package init() {}

    /// The schema of a type.
    package mutating func schema(of type: Any.Type) -> TypeSchema {
        if type == Void.self { return .nothing }
        if let leaf = Self.leaf(type) { return leaf }
        if let composite = type as? any SchemaComposite.Type { return composite.schema(in: &self) }
        if let texts = Self.texts(of: type) { return .texts(texts) }
        let id = ObjectIdentifier(type)
        if let name = nameOfType[id] { return .structure(name) }
        if let schema = plain[id] { return schema }
        guard let decodable = type as? any Decodable.Type, underWay.count < Self.maximumDepth else {
            return .any
        }
        guard underWay.insert(id).inserted else {
            // It holds itself: a name for what is being written down.
            return .structure(name(of: type))
        }
        defer { underWay.remove(id) }
        let record = SchemaRecord(schemas: self)
        do {
            let value: Any = try decodable.init(from: SchemaRecorder(record: record))
            record.schemas.values[id] = value
        } catch {
            record.isOpen = true
        }
        self = record.schemas
        return close(record, of: type)
    }

    /// A value that means nothing, of a type whose schema was asked for; `nil` where none could be made.
    func value<Wanted>(of type: Wanted.Type) -> Wanted? {
        if let composite = type as? any SchemaComposite.Type {
            return composite.emptyValue(in: self) as? Wanted
        }
        return EmptyValue.of(type) ?? values[ObjectIdentifier(type)] as? Wanted
    }

    // What was written down becomes a structure if the type asked for members, or has been called one.
    private mutating func close(_ record: SchemaRecord, of type: Any.Type) -> TypeSchema {
        let id = ObjectIdentifier(type)
        if record.isKeyed || nameOfType[id] != nil {
            let name = name(of: type)
            structures[name] = StructureSchema(
                members: record.members,
                isOpen: record.isOpen || !record.isKeyed
            )
            return .structure(name)
        }
        let schema = record.single ?? record.element.map(TypeSchema.list) ?? .any
        plain[id] = schema
        return schema
    }

    private mutating func name(of type: Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = nameOfType[id] { return name }
        let base = Self.identifier(String(describing: type))
        var name = base
        var number = 1
        while names.contains(name) {
            number += 1
            name = "\(base)\(number)"
        }
        nameOfType[id] = name
        names.append(name)
        structures[name] = StructureSchema(isOpen: true)
        return name
    }

    /// How deep types may hold each other: one that makes ever new types would be asked for ever.
    static let maximumDepth = 64

    // `Page<User>` becomes Page_User.
    private static func identifier(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isFine = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if isFine {
                result.unicodeScalars.append(scalar)
            } else if result.last != "_", !result.isEmpty {
                result += "_"
            }
        }
        while result.last == "_" { result.removeLast() }
        let isName = result.unicodeScalars.first.map { $0.properties.isAlphabetic } ?? false
        return isName ? result : "Type" + result
    }

    private static func leaf(_ type: Any.Type) -> TypeSchema? {
        switch type {
        case is Value.Type: .any
        case is Bool.Type: .bool
        case is String.Type: .string
        case is Double.Type, is Float.Type: .number
        case is Decimal.Type: .decimal
        case is URL.Type: .url
        case is UUID.Type: .uuid
        case is Date.Type: .date
        case is Data.Type: .bytes
        case let type as any FixedWidthInteger.Type: integer(type)
        default: nil
        }
    }

    private static func integer(_ type: any FixedWidthInteger.Type) -> TypeSchema {
        .integer(bits: type.bitWidth, isSigned: type.isSigned)
    }

    // The cases of an enumeration of texts that lists them.
    private static func texts(of type: Any.Type) -> [String]? {
        guard let type = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
        return texts(type)
    }

    private static func texts<Cases: CaseIterable & RawRepresentable>(_ type: Cases.Type) -> [String]? {
        guard Cases.RawValue.self == String.self else { return nil }
        let texts = Cases.allCases.compactMap { $0.rawValue as? String }
        return texts.isEmpty ? nil : texts
    }
}

/// A type that is made of others and asks a decoder for none of them when it is empty.
protocol SchemaComposite {
    static func schema(in schemas: inout TypeSchemas) -> TypeSchema
    /// A value that means nothing, if there is one.
    static func emptyValue(in schemas: TypeSchemas) -> Self?
}

extension Optional: SchemaComposite {
    static func schema(in schemas: inout TypeSchemas) -> TypeSchema {
        let wrapped = schemas.schema(of: Wrapped.self)
        if case .optional = wrapped { return wrapped }
        return wrapped == .any ? .any : .optional(wrapped)
    }

    static func emptyValue(in schemas: TypeSchemas) -> Wrapped?? { .some(nil) }
}

extension Array: SchemaComposite {
    static func schema(in schemas: inout TypeSchemas) -> TypeSchema {
        .list(schemas.schema(of: Element.self))
    }
    static func emptyValue(in schemas: TypeSchemas) -> [Element]? { [] }
}

extension Set: SchemaComposite {
    static func schema(in schemas: inout TypeSchemas) -> TypeSchema {
        .list(schemas.schema(of: Element.self))
    }
    static func emptyValue(in schemas: TypeSchemas) -> Set<Element>? { [] }
}

extension Dictionary: SchemaComposite {
    static func schema(in schemas: inout TypeSchemas) -> TypeSchema {
        // Others are written as a list of keys and values.
        guard Key.self == String.self || Key.self == Int.self else { return .list(.any) }
        return .dictionary(schemas.schema(of: Value.self))
    }

    static func emptyValue(in schemas: TypeSchemas) -> [Key: Value]? { [:] }
}

extension Secret: SchemaComposite {
    static func schema(in schemas: inout TypeSchemas) -> TypeSchema { schemas.schema(of: Wrapped.self) }

    static func emptyValue(in schemas: TypeSchemas) -> Secret<Wrapped>? {
        schemas.value(of: Wrapped.self).map { Secret($0) }
    }
}
