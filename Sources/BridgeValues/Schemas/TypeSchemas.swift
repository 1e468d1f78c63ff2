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
    /// The types that are being explored, each for the one before it.
    private var underWay: [Exploration] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// The types that were explored while one that they asked for was under way, the inner ones first.
    private var unsettled: [Exploration] = []
    private var awaited: Set<ObjectIdentifier> = []
    /// Where the outermost of those stands that a type leads back to.
    private var returns: [ObjectIdentifier: Int] = [:]
    /// The types that hold themselves, by themselves or by others.
    private var circular: Set<ObjectIdentifier> = []
    /// Values of each type that could be made without sense, for the types that hold it.
    private var values: [ObjectIdentifier: [Any]] = [:]
    private var typesLeft = TypeSchemas.maximumTypes

    /// A type that is being explored, or was.
    private struct Exploration {
        let type: any Decodable.Type
        /// The types of which it wanted a value, when there was none yet.
        var missed: Set<ObjectIdentifier> = []
        var id: ObjectIdentifier { ObjectIdentifier(type) }
    }

    /// Makes an empty collection.
    package init() {}

    /// The schema of a type.
    package func schema(of type: Any.Type) -> TypeSchema {
        let id = ObjectIdentifier(type)
        if let place = places[id] {
            // It holds itself: a name for what is being written down.
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
        // What led back to this type, or to what it holds, leads as far as this type does; or nowhere any more.
        let outermost = returns[id].flatMap { $0 < place ? $0 : nil }
        for (id, other) in returns where other >= place { returns[id] = outermost }
    }

    // All of those that are under way from a place on hold each other.
    private func noteReturn(to place: Int) {
        for exploration in underWay[place...] {
            circular.insert(exploration.id)
            returns[exploration.id] = min(returns[exploration.id] ?? place, place)
        }
    }

    /// Explores the types again of which one was explored before what it holds: as soon as there are values of that.
    ///
    /// So it does not matter which of them was asked for first.
    ///
    /// - Complexity: A type is explored again once for each of those that it missed, at most.
    private func settle() {
        func isReady(_ exploration: Exploration) -> Bool {
            exploration.missed.contains { values[$0] != nil }
        }
        while let place = unsettled.firstIndex(where: isReady) { explore(unsettled.remove(at: place).type) }
        // What is left insists on a value that nobody can make.
        unsettled = []
        awaited = []
    }

    private func explored(_ type: any Decodable.Type) -> TypeSchema {
        let explorer = SchemaExplorer(type, self)
        if let rawValues = EnumerationRawValues.of(type), explorer.takesOnly(rawValues) {
            return rawValues.schema
        }
        let findings = explorer.explore()
        // There are values for good: who was told so is not asked again.
        if !findings.values.isEmpty { values[ObjectIdentifier(type)] = findings.values }
        return close(findings, of: type)
    }

    /// A value that means nothing, of a type whose schema was asked for; `nil` where none could be made.
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

    /// Gives values of a type that is still being explored: it may hold itself.
    func offer(_ found: [Any], of type: Any.Type) { values[ObjectIdentifier(type)] = found }

    /// The kinds of data that a schema is fine with.
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
    // and come to that, whichever of those that hold each other was asked for first.
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

    /// How deep types may hold each other: one that makes ever new types would be asked for ever.
    static let maximumDepth = 64
    /// How many types a collection looks at: types that hold ever new ones would be more than there are atoms.
    private static let maximumTypes = 4096
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
