internal import Foundation

/// An encoder of `Encodable` types as ``Value``.
///
/// An optional member that is `nil` is left out, as the compiler's own coding does; a top-level `nil` is `null`.
/// `Date`, `Data` and ``Value`` keep their types; `Decimal` and `URL` become strings. Integers are exact: beyond 2^53
/// they become a `BigInt`.
public struct ValueEncoder: Sendable {
    /// The maximum nesting depth of a value; more than 10,000 counts as 10,000.
    ///
    /// Prevents a value that contains others of its type from exhausting the native stack.
    public var maximumDepth: Int

    /// Creates an encoder.
    public init(maximumDepth: Int = BridgeLimits().maximumDepth) { self.maximumDepth = maximumDepth }

    /// Encodes a value.
    ///
    /// - Throws: ``BridgeError`` with the code `encodeFailed` and the path of the member, if the type's own coding
    ///   throws an `EncodingError`; with `limitExceeded`, if the value nests too deep; any other error of the type.
    public func encode(_ value: some Encodable) throws -> Value {
        do {
            return try Self.value(of: value, maximumDepth: maximumDepth)
        } catch let error as EncodingError {
            throw BridgeError(encoding: error)
        }
    }

    /// Encodes a value as data.
    package static func value(of value: some Encodable, maximumDepth: Int) throws -> Value {
        try self.value(of: value, at: EncodingPlace(limit: EncodingLimit(maximumDepth)))
    }

    /// Encodes a value that is a part of something larger.
    fileprivate static func value(of value: some Encodable, at place: EncodingPlace) throws -> Value {
        switch value {
        case let value as Value: return value
        case let text as String: return .string(text)
        case let flag as Bool: return .bool(flag)
        case let number as Int: return .integer(Int64(number))
        case let number as Double: return .number(number)
        case let date as Date: return .date(date)
        case let data as Data: return .bytes(data)
        case let url as URL: return .string(url.absoluteString)
        case let decimal as Decimal: return .string(decimal.text)
        default:
            let encoder = NodeEncoder(place)
            if place.isTooDeep { place.limit.isExceeded = true }
            try place.limit.check()
            try value.encode(to: encoder)
            // Creating a container cannot throw, even if it is too deep.
            try place.limit.check()
            return encoder.node.value ?? .object([:])
        }
    }
}

/// The depth limit of an encoding, and whether it was exceeded.
///
/// The flag is permanent, so that a type which catches the error cannot hide it.
private final class EncodingLimit {
    let maximumDepth: Int
    var isExceeded = false

    init(_ maximumDepth: Int) { self.maximumDepth = min(maximumDepth, Value.maximumDepth) }

    func check() throws(BridgeError) {
        if isExceeded { throw .tooDeep(limit: maximumDepth) }
    }
}

/// The position of a value within the value that is being encoded.
private struct EncodingPlace {
    let limit: EncodingLimit
    /// The keys of the containers around it.
    private(set) var path: [any CodingKey] = []
    /// The number of values that have it as their whole content: these add no key, but use the native stack.
    private var wrappers = 0

    init(limit: EncodingLimit) { self.limit = limit }

    /// A Boolean value that indicates whether the value is too deep; each level may have a wrapper, such as an optional
    /// or a raw value.
    var isTooDeep: Bool {
        path.count > limit.maximumDepth || wrappers > limit.maximumDepth
    }

    /// Checks the depth of a value that is a container, which is a level itself.
    func noteContainer() { if path.count >= limit.maximumDepth { limit.isExceeded = true } }

    func member(_ key: any CodingKey) -> EncodingPlace {
        var place = self
        place.path.append(key)
        return place
    }

    /// The place of a value's single content, which it encodes instead of a container.
    var inside: EncodingPlace {
        var place = self
        place.wrappers += 1
        return place
    }
}

/// A value that is being encoded: containers are written through references, and read when the encoding is complete.
private final class Node {
    private enum Content {
        case nothing
        case leaf(Value)
        case array([Node])
        // The object has the finished members. An unfinished member reserves its place in the object, and its node is
        // in the dictionary.
        case object(ValueObject, unfinished: [String: Node])
    }

