internal import BridgeValues
internal import CJavaScriptCore

/// How values of one Swift type cross the border of one context, found out once.
///
/// Works on memory of the type, so that a member is read where it lies and made where it will lie. A turn must
/// be open for all of it. What does not fit throws a `DecodingError` whose path begins at this value.
@usableFromInline
class Codec {
    /// The context, which owns the codec.
    unowned(unsafe) let context: JSContext
    /// How much of the context's present payload has been read.
    let meter: UnsafeMutablePointer<DecodeMeter>

    let lane: Lane

    init(in context: JSContext) {
        self.context = context
        meter = context.decodeMeter
        lane = context.lane
    }

    /// Lets go of the codecs of what the type holds, as its context ends: those of a type that holds itself hold each other.
    func letGo() {}

    /// Makes a value in memory that holds none yet; where it throws, there is none.
    @usableFromInline
    func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("a codec that reads nothing")
    }

    /// Writes the value in memory into the slab.
    func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        preconditionFailure("a codec that writes nothing")
    }

    /// Encodes the value in memory without the slab; only where ``isLeaf``.
    func encodeLeaf(_ memory: UnsafeRawPointer) throws -> EncodedValue {
        preconditionFailure("a codec that is no leaf")
    }

    /// Ends the value in memory.
    func deinitialize(_ memory: UnsafeMutableRawPointer) {
        preconditionFailure("a codec that knows no type")
    }

    /// Whether every value of the type is one of the engine that is no object.
    var isLeaf: Bool { false }
    /// Whether values of the type are read as data in any case.
    var readsData: Bool { false }
    /// Whether a member of the type may be absent.
    var isOptional: Bool { false }
    /// Whether values of the type are secrets, or lists of them: the names of their members are noted (R38).
    var isSecret: Bool { false }
    /// Whether the value in memory is one that a member may do without.
    func isAbsent(_ memory: UnsafeRawPointer) -> Bool { false }
}

/// How a member of an object with known members lies in the slab.
enum ShapeCell: Hashable {
    /// One cell, the number itself.
    case number
    /// One cell, 1 or 0.
    case bool
    /// One cell, the length of the text.
    case text
    /// Two cells: 1 and the number, or 0 and nothing of use where there is none.
    case maybeNumber
    /// One cell: 1 or 0, or 2 where there is none.
    case maybeBool
    /// One cell: the length of the text, or NaN where there is none.
    case maybeText
    /// A tag and what follows it.
    case tagged
}

/// A codec that knows its type.
class TypedCodec<Subject>: Codec {
    override final func deinitialize(_ memory: UnsafeMutableRawPointer) {
        memory.assumingMemoryBound(to: Subject.self).deinitialize(count: 1)
    }
}

/// Types that cross as ``Value``, in steps: those that cannot be done faster, and every case that is not the
/// common one.
final class ValueCodec<Subject>: TypedCodec<Subject> {
    override var readsData: Bool { true }

    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let result = try context.decodeInSteps(Subject.self, value)
        memory.initializeMemory(as: Subject.self, to: result)
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let subject = memory.assumingMemoryBound(to: Subject.self).pointee
        guard let encodable = subject as? any Encodable else {
            throw BridgeError(.encodeFailed, "\(Subject.self) cannot cross: it is not Encodable")
        }
        let maximumDepth = context.virtualMachine.maximumDepth
        try writer.write(ValueEncoder.value(of: encodable, maximumDepth: maximumDepth))
    }
}

extension JSContext {
    /// Reads a value as data and then as a type: the way that takes everything and names every error.
    func decodeInSteps<Subject>(_ type: Subject.Type, _ value: EncodedValue) throws -> Subject {
        guard let decodable = type as? any Decodable.Type else {
            throw BridgeError(.decodeFailed, "\(type) cannot cross: it is not Decodable")
        }
        guard let ref = value.ref else { preconditionFailure("an empty value crossed") }
        let decoded = try ValueDecoder.decodeMember(decodable, from: readValue(ref))
        guard let result = decoded as? Subject else { preconditionFailure("a decoder gave another type") }
        return result
    }
}
