internal import Foundation

/// A decoder of `Decodable` types from ``Value``.
///
/// Every failure names the member (`user.age: 1.5 is not a whole number`). Decoding never traps: a number that does not
/// fit, a fraction for a whole number and a `bool` for a number are errors. `null`, `undefined` and a missing member
/// are `nil` for an optional.
public struct ValueDecoder: Sendable {
    /// The treatment of strings with lone surrogates, which `String` cannot hold.
    public enum IllFormedTextPolicy: Sendable, Hashable {
        /// Replaces each lone surrogate by U+FFFD, as the web does wherever a string becomes UTF-8.
        case replace
        /// Fails, and names the member.
        case fail
    }

    /// The treatment of strings with lone surrogates.
    ///
    /// A string that is decoded as ``Value`` keeps its lone surrogates in either case.
    public var illFormedText: IllFormedTextPolicy

    /// Creates a decoder.
    public init(illFormedText: IllFormedTextPolicy = .replace) { self.illFormedText = illFormedText }

    /// Decodes a type.
    ///
    /// - Throws: ``BridgeError`` with the code `decodeFailed`, which names the member that does not fit.
    public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self, from value: Value) throws
        -> Decoded
    {
        do {
            return try ValueReader(value: value, codingPath: [], policy: illFormedText).decode(type)
        } catch let error as DecodingError {
            throw BridgeError(decoding: error)
        }
    }
}

extension ValueDecoder {
    /// Decodes a type as a part of something larger.
    ///
    /// - Throws: `DecodingError`, whose path begins at the value.
    package static func decodeMember<Decoded: Decodable>(_ type: Decoded.Type, from value: Value) throws
        -> Decoded
    {
        try ValueReader(value: value, codingPath: [], policy: .replace).decode(type)
    }

    /// Returns the decoder of a value that is a part of something larger, for types that an inferred object codec
    /// cannot decode.
    package static func decoder(of value: Value, at path: [any CodingKey] = []) -> any Decoder {
        ValueReader(value: value, codingPath: path, policy: .replace)
    }
}

extension BridgeError {
    /// Creates an error from a `DecodingError`, with its coding path as a path from `data`.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - index: The index of the argument that failed, for a function with several arguments.
    package init(decoding error: DecodingError, ofArgument index: Int? = nil) {
        let (context, text): (DecodingError.Context, String) =
            switch error {
            case .typeMismatch(_, let context), .dataCorrupted(let context):
                (context, Self.withoutTypes(context.debugDescription))
            // The name of a type is not for scripts (R39).
            case .valueNotFound(_, let context): (context, "expected a value, found none")
            case .keyNotFound(let key, let context): (context, "the member '\(key.stringValue)' is missing")
            @unknown default: (.init(codingPath: [], debugDescription: ""), "\(error)")
            }
        let place = context.codingPath.reduce(index.map { "argument \($0 + 1)" } ?? "data") { place, key in
            place + key.step
        }
        self.init(.decodeFailed, "\(place): \(text)")
    }

    /// Removes the name of the type (R39) from a message of the standard library about a value that does not fit.
    private static func withoutTypes(_ text: String) -> String {
        guard text.hasPrefix("Cannot initialize ") else { return text }
        if let value = text.range(of: " value ", options: .backwards), text.contains(" from invalid ") {
            return "\(text[value.upperBound...]) is not one of the allowed values"
        }
        // The bounds of a range.
        guard let bounds = text.range(of: " with a ") else {
            return "it is not one of the allowed values"
        }
        return "a range cannot have a \(text[bounds.upperBound...])"
    }
}

/// The decoder of one value.
private struct ValueReader: Decoder {
    let value: Value
    let codingPath: [any CodingKey]
    let policy: ValueDecoder.IllFormedTextPolicy
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        if let special = try decodeSpecial(type), let result = special as? Decoded { return result }
        return try Decoded(from: self)
    }

    /// Decodes the types that have their own case in ``Value``, and those whose own coding is made for other formats.
    private func decodeSpecial(_ type: any Decodable.Type) throws -> (any Decodable)? {
        switch type {
        case is Value.Type: return value
        case is String.Type: return try string()
        case is Date.Type: return try date()
        case is Data.Type:
            guard case .bytes(let data) = value else { throw mismatch("bytes") }
            return data
        case is URL.Type:
            guard let url = URL(string: try string()) else { throw mismatch("a URL") }
            return url
        case is Decimal.Type: return try decimal()
        default: return nil
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw mismatch("an object") }
        return KeyedDecodingContainer(KeyedReader(object: object, codingPath: codingPath, policy: policy))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch("an array") }
        return UnkeyedReader(elements: elements, codingPath: codingPath, policy: policy)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func mismatch(_ wanted: String) -> DecodingError {
        let found = value.isNil ? value.kind : "\(value.kind) \(value.excerpt)"
        return .typeMismatch(
            Any.self,
            .init(codingPath: codingPath, debugDescription: "\(found) is not \(wanted)")
        )
    }

    /// Creates the error of a number that does not fit.
    private func misfit(_ wanted: String) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: codingPath, debugDescription: "\(value.excerpt) is not \(wanted)")
        )
    }

    func string() throws -> String {
        switch value {
        case .string(let text): return text
        case .illFormedString(let units) where policy == .replace:
            return String(decoding: units, as: UTF16.self)
        case .illFormedString: throw mismatch("a well-formed string: it has a lone surrogate")
        default: throw mismatch("a string")
        }
    }

    private func date() throws -> Date {
        switch value {
        case .date(let date):
            // Dates outside JavaScript's range are refused too: callers may print a date, which traps in Foundation for
            // some of them.
            guard date.javaScriptMilliseconds != nil else { throw misfit("a valid date") }
            return date
        case .string(let text):
            // The JSON form of a date, for peers that have no other.
            guard let date = JSONDate(parsing: text)?.date else { throw mismatch("a date") }
            return date
        default: throw mismatch("a date")
        }
    }

    private func decimal() throws -> Decimal {
        let text: String
        switch value {
        case .string(let digits), .bigInt(let digits): text = digits
        case .integer(let number): text = String(number)
        case .double(let number) where number.isFinite: text = "\(number)"
        default: throw mismatch("a decimal number")
        }
        guard let decimal = Decimal(exactly: text) else { throw mismatch("a decimal number") }
        return decimal
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let result: Number? =
            switch value {
            case .integer(let number): Number(exactly: number)
            case .double(let number): Number(exactly: number)
            case .bigInt(let digits): Number(digits)
            default: throw mismatch(ExpectedNumber.whole)
            }
        guard let result else { throw misfit(ExpectedNumber.range(of: type, for: value)) }
        return result
    }
}

