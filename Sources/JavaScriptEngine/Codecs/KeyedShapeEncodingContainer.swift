internal import BridgeValues

/// A keyed container that encodes the members of an object.
struct KeyedShapeEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let mark: CoderGeneration.Pointer
    private let number: UInt
    private let state: UnsafeMutablePointer<ShapeInProgress.State>
    /// The number of the nested object whose members this container encodes; 0 for those of the value itself.
    private let object: Int

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
        object = 0
    }

    /// Creates a container for the nested object that has begun, which is open for the present value only.
    init(nestedIn mark: CoderGeneration.Pointer, _ state: UnsafeMutablePointer<ShapeInProgress.State>) {
        self.mark = mark
        number = mark.pointee.value
        self.state = state
        object = state.pointee.nested
    }

    @inline(__always)
    private var isOpen: Bool {
        object == 0
            ? CoderGeneration.isOpen(mark, containers: number) : CoderGeneration.isOpen(mark, value: number)
    }

    private func checkOpen() throws { guard isOpen else { throw ShapeInProgress.overError } }

    @inline(__always)
    private func advance(_ name: String, _ cell: ShapeCell) throws {
        try checkOpen()
        try state.pointee.advance(name, cell, of: object)
    }

    /// Gives up the shape.
    ///
    /// Returns an encoder whose result is discarded.
    private func fail() -> any Encoder {
        if isOpen { state.pointee.hasFailed = true }
        return state.pointee.discardingEncoder
    }

    var codingPath: [any CodingKey] {
        guard object != 0, isOpen, state.pointee.nested == object else { return [] }
        return state.pointee.node.openName.map { [MemberKey($0)] } ?? []
    }

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
        try state.pointee.writer.checkDepth()
        if object != state.pointee.nested { try state.pointee.reopen(object) }
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
            guard let error = error as? EncodingError else { throw error }
            let placed = error.prefixed(by: MemberKey(key.stringValue))
            throw node.openName.map { placed.prefixed(by: MemberKey($0)) } ?? placed
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        // Only the coding in steps has objects in nested ones.
        guard object == 0, isOpen, (try? state.pointee.beginNested(key.stringValue)) != nil else {
            return fail().container(keyedBy: keyType)
        }
        return KeyedEncodingContainer(KeyedShapeEncodingContainer<NestedKey>(nestedIn: mark, state))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        fail().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { fail() }

    func superEncoder(forKey key: Key) -> any Encoder { fail() }
}
