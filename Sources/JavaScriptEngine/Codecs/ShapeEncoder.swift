internal import BridgeValues

/// Writes the members that a type gives, and finds the shape that they are of.
final class ShapeEncoder: Encoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    unowned(unsafe) let context: JSContext
    fileprivate let state: UnsafeMutablePointer<State>
    private var tagCell = 0
    private var isKeyed = false

    /// What changes with every member, behind a pointer for the reasons of ``SlabWriter``.
    fileprivate struct State {
        let writer: SlabWriter
        let root: ShapeNode
        var node: ShapeNode
        /// Whether the type gave something else than members, or too many kinds of them.
        var hasFailed = false
        /// Whether the call is over for which the encoder was made; a type may keep it, but not use it.
        var isOver = false

        @inline(__always)
        mutating func advance(_ name: String, _ cell: ShapeCell) throws {
            guard !isOver else {
                throw BridgeError(.encodeFailed, "an encoder was used after what it encoded was done")
            }
            try writer.count()
            if let next = node.after(name, cell, root: root) { node = next } else { hasFailed = true }
        }
    }

    init(_ root: ShapeNode, in context: JSContext) {
        self.context = context
        state = .allocate(capacity: 1)
        state.initialize(to: State(writer: context.slab.writer, root: root, node: root))
    }

    deinit { state.deallocate() }

    /// Ends the value, for good where somebody has kept the encoder.
    func end(isKept: Bool) { state.pointee.isOver = isKept }

    func begin() {
        state.pointee.node = state.pointee.root
        state.pointee.hasFailed = false
        isKeyed = false
        tagCell = state.pointee.writer.used
        state.pointee.writer.put(0)
    }

    /// Notes the shape in its cell; false where there is none.
    func finish() throws -> Bool {
        guard isKeyed, !state.pointee.hasFailed else { return false }
        let node = state.pointee.node
        if node.shape == 0 { node.shape = try context.addShape(ShapeSource.builder(of: node.members)) }
        state.pointee.writer.replace(tagCell, by: node.shape)
        return true
    }

    func fail() -> any Encoder {
        state.pointee.hasFailed = true
        return ValueEncoder.discardingEncoder()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        isKeyed = true
        return KeyedEncodingContainer(ShapeContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { fail().unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { fail().singleValueContainer() }
}

private struct ShapeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ShapeEncoder
    fileprivate let state: UnsafeMutablePointer<ShapeEncoder.State>

    fileprivate init(encoder: ShapeEncoder) {
        self.encoder = encoder
        state = encoder.state
    }

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws {
        try state.pointee.advance(key.stringValue, .tagged)
        state.pointee.writer.put(ValueSlab.Tag.null)
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try state.pointee.advance(key.stringValue, .bool)
        state.pointee.writer.put(value ? 1 : 0)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try state.pointee.advance(key.stringValue, .text)
        state.pointee.writer.put(text: value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try state.pointee.advance(key.stringValue, .number)
        state.pointee.writer.put(value)
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
            try state.pointee.advance(key.stringValue, .number)
            state.pointee.writer.put(safe)
        } else {
            try state.pointee.advance(key.stringValue, .tagged)
            value.write(into: state.pointee.writer)
        }
    }

    func encode<Member: Encodable>(_ value: Member, forKey key: Key) throws {
        let mark = state.pointee.writer.mark
        let node = state.pointee.node
        try state.pointee.advance(key.stringValue, .tagged)
        let codec = encoder.context.codecs.codec(for: Member.self)
        do {
            try withUnsafePointer(to: value) {
                try codec.encode(UnsafeRawPointer($0), into: state.pointee.writer)
            }
        } catch {
            // The type may go on without this member.
            state.pointee.writer.rewind(to: mark)
            state.pointee.node = node
            throw error
        }
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
