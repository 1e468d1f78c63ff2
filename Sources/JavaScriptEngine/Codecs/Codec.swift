internal import BridgeValues
internal import CJavaScriptCore

/// A codec for values of one Swift type at the boundary of one context, created once per type.
///
/// It works on memory of the type, so that a member is read and created in place. A turn must be open. A value that
/// does not fit throws a `DecodingError` whose coding path begins at this value.
@usableFromInline
class Codec {
    /// The context, which owns the codec.
    unowned(unsafe) let context: JSContext
    /// The counter of the context's current payload.
    let meter: UnsafeMutablePointer<DecodeMeter>

    let scalars: ScalarConverter

    init(in context: JSContext) {
        self.context = context
        meter = context.decodeMeter
        scalars = context.scalars
    }

    /// Releases the codecs of the type's members when the context ends.
    ///
    /// The codecs of a recursive type retain each other.
    func releaseContents() {}

    /// Decodes a value into uninitialized memory.
    ///
    /// If it throws, the memory stays uninitialized.
    @usableFromInline
    func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("this codec does not decode")
    }

    /// Encodes the value in memory into the slab.
    func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        preconditionFailure("this codec does not encode")
    }

    /// Encodes the value in memory without the slab.
    ///
    /// Only for codecs whose ``isScalar`` is true.
    func encodeScalar(_ memory: UnsafeRawPointer) throws -> EncodedValue {
        preconditionFailure("this codec is not a scalar codec")
    }

    /// Deinitializes the value in memory.
    func deinitialize(_ memory: UnsafeMutableRawPointer) {
        preconditionFailure("this codec does not know its type")
    }

    /// A Boolean value that indicates whether every value of the type is a value of the engine that is not an object.
    var isScalar: Bool { false }
    /// A Boolean value that indicates whether values of the type are always read as data.
    var readsData: Bool { false }
    /// A Boolean value that indicates whether the keys of an object are part of the value.
    var readsKeys: Bool { false }
    /// The kind of cells in which arrays of the type cross as a block; `nil` if each element crosses by itself.
    var blockKind: BlockKind? { nil }
    /// A Boolean value that indicates whether a member of the type may be absent.
    var isOptional: Bool { false }
    /// A Boolean value that indicates whether values of the type are secrets, or arrays of them.
    ///
    /// The names of such members are recorded (R38).
    var isSecret: Bool { false }
    /// Returns whether the value in memory may be left out of an object.
    func isAbsent(_ memory: UnsafeRawPointer) -> Bool { false }

    /// Decodes cells into uninitialized memory, one after another.
    ///
    /// Only for codecs with a ``blockKind``.
    ///
    /// - Returns: The number of decoded elements; the next one does not fit if it is not `count`.
    func decodeBlock(_ cells: UnsafePointer<Double>, count: Int, into memory: UnsafeMutableRawPointer) -> Int
    {
        preconditionFailure("this codec does not decode blocks")
    }

    /// Decodes a cell that ``decodeBlock(_:count:into:)`` does not decode, or throws the reason why it does not fit.
    func decodeCell(_ cell: Double, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("this codec does not decode blocks")
    }

    /// Encodes elements as numbers.
    ///
    /// Only for codecs whose ``blockKind`` is `numbers`.
    ///
    /// - Returns: False if a number cannot be a cell.
    func encodeBlock(_ memory: UnsafeRawPointer, count: Int, into cells: UnsafeMutablePointer<Double>) -> Bool
    {
        preconditionFailure("this codec does not encode blocks")
    }
}

/// The kind of the cells in which an array crosses as a block.
enum BlockKind {
    /// Numbers as they are.
    case numbers
    /// The times of dates.
    case dates
}

/// The representation of a member in the slab, for an object with known members.
enum ShapeCell: Hashable {
    /// One cell: the number itself.
    case number
    /// One cell: 1 or 0.
    case bool
    /// One cell: the length of the string.
    case text
    /// Two cells: 1 and the number, or 0 and an unused cell for nil.
    case maybeNumber
    /// One cell: 1 or 0, or 2 for nil.
    case maybeBool
    /// One cell: the length of the string, or NaN for nil.
    case maybeText
    /// A tag and the value that it describes.
    case tagged
    /// No cell: the beginning of an object whose members follow, up to `end` or the end of the shape.
    case nested
    /// No cell: the end of an object that began as `nested`.
    case end
}

/// A codec that knows its Swift type.
class TypedCodec<Subject>: Codec {
    override final func deinitialize(_ memory: UnsafeMutableRawPointer) {
        memory.assumingMemoryBound(to: Subject.self).deinitialize(count: 1)
    }
}

/// A codec that goes through ``Value``: for types without a faster codec, and for every uncommon case.
final class ValueCodec<Subject>: TypedCodec<Subject> {
    override var readsData: Bool { true }

    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let result = try context.decodeInSteps(Subject.self, value)
        memory.initializeMemory(as: Subject.self, to: result)
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let subject = memory.assumingMemoryBound(to: Subject.self).pointee
        guard let encodable = subject as? any Encodable else {
            throw BridgeError(.encodeFailed, "\(Subject.self) cannot be encoded: it is not Encodable")
        }
        let maximumDepth = context.virtualMachine.maximumDepth
        try writer.write(ValueEncoder.value(of: encodable, maximumDepth: maximumDepth))
    }
}

extension JSContext {
    /// Reads a value as data and then decodes the type from it.
    ///
    /// This path accepts every value and reports every error.
    func decodeInSteps<Subject>(_ type: Subject.Type, _ value: EncodedValue) throws -> Subject {
        guard let decodable = type as? any Decodable.Type else {
            throw BridgeError(.decodeFailed, "\(type) cannot be decoded: it is not Decodable")
        }
        guard let ref = value.ref else { preconditionFailure("an empty value cannot be decoded") }
        let decoded = try ValueDecoder.decodeMember(decodable, from: readValue(ref))
        guard let result = decoded as? Subject else { preconditionFailure("a decoder gave another type") }
        return result
    }
}
