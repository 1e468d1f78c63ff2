internal import BridgeValues

/// A container that encodes a value without members, such as the raw value of an enumeration.
struct SingleShapeEncodingContainer: SingleValueEncodingContainer {
    private let mark: CoderGeneration.Pointer
    private let number: UInt
    private let state: UnsafeMutablePointer<ShapeInProgress.State>

    /// Creates a container for the value that has begun.
    init(
        _ mark: CoderGeneration.Pointer,
        _ number: UInt,
        _ state: UnsafeMutablePointer<ShapeInProgress.State>
    ) {
        self.mark = mark
        self.number = number
        self.state = state
    }

    private func begin() throws {
        guard CoderGeneration.isOpen(mark, value: number) else { throw ShapeInProgress.overError }
        state.pointee.beginSingle()
    }

    @inline(__always)
    private func encodeScalar(_ value: some ScalarMember) throws {
        try begin()
        try value.write(into: state.pointee.writer)
    }

    var codingPath: [any CodingKey] { [] }

    func encodeNil() throws {
        try begin()
        state.pointee.writer.put(ValueSlab.Tag.null)
    }

    func encode(_ value: Bool) throws { try encodeScalar(value) }
    func encode(_ value: String) throws { try encodeScalar(value) }
    func encode(_ value: Double) throws { try encodeScalar(value) }
    func encode(_ value: Float) throws { try encodeScalar(value) }
    func encode(_ value: Int) throws { try encodeScalar(value) }
    func encode(_ value: Int8) throws { try encodeScalar(value) }
    func encode(_ value: Int16) throws { try encodeScalar(value) }
    func encode(_ value: Int32) throws { try encodeScalar(value) }
    func encode(_ value: Int64) throws { try encodeScalar(value) }
    func encode(_ value: UInt) throws { try encodeScalar(value) }
    func encode(_ value: UInt8) throws { try encodeScalar(value) }
    func encode(_ value: UInt16) throws { try encodeScalar(value) }
    func encode(_ value: UInt32) throws { try encodeScalar(value) }
    func encode(_ value: UInt64) throws { try encodeScalar(value) }
    func encode(_ value: Int128) throws { try encodeScalar(value) }
    func encode(_ value: UInt128) throws { try encodeScalar(value) }

    func encode<Content: Encodable>(_ value: Content) throws {
        try begin()
        let codec = state.pointee.context.codecs.codec(for: Content.self)
        let writer = state.pointee.writer
        // The content counts itself, and is the same value.
        try writer.count(-1)
        CoderGeneration.end(mark)
        defer { CoderGeneration.resume(mark) }
        try writer.wrapping {
            try withUnsafePointer(to: value) { try codec.encode(UnsafeRawPointer($0), into: writer) }
        }
    }
}
