internal import BridgeValues

/// The keyed container of an object that is written to a JSON text.
struct JSONKeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sink: JSONSink
    let slot: UInt32
    let level: UInt32

    var codingPath: [any CodingKey] { sink.path(to: Int(level)) }

    /// Writes the key; returns whether the container can still be written to.
    @inline(__always)
    private func begin(_ key: Key) throws -> Bool {
        guard try sink.focus(Int(level), slot: slot) else { return false }
        try sink.beginMember(key.stringValue)
        return true
    }

    func encodeNil(forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.writeNull()
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        guard !sink.isUndefined(value), try sink.focus(Int(level), slot: slot) else { return }
        let mark = sink.mark
        do {
            try sink.beginMember(key.stringValue)
            try sink.encode(value)
        } catch {
            sink.fail(error)
            sink.rewind(to: mark)
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key.stringValue).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested("super") }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

    private func nested(_ key: String) -> JSONSinkEncoder {
        var nestedSlot: UInt32 = 0
        sink.attempt { () throws in
            guard try sink.focus(Int(level), slot: slot) else { return }
            try sink.beginMember(key)
            nestedSlot = sink.announce()
        }
        return JSONSinkEncoder(sink: sink, slot: nestedSlot, level: level + 1)
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(bool: value)
    }
    func encode(_ value: String, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.encode(text: value)
    }
    func encode(_ value: Double, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(double: value)
    }
    func encode(_ value: Float, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(double: Double(value))
    }
    func encode(_ value: Int, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int8, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int16, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int32, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int64, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt8, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt16, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt32, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int128, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt64, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt128, forKey key: Key) throws {
        guard try begin(key) else { return }
        try sink.write(exactly: value)
    }
}
