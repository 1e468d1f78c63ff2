internal import BridgeValues
internal import Foundation

/// A scalar type: its values are numbers, strings or booleans of the engine.
protocol Leaf {
    /// Reads a value of the engine.
    ///
    /// Returns `nil` if it is not the common case; other ways may still read it.
    static func read(_ value: EncodedValue, in lane: Lane) -> Self?

    /// Encodes the value.
    ///
    /// Returns `nil` if it has to be written to the slab.
    func encoded(in lane: Lane) -> EncodedValue?

    /// Writes the value with its tag.
    ///
    /// - Throws: ``BridgeError`` if the payload becomes too large.
    func write(into writer: SlabWriter) throws
}

final class LeafCodec<Subject: Leaf>: TypedCodec<Subject> {
    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let result =
            try Subject.read(value, in: lane) ?? context.decodeInSteps(Subject.self, value)
        memory.initializeMemory(as: Subject.self, to: result)
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        try writer.count()
        try memory.assumingMemoryBound(to: Subject.self).pointee.write(into: writer)
    }

    override func encodeLeaf(_ memory: UnsafeRawPointer) throws -> EncodedValue {
        let subject = memory.assumingMemoryBound(to: Subject.self).pointee
        if let encoded = subject.encoded(in: lane) { return encoded }
        let text = try context.writing { try subject.write(into: $0) }
        return EncodedValue(try context.call(context.script.build, [text.ref]))
    }

    override var isLeaf: Bool { true }
}

extension Double: Leaf {
    static func read(_ value: EncodedValue, in lane: Lane) -> Double? { lane.number(of: value) }
    func encoded(in lane: Lane) -> EncodedValue? { lane.encode(self) }
    func write(into writer: SlabWriter) { writer.put(ValueSlab.Tag.number, self) }
}

extension Float: Leaf {
    static func read(_ value: EncodedValue, in lane: Lane) -> Float? {
        guard let number = lane.number(of: value) else { return nil }
        let result = Float(number)
        return result.isInfinite == number.isInfinite ? result : nil
    }
    func encoded(in lane: Lane) -> EncodedValue? { lane.encode(Double(self)) }
    func write(into writer: SlabWriter) { writer.put(ValueSlab.Tag.number, Double(self)) }
}

extension Bool: Leaf {
    static func read(_ value: EncodedValue, in lane: Lane) -> Bool? { lane.bool(of: value) }
    func encoded(in lane: Lane) -> EncodedValue? { lane.encode(self) }
    func write(into writer: SlabWriter) { writer.put(self ? ValueSlab.Tag.true : ValueSlab.Tag.false) }
}

extension String: Leaf {
    static func read(_ value: EncodedValue, in lane: Lane) -> String? { lane.string(of: value) }
    func encoded(in lane: Lane) -> EncodedValue? { lane.encode(self) }
    func write(into writer: SlabWriter) throws {
        writer.put(ValueSlab.Tag.string)
        try writer.put(text: self)
    }
}

/// An integer type.
///
/// Values beyond 2^53 - 1 cross the boundary as `BigInt` and are never rounded.
protocol IntegerLeaf: Leaf, FixedWidthInteger {}

extension IntegerLeaf {
    static func read(_ value: EncodedValue, in lane: Lane) -> Self? {
        lane.wholeNumber(of: value).flatMap { Self(exactly: $0) }
    }

    /// The number as a `Double`, if that is exact.
    var safe: Double? {
        guard let small = Int64(exactly: self), small.magnitude <= UInt64(Value.maximumSafeInteger) else {
            return nil
        }
        return Double(small)
    }

    func encoded(in lane: Lane) -> EncodedValue? { safe.map { lane.encode($0) } }

    func write(into writer: SlabWriter) throws {
        if let safe {
            writer.put(ValueSlab.Tag.number, safe)
        } else {
            writer.put(ValueSlab.Tag.bigInt)
            try writer.put(text: String(self))
        }
    }
}

extension Int: IntegerLeaf {}
extension Int8: IntegerLeaf {}
extension Int16: IntegerLeaf {}
extension Int32: IntegerLeaf {}
extension Int64: IntegerLeaf {}
extension UInt: IntegerLeaf {}
extension UInt8: IntegerLeaf {}
extension UInt16: IntegerLeaf {}
extension UInt32: IntegerLeaf {}
extension UInt64: IntegerLeaf {}
extension Int128: IntegerLeaf {}
extension UInt128: IntegerLeaf {}