extension ValueReader: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNil }
    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let flag) = value else { throw mismatch("a boolean") }
        return flag
    }
    func decode(_ type: String.Type) throws -> String { try string() }
    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .integer(let number):
            guard let exact = Double(exactly: number) else { throw mismatch(ExpectedNumber.exact) }
            return exact
        case .double(let number): return number
        default: throw mismatch("a number")
        }
    }
    func decode(_ type: Float.Type) throws -> Float {
        let number = try decode(Double.self)
        let result = Float(number)
        // Rounded, as any decimal fraction is, but a finite number never becomes an infinity.
        guard result.isInfinite == number.isInfinite else { throw misfit(ExpectedNumber.single) }
        return result
    }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
}

private struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: ValueObject
    let codingPath: [any CodingKey]
    let policy: ValueDecoder.IllFormedTextPolicy

    var allKeys: [Key] { object.keys.compactMap { Key(stringValue: $0) } }
    /// Returns whether the object has a value for a key; `undefined` is none, as in JSON, although ``allKeys`` has it.
    func contains(_ key: Key) -> Bool { (object[key.stringValue] ?? .undefined) != .undefined }
    func decodeNil(forKey key: Key) -> Bool { object[key.stringValue]?.isNil ?? true }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
        try reader(key).decode(type)
    }

    // Fast paths of the common types, without casts and a coding path; all other cases use the general path.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        guard case .bool(let flag) = object[key.stringValue] else { return try reader(key).decode(type) }
        return flag
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        guard case .string(let text) = object[key.stringValue] else { return try reader(key).decode(type) }
        return text
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        guard case .double(let number) = object[key.stringValue] else { return try reader(key).decode(type) }
        return number
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        guard case .integer(let number) = object[key.stringValue], let result = Int(exactly: number) else {
            return try reader(key).decode(type)
        }
        return result
    }
    // The standard library's default implementations of these two throw in containers.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try reader(key).integer(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try reader(key).integer(type) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try reader(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try reader(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        guard let value = object["super"] else {
            return ValueReader(value: .null, codingPath: codingPath, policy: policy)
        }
        return ValueReader(value: value, codingPath: codingPath + [JSONMemberKey("super")], policy: policy)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }

    private func reader(_ key: Key) throws -> ValueReader {
        guard let value = object[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: ""))
        }
        return ValueReader(value: value, codingPath: codingPath + [key], policy: policy)
    }
}

private struct UnkeyedReader: UnkeyedDecodingContainer {
    let elements: [Value]
    let codingPath: [any CodingKey]
    let policy: ValueDecoder.IllFormedTextPolicy
    var currentIndex = 0

    init(elements: [Value], codingPath: [any CodingKey], policy: ValueDecoder.IllFormedTextPolicy) {
        self.elements = elements
        self.codingPath = codingPath
        self.policy = policy
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next().value.isNil else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        let result = try next().decode(type)
        currentIndex += 1
        return result
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    private mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let result = try next().integer(type)
        currentIndex += 1
        return result
    }

    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        let result = try next().container(keyedBy: type)
        currentIndex += 1
        return result
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let result = try next().unkeyedContainer()
        currentIndex += 1
        return result
    }

    mutating func superDecoder() throws -> any Decoder {
        let result = try next()
        currentIndex += 1
        return result
    }

    private func next() throws -> ValueReader {
        let path = codingPath + [IndexKey(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self,
                .init(codingPath: path, debugDescription: "the array has no more elements")
            )
        }
        return ValueReader(value: elements[currentIndex], codingPath: path, policy: policy)
    }
}

extension Value {
    /// Returns the size of a container, for messages.
    package static func size(_ count: Int, _ unit: String) -> String {
        "of \(count) \(unit)\(count == 1 ? "" : "s")"
    }

    /// The value in a short form, for messages.
    package var excerpt: String {
        switch self {
        case .undefined: return "undefined"
        case .null: return "null"
        case .bool(let flag): return String(flag)
        case .integer(let number): return String(number)
        case .double(let number): return JSNumberString(number).text
        case .bigInt(let digits): return digits.utf8.count > 40 ? digits.prefix(40) + "..." : digits
        case .string(let text):
            // Scalars are counted, not characters: one character may have any number of combining marks.
            let rest = text.unicodeScalars.dropFirst(40)
            return rest.isEmpty ? "'\(text)'" : "'\(text[..<rest.startIndex])...'"
        case .illFormedString(let units): return Value.string(String(decoding: units, as: UTF16.self)).excerpt
        case .date(let date): return date.safeText
        case .bytes(let data): return Self.size(data.count, "byte")
        case .array(let elements): return Self.size(elements.count, "element")
        case .object(let object): return Self.size(object.count, "member")
        case .reference: return "by reference"
        }
    }
}
