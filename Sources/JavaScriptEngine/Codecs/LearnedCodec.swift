internal import BridgeValues
internal import CJavaScriptCore

/// How a plain `Codable` type crosses: which members it asks for and gives is learned while it does, and then
/// crosses as the members of a ``JSShaped`` type do.
///
/// What a type asks for is read at the moment it asks, each member once, and is handed over by the script's
/// half from the next time on. A type that asks for something else than members, or for all keys there are,
/// goes by way of ``Value`` from then on.
final class LearnedCodec<Subject>: ObjectCodec<Subject> {
    // The type's halves of Codable, which the compiler does not know of here.
    private let decodeHalf: ((any Decoder) throws -> Subject)?
    private let encodeHalf: ((UnsafeRawPointer, any Encoder) throws -> Void)?

    /// Members that the type has asked for.
    private var asked = LearnedMembers()
    private var idleDecoder: MemberDecoder?
    /// Members that the type has given, in every order and kind that there was.
    private let given = ShapeNode()
    private var idleEncoder: ShapeEncoder?
    /// Whether the type asks for more than members.
    private var readsInSteps = false
    private var writesInSteps = false

    override init(in context: JSContext) {
        func decode<Half: Decodable>(_ type: Half.Type) -> (any Decoder) throws -> Subject {
            { decoder in
                let half = try Half(from: decoder)
                guard let subject = half as? Subject else { preconditionFailure("a type is not itself") }
                return subject
            }
        }
        func encode<Half: Encodable>(_ type: Half.Type) -> (UnsafeRawPointer, any Encoder) throws -> Void {
            { try $0.assumingMemoryBound(to: Half.self).pointee.encode(to: $1) }
        }
        decodeHalf = (Subject.self as? any Decodable.Type).map { _openExistential($0, do: decode) }
        encodeHalf = (Subject.self as? any Encodable.Type).map { _openExistential($0, do: encode) }
        super.init(in: context)
    }

    override var memberNames: [String] { asked.names }

    override func decodeMembers(
        of object: EncodedValue,
        _ members: CallArguments,
        into memory: UnsafeMutableRawPointer
    ) throws {
        guard let decodeHalf else { return try decodeOther(object, into: memory) }
        let decoder = idleDecoder ?? MemberDecoder(in: context)
        idleDecoder = nil
        decoder.begin(asked, object: object, members: members, asksForAll: readsInSteps)
        defer {
            decoder.end()
            idleDecoder = decoder
        }
        memory.initializeMemory(as: Subject.self, to: try decodeHalf(decoder))
        readsInSteps = readsInSteps || decoder.hasAskedForAll
        if !decoder.newNames.isEmpty, !readsInSteps, asked.names.count < LearnedMembers.maximum {
            asked.add(decoder.newNames)
            try renewReader()
        }
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        guard let encodeHalf else {
            throw BridgeError(.encodeFailed, "\(Subject.self) cannot cross: it is not Encodable")
        }
        guard !writesInSteps else { return try encodeInSteps(memory, into: writer) }
        let encoder = idleEncoder ?? ShapeEncoder(in: context)
        idleEncoder = nil
        let mark = writer.mark
        try writer.count()
        try writer.enter()
        encoder.begin(given, writer: writer)
        defer {
            encoder.end()
            idleEncoder = encoder
        }
        try encodeHalf(memory, encoder)
        writer.leave()
        guard try encoder.finish(context) else {
            writesInSteps = true
            writer.rewind(to: mark)
            return try encodeInSteps(memory, into: writer)
        }
    }

    private func encodeInSteps(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        guard let value = memory.assumingMemoryBound(to: Subject.self).pointee as? any Encodable else { return }
        try writer.write(ValueEncoder.value(of: value))
    }
}

/// Members that a type has asked for, in the order in which it did so first.
struct LearnedMembers {
    /// More than this is a dictionary in disguise.
    static let maximum = 64
    private(set) var names: [String] = []

    mutating func add(_ new: [String]) {
        for name in new where !names.contains(name) && names.count < Self.maximum { names.append(name) }
    }
}
