internal import BridgeValues

/// A decoder that records the requests of a type, and replies with placeholder values.
struct SchemaRecorder: Decoder {
    let run: SchemaRun
    /// A Boolean value that indicates whether the type decodes a nested container by itself; its requests there are not
    /// distinguished from those outside.
    var isInside = false
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if !isInside {
            try run.grant(.object, kinds: .object)
            run.note(keys: type)
        }
        return KeyedDecodingContainer(Members(run: run, isInside: isInside))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if !isInside { try run.grant(.list, kinds: .list) }
        return Elements(run: run, isInside: isInside)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(run: run, isInside: isInside) }

    private var inside: SchemaRecorder { SchemaRecorder(run: run, isInside: true) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let run: SchemaRun
        let isInside: Bool
        var codingPath: [any CodingKey] { [] }

        var allKeys: [Key] {
            run.ask()
            guard !isInside else { return [] }
            run.noteEnumerationOfKeys()
            return run.world.variant.flatMap { Key(stringValue: $0) }.map { [$0] } ?? []
        }

        func contains(_ key: Key) -> Bool {
            guard !isInside else { return isThere }
            if run.asks(.isThere(key.stringValue)) { return true }
            run.member(key.stringValue) { $0.isMissing = true }
            return false
        }

        func decodeNil(forKey key: Key) -> Bool {
            guard !isInside else { return !isThere }
            if run.asks(.isNothing(key.stringValue)) { return false }
            run.member(key.stringValue) { $0.isMissing = true }
            return true
        }

        private var isThere: Bool {
            run.ask()
            return !run.isOver
        }

        func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
            try ask(.member(key.stringValue, ObjectIdentifier(type))) {
                run.member(key.stringValue, is: type)
            }
            return try run.value(type)
        }

        func decodeIfPresent<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted? {
            try ask(.memberIfPresent(key.stringValue, ObjectIdentifier(type))) {
                run.member(key.stringValue, is: type, ifPresent: true)
            }
            if run.world.hasOptionalMembers, let value = try? run.value(type) { return value }
            if !isInside { run.member(key.stringValue) { $0.isMissing = true } }
            return nil
        }

        // The standard library's implementations call these for each type, and not the generic one above.
        func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
        func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
            try optional(type, key)
        }
        func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
            try optional(type, key)
        }
        func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
        func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
        func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
        func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
        func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
        func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
        func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
        func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
        func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
            try optional(type, key)
        }
        func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
            try optional(type, key)
        }
        func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
            try optional(type, key)
        }

        private func optional<Wanted: Decodable>(_ type: Wanted.Type, _ key: Key) throws -> Wanted? {
            try decodeIfPresent(type, forKey: key)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            let recorder = try enter(key.stringValue, .dictionary(.any))
            guard !isInside, run.world.variant == key.stringValue else {
                return try recorder.container(keyedBy: type)
            }
            return KeyedDecodingContainer(Members<Nested>(run: run.enterPayload(keys: type), isInside: false))
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try enter(key.stringValue, .list(.any)).unkeyedContainer()
        }

        // The members of the superclass are in the same object, or under `super`.
        func superDecoder() throws -> any Decoder { try enter("super", .dictionary(.any)) }

        func superDecoder(forKey key: Key) throws -> any Decoder { try enter(key.stringValue, .any) }

        private func enter(_ name: String, _ schema: TypeSchema) throws -> SchemaRecorder {
            try ask(.nested(name)) {
                run.member(name) { member in
                    member.isNested = true
                    if !member.schemas.contains(schema) { member.schemas.append(schema) }
                }
            }
            return SchemaRecorder(run: run, isInside: true)
        }

        private func ask(_ question: SchemaWorld.Question, _ note: () -> Void) throws {
            guard !isInside else {
                guard isThere else { throw SchemaRun.mismatch }
                return
            }
            let isThere = run.asks(question)
            note()
            if !isThere { throw run.refuse(question) }
        }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let run: SchemaRun
        let isInside: Bool
        var codingPath: [any CodingKey] { [] }
        var currentIndex = 0
        var count: Int? { run.isOver ? currentIndex : run.world.length ?? 1 }

        var isAtEnd: Bool {
            run.ask()
            return currentIndex >= count ?? 0
        }

        init(run: SchemaRun, isInside: Bool) {
            self.run = run
            self.isInside = isInside
        }

        mutating func decodeNil() throws -> Bool {
            // An element that is `null` would be a variant of its own, which the schema of an array of anything
            // includes.
            try next(.nestedElement, .any, nil)
            currentIndex -= 1
            return false
        }

        mutating func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
            try next(.element(ObjectIdentifier(type)), run.schemas.schema(of: type), type)
            return try run.value(type)
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> {
            try enter(.dictionary(.any)).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try enter(.list(.any)).unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { try enter(.any) }

        private mutating func enter(_ schema: TypeSchema) throws -> SchemaRecorder {
            try next(.nestedElement, schema, nil)
            return SchemaRecorder(run: run, isInside: true)
        }

        // A refused element counts too, because a loop until the end would visit it.
        private mutating func next(
            _ question: SchemaWorld.Question,
            _ schema: TypeSchema,
            _ type: Any.Type?
        ) throws {
            run.ask()
            guard !run.isOver, run.hasElement(at: currentIndex) else { throw SchemaRun.mismatch }
            currentIndex += 1
            guard !isInside else { return }
            let isThere = run.asks(question)
            run.element(schema, type)
            if !isThere { throw run.refuse(question) }
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let run: SchemaRun
        let isInside: Bool
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool {
            run.ask()
            guard !isInside else { return false }
            run.asksForNothing = true
            return run.world.isNothing
        }

        func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
            if isInside {
                run.ask()
                guard !run.isOver else { throw SchemaRun.mismatch }
            } else {
                let schema = run.schemas.schema(of: type)
                try run.grant(.value(ObjectIdentifier(type)), schema, kinds: run.schemas.kinds(of: schema))
                if let scalar = run.world.scalar {
                    guard let scalar = scalar as? Wanted else { throw SchemaRun.mismatch }
                    return scalar
                }
            }
            return try run.value(type)
        }
    }
}
