internal import Foundation

/// Finds the schemas of types, and keeps those of structures by name.
///
/// What is asked of a type is `init(from:)` with a decoder that answers everything with a value that means nothing, several
/// times with other answers (``SchemaExplorer``). A type that insists on sense, such as an enumeration with payloads, stays
/// open from there on. A type that can only be encoded is ``TypeSchema/any``: it shows its shape with a value alone.
package final class TypeSchemas {
    /// The structures that were met, by their names.
    package private(set) var structures: [String: StructureSchema] = [:]
    /// Their names, in the order in which they were met.
    package private(set) var names: [String] = []
    private var nameOfType: [ObjectIdentifier: String] = [:]
    private var known: [ObjectIdentifier: TypeSchema] = [:]
    private var underWay: Set<ObjectIdentifier> = []
    /// Values of each type that could be made without sense, for the types that hold it.
    private var values: [ObjectIdentifier: [Any]] = [:]
    private var typesLeft = TypeSchemas.maximumTypes

    /// Makes an empty collection.
    package init() {}

    /// The schema of a type.
    package func schema(of type: Any.Type) -> TypeSchema {
        let id = ObjectIdentifier(type)
        if let schema = known[id] { return schema }
        if type == Void.self { return .nothing }
        if let leaf = Self.leaf(type) {
            known[id] = leaf
            return leaf
        }
        if let composite = type as? any SchemaComposite.Type { return composite.schema(in: self) }
        if let structure = Self.knownStructure(type) {
            structures[name(of: type)] = structure
            known[id] = .structure(name(of: type))
            return .structure(name(of: type))
        }
        guard underWay.count < Self.maximumDepth, typesLeft > 0 else { return .any }
        guard underWay.insert(id).inserted else {
            // It holds itself: a name for what is being written down.
            return .structure(name(of: type))
        }
        defer { underWay.remove(id) }
        typesLeft -= 1
        let schema = (type as? any Decodable.Type).map(explored) ?? .any
        known[id] = schema
        return schema
    }

    private func explored(_ type: any Decodable.Type) -> TypeSchema {
        let explorer = SchemaExplorer(type, self)
        if let texts = Self.texts(of: type), explorer.takesOnly(texts) { return .texts(texts.all) }
        let findings = explorer.explore()
        values[ObjectIdentifier(type)] = findings.values
        return close(findings, of: type)
    }

    /// A value that means nothing, of a type whose schema was asked for; `nil` where none could be made.
    func value<Wanted>(of type: Wanted.Type, contents: Int) -> Wanted? {
        if let composite = type as? any SchemaComposite.Type {
            return composite.emptyValue(in: self, contents: contents) as? Wanted
        }
        if let value = EmptyValue.of(type, contents: contents) { return value }
        guard let values = values[ObjectIdentifier(type)], !values.isEmpty else { return nil }
        return values[contents % values.count] as? Wanted
    }

    /// The kinds of data that a schema is fine with.
    func kinds(of schema: TypeSchema) -> DataKinds {
        switch schema {
        case .any: .all
        case .nothing: .null
        case .bool: .bool
        case .integer, .number: .number
        case .string, .texts, .url, .uuid: .text
        case .decimal: [.number, .text]
        case .date: [.date, .text]
        case .bytes: .bytes
        case .optional(let wrapped): kinds(of: wrapped).union(.null)
        case .list: .list
        case .dictionary: .object
        case .union(let schemas): schemas.reduce(into: []) { $0.formUnion(kinds(of: $1)) }
        // One that is under way may be anything yet.
        case .structure(let name):
            structures[name].map { structure in
                structure.alternatives.reduce(into: structure.isObject ? .object : []) { kinds, schema in
                    if case .structure = schema {
                        kinds = .all
                    } else {
                        kinds.formUnion(self.kinds(of: schema))
                    }
                }
            } ?? .all
        }
    }

    // What was found becomes a structure if the type asked for members. Others that hold themselves are what holds any data,
    // and come to that.
    private func close(_ findings: SchemaExplorer.Findings, of type: Any.Type) -> TypeSchema {
        let others = findings.alternatives + (findings.takesNothing ? [.nothing] : [])
        let isNamed = nameOfType[ObjectIdentifier(type)] != nil
        guard var structure = findings.object, !others.contains(.any) else {
            if isNamed { structures[name(of: type)] = StructureSchema(isObject: false, alternatives: [.any]) }
            return isNamed ? .any : .alternatives(others)
        }
        if !others.isEmpty { structure.alternatives = [.alternatives(others)] }
        structures[name(of: type)] = structure
        return .structure(name(of: type))
    }

    private func name(of type: Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = nameOfType[id] { return name }
        let base = Self.identifier(String(describing: type))
        var name = base
        var number = 1
        while names.contains(name) || Self.takenNames.contains(name) {
            number += 1
            name = "\(base)\(number)"
        }
        nameOfType[id] = name
        names.append(name)
        return name
    }

    /// How deep types may hold each other: one that makes ever new types would be asked for ever.
    static let maximumDepth = 64
    /// How many types a collection looks at: types that hold ever new ones would be more than there are atoms.
    private static let maximumTypes = 4096
    /// How many texts an enumeration may have to be told by them.
    private static let maximumTexts = 256

    // What TypeScript has for itself, and what declarations call by its name.
    private static let takenNames: Set<String> = [
        "any", "as", "async", "await", "bigint", "boolean", "break", "case", "catch", "class", "const",
        "continue",
        "debugger", "default", "delete", "do", "else", "enum", "export", "extends", "false", "finally", "for",
        "function",
        "if", "implements", "import", "in", "instanceof", "interface", "intrinsic", "let", "never", "new",
        "null", "number",
        "object", "package", "private", "protected", "public", "return", "static", "string", "super",
        "switch", "symbol",
        "this", "throw", "true", "try", "type", "typeof", "undefined", "unknown", "var", "void", "while",
        "with", "yield",
        "ArrayBuffer", "ArrayBufferView", "Date", "Uint8Array",
    ]

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

    // A bitmap that means nothing makes a character set that traps as soon as it is used.
    private static func knownStructure(_ type: Any.Type) -> StructureSchema? {
        guard type == CharacterSet.self else { return nil }
        return StructureSchema(members: [.init(name: "bitmap", schema: .bytes, isOptional: false)])
    }

    private static func integer(_ type: any FixedWidthInteger.Type) -> TypeSchema {
        .integer(bits: type.bitWidth, isSigned: type.isSigned)
    }

    // The cases of an enumeration of texts that lists them.
    private static func texts(of type: Any.Type) -> SchemaTexts? {
        guard let type = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
        return texts(type)
    }

    private static func texts<Cases: CaseIterable & RawRepresentable>(_ type: Cases.Type) -> SchemaTexts? {
        guard Cases.RawValue.self == String.self else { return nil }
        let texts = Cases.allCases.prefix(maximumTexts + 1).compactMap { $0.rawValue as? String }
        guard !texts.isEmpty, texts.count <= maximumTexts else { return nil }
        return SchemaTexts(all: texts) { text in
            (text as? Cases.RawValue).map { Cases(rawValue: $0) != nil } ?? true
        }
    }
}

