internal import BridgeValues

/// TypeScript declarations of schemas.
///
/// A script may pass more than it receives: a date as a string, a number as a `BigInt`. A structure with such members
/// has two interfaces, if it crosses in both directions.
package struct TypeDeclarations {
    /// The direction of data.
    package enum Direction: Hashable, Sendable {
        /// From a script.
        case given
        /// To a script.
        case got
    }

    private let schemas: TypeSchemas
    private let namespace: String
    /// The structures with another interface for data that a script receives, with the names of these interfaces.
    private var namesWhenGot: [String: String] = [:]
    private var given: Set<String> = []
    private var got: Set<String> = []

    /// Creates declarations.
    ///
    /// - Parameters:
    ///   - schemas: The collection that has the schemas.
    ///   - namespace: The TypeScript namespace of the interfaces.
    ///   - given: The schemas of data from scripts.
    ///   - got: The schemas of data to scripts.
    package init(_ schemas: TypeSchemas, namespace: String, given: [TypeSchema], got: [TypeSchema]) {
        self.schemas = schemas
        self.namespace = namespace
        self.given = structures(in: given)
        self.got = structures(in: got)
        let differing = differing()
        var taken = Set(schemas.names)
        for name in schemas.names where differing.contains(name) && self.got.contains(name) {
            guard self.given.contains(name) else {
                namesWhenGot[name] = name
                continue
            }
            var wanted = name + "Reply"
            while !taken.insert(wanted).inserted { wanted += "_" }
            namesWhenGot[name] = wanted
        }
    }

    /// Returns the TypeScript type of a schema.
    package func type(_ schema: TypeSchema, _ direction: Direction) -> String {
        let isGiven = direction == .given
        return switch schema {
        case .any: "any"
        case .nothing: isGiven ? "null | void" : "void"
        case .bool: "boolean"
        // Beyond 53 bits a number arrives as a BigInt. Nearly no 64-bit number is that large, and all uses would have
        // to check.
        case .integer: isGiven ? "number | bigint" : "number"
        case .number: "number"
        case .string, .url, .uuid: "string"
        case .texts(let texts): texts.map(Self.literal).joined(separator: " | ")
        case .numbers(let numbers):
            (numbers.map { "\($0)" } + (isGiven ? numbers.map { "\($0)n" } : [])).joined(separator: " | ")
        case .decimal: isGiven ? "string | number | bigint" : "string"
        case .date: isGiven ? "Date | string" : "Date"
        case .bytes: isGiven ? "ArrayBuffer | ArrayBufferView" : "Uint8Array"
        case .optional(let wrapped): "\(type(wrapped, direction)) | null"
        case .list(let element): "\(listed(element, direction))[]"
        case .dictionary(let value): "{ [key: string]: \(type(value, direction)) }"
        case .union(let schemas): union(schemas, direction)
        case .structure(let name): "\(namespace).\(self.name(name, direction))"
        }
    }

    /// The structures as interfaces, in the order in which they were found; each line begins with four spaces.
    package var interfaces: [String] {
        schemas.names.flatMap { name -> [String] in
            let isSame = namesWhenGot[name] == nil
            var lines: [String] = []
            if given.contains(name) || (got.contains(name) && isSame) { lines += interface(name, .given) }
            if got.contains(name), !isSame { lines += interface(name, .got) }
            return lines
        }
    }

    private func interface(_ name: String, _ direction: Direction) -> [String] {
        let structure = schemas.structures[name] ?? StructureSchema(isOpen: true)
        var members = structure.members.map { "        \(self.member($0, direction));" }
        if structure.isOpen { members.append("        [other: string]: any;") }
        let name = self.name(name, direction)
        if !structure.variants.isEmpty {
            let objects = structure.variants.map {
                "{ \(Self.key($0.name)): \(object($0.members, direction)) }"
            }
            let others = structure.alternatives.isEmpty ? [] : [union(structure.alternatives, direction)]
            return ["    type \(name) = \((others + objects).joined(separator: " | "));"]
        }
        guard !structure.alternatives.isEmpty else {
            return ["    interface \(name) {"] + members + ["    }"]
        }
        let alternatives = union(structure.alternatives, direction)
        guard structure.isObject else { return ["    type \(name) = \(alternatives);"] }
        return ["    type \(name) = \(alternatives) | {"] + members + ["    };"]
    }

    private func member(_ member: StructureSchema.Member, _ direction: Direction) -> String {
        let type =
            member.isAny(direction)
            ? "any" : type(member.schema, direction) + (member.isOptional ? " | null" : "")
        return "\(Self.key(member.name))\(member.isOptional ? "?" : ""): \(type)"
    }

    private func object(_ members: [StructureSchema.Member], _ direction: Direction) -> String {
        members.isEmpty ? "{}" : "{ \(members.map { member($0, direction) }.joined(separator: "; ")) }"
    }

    private func name(_ name: String, _ direction: Direction) -> String {
        direction == .got ? namesWhenGot[name] ?? name : name
    }

    private func union(_ schemas: [TypeSchema], _ direction: Direction) -> String {
        var parts: [String] = []
        for part in schemas.map({ type($0, direction) }) where !parts.contains(part) { parts.append(part) }
        return parts.joined(separator: " | ")
    }

    private func listed(_ schema: TypeSchema, _ direction: Direction) -> String {
        let type = type(schema, direction)
        if case .dictionary = schema { return type }
        return type.contains(" | ") ? "(\(type))" : type
    }

    // MARK: Structures

    // Returns the structures that are reachable from schemas.
    private func structures(in roots: [TypeSchema]) -> Set<String> {
        var found: Set<String> = []
        var left = roots
        while let schema = left.popLast() {
            if case .structure(let name) = schema {
                guard found.insert(name).inserted, let structure = schemas.structures[name] else { continue }
                left += structure.parts
            } else {
                left += schema.parts
            }
        }
        return found
    }

    // Returns the structures that differ between the directions, by themselves or by their parts.
    private func differing() -> Set<String> {
        var differing: Set<String> = []
        var count = -1
        func differs(_ schema: TypeSchema) -> Bool {
            switch schema {
            case .integer, .numbers, .decimal, .date, .bytes, .nothing: true
            case .structure(let name): differing.contains(name)
            default: schema.parts.contains(where: differs)
            }
        }
        while count < differing.count {
            count = differing.count
            for (name, structure) in schemas.structures
            where structure.parts.contains(where: differs)
                || structure.members.contains(where: { $0.isLenient && $0.schema != .any })
            {
                differing.insert(name)
            }
        }
        return differing
    }

    // MARK: Words

    /// Returns a string as a TypeScript literal, on one line and in ASCII.
    package static func literal(_ text: String) -> String {
        var literal = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: literal += "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20...0x7E: literal += String(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                literal += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return literal + "\""
    }

    private static func key(_ name: String) -> String {
        let isName =
            !name.isEmpty && name.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && name.utf8.allSatisfy { byte in
                (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x5F || byte == 0x24
            }
        return isName ? name : literal(name)
    }
}

extension StructureSchema {
    fileprivate var parts: [TypeSchema] {
        (members + variants.flatMap(\.members)).map(\.schema) + alternatives
    }
}

extension TypeSchema {
    fileprivate var parts: [TypeSchema] {
        switch self {
        case .optional(let part), .list(let part), .dictionary(let part): [part]
        case .union(let parts): parts
        default: []
        }
    }
}
