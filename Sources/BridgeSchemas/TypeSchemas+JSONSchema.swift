package import BridgeValues

extension TypeSchemas {
    /// Returns a schema as JSON Schema (2020-12), with the structures that it needs under `$defs`.
    ///
    /// The types are those of JSON: a date is an ISO 8601 string. Bytes are a base64 string, or the object that
    /// `JSON.stringify` makes of a `Uint8Array`.
    ///
    /// - Parameters:
    ///   - schema: The schema, of this collection.
    ///   - direction: The direction of the data: lenient members do not describe a type's own output.
    ///   - namesTypes: Whether structures have the names of their types, which not every script may see; otherwise
    ///     numbers.
    /// - Returns: The schema, an object.
    package func jsonSchema(
        of schema: TypeSchema,
        _ direction: TypeDeclarations.Direction,
        namesTypes: Bool
    ) -> Value {
        var writer = JSONSchemaWriter(schemas: self, direction: direction, namesTypes: namesTypes)
        let root = writer.write(schema)
        guard case .object(var object) = root, !writer.definitions.isEmpty else { return root }
        object["$defs"] = .object(ValueObject(writer.definitions))
        return .object(object)
    }

    /// Returns the schema of one type as JSON Schema.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - direction: The direction of the data.
    ///   - namesTypes: Whether structures have the names of their types.
    /// - Returns: The schema, an object; `null` where the type has no known schema.
    package static func jsonSchema(
        of type: Any.Type,
        _ direction: TypeDeclarations.Direction,
        namesTypes: Bool
    ) -> Value {
        let schemas = TypeSchemas()
        let schema = schemas.schema(of: type)
        return schema == .any ? .null : schemas.jsonSchema(of: schema, direction, namesTypes: namesTypes)
    }
}

private struct JSONSchemaWriter {
    let schemas: TypeSchemas
    let direction: TypeDeclarations.Direction
    let namesTypes: Bool
    var definitions: [(String, Value)] = []
    private var keys: [String: String] = [:]

    init(schemas: TypeSchemas, direction: TypeDeclarations.Direction, namesTypes: Bool) {
        self.schemas = schemas
        self.direction = direction
        self.namesTypes = namesTypes
    }

    mutating func write(_ schema: TypeSchema) -> Value {
        switch schema {
        case .any: return [:]
        case .nothing: return ["type": "null"]
        case .bool: return ["type": "boolean"]
        case .integer(let bits, let isSigned): return Self.integer(bits, isSigned)
        case .number: return ["type": "number"]
        case .string: return ["type": "string"]
        case .texts(let texts): return ["enum": .array(texts.map(Value.string))]
        case .numbers(let numbers): return ["enum": .array(numbers.map(Value.integer))]
        case .decimal: return ["type": ["string", "number"]]
        // `URL(string:)` accepts strings that no format of JSON Schema does, such as those with spaces.
        case .url: return ["type": "string", "description": "a URL"]
        case .uuid: return ["type": "string", "format": "uuid"]
        case .date: return ["type": "string", "format": "date-time"]
        case .bytes: return Self.bytes
        case .optional(let wrapped): return ["anyOf": [write(wrapped), ["type": "null"]]]
        case .list(let element): return ["type": "array", "items": write(element)]
        case .dictionary(let value): return ["type": "object", "additionalProperties": write(value)]
        case .union(let schemas): return ["anyOf": .array(schemas.map { write($0) })]
        case .structure(let name): return reference(name)
        }
    }

    private mutating func reference(_ name: String) -> Value {
        if let key = keys[name] { return Self.reference(toKey: key) }
        let place = definitions.count
        let key = namesTypes ? name : "\(place + 1)"
        keys[name] = key
        // The entry is reserved first, since the structure may contain itself.
        definitions.append((key, .null))
        definitions[place].1 = write(schemas.structures[name] ?? StructureSchema(isOpen: true))
        return Self.reference(toKey: key)
    }

    private static func reference(toKey key: String) -> Value { ["$ref": .string("#/$defs/\(key)")] }

    private mutating func write(_ structure: StructureSchema) -> Value {
        let objects =
            if structure.variants.isEmpty {
                structure.isObject ? [writeObject(structure.members)] : []
            } else {
                structure.variants.map { variant -> Value in
                    [
                        "type": "object", "required": [.string(variant.name)],
                        "properties": .object([variant.name: writeObject(variant.members)]),
                    ]
                }
            }
        let alternatives = objects + structure.alternatives.map { write($0) }
        return alternatives.count == 1 ? alternatives[0] : ["anyOf": .array(alternatives)]
    }

    private mutating func writeObject(_ members: [StructureSchema.Member]) -> Value {
        var properties = ValueObject()
        for member in members {
            let isAny = member.isAny(direction)
            let schema = isAny ? [:] : write(member.schema)
            properties[member.name] =
                member.isOptional && !isAny ? ["anyOf": [schema, ["type": "null"]]] : schema
        }
        var object: ValueObject = ["type": "object", "properties": .object(properties)]
        let required = members.filter { !$0.isOptional }.map { Value.string($0.name) }
        if !required.isEmpty { object["required"] = .array(required) }
        return .object(object)
    }

    // The JSON forms for the text transport, and a script's own types for the direct one.
    private static let bytes: Value = [
        "anyOf": [
            ["type": "string", "contentEncoding": "base64"],
            ["type": "object", "description": "an ArrayBuffer or a view of one"],
            ["type": "array", "items": ["type": "integer", "minimum": 0, "maximum": 255]],
        ]
    ]

    // Beyond 53 bits a JavaScript number is not exact, so that the schema only says that it is an integer.
    private static func integer(_ bits: Int, _ isSigned: Bool) -> Value {
        var object: ValueObject = ["type": "integer"]
        if !isSigned { object["minimum"] = 0 }
        if bits <= 32 {
            let count = Int64(1) << Int64(isSigned ? bits - 1 : bits)
            if isSigned { object["minimum"] = .integer(-count) }
            object["maximum"] = .integer(count - 1)
        }
        return .object(object)
    }
}
