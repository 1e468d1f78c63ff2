internal import BridgeValues

/// The unkeyed container of an array that is written to a JSON text.
struct JSONUnkeyedWriter: UnkeyedEncodingContainer {
    let sink: JSONSink
    let slot: UInt32
    let level: UInt32

    var codingPath: [any CodingKey] { sink.path(to: Int(level)) }
    var count: Int {
        let level = Int(level)
        return level < sink.frames.count && sink.frames[level].slot == slot
            ? Int(sink.frames[level].count) : 0
    }

    @inline(__always)
    private func begin() throws -> Bool {
        guard try sink.focus(Int(level), slot: slot) else { return false }
        try sink.beginElement()
        return true
    }

    func encodeNil() throws {
        guard try begin() else { return }
        try sink.writeNull()
    }

    func encode(_ value: some Encodable) throws {
        guard try sink.focus(Int(level), slot: slot) else { return }
        let mark = sink.mark
        do {
            try sink.beginElement()
            try sink.encode(value)
        } catch {
            sink.fail(error)
            sink.rewind(to: mark)
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<
        NestedKey
    > {
        nested().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> JSONSinkEncoder {
        var nestedSlot: UInt32 = 0
        sink.attempt { () throws in
            guard try sink.focus(Int(level), slot: slot) else { return }
            try sink.beginElement()
            nestedSlot = sink.announce()
        }
        return JSONSinkEncoder(sink: sink, slot: nestedSlot, level: level + 1)
    }

    func encode(_ value: Bool) throws {
        guard try begin() else { return }
        try sink.write(bool: value)
    }
    func encode(_ value: String) throws {
        guard try begin() else { return }
        try sink.encode(text: value)
    }
    func encode(_ value: Double) throws {
        guard try begin() else { return }
        try sink.write(double: value)
    }
    func encode(_ value: Float) throws {
        guard try begin() else { return }
        try sink.write(double: Double(value))
    }
    func encode(_ value: Int) throws {
        guard try begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int8) throws {
        guard try begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int16) throws {
        guard try begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int32) throws {
        guard try begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int64) throws {
        guard try begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt8) throws {
        guard try begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt16) throws {
        guard try begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: UInt32) throws {
        guard try begin() else { return }
        try sink.write(integer: Int64(value))
    }
    func encode(_ value: Int128) throws {
        guard try begin() else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt) throws {
        guard try begin() else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt64) throws {
        guard try begin() else { return }
        try sink.write(exactly: value)
    }
    func encode(_ value: UInt128) throws {
        guard try begin() else { return }
        try sink.write(exactly: value)
    }
}