/// The raw values of an enumeration that lists its cases.
struct SchemaTexts {
    let all: [String]
    /// Whether a text is a raw value as well.
    let contains: (String) -> Bool
}

/// A type that is made of others and asks a decoder for none of them when it is empty.
protocol SchemaComposite {
    static func schema(in schemas: TypeSchemas) -> TypeSchema
    /// A value that means nothing, if there is one.
    static func emptyValue(in schemas: TypeSchemas, contents: Int) -> Self?
}

extension Optional: SchemaComposite {
    static func schema(in schemas: TypeSchemas) -> TypeSchema {
        let wrapped = schemas.schema(of: Wrapped.self)
        if case .optional = wrapped { return wrapped }
        return wrapped == .any ? .any : .optional(wrapped)
    }

    static func emptyValue(in schemas: TypeSchemas, contents: Int) -> Wrapped?? {
        .some(contents % 2 == 1 ? schemas.value(of: Wrapped.self, contents: contents) : nil)
    }
}

extension Array: SchemaComposite {
    static func schema(in schemas: TypeSchemas) -> TypeSchema {
        .list(schemas.schema(of: Element.self))
    }
    static func emptyValue(in schemas: TypeSchemas, contents: Int) -> [Element]? {
        contents % 2 == 1 ? schemas.value(of: Element.self, contents: contents).map { [$0] } ?? [] : []
    }
}

extension Set: SchemaComposite {
    static func schema(in schemas: TypeSchemas) -> TypeSchema {
        .list(schemas.schema(of: Element.self))
    }
    static func emptyValue(in schemas: TypeSchemas, contents: Int) -> Set<Element>? {
        Set([Element].emptyValue(in: schemas, contents: contents) ?? [])
    }
}

extension Dictionary: SchemaComposite {
    static func schema(in schemas: TypeSchemas) -> TypeSchema {
        // Others are written as a list of keys and values.
        guard Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
        else { return .list(.any) }
        return .dictionary(schemas.schema(of: Value.self))
    }

    static func emptyValue(in schemas: TypeSchemas, contents: Int) -> [Key: Value]? { [:] }
}

extension Secret: SchemaComposite {
    static func schema(in schemas: TypeSchemas) -> TypeSchema { schemas.schema(of: Wrapped.self) }

    static func emptyValue(in schemas: TypeSchemas, contents: Int) -> Secret<Wrapped>? {
        schemas.value(of: Wrapped.self, contents: contents).map { Secret($0) }
    }
}
