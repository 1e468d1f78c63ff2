internal import BridgeValues

/// A keyed container that encodes the members of an object.
struct KeyedShapeEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let mark: CoderGeneration.Pointer
    private let number: UInt
    private let state: UnsafeMutablePointer<ShapeInProgress.State>

    /// Creates a container for the value that has begun, and for later ones.
    ///
    /// The number 0 is never open.
    init(
        _ mark: CoderGeneration.Pointer,
        _ number: UInt,
        _ state: UnsafeMutablePointer<ShapeInProgress.State>
    ) {
        self.mark = mark
        self.number = number
        self.state = state
    }

    private func checkOpen() throws {
        guard CoderGeneration.isOpen(mark, containers: number) else { throw ShapeInProgress.overError }
    }

    @inline(__always)
    private func advance(_ name: String, _ cell: ShapeCell) throws {
        try checkOpen()
        try state.pointee.advance(name, cell)
    }

    /// Gives up the shape.
    ///
    /// Returns an encoder whose result is discarded.
    private func fail() -> any Encoder {
        if CoderGeneration.isOpen(mark, containers: number) { state.pointee.hasFailed = true }
        return state.pointee.discardingEncoder
    }

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws {
        try advance(key.stringValue, .tagged)
        state.pointee.writer.put(ValueSlab.Tag.null)
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try advance(key.stringValue, .bool)
        state.pointee.writer.put(value ? 1 : 0)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try advance(key.stringValue, .text)
        try state.pointee.writer.put(text: value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try advance(key.stringValue, .number)
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
    func encode(_ value: Int128, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try encodeInteger(value, key) }

    @inline(__always)
    private func encodeInteger(_ value: some IntegerScalar, _ key: Key) throws {
        if let safe = value.safe {
            try advance(key.stringValue, .number)
            state.pointee.writer.put(safe)
        } else {
            try advance(key.stringValue, .tagged)
            try value.write(into: state.pointee.writer)
        }
    }

    func encode<Member: Encodable>(_ value: Member, forKey key: Key) throws {
        try checkOpen()
        let start = state.pointee.writer.mark
        let node = state.pointee.node
        try advance(key.stringValue, .tagged)
        let codec = state.pointee.context.codecs.codec(for: Member.self)
        if codec.isSecret { SecretMembers.shared.note(key.stringValue) }
        // The member's cells must be contiguous: nothing else of this value may be written until it ends.
        CoderGeneration.end(mark)
        defer { CoderGeneration.resume(mark) }
        do {
            try withUnsafePointer(to: value) {
                try codec.encode(UnsafeRawPointer($0), into: state.pointee.writer)
            }
        } catch {
            // The type may continue without this member.
            state.pointee.writer.rewind(to: start)
            state.pointee.node = node
            throw (error as? EncodingError)?.prefixed(by: MemberKey(key.stringValue)) ?? error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        fail().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        fail().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { fail() }

    func superEncoder(forKey key: Key) -> any Encoder { fail() }
}