    private var content = Content.nothing

    init() {}
    init(_ value: Value) { content = .leaf(value) }

    var value: Value? {
        switch content {
        case .nothing: return nil
        case .leaf(let value): return value
        case .array(let nodes): return .array(nodes.map { $0.value ?? .object([:]) })
        case .object(var object, let unfinished):
            for (key, node) in unfinished { object[key] = node.value ?? .object([:]) }
            return .object(object)
        }
    }

    func set(_ value: Value) { content = .leaf(value) }

    func becomeArray() { if case .array = content {} else { content = .array([]) } }

    func becomeObject() { if case .object = content {} else { content = .object([:], unfinished: [:]) } }

    func append(_ node: Node) {
        guard case .array(var nodes) = content else { return }
        content = .nothing
        nodes.append(node)
        content = .array(nodes)
    }

    var count: Int {
        guard case .array(let nodes) = content else { return 0 }
        return nodes.count
    }

    func set(_ value: Value, for key: String) {
        guard case .object(var object, var unfinished) = content else { return }
        content = .nothing
        object[key] = value
        if !unfinished.isEmpty { unfinished[key] = nil }
        content = .object(object, unfinished: unfinished)
    }

    func member(_ key: String) -> Node {
        guard case .object(var object, var unfinished) = content else { return Node() }
        if let node = unfinished[key] { return node }
        content = .nothing
        let node = object[key].map(Node.init) ?? Node()
        object[key] = .undefined
        unfinished[key] = node
        content = .object(object, unfinished: unfinished)
        return node
    }
}

private final class NodeEncoder: Encoder {
    let node: Node
    private let place: EncodingPlace
    var codingPath: [any CodingKey] { place.path }
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(node: Node = Node(), _ place: EncodingPlace) {
        self.node = node
        self.place = place
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        place.noteContainer()
        node.becomeObject()
        return KeyedEncodingContainer(KeyedContainer(node: node, place: place))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        place.noteContainer()
        node.becomeArray()
        return UnkeyedContainer(node: node, place: place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleContainer(node: node, place: place)
    }
}

extension BinaryInteger {
    fileprivate func exactValue(path: [any CodingKey]) throws -> Value {
        if let small = Int64(exactly: self) { return .integer(small) }
        return .bigInt(String(self))
    }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let place: EncodingPlace
    var codingPath: [any CodingKey] { place.path }

    func encodeNil(forKey key: Key) { node.set(.null, for: key.stringValue) }

    // Fast paths of the common types, without casts and a coding path.
    func encode(_ value: Bool, forKey key: Key) { node.set(.bool(value), for: key.stringValue) }
    func encode(_ value: String, forKey key: Key) { node.set(.string(value), for: key.stringValue) }
    func encode(_ value: Double, forKey key: Key) { node.set(.number(value), for: key.stringValue) }
    func encode(_ value: Int, forKey key: Key) { node.set(.integer(Int64(value)), for: key.stringValue) }
    // The standard library's default implementations of these two throw in containers.
    func encode(_ value: Int128, forKey key: Key) throws {
        node.set(try value.exactValue(path: codingPath), for: key.stringValue)
    }
    func encode(_ value: UInt128, forKey key: Key) throws {
        node.set(try value.exactValue(path: codingPath), for: key.stringValue)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        node.set(try ValueEncoder.value(of: value, at: place.member(key)), for: key.stringValue)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: any CodingKey) -> NodeEncoder {
        let inner = place.member(key)
        // The output of a container that is too deep is discarded, so that the nesting stops growing.
        guard !inner.isTooDeep else {
            place.limit.isExceeded = true
            return NodeEncoder(place)
        }
        return NodeEncoder(node: node.member(key.stringValue), inner)
    }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let node: Node
    let place: EncodingPlace
    var codingPath: [any CodingKey] { place.path }

    var count: Int { node.count }

    func encodeNil() { node.append(Node(.null)) }

    func encode(_ value: Int128) throws { node.append(Node(try value.exactValue(path: codingPath))) }
    func encode(_ value: UInt128) throws { node.append(Node(try value.exactValue(path: codingPath))) }

