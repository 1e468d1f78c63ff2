/// A decoder that has every member a type asks for, with values that mean nothing: it shows what a type is made of.
///
/// A type that insists on values of sense, such as an enumeration, throws, and what it would have asked for after
/// that stays unknown.
struct TypeProbe: Decoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// A type that holds itself would be probed for ever.
    static let maximumDepth = 16

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(codingPath: codingPath) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(codingPath: codingPath) }

    /// Makes a value of a type: nothing, zero or what the type makes of that.
    static func value<Wanted: Decodable>(_ type: Wanted.Type, at path: [any CodingKey]) throws -> Wanted {
        guard path.count < maximumDepth else {
            throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "too deep"))
        }
        switch type {
        case let type as any ExpressibleByIntegerLiteral.Type:
            if let number = zero(of: type) as? Wanted { return number }
        case is String.Type: if let text = "" as? Wanted { return text }
        case is Bool.Type: if let flag = false as? Wanted { return flag }
        default: break
        }
        return try Wanted(from: TypeProbe(codingPath: path))
    }

    private static func zero<Number: ExpressibleByIntegerLiteral>(of type: Number.Type) -> Number { 0 }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let codingPath: [any CodingKey]
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
            try TypeProbe.value(type, at: codingPath + [key])
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            KeyedDecodingContainer(Members<Nested>(codingPath: codingPath + [key]))
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            Elements(codingPath: codingPath + [key])
        }
        func superDecoder() -> any Decoder { TypeProbe(codingPath: codingPath) }
        func superDecoder(forKey key: Key) -> any Decoder { TypeProbe(codingPath: codingPath + [key]) }
    }

    /// A list of one element, so that what lists are of is seen too.
    private struct Elements: UnkeyedDecodingContainer {
        let codingPath: [any CodingKey]
        var count: Int? { 1 }
        var currentIndex = 0
        var isAtEnd: Bool { currentIndex > 0 }
        private var path: [any CodingKey] { codingPath + [IndexKey(currentIndex)] }

        init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

        mutating func decodeNil() -> Bool { false }
        mutating func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
            defer { currentIndex += 1 }
            return try TypeProbe.value(type, at: path)
        }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedDecodingContainer<Nested> {
            defer { currentIndex += 1 }
            return KeyedDecodingContainer(Members<Nested>(codingPath: path))
        }
        mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
            defer { currentIndex += 1 }
            return Elements(codingPath: path)
        }
        mutating func superDecoder() -> any Decoder { TypeProbe(codingPath: path) }
    }

    private struct Single: SingleValueDecodingContainer {
        let codingPath: [any CodingKey]

        func decodeNil() -> Bool { false }
        func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
            // One level deeper, so that a type that asks for itself ends.
            try TypeProbe.value(type, at: codingPath + [IndexKey(0)])
        }
    }
}
