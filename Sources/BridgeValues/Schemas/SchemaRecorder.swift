internal import Foundation

/// What a type asked for so far.
final class SchemaRecord {
    var schemas: TypeSchemas
    var isKeyed = false
    var isOpen = false
    var members: [StructureSchema.Member] = []
    /// What a type wanted that takes one value.
    var single: TypeSchema?
    /// What a type wanted that takes a list.
    var element: TypeSchema?

    init(schemas: TypeSchemas) { self.schemas = schemas }

    func note(_ name: String, _ schema: TypeSchema, isOptional: Bool) {
        guard !members.contains(where: { $0.name == name }) else { return }
        var schema = schema
        var isOptional = isOptional
        if case .optional(let wrapped) = schema {
            schema = wrapped
            isOptional = true
        }
        members.append(StructureSchema.Member(name: name, schema: schema, isOptional: isOptional))
    }

    /// Gives a value of a type, which means nothing; its schema was asked for before.
    ///
    /// - Throws: An error where the type insists on sense, or holds itself.
    func value<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
        if let value = schemas.value(of: type) { return value }
        throw DecodingError.valueNotFound(
            type,
            .init(codingPath: [], debugDescription: "there is no value without sense")
        )
    }
}

/// A decoder that writes down what a type asks for, and answers with values that mean nothing.
struct SchemaRecorder: Decoder {
    let record: SchemaRecord
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        record.isKeyed = true
        return KeyedDecodingContainer(Members(record: record))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(record: record) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(record: record) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let record: SchemaRecord
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }

        // Asked before a member that may be missing: it is, so the type goes on without a value of it.
        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
            record.note(key.stringValue, record.schemas.schema(of: type), isOptional: false)
            return try record.value(type)
        }

        func decodeIfPresent<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted? {
            record.note(key.stringValue, record.schemas.schema(of: type), isOptional: true)
            return nil
        }

        func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { skip(type, key) }
        func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { skip(type, key) }
        func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { skip(type, key) }
        func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? { skip(type, key) }
        func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { skip(type, key) }
        func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? { skip(type, key) }
        func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? { skip(type, key) }
        func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? { skip(type, key) }
        func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { skip(type, key) }
        func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? { skip(type, key) }
        func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? { skip(type, key) }
        func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? { skip(type, key) }
        func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? { skip(type, key) }
        func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? { skip(type, key) }

        private func skip<Wanted>(_ type: Wanted.Type, _ key: Key) -> Wanted? {
            record.note(key.stringValue, record.schemas.schema(of: type), isOptional: true)
            return nil
        }

        // What is in there is not told apart from what stands beside it: open is all that is known.
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            record.note(key.stringValue, .dictionary(.any), isOptional: false)
            return TypeProbe(codingPath: []).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            record.note(key.stringValue, .list(.any), isOptional: false)
            return TypeProbe(codingPath: []).unkeyedContainer()
        }

        // The members of the class above stand in the same object, or under `super`.
        func superDecoder() -> any Decoder {
            record.note("super", .dictionary(.any), isOptional: false)
            return TypeProbe(codingPath: [])
        }

        func superDecoder(forKey key: Key) -> any Decoder {
            record.note(key.stringValue, .any, isOptional: false)
            return TypeProbe(codingPath: [])
        }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let record: SchemaRecord
        var codingPath: [any CodingKey] { [] }
        var count: Int? { 1 }
        var currentIndex = 0
        var isAtEnd: Bool { currentIndex > 0 }

        init(record: SchemaRecord) { self.record = record }

        private mutating func note(_ schema: TypeSchema) {
            // Elements of different types are a list of anything.
            record.element = record.element == nil || record.element == schema ? schema : .any
            currentIndex += 1
        }

        mutating func decodeNil() -> Bool { false }

        mutating func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
            note(record.schemas.schema(of: type))
            return try record.value(type)
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedDecodingContainer<Nested> {
            note(.dictionary(.any))
            return TypeProbe(codingPath: []).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
            note(.list(.any))
            return TypeProbe(codingPath: []).unkeyedContainer()
        }

        mutating func superDecoder() -> any Decoder {
            note(.any)
            return TypeProbe(codingPath: [])
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let record: SchemaRecord
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool {
            // A type that looks whether it is nothing takes more than one kind of value.
            record.isOpen = true
            return false
        }

        func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
            // One that tries again takes either.
            let schema = record.schemas.schema(of: type)
            record.single = record.single == nil || record.single == schema ? schema : .any
            return try record.value(type)
        }
    }
}

/// Values that mean nothing, of types whose own decoding is not asked, or insists on sense.
enum EmptyValue {
    static func of<Wanted>(_ type: Wanted.Type) -> Wanted? {
        switch type {
        case is String.Type: "" as? Wanted
        case is Bool.Type: false as? Wanted
        case is Date.Type: Date(timeIntervalSince1970: 0) as? Wanted
        case is Data.Type: Data() as? Wanted
        case is UUID.Type: UUID() as? Wanted
        case is URL.Type: URL(string: "about:blank") as? Wanted
        case let type as any ExpressibleByIntegerLiteral.Type: zero(type) as? Wanted
        case is Value.Type: Value.null as? Wanted
        case let type as any CaseIterable.Type: first(type) as? Wanted
        default: enumeration(type)
        }
    }

    private static func zero<Number: ExpressibleByIntegerLiteral>(_ type: Number.Type) -> Number { 0 }
    private static func first<Cases: CaseIterable>(_ type: Cases.Type) -> Cases? { type.allCases.first }

    // An enumeration with raw values has cases without payloads, and the first of them is all zeros. A structure with
    // a raw value of one byte, such as a set of options, has zeros for a value as well.
    private static func enumeration<Wanted>(_ type: Wanted.Type) -> Wanted? {
        guard type is any RawRepresentable.Type, _isPOD(type), MemoryLayout<Wanted>.size <= 1 else {
            return nil
        }
        return withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return bytes.load(as: Wanted.self)
        }
    }
}
