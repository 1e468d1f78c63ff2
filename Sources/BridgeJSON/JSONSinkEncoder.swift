internal import BridgeValues

/// The encoder of one value of a JSON text.
///
/// It has at most three words, so that creating one allocates nothing.
struct JSONSinkEncoder: Encoder {
    let sink: JSONSink
    let slot: UInt32
    /// The number of containers around the value.
    let level: UInt32

    var codingPath: [any CodingKey] { sink.path(to: Int(level)) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        sink.begin(isObject: true, slot: slot, level: Int(level))
        return KeyedEncodingContainer(JSONKeyedWriter(sink: sink, slot: slot, level: level))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        sink.begin(isObject: false, slot: slot, level: Int(level))
        return JSONUnkeyedWriter(sink: sink, slot: slot, level: level)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONSinkEncoder: SingleValueEncodingContainer {
    private func begin() -> Bool {
        guard !sink.isIrregular, sink.pendingSlot == slot, sink.frames.count == Int(level) else {
            sink.isIrregular = true
            return false
        }
        sink.pendingSlot = 0
        return true
    }

    func encodeNil() throws {
        guard begin() else { return }
        try sink.writeNull()
    }

    func encode(_ value: some Encodable) throws {
        // A member that is `undefined` must be detected before its key is written.
        guard !sink.isUndefined(value) else {
            sink.isIrregular = true
            return
        }
        guard begin() else { return }
        try sink.encode(content: value)
    }

    func encode(_ value: Bool) throws {
        guard begin() else { return }
        try sink.write(bool: value)
    }
    func encode(_ value: String) throws {
        guard begin() else { return }
        try sink.encode(text: value)
    }
    func encode(_ value: Double) throws {
        guard begin() else { return }
        try sink.write(double: value)
    }
    func encode(_ value: Float) throws {
        guard begin() else { return }
        try sink.write(double: Double(value))
    }
    func encode(_ value: Int) throws {
        guard begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int8) throws {
        guard begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int16) throws {
        guard begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int32) throws {
        guard begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int64) throws {
        guard begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt8) throws {
        guard begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt16) throws {
        guard begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt32) throws {
        guard begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int128) throws {
        guard begin() else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt) throws {
        guard begin() else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt64) throws {
        guard begin() else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt128) throws {
        guard begin() else { return }
        try sink.write(exactly: value)
    }
}
