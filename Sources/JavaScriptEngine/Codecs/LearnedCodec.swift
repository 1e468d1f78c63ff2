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
        let decode: DecodingHalf?
        let decodeOther: (EncodedValue, JSContext, UnsafeMutableRawPointer) throws -> Void
        let encode: EncodingHalf?
        let encodeInSteps: (UnsafeRawPointer, JSContext) throws -> Value
        let deinitialize: (UnsafeMutableRawPointer) -> Void
    }

    private let halves: Halves
    /// The half of ``halves`` that makes values.
    private let decodingHalf: Unmanaged<DecodingHalf>?
    private let idle: UnsafeMutablePointer<Idle>

    private struct Idle {
        var decoders = IdleCoders<ObjectMembers>()
        var encoders = IdleCoders<ShapeInProgress>()
        /// How many members the type has asked for.
        var askedCount = 0
    }

    /// Members that the type has asked for.
    private var asked = LearnedMembers()
    /// Members that the type has given, in every order and kind that there was.
    private let given = ShapeNode()
    /// Whether the type asks for more than members.
    private var readsInSteps = false
    override var isReadInSteps: Bool { readsInSteps }
    private var writesInSteps = false
    private let holdsSecret: Bool
    override var isSecret: Bool { holdsSecret }

    init(_ halves: Halves, isSecret: Bool, in context: JSContext) {
        self.halves = halves
        holdsSecret = isSecret
        decodingHalf = halves.decode.map(Unmanaged.passUnretained)
        idle = .allocate(capacity: 1)
        idle.initialize(to: Idle())
        super.init(in: context)
    }

    deinit {
        idle.pointee.decoders.deallocate()
        idle.pointee.encoders.deallocate()
        idle.deallocate()
        given.deallocate()
    }

    override var memberNames: [String] { asked.names }

    override func deinitialize(_ memory: UnsafeMutableRawPointer) { halves.deinitialize(memory) }

    override func decodeOther(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        try halves.decodeOther(value, context, memory)
    }

    // Without a count of a reference: with them they were 4 % of a window of structures of four members (measured).
    override func decodeMembers(_ arguments: CallArguments, into memory: UnsafeMutableRawPointer) throws {
        guard let decode = decodingHalf else { return try decodeOther(arguments[0], into: memory) }
        let owner = idle.pointee.decoders.take() ?? .passRetained(ObjectMembers(asked, in: context))
        defer { putAside(owner) }
        try owner._withUnsafeGuaranteedRef { members in
            members.begin(arguments)
            try decode._withUnsafeGuaranteedRef { try $0.decode(MemberDecoder(members), memory) }
            if members.isUnusual { try takeNews(from: members, memory) }
        }
    }

    private func putAside(_ owner: Unmanaged<ObjectMembers>) {
        let isCurrent = owner._withUnsafeGuaranteedRef { members in
            members.end()
            // A value inside may have asked for more meanwhile.
            return members.nameCount == idle.pointee.askedCount
        }
        if isCurrent { idle.pointee.decoders.keep(owner) } else { owner.release() }
    }

    private func takeNews(from members: ObjectMembers, _ memory: UnsafeMutableRawPointer) throws {
        do {
            if let failure = members.failure { throw failure }
            if members.hasNews { try learn(from: members) }
        } catch {
            deinitialize(memory)
            throw error
        }
    }

    private func learn(from members: ObjectMembers) throws {
        if members.hasAskedForAll {
            readsInSteps = true
        } else {
            guard asked.names.count < LearnedMembers.maximum else { return }
            asked.add(members.newNames)
            idle.pointee.askedCount = asked.names.count
            idle.pointee.decoders.drop()
        }
        try renewReader()
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        guard let encode = halves.encode, !writesInSteps else {
            return try writer.write(halves.encodeInSteps(memory, context))
        }
        let owner = idle.pointee.encoders.take() ?? .passRetained(ShapeInProgress(given, in: context))
        // Also where the writer takes no more.
        defer { idle.pointee.encoders.keep(owner) }
        let shape = owner.takeUnretainedValue()
        let mark = writer.mark
        try writer.count()
        try writer.enter()
        shape.begin()
        defer { shape.end() }
        try encode.encode(memory, ShapeEncoder(shape))
        writer.leave()
        guard try shape.finish() else {
            writesInSteps = true
            writer.rewind(to: mark)
            return try writer.write(halves.encodeInSteps(memory, context))
        }
    }
}

/// What decodes or encodes a type's values while nothing is: several where values of a type hold others of it.
private struct IdleCoders<Coder: AnyObject> {
    private static var maximum: Int { 8 }
    private let coders = UnsafeMutablePointer<Unmanaged<Coder>>.allocate(capacity: maximum)
    private var count = 0

    /// Gives one to whoever keeps it next or releases it.
    mutating func take() -> Unmanaged<Coder>? {
        guard count > 0 else { return nil }
        count -= 1
        return coders[count]
    }

    mutating func keep(_ coder: Unmanaged<Coder>) {
        guard count < Self.maximum else { return coder.release() }
        coders[count] = coder
        count += 1
    }

    mutating func drop() {
        for index in 0..<count { coders[index].release() }
        count = 0
    }

    mutating func deallocate() {
        drop()
        coders.deallocate()
    }
}

/// The half that makes values of a type; a class and no closure, which would be counted in every call.
class DecodingHalf {
    func decode(_ decoder: MemberDecoder, _ memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("a half of no type")
    }
}

private final class TypedDecodingHalf<Half: Decodable>: DecodingHalf {
    override func decode(_ decoder: MemberDecoder, _ memory: UnsafeMutableRawPointer) throws {
        memory.assumingMemoryBound(to: Half.self).initialize(to: try Half(from: decoder))
    }
}

/// The half that takes values of a type apart.
class EncodingHalf {
    func encode(_ memory: UnsafeRawPointer, _ encoder: ShapeEncoder) throws {
        preconditionFailure("a half of no type")
    }
}

private final class TypedEncodingHalf<Half: Encodable>: EncodingHalf {
    override func encode(_ memory: UnsafeRawPointer, _ encoder: ShapeEncoder) throws {
        try memory.assumingMemoryBound(to: Half.self).pointee.encode(to: encoder)
    }
}

extension LearnedCodec.Halves {
    /// Finds out what a type can do.
    init<Subject>(of type: Subject.Type) {
        func decode<Half: Decodable>(_ type: Half.Type) -> DecodingHalf { TypedDecodingHalf<Half>() }
        func encode<Half: Encodable>(_ type: Half.Type) -> EncodingHalf { TypedEncodingHalf<Half>() }
        self.decode = (type as? any Decodable.Type).map { _openExistential($0, do: decode) }
        self.encode = (type as? any Encodable.Type).map { _openExistential($0, do: encode) }
        decodeOther = { value, context, memory in
            memory.initializeMemory(as: type, to: try context.decodeInSteps(type, value))
        }
        encodeInSteps = { memory, context in
            guard let value = memory.assumingMemoryBound(to: type).pointee as? any Encodable else {
                throw BridgeError(.encodeFailed, "\(type) cannot cross: it is not Encodable")
            }
            let maximumDepth = context.virtualMachine.maximumDepth
            return try ValueEncoder.value(of: value, maximumDepth: maximumDepth)
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
