internal import BridgeValues
internal import Foundation

/// A scalar type: its values are numbers, strings or booleans of the engine.
protocol ScalarMember {
    /// Reads a value of the engine.
    ///
    /// Returns `nil` if it is not the common case; other ways may still read it.
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> Self?

    /// Encodes the value.
    ///
    /// Returns `nil` if it has to be written to the slab.
    func encoded(in scalars: ScalarConverter) -> EncodedValue?

    /// Writes the value with its tag.
    ///
    /// - Throws: ``BridgeError`` if the payload becomes too large.
    func write(into writer: SlabWriter) throws
}

final class ScalarCodec<Subject: ScalarMember>: TypedCodec<Subject> {
    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let result =
            try Subject.read(value, in: scalars) ?? context.decodeInSteps(Subject.self, value)
        memory.initializeMemory(as: Subject.self, to: result)
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        try writer.count()
        try memory.assumingMemoryBound(to: Subject.self).pointee.write(into: writer)
    }

    override func encodeScalar(_ memory: UnsafeRawPointer) throws -> EncodedValue {
        let subject = memory.assumingMemoryBound(to: Subject.self).pointee
        if let encoded = subject.encoded(in: scalars) { return encoded }
        let text = try context.writing { try subject.write(into: $0) }
        return EncodedValue(try context.call(context.script.build, [text.ref]))
    }

    override var isScalar: Bool { true }
}

extension Double: ScalarMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> Double? {
        scalars.number(of: value)
    }
    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(self) }
    func write(into writer: SlabWriter) { writer.put(ValueSlab.Tag.number, self) }
}

extension Float: ScalarMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> Float? {
        guard let number = scalars.number(of: value) else { return nil }
        let result = Float(number)
        return result.isInfinite == number.isInfinite ? result : nil
    }
    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(Double(self)) }
    func write(into writer: SlabWriter) { writer.put(ValueSlab.Tag.number, Double(self)) }
}

extension Bool: ScalarMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> Bool? { scalars.bool(of: value) }
    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(self) }
    func write(into writer: SlabWriter) { writer.put(self ? ValueSlab.Tag.true : ValueSlab.Tag.false) }
}

extension String: ScalarMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> String? {
        scalars.string(of: value)
    }
    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(self) }
    func write(into writer: SlabWriter) throws {
        writer.put(ValueSlab.Tag.string)
        try writer.put(text: self)
    }
}

/// An integer type.
///
/// Values beyond 2^53 - 1 cross the boundary as `BigInt` and are never rounded.
protocol IntegerScalar: ScalarMember, FixedWidthInteger {}

extension IntegerScalar {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> Self? {
        scalars.wholeNumber(of: value).flatMap { Self(exactly: $0) }
    }

    /// The number as a `Double`, if that is exact.
    var safe: Double? {
        guard let small = Int64(exactly: self), small.magnitude <= UInt64(Value.maximumSafeInteger) else {
            return nil
        }
        return Double(small)
    }

    func encoded(in scalars: ScalarConverter) -> EncodedValue? { safe.map { scalars.encode($0) } }

    func write(into writer: SlabWriter) throws {
        if let safe {
            writer.put(ValueSlab.Tag.number, safe)
        } else {
            writer.put(ValueSlab.Tag.bigInt)
            try writer.put(text: String(self))
        }
    }
}

extension Int: IntegerScalar {}
extension Int8: IntegerScalar {}
extension Int16: IntegerScalar {}
extension Int32: IntegerScalar {}
extension Int64: IntegerScalar {}
extension UInt: IntegerScalar {}
extension UInt8: IntegerScalar {}
extension UInt16: IntegerScalar {}
extension UInt32: IntegerScalar {}
extension UInt64: IntegerScalar {}
extension Int128: IntegerScalar {}
extension UInt128: IntegerScalar {}
