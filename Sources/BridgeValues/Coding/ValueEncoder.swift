internal import Foundation

/// Turns `Encodable` types into ``Value``.
///
/// `nil` of an optional member is left out, as the compiler's own coding does; a top-level `nil` is `null`.
/// `Date`, `Data` and ``Value`` cross as what they are, `Decimal` and `URL` as text, integers exactly: beyond
/// 2^53 as a `BigInt`.
public struct ValueEncoder: Sendable {
    /// How deep a value may nest; more than 10,000 counts as 10,000.
    ///
    /// Stops a value that holds others of its type from exhausting the native stack.
    public var maximumDepth: Int

    /// Makes an encoder.
    public init(maximumDepth: Int = BridgeLimits().maximumDepth) { self.maximumDepth = maximumDepth }

    /// Encodes a value.
    ///
    /// - Throws: ``BridgeError`` with the code `encodeFailed` that names the place, where the type's own coding throws an
    ///   `EncodingError`; `limitExceeded` for a value that nests too deep; what the type throws else.
    public func encode(_ value: some Encodable) throws -> Value {
        do {
            return try Self.value(of: value, maximumDepth: maximumDepth)
        } catch let error as EncodingError {
            throw BridgeError(encoding: error)
        }
    }

    /// The data of a value.
    package static func value(of value: some Encodable, maximumDepth: Int) throws -> Value {
        try self.value(of: value, at: EncodingPlace(limit: EncodingLimit(maximumDepth)))
    }

    /// The data of a value, as a part of something larger.
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
        case let decimal as Decimal: return .string(decimal.description)
        default:
            let encoder = NodeEncoder(place)
            if place.isTooDeep { place.limit.isExceeded = true }
            try place.limit.check()
            try value.encode(to: encoder)
            // A container that is too deep cannot throw when it is asked for.
            try place.limit.check()
            return encoder.node.value ?? .object([:])
        }
    }
}

/// How deep what is being encoded may nest, and whether something did nest deeper: a type that catches that error cannot
/// make it undone.
private final class EncodingLimit {
    let maximumDepth: Int
    var isExceeded = false

    init(_ maximumDepth: Int) { self.maximumDepth = min(maximumDepth, Value.maximumDepth) }

    func check() throws(BridgeError) {
        guard isExceeded else { return }
        let text = "a payload may nest \(maximumDepth) levels deep, this one goes deeper"
        throw BridgeError(.limitExceeded, text)
    }
}

/// Where a value stands in what is being encoded.
private struct EncodingPlace {
    let limit: EncodingLimit
    /// A step for each container that it is in.
    private(set) var path: [any CodingKey] = []
    /// How many values it is the whole content of: these have no step, and the native stack all the same.
    private var wrappers = 0

    init(limit: EncodingLimit) { self.limit = limit }

    /// Each level may have a wrapper, as optionals and raw values are.
    var isTooDeep: Bool {
        path.count > limit.maximumDepth || wrappers > limit.maximumDepth
    }

    /// Notes that the value here is a container, which is a level itself.
    func noteContainer() { if path.count >= limit.maximumDepth { limit.isExceeded = true } }

    func member(_ key: any CodingKey) -> EncodingPlace {
        var place = self
        place.path.append(key)
        return place
    }

    /// The place of what a value has instead of containers.
    var inside: EncodingPlace {
        var place = self
        place.wrappers += 1
        return place
    }
}

/// A value that is being encoded: containers are written to through references, and read when all is done.
private final class Node {
    private enum Content {
        case nothing
        case leaf(Value)
        case array([Node])
        // Finished members stand in the object; one that is still written to has its place there, and its
        // node beside it.
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

    // The common types without the casts and the path that any type needs.
    func encode(_ value: Bool, forKey key: Key) { node.set(.bool(value), for: key.stringValue) }
    func encode(_ value: String, forKey key: Key) { node.set(.string(value), for: key.stringValue) }
    func encode(_ value: Double, forKey key: Key) { node.set(.number(value), for: key.stringValue) }
    func encode(_ value: Int, forKey key: Key) { node.set(.integer(Int64(value)), for: key.stringValue) }
    // The library's own way for these two refuses them in containers.
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
        // What is too deep leads nowhere, so that nothing grows deeper.
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

/// A key of this package's own coders, which knows whether it is the place of an element in a list.
///
/// A dictionary's key "1" has a number as well, and is no place.
package protocol PlaceKey: CodingKey {
    /// The place in a list; `nil` for the key of a member.
    var place: Int? { get }
}

extension CodingKey {
    /// The key as a step of a path in messages: `[1]` for the place in a list, `.name` for a member.
    package var step: String {
        (self as? any PlaceKey)?.place.map { "[\($0)]" } ?? ".\(stringValue)"
    }
}

/// The step to what a class writes of the one that it inherits from.
private struct SuperKey: CodingKey {
    let stringValue = "super"
    var intValue: Int? { nil }

    init() {}
    init?(intValue: Int) { return nil }
    init?(stringValue: String) { return nil }
}

/// The place of an element in a list, for coding paths.
struct IndexKey: PlaceKey {
    var place: Int? { intValue }
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { return nil }
}

extension ValueEncoder {
    /// An encoder whose result nobody reads, for a type that turns out to give what the caller cannot take.
    package static func discardingEncoder(maximumDepth: Int) -> any Encoder {
        NodeEncoder(EncodingPlace(limit: EncodingLimit(maximumDepth)))
    }
}

extension BridgeError {
    /// Makes the error of what an `EncodingError` says, with the place as a path from `data`.
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