    func encode(_ value: some Encodable) throws {
        node.append(Node(try ValueEncoder.value(of: value, at: place.member(IndexKey(count)))))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<
        NestedKey
    > {
        nested().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    private func nested() -> NodeEncoder {
        let inner = place.member(IndexKey(count))
        guard !inner.isTooDeep else {
            place.limit.isExceeded = true
            return NodeEncoder(place)
        }
        let encoder = NodeEncoder(inner)
        node.append(encoder.node)
        return encoder
    }
}

private struct SingleContainer: SingleValueEncodingContainer {
    let node: Node
    let place: EncodingPlace
    var codingPath: [any CodingKey] { place.path }

    func encodeNil() { node.set(.null) }
    func encode(_ value: Bool) { node.set(.bool(value)) }
    func encode(_ value: String) { node.set(.string(value)) }
    func encode(_ value: Double) { node.set(.number(value)) }
    func encode(_ value: Float) { node.set(.number(Double(value))) }
    func encode(_ value: Int) { node.set(.integer(Int64(value))) }
    func encode(_ value: Int8) { node.set(.integer(Int64(value))) }
    func encode(_ value: Int16) { node.set(.integer(Int64(value))) }
    func encode(_ value: Int32) { node.set(.integer(Int64(value))) }
    func encode(_ value: Int64) { node.set(.integer(value)) }
    func encode(_ value: Int128) throws { node.set(try value.exactValue(path: codingPath)) }
    func encode(_ value: UInt) throws { node.set(try value.exactValue(path: codingPath)) }
    func encode(_ value: UInt8) { node.set(.integer(Int64(value))) }
    func encode(_ value: UInt16) { node.set(.integer(Int64(value))) }
    func encode(_ value: UInt32) { node.set(.integer(Int64(value))) }
    func encode(_ value: UInt64) throws { node.set(try value.exactValue(path: codingPath)) }
    func encode(_ value: UInt128) throws { node.set(try value.exactValue(path: codingPath)) }
    func encode(_ value: some Encodable) throws {
        node.set(try ValueEncoder.value(of: value, at: place.inside))
    }
}

/// A key of this package's own coders that knows whether it is the index of an array element.
///
/// A dictionary's key "1" also has an integer value, but is not an index.
package protocol IndexedKey: CodingKey {
    /// The index in an array; `nil` for the key of a member.
    var place: Int? { get }
}

extension CodingKey {
    /// The key as a step of a path in messages: `[1]` for an array index, `.name` for a member.
    package var step: String {
        (self as? any IndexedKey)?.place.map { "[\($0)]" } ?? ".\(stringValue)"
    }
}

/// The key of the members that a class inherits from its superclass.
private struct SuperKey: CodingKey {
    let stringValue = "super"
    var intValue: Int? { nil }

    init() {}
    init?(intValue: Int) { return nil }
    init?(stringValue: String) { return nil }
}

/// The index of an array element, for coding paths.
package struct IndexKey: IndexedKey {
    package var place: Int? { intValue }
    package let intValue: Int?
    package var stringValue: String { "\(intValue ?? 0)" }

    package init(_ index: Int) { intValue = index }
    package init?(intValue: Int) { self.intValue = intValue }
    package init?(stringValue: String) { return nil }
}

extension ValueEncoder {
    /// Returns an encoder whose output is discarded, for a type whose encoding turns out not to fit the caller.
    package static func discardingEncoder(maximumDepth: Int) -> any Encoder {
        NodeEncoder(EncodingPlace(limit: EncodingLimit(maximumDepth)))
    }
}

extension BridgeError {
    /// Creates an error from an `EncodingError`, with its coding path as a path from `data`.
    package init(encoding error: EncodingError) {
        let context: EncodingError.Context =
            switch error {
            case .invalidValue(_, let context): context
            @unknown default: .init(codingPath: [], debugDescription: "it cannot be encoded")
            }
        let place = context.codingPath.reduce("data") { $0 + $1.step }
        self.init(.encodeFailed, "\(place): \(context.debugDescription)")
        underlyingError = error
    }
}
