internal import BridgeValues
internal import CJavaScriptCore

/// A codec of optionals: `null`, `undefined` and an absent member are nil.
final class OptionalCodec<Wrapped>: TypedCodec<Wrapped?> {
    private let wrapped: Codec

    init(_ wrapped: Codec) {
        self.wrapped = wrapped
        super.init(in: wrapped.context)
    }

    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        guard !context.scalars.isNil(value) else {
            memory.initializeMemory(as: Wrapped?.self, to: nil)
            return
        }
        try withUnsafeTemporaryAllocation(of: Wrapped.self, capacity: 1) { buffer in
            guard let start = buffer.baseAddress else { return }
            try wrapped.decode(value, into: UnsafeMutableRawPointer(start))
            memory.initializeMemory(as: Wrapped?.self, to: start.move())
        }
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        guard let value = memory.assumingMemoryBound(to: Wrapped?.self).pointee else {
            try writer.count()
            return writer.put(ValueSlab.Tag.null)
        }
        try withUnsafePointer(to: value) { try wrapped.encode(UnsafeRawPointer($0), into: writer) }
    }

    override func encodeScalar(_ memory: UnsafeRawPointer) throws -> EncodedValue {
        guard let value = memory.assumingMemoryBound(to: Wrapped?.self).pointee else {
            return EncodedValue(JSValueMakeNull(context.ref))
        }
        return try withUnsafePointer(to: value) { try wrapped.encodeScalar(UnsafeRawPointer($0)) }
    }

    override var isScalar: Bool { wrapped.isScalar }
    override var isOptional: Bool { true }
    override var isSecret: Bool { wrapped.isSecret }

    /// Returns whether the value in memory is nil.
    override func isAbsent(_ memory: UnsafeRawPointer) -> Bool {
        memory.assumingMemoryBound(to: Wrapped?.self).pointee == nil
    }
}
