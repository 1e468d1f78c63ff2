internal import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Returns whether a value is left out of data, and nil where it cannot be left out: a symbol, or a function that
    /// does not cross by reference.
    func leavesOut(_ value: EncodedValue) -> Bool {
        JSValueIsSymbol(ref, value.ref) || value.isFunction(in: self) && !readsReferences
    }
}

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
            do {
                try wrapped.decode(value, into: UnsafeMutableRawPointer(start))
            } catch  where context.leavesOut(value) {
                memory.initializeMemory(as: Wrapped?.self, to: nil)
                return
            }
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
    override var readsKeys: Bool { wrapped.readsKeys }
    override var isSecret: Bool { wrapped.isSecret }

    /// Returns whether the value in memory is nil.
    override func isAbsent(_ memory: UnsafeRawPointer) -> Bool {
        memory.assumingMemoryBound(to: Wrapped?.self).pointee == nil
    }
}
