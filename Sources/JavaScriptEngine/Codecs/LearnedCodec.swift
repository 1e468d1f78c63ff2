internal import BridgeValues
internal import CJavaScriptCore

/// How a plain `Codable` type crosses: which members it asks for and gives is learned while it does, and then
/// crosses as the members of a ``JSShaped`` type do.
///
/// What a type asks for is read at the moment it asks, each member once, and is handed over by the script's
/// half from the next time on. A type that asks for something else than members, or for all keys there are,
/// goes by way of ``Value`` from then on.
final class LearnedCodec: ObjectCodec {
    /// What only code that knows the type can do.
    struct Halves {
        let decode: ((any Decoder, UnsafeMutableRawPointer) throws -> Void)?
        let decodeOther: (EncodedValue, JSContext, UnsafeMutableRawPointer) throws -> Void
        let encode: ((UnsafeRawPointer, any Encoder) throws -> Void)?
        let encodeInSteps: (UnsafeRawPointer) throws -> Value
        let deinitialize: (UnsafeMutableRawPointer) -> Void
    }

    private let halves: Halves
    /// Members that the type has asked for.
    private var asked = LearnedMembers()
    private var idleDecoder: MemberDecoder?
    /// Members that the type has given, in every order and kind that there was.
    private let given = ShapeNode()
    private var idleEncoder: ShapeEncoder?
    /// Whether the type asks for more than members.
    private var readsInSteps = false
    override var isReadInSteps: Bool { readsInSteps }
    private var writesInSteps = false

    init(_ halves: Halves, in context: JSContext) {
        self.halves = halves
        super.init(in: context)
    }

    deinit { given.deallocate() }

    override var memberNames: [String] { asked.names }

    override func deinitialize(_ memory: UnsafeMutableRawPointer) { halves.deinitialize(memory) }

    override func decodeOther(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        try halves.decodeOther(value, context, memory)
    }

    override func decodeMembers(_ arguments: CallArguments, into memory: UnsafeMutableRawPointer) throws {
        guard let decode = halves.decode else { return try decodeOther(arguments[0], into: memory) }
        var decoder = idleDecoder ?? MemberDecoder(in: context)
        idleDecoder = nil
        decoder.begin(asked, arguments: arguments)
        defer {
            // A type may keep its decoder or a container of it.
            let isKept = !isKnownUniquelyReferenced(&decoder)
            decoder.end(isKept: isKept)
            if !isKept { idleDecoder = decoder }
        }
        try decode(decoder, memory)
        do {
            if let failure = decoder.failure { throw failure }
            if decoder.hasNews { try learn(from: decoder) }
        } catch {
            deinitialize(memory)
            throw error
        }
    }

    private func learn(from decoder: MemberDecoder) throws {
        if decoder.hasAskedForAll {
            readsInSteps = true
        } else {
            guard asked.names.count < LearnedMembers.maximum else { return }
            asked.add(decoder.newNames)
        }
        try renewReader()
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        guard let encode = halves.encode, !writesInSteps else {
            return try writer.write(halves.encodeInSteps(memory))
        }
        var encoder = idleEncoder ?? ShapeEncoder(given, in: context)
        idleEncoder = nil
        let mark = writer.mark
        try writer.count()
        try writer.enter()
        encoder.begin()
        defer {
            let isKept = !isKnownUniquelyReferenced(&encoder)
            encoder.end(isKept: isKept)
            if !isKept { idleEncoder = encoder }
        }
        try encode(memory, encoder)
        writer.leave()
        guard try encoder.finish() else {
            writesInSteps = true
            writer.rewind(to: mark)
            return try writer.write(halves.encodeInSteps(memory))
        }
    }
}

extension LearnedCodec.Halves {
    /// Finds out what a type can do.
    init<Subject>(of type: Subject.Type) {
        func decode<Half: Decodable>(_ type: Half.Type) -> (any Decoder, UnsafeMutableRawPointer) throws ->
            Void
        {
            { $1.initializeMemory(as: Half.self, to: try Half(from: $0)) }
        }
        func encode<Half: Encodable>(_ type: Half.Type) -> (UnsafeRawPointer, any Encoder) throws -> Void {
            { try $0.assumingMemoryBound(to: Half.self).pointee.encode(to: $1) }
        }
        self.decode = (type as? any Decodable.Type).map { _openExistential($0, do: decode) }
        self.encode = (type as? any Encodable.Type).map { _openExistential($0, do: encode) }
        decodeOther = { value, context, memory in
            memory.initializeMemory(as: type, to: try context.decodeInSteps(type, value))
        }
        encodeInSteps = { memory in
            guard let value = memory.assumingMemoryBound(to: type).pointee as? any Encodable else {
                throw BridgeError(.encodeFailed, "\(type) cannot cross: it is not Encodable")
            }
            return try ValueEncoder.value(of: value)
        }
        deinitialize = { $0.assumingMemoryBound(to: type).deinitialize(count: 1) }
    }
}

/// Members that a type has asked for, in the order in which it did so first.
struct LearnedMembers {
    /// More than this is a dictionary in disguise.
    static let maximum = 64
    private(set) var names: [String] = []

    mutating func add(_ new: [String]) {
        for name in new
        where !names.contains(where: { $0.hasSameBytes(as: name) }) && names.count < Self.maximum {
            names.append(name)
        }
    }
}
