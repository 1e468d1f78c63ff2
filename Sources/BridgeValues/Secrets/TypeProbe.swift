/// A decoder that has every member a type asks for, with values that mean nothing: it shows what a type is made of.
///
/// A type that insists on values of sense, such as an enumeration, throws, and what it would have asked for after
/// that stays unknown.
///
/// A type may ask so often and no more: one that reads until nothing is left would read for ever, and one that holds itself
/// at several places asks for twice as much, or more, with each level.
struct TypeProbe: Decoder {
    /// How often may be asked yet.
    final class Budget {
        private var questionsLeft = 20_000

        /// Takes a question.
        ///
        /// - Returns: Whether there was one left.
        func take() -> Bool {
            questionsLeft -= 1
            return questionsLeft >= 0
        }
    }

    let codingPath: [any CodingKey]
    var budget = Budget()
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// A type that holds itself would be probed for ever.
    static let maximumDepth = 16

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(codingPath: codingPath, budget: budget))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        Elements(codingPath: codingPath, budget: budget)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        Single(codingPath: codingPath, budget: budget)
    }

    /// Makes a value of a type: nothing, zero or what the type makes of that.
    static func value<Wanted: Decodable>(
        _ type: Wanted.Type,
        at path: [any CodingKey],
        _ budget: Budget
    ) throws -> Wanted {
        guard path.count < maximumDepth, budget.take() else {
            throw DecodingError.valueNotFound(
                type,
                .init(codingPath: path, debugDescription: "too much of it")
            )
        }
        switch type {
        case let type as any ExpressibleByIntegerLiteral.Type:
            if let number = zero(of: type) as? Wanted { return number }
        case is String.Type: if let text = "" as? Wanted { return text }
        case is Bool.Type: if let flag = false as? Wanted { return flag }
        default: break
        }
        return try Wanted(from: TypeProbe(codingPath: path, budget: budget))
    }

    private static func zero<Number: ExpressibleByIntegerLiteral>(of type: Number.Type) -> Number { 0 }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let codingPath: [any CodingKey]
        let budget: Budget
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { budget.take() }
        func decodeNil(forKey key: Key) -> Bool { !budget.take() }
        func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
            try TypeProbe.value(type, at: codingPath + [key], budget)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            KeyedDecodingContainer(Members<Nested>(codingPath: codingPath + [key], budget: budget))
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            Elements(codingPath: codingPath + [key], budget: budget)
        }
        func superDecoder() -> any Decoder { TypeProbe(codingPath: codingPath, budget: budget) }
        func superDecoder(forKey key: Key) -> any Decoder {
            TypeProbe(codingPath: codingPath + [key], budget: budget)
        }
    }

    /// A list of one element, so that what lists are of is seen too; it has some more for who does not look.
    private struct Elements: UnkeyedDecodingContainer {
        let codingPath: [any CodingKey]
        let budget: Budget
        var count: Int? { 1 }
        var currentIndex = 0
        var isAtEnd: Bool { currentIndex > 0 || !budget.take() }
        private static let maximumCount = 64
        private var path: [any CodingKey] { codingPath + [IndexKey(currentIndex)] }

        init(codingPath: [any CodingKey], budget: Budget) {
            self.codingPath = codingPath
            self.budget = budget
        }

        mutating func decodeNil() -> Bool { false }
        mutating func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
            try TypeProbe.value(type, at: next(), budget)
        }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> {
            KeyedDecodingContainer(Members<Nested>(codingPath: try next(), budget: budget))
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            Elements(codingPath: try next(), budget: budget)
        }
        mutating func superDecoder() throws -> any Decoder {
            TypeProbe(codingPath: try next(), budget: budget)
        }

        // Goes on, whether there is a value or not.
        private mutating func next() throws -> [any CodingKey] {
            guard currentIndex < Self.maximumCount else {
                throw DecodingError.valueNotFound(
                    Any.self,
                    .init(codingPath: codingPath, debugDescription: "the list ends")
                )
            }
            defer { currentIndex += 1 }
            return path
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let codingPath: [any CodingKey]
        let budget: Budget

        func decodeNil() -> Bool { false }
        func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
            // One level deeper, so that a type that asks for itself ends.
            try TypeProbe.value(type, at: codingPath + [IndexKey(0)], budget)
        }
    }
}
