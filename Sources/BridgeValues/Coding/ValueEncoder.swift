internal import Foundation

/// Turns `Encodable` types into ``Value``.
///
/// `nil` of an optional member is left out, as the compiler's own coding does; a top-level `nil` is `null`.
/// `Date`, `Data` and ``Value`` cross as what they are, `Decimal` and `URL` as text, integers exactly: beyond
/// 2^53 as a `BigInt`.
public struct ValueEncoder: Sendable {
    /// How deep a value may nest.
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

    /// The data of a value, as a part of something larger.
    package static func value(
        of value: some Encodable,
        path: [any CodingKey] = [],
        maximumDepth: Int
    ) throws -> Value {
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
            // Each container that it is in has its step in the path.
            guard path.count <= maximumDepth else {
                throw BridgeError(
                    .limitExceeded,
                    "a payload may nest \(maximumDepth) levels deep, this one goes deeper"
                )
            }
            let encoder = NodeEncoder(codingPath: path, maximumDepth: maximumDepth)
            try value.encode(to: encoder)
            return encoder.node.value ?? .object([:])
        }
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
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let maximumDepth: Int

    init(node: Node = Node(), codingPath: [any CodingKey], maximumDepth: Int) {
        self.node = node
        self.codingPath = codingPath
        self.maximumDepth = maximumDepth
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(
            KeyedContainer(node: node, codingPath: codingPath, maximumDepth: maximumDepth)
        )
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return UnkeyedContainer(node: node, codingPath: codingPath, maximumDepth: maximumDepth)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleContainer(node: node, codingPath: codingPath, maximumDepth: maximumDepth)
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
    let codingPath: [any CodingKey]
    let maximumDepth: Int

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
        let encoded = try ValueEncoder.value(of: value, path: codingPath + [key], maximumDepth: maximumDepth)
        node.set(encoded, for: key.stringValue)
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

    func superEncoder() -> any Encoder {
        NodeEncoder(node: node.member("super"), codingPath: codingPath, maximumDepth: maximumDepth)
    }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: Key) -> NodeEncoder {
        NodeEncoder(
            node: node.member(key.stringValue),
            codingPath: codingPath + [key],
            maximumDepth: maximumDepth
        )
    }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]
    let maximumDepth: Int

    var count: Int { node.count }

    func encodeNil() { node.append(Node(.null)) }

    func encode(_ value: Int128) throws { node.append(Node(try value.exactValue(path: codingPath))) }
    func encode(_ value: UInt128) throws { node.append(Node(try value.exactValue(path: codingPath))) }

    func encode(_ value: some Encodable) throws {
        let path = codingPath + [IndexKey(count)]
        node.append(Node(try ValueEncoder.value(of: value, path: path, maximumDepth: maximumDepth)))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<
        NestedKey
    > {
        nested().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    private func nested() -> NodeEncoder {
        let encoder = NodeEncoder(codingPath: codingPath + [IndexKey(count)], maximumDepth: maximumDepth)
        node.append(encoder.node)
        return encoder
    }
}

private struct SingleContainer: SingleValueEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]
    let maximumDepth: Int

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
        node.set(try ValueEncoder.value(of: value, path: codingPath, maximumDepth: maximumDepth))
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
    package static func discardingEncoder() -> any Encoder { NodeEncoder(codingPath: [], maximumDepth: .max) }
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
