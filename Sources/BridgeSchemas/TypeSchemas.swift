package import BridgeValues
internal import Foundation

/// A collection of schemas: it determines those of types, and has those of structures by name.
///
/// It calls a type's `init(from:)` several times with a decoder that replies to every request with a placeholder value
/// (``SchemaExplorer``). A type that validates its input, such as an enumeration with payloads, stays open from there
/// on. A type that is only encodable is ``TypeSchema/any``, because its shape needs a value.
package final class TypeSchemas {
    /// The structures that were found, by name.
    package private(set) var structures: [String: StructureSchema] = [:]
    /// The names of the structures, in the order in which they were found.
    package private(set) var names: [String] = []
    private var nameOfType: [ObjectIdentifier: String] = [:]
    private var known: [ObjectIdentifier: TypeSchema] = [:]
    /// The stack of types that are being explored: each was requested by the one before it.
    private var underWay: [Exploration] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// The explored types that missed a value of a type which was still being explored, the inner ones first.
    private var unsettled: [Exploration] = []
    private var awaited: Set<ObjectIdentifier> = []
    /// The index in ``underWay`` of the outermost type that a type leads back to.
    private var returns: [ObjectIdentifier: Int] = [:]
    /// The types that contain themselves, directly or through others.
    private var circular: Set<ObjectIdentifier> = []
    /// Placeholder values of each type that could be decoded, for the types that contain it.
    private var values: [ObjectIdentifier: [Any]] = [:]
    private var typesLeft = TypeSchemas.maximumTypes

    /// A type that is or was explored.
    private struct Exploration {
        let type: any Decodable.Type
        /// The types whose values it needed before there were any.
        var missed: Set<ObjectIdentifier> = []
        var id: ObjectIdentifier { ObjectIdentifier(type) }
    }

    /// Creates an empty collection.
    package init() {}

    /// Returns the schema of a type.
    package func schema(of type: Any.Type) -> TypeSchema {
        let id = ObjectIdentifier(type)
        if let place = places[id] {
            // The type contains itself: it is referred to by its name.
            noteReturn(to: place)
            return .structure(name(of: type))
        }
        if let schema = known[id] {
            if let place = returns[id] { noteReturn(to: place) }
            return schema
        }
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
        guard let type = type as? any Decodable.Type, underWay.count < Self.maximumDepth, typesLeft > 0 else {
            return .any
        }
        typesLeft -= 1
        explore(type)
        if underWay.isEmpty { settle() }
        return known[id] ?? .any
    }

    private func explore(_ type: any Decodable.Type) {
        let place = underWay.count
        let id = ObjectIdentifier(type)
        underWay.append(Exploration(type: type))
        places[id] = place
        known[id] = explored(type)
        places[id] = nil
        let exploration = underWay.removeLast()
        if exploration.missed.isEmpty {
            awaited.remove(id)
        } else {
            awaited.insert(id)
            unsettled.append(exploration)
        }
        // Types that led back to this type, or to its parts, now lead back only as far as this type does, or not at
        // all.
        let outermost = returns[id].flatMap { $0 < place ? $0 : nil }
        for (id, other) in returns where other >= place { returns[id] = outermost }
    }

    // All types on the stack from an index on contain each other.
    private func noteReturn(to place: Int) {
        for exploration in underWay[place...] {
            circular.insert(exploration.id)
            returns[exploration.id] = min(returns[exploration.id] ?? place, place)
        }
    }

    /// Explores types again that missed a value of another type, as soon as there are values of it.
    ///
    /// The result therefore does not depend on which type was requested first.
    ///
    /// - Complexity: A type is explored again at most once for each type that it missed.
    private func settle() {
        func isReady(_ exploration: Exploration) -> Bool {
            exploration.missed.contains { values[$0] != nil }
        }
        while let place = unsettled.firstIndex(where: isReady) { explore(unsettled.remove(at: place).type) }
        // The remaining types need values that cannot be created.
        unsettled = []
        awaited = []
    }

    private func explored(_ type: any Decodable.Type) -> TypeSchema {
        let explorer = SchemaExplorer(type, self)
        if let rawValues = EnumerationRawValues.of(type), explorer.takesOnly(rawValues) {
            return rawValues.schema
        }
        let findings = explorer.explore()
        // These values are final, and later exploration uses them.
        if !findings.values.isEmpty { values[ObjectIdentifier(type)] = findings.values }
        return close(findings, of: type)
    }

    /// Returns a placeholder value of a type whose schema was requested; `nil` where none could be created.
    func value<Wanted>(of type: Wanted.Type, contents: Int) -> Wanted? {
        if let composite = type as? any SchemaComposite.Type {
            return composite.emptyValue(in: self, contents: contents) as? Wanted
        }
        if let value = EmptyValue.of(type, contents: contents) { return value }
        let id = ObjectIdentifier(type)
        guard let values = values[id] else {
            let isYetToCome = places[id] != nil || awaited.contains(id)
            if isYetToCome, let place = underWay.indices.last, underWay[place].id != id {
                underWay[place].missed.insert(id)
            }
            return nil
        }
        return values[contents % values.count] as? Wanted
    }

    /// Provides values of a type that is still being explored, because it may contain itself.
    func offer(_ found: [Any], of type: Any.Type) { values[ObjectIdentifier(type)] = found }

    /// Returns the kinds of data that a schema accepts.
    func kinds(of schema: TypeSchema) -> DataKinds {
        switch schema {
        case .any: .all
        case .nothing: .null
        case .bool: .bool
        case .integer, .numbers, .number: .number
        case .string, .texts, .url, .uuid: .text
        case .decimal: [.number, .text]
        case .date: [.date, .text]
        case .bytes: .bytes
        case .optional(let wrapped): kinds(of: wrapped).union(.null)
        case .list: .list
        case .dictionary: .object
        case .union(let schemas): schemas.reduce(into: []) { $0.formUnion(kinds(of: $1)) }
        // The schema of a structure that is still being explored may become anything.
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

    // The findings become a structure if the type requested members. Other types that contain themselves accept any
    // data. The result does not depend on which of several types that contain each other was requested first.
    private func close(_ findings: SchemaExplorer.Findings, of type: Any.Type) -> TypeSchema {
        let others = findings.alternatives + (findings.takesNothing ? [.nothing] : [])
        let isNamed = nameOfType[ObjectIdentifier(type)] != nil
        guard var structure = findings.object, !others.contains(.any) else {
            if isNamed { structures[name(of: type)] = StructureSchema(isObject: false, alternatives: [.any]) }
            return circular.contains(ObjectIdentifier(type)) ? .any : .alternatives(others)
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

    /// The maximum nesting of types: a type that creates new generic types forever would never end.
    static let maximumDepth = 64
    /// The maximum number of explored types: types that contain ever new types would grow without bounds.
    private static let maximumTypes = 4096
    // TypeScript's reserved words and types, and names that the declarations use.
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

    // A placeholder bitmap would create a character set that traps on first use.
    private static func knownStructure(_ type: Any.Type) -> StructureSchema? {
        guard type == CharacterSet.self else { return nil }
        return StructureSchema(members: [.init(name: "bitmap", schema: .bytes, isOptional: false)])
    }

    private static func integer(_ type: any FixedWidthInteger.Type) -> TypeSchema {
        .integer(bits: type.bitWidth, isSigned: type.isSigned)
    }
}

/// A type that contains others and decodes none of them when it is empty.
protocol SchemaComposite {
    static func schema(in schemas: TypeSchemas) -> TypeSchema
    /// Returns a placeholder value, if there is one.
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
        // Dictionaries with other keys are encoded as an array of keys and values.
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
