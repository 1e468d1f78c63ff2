internal import BridgeValues

/// What a type has given after some members: the next ones that there were, and the shape that ends here.
final class ShapeNode {
    let name: String
    let cell: ShapeCell
    unowned(unsafe) let before: ShapeNode?
    private(set) var following: [ShapeNode] = []
    var shape: Double?
    /// How many nodes there are, at the first of them.
    private var count = 0
    // More orders and kinds than this are no shapes but data.
    private static let maximum = 512

    init() {
        name = ""
        cell = .tagged
        before = nil
    }

    private init(_ name: String, _ cell: ShapeCell, after before: ShapeNode) {
        self.name = name
        self.cell = cell
        self.before = before
    }

    /// The node of a member after this one; `nil` where there are too many already.
    @inline(__always)
    func node(_ name: String, _ cell: ShapeCell, first: ShapeNode) -> ShapeNode? {
        if let next = following.first, next.cell == cell, next.name == name { return next }
        return otherNode(name, cell, first: first)
    }

    private func otherNode(_ name: String, _ cell: ShapeCell, first: ShapeNode) -> ShapeNode? {
        if let known = following.first(where: { $0.cell == cell && $0.name == name }) { return known }
        guard first.count < Self.maximum else { return nil }
        first.count += 1
        let new = ShapeNode(name, cell, after: self)
        following.append(new)
        return new
    }

    /// The members on the way here.
    var members: [(name: String, cell: ShapeCell)] {
        var result: [(name: String, cell: ShapeCell)] = []
        var node = self
        while let before = node.before {
            result.append((node.name, node.cell))
            node = before
        }
        return result.reversed()
    }
}

/// Writes the members that a type gives, and finds the shape that they are of.
final class ShapeEncoder: Encoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    unowned(unsafe) let context: JSContext
    private var first = ShapeNode()
    private var node = ShapeNode()
    private(set) var writer: SlabWriter
    private var tagCell = 0
    /// The container that was asked for last: to make one costs more than to write to it.
    private var container: (key: ObjectIdentifier, container: AnyObject)?
    private var isKeyed = false
    /// Whether the type gave something else than members, or too many kinds of them.
    private(set) var hasFailed = false

    init(in context: JSContext) {
        self.context = context
        writer = context.slab.writer
    }

    func begin(_ first: ShapeNode, writer: SlabWriter) {
        self.first = first
        self.writer = writer
        node = first
        hasFailed = false
        isKeyed = false
        tagCell = writer.used
        writer.put(0)
    }

    func end() { node = first }

    /// Notes the shape in its cell; false where there is none.
    func finish() throws -> Bool {
        guard isKeyed, !hasFailed else { return false }
        if node.shape == nil { node.shape = try context.addShape(ShapeSource.builder(of: node.members)) }
        guard let shape = node.shape else { return false }
        writer.replace(tagCell, by: shape)
        return true
    }

    @inline(__always)
    func advance(_ name: String, _ cell: ShapeCell) throws {
        try writer.count()
        guard let next = node.node(name, cell, first: first) else {
            hasFailed = true
            return
        }
        node = next
    }

    func fail() -> any Encoder {
        hasFailed = true
        return ValueEncoder.discardingEncoder()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        isKeyed = true
        if let container, container.key == ObjectIdentifier(type) {
            return unsafeBitCast(container.container, to: KeyedEncodingContainer<Key>.self)
        }
        let new = KeyedEncodingContainer(ShapeContainer<Key>(encoder: self))
        // A container is one reference to a box; where it were not, it would be made each time.
        if MemoryLayout<KeyedEncodingContainer<Key>>.size == MemoryLayout<AnyObject>.size {
            container = (ObjectIdentifier(type), unsafeBitCast(new, to: AnyObject.self))
        }
        return new
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { fail().unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { fail().singleValueContainer() }
}

private struct ShapeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    // The encoder keeps the container, and is kept by who called the type.
    unowned(unsafe) let encoder: ShapeEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws {
        try encoder.advance(key.stringValue, .tagged)
        encoder.writer.put(ValueSlab.Tag.null)
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try encoder.advance(key.stringValue, .bool)
        encoder.writer.put(value ? 1 : 0)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try encoder.advance(key.stringValue, .text)
        encoder.writer.put(text: value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try encoder.advance(key.stringValue, .number)
        encoder.writer.put(value)
    }

    func encode(_ value: Float, forKey key: Key) throws { try encode(Double(value), forKey: key) }
    func encode(_ value: Int, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try encodeInteger(value, key) }

    @inline(__always)
    private func encodeInteger(_ value: some IntegerLeaf, _ key: Key) throws {
        if let safe = value.safe {
            try encoder.advance(key.stringValue, .number)
            encoder.writer.put(safe)
        } else {
            try encoder.advance(key.stringValue, .tagged)
            value.write(into: encoder.writer)
        }
    }

    func encode<Member: Encodable>(_ value: Member, forKey key: Key) throws {
        try encoder.advance(key.stringValue, .tagged)
        let codec = encoder.context.codecs.codec(for: Member.self)
        try withUnsafePointer(to: value) { try codec.encode(UnsafeRawPointer($0), into: encoder.writer) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.fail().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.fail().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.fail() }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.fail() }
}
