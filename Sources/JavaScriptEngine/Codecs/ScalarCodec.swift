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

    /// Creates a dictionary of names and as many elements, which are moved into it.
    static func makeDictionary(_ names: [String], _ elements: UnsafeMutablePointer<Self>) -> [String: Self]

    /// Runs a body with each member of a dictionary.
    static func forEach(
        of dictionary: UnsafePointer<[String: Self]>,
        _ body: (String, UnsafeRawPointer) throws -> Void
    ) throws
}

class ScalarCodec<Subject: ScalarMember>: TypedCodec<Subject> {
    override final func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let result =
            try Subject.read(value, in: scalars) ?? context.decodeInSteps(Subject.self, value)
        memory.initializeMemory(as: Subject.self, to: result)
    }

    override final func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        try writer.count()
        try memory.assumingMemoryBound(to: Subject.self).pointee.write(into: writer)
    }

    override final func encodeScalar(_ memory: UnsafeRawPointer) throws -> EncodedValue {
        let subject = memory.assumingMemoryBound(to: Subject.self).pointee
        if let encoded = subject.encoded(in: scalars) { return encoded }
        let text = try context.writing { try subject.write(into: $0) }
        return EncodedValue(try context.call(context.script.build, [text.ref]))
    }

    override final var isScalar: Bool { true }
}

/// A scalar type whose arrays cross as blocks of numbers.
protocol NumberMember: ScalarMember, Decodable {
    /// Creates elements from cells in uninitialized memory, up to the first number that is not the common case.
    ///
    /// - Returns: The number of elements.
    static func readBlock(
        _ cells: UnsafePointer<Double>,
        count: Int,
        into elements: UnsafeMutablePointer<Self>
    ) -> Int

    /// Writes elements to cells.
    ///
    /// - Returns: False if an element cannot be a cell.
    static func writeBlock(
        _ elements: UnsafePointer<Self>,
        count: Int,
        into cells: UnsafeMutablePointer<Double>
    ) -> Bool
}

final class NumberCodec<Subject: NumberMember>: ScalarCodec<Subject> {
    override var blockKind: BlockKind? { .numbers }

    override func decodeBlock(
        _ cells: UnsafePointer<Double>,
        count: Int,
        into memory: UnsafeMutableRawPointer
    ) -> Int {
        Subject.readBlock(cells, count: count, into: memory.bindMemory(to: Subject.self, capacity: count))
    }

    override func decodeCell(_ cell: Double, into memory: UnsafeMutableRawPointer) throws {
        let result = try ValueDecoder.decodeMember(Subject.self, from: .number(cell))
        memory.initializeMemory(as: Subject.self, to: result)
    }

    override func encodeBlock(
        _ memory: UnsafeRawPointer,
        count: Int,
        into cells: UnsafeMutablePointer<Double>
    ) -> Bool {
        Subject.writeBlock(memory.assumingMemoryBound(to: Subject.self), count: count, into: cells)
    }
}

extension Double: NumberMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> Double? {
        scalars.number(of: value)
    }
    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(self) }
    func write(into writer: SlabWriter) { writer.put(ValueSlab.Tag.number, self) }

    static func readBlock(
        _ cells: UnsafePointer<Double>,
        count: Int,
        into elements: UnsafeMutablePointer<Double>
    ) -> Int {
        elements.initialize(from: cells, count: count)
        return count
    }

    static func writeBlock(
        _ elements: UnsafePointer<Double>,
        count: Int,
        into cells: UnsafeMutablePointer<Double>
    ) -> Bool {
        cells.update(from: elements, count: count)
        return true
    }
}

extension Float: NumberMember {
    static func read(_ value: EncodedValue, in scalars: ScalarConverter) -> Float? {
        guard let number = scalars.number(of: value) else { return nil }
        let result = Float(number)
        return result.isInfinite == number.isInfinite ? result : nil
    }
    func encoded(in scalars: ScalarConverter) -> EncodedValue? { scalars.encode(Double(self)) }
    func write(into writer: SlabWriter) { writer.put(ValueSlab.Tag.number, Double(self)) }

    static func readBlock(
        _ cells: UnsafePointer<Double>,
        count: Int,
        into elements: UnsafeMutablePointer<Float>
    ) -> Int {
        for index in 0..<count {
            let element = Float(cells[index])
            guard element.isInfinite == cells[index].isInfinite else { return index }
            (elements + index).initialize(to: element)
        }
        return count
    }

    static func writeBlock(
        _ elements: UnsafePointer<Float>,
        count: Int,
        into cells: UnsafeMutablePointer<Double>
    ) -> Bool {
        for index in 0..<count { cells[index] = Double(elements[index]) }
        return true
    }
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
protocol IntegerScalar: NumberMember, FixedWidthInteger {}

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

    static func readBlock(
        _ cells: UnsafePointer<Double>,
        count: Int,
        into elements: UnsafeMutablePointer<Self>
    ) -> Int {
        for index in 0..<count {
            let cell = cells[index]
            // False for NaN.
            guard cell.magnitude <= Double(Value.maximumSafeInteger) else { return index }
            let whole = Int(cell)
            guard Double(whole) == cell, let element = Self(exactly: whole) else { return index }
            (elements + index).initialize(to: element)
        }
        return count
    }

    static func writeBlock(
        _ elements: UnsafePointer<Self>,
        count: Int,
        into cells: UnsafeMutablePointer<Double>
    ) -> Bool {
        for index in 0..<count {
            guard let safe = elements[index].safe else { return false }
            cells[index] = safe
        }
        return true
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
