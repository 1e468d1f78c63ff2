internal import BridgeValues
internal import CJavaScriptCore

/// An object codec for a plain `Codable` type.
///
/// It learns the type's members while coding, and then works like the codec of a ``JSShaped`` type.
///
/// A member that the type requests for the first time is read at that moment, once. From the next value on, the
/// package's script passes it in advance. A type that requests something other than members, or all keys, goes through
/// ``Value`` from then on.
final class InferredObjectCodec: ObjectCodec {
    /// The operations that need the type itself.
    struct Halves {
        let decode: DecodingOperation?
        let decodeOther: (EncodedValue, JSContext, UnsafeMutableRawPointer) throws -> Void
        let encode: EncodingOperation?
        let encodeInSteps: (UnsafeRawPointer, JSContext) throws -> Value
        let deinitialize: (UnsafeMutableRawPointer) -> Void
    }

    private let halves: Halves
    /// The decoding operation of ``halves``.
    private let decodingHalf: Unmanaged<DecodingOperation>?
    private let idle: UnsafeMutablePointer<Idle>

    private struct Idle {
        var decoders = IdleCoders<ObjectMembers>()
        var encoders = IdleCoders<ShapeInProgress>()
        /// The number of members that the type has requested.
        var askedCount = 0
    }

    /// The members that the type has requested.
    private var asked = LearnedMembers()
    /// The members that the type has encoded, in every order and kind that has occurred.
    private let given = ShapeNode()
    /// A Boolean value that indicates whether the type requests more than members.
    private var readsInSteps = false
    /// The cases of a type that requests the only key of its objects, such as an enumeration with values.
    private var cases: ObjectCases?
    override var isReadInSteps: Bool { readsInSteps || cases != nil }
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

    override var readerSource: String {
        if readsInSteps { return ShapeCodeGenerator.plainReader }
        return cases.map { ShapeCodeGenerator.caseReader(of: $0.members) }
            ?? ShapeCodeGenerator.reader(of: asked.names)
    }

    override func deinitialize(_ memory: UnsafeMutableRawPointer) { halves.deinitialize(memory) }

    override func decodeOther(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        guard let decode = decodingHalf else { return try halves.decodeOther(value, context, memory) }
        let owner = idle.pointee.decoders.take() ?? .passRetained(ObjectMembers(asked, in: context))
        defer { moveAside(owner) }
        try owner._withUnsafeGuaranteedRef { members in
            members.begin(value)
            try decode._withUnsafeGuaranteedRef { try $0.decode(PlainDecoder(members), memory) }
        }
    }

    // Unmanaged references: retains took 4 % of a window of structures of four members (measured).
    override func decodeMembers(_ arguments: CallArguments, into memory: UnsafeMutableRawPointer) throws {
        guard let decode = decodingHalf else { return try decodeOther(arguments[0], into: memory) }
        let owner = idle.pointee.decoders.take() ?? .passRetained(ObjectMembers(asked, in: context))
        defer { moveAside(owner) }
        try owner._withUnsafeGuaranteedRef { members in
            if let cases { try members.begin(arguments, caseOf: cases) } else { members.begin(arguments) }
            do {
                try decode._withUnsafeGuaranteedRef { try $0.decode(MemberDecoder(members), memory) }
            } catch {
                // The type's error may follow from one that a method could not throw.
                throw members.firstFailure ?? error
            }
            if members.isUnusual { try takeNewRequests(from: members, memory) }
        }
    }

    private func moveAside(_ owner: Unmanaged<ObjectMembers>) {
        let isCurrent = owner._withUnsafeGuaranteedRef { members in
            members.end()
            // Decoding a nested value may have added members meanwhile.
            return members.nameCount == idle.pointee.askedCount
        }
        if isCurrent { idle.pointee.decoders.keep(owner) } else { owner.release() }
    }

    private func takeNewRequests(from members: ObjectMembers, _ memory: UnsafeMutableRawPointer) throws {
        do {
            if let failure = members.firstFailure { throw failure }
            if members.hasNewRequests || members.nested?.hasNewRequests == true { try learn(from: members) }
        } catch {
            deinitialize(memory)
            throw error
        }
    }

    private func learn(from members: ObjectMembers) throws {
        // With another number of members than one, an object is read as data anyway.
        guard !members.hasAskedForAll || cases == nil else { return }
        if members.hasAskedForAll {
            readsInSteps = true
        } else if members.hasAskedForKeys {
            let isNew = cases == nil
            let cases = cases ?? ObjectCases()
            self.cases = cases
            guard cases.learn(from: members) || isNew else { return }
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
        // Also if the writer throws.
        defer { idle.pointee.encoders.keep(owner) }
        let shape = owner.takeUnretainedValue()
        let mark = writer.mark
        try writer.count()
        shape.begin()
        defer { shape.end() }
        try encode.encode(memory, ShapeEncoder(shape))
        guard try shape.finish() else {
            writesInSteps = true
            writer.rewind(to: mark)
            return try writer.write(halves.encodeInSteps(memory, context))
        }
    }
}

/// The unused decoders or encoders of a type.
///
/// There are several if values of the type contain others of it.
struct IdleCoders<Coder: AnyObject> {
    private static var maximum: Int { 8 }
    private let coders = UnsafeMutablePointer<Unmanaged<Coder>>.allocate(capacity: maximum)
    private var count = 0

    /// Removes one; the caller returns it with `keep` or releases it.
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

/// The decoding operation of a type.
///
/// It is a class, because a closure would be retained in every call.
class DecodingOperation {
    func decode(_ decoder: any Decoder, _ memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("abstract method")
    }
}

private final class TypedDecodingHalf<Half: Decodable>: DecodingOperation {
    override func decode(_ decoder: any Decoder, _ memory: UnsafeMutableRawPointer) throws {
        memory.assumingMemoryBound(to: Half.self).initialize(to: try Half(from: decoder))
    }
}

/// The encoding operation of a type.
class EncodingOperation {
    func encode(_ memory: UnsafeRawPointer, _ encoder: ShapeEncoder) throws {
        preconditionFailure("abstract method")
    }
}

private final class TypedEncodingHalf<Half: Encodable>: EncodingOperation {
    override func encode(_ memory: UnsafeRawPointer, _ encoder: ShapeEncoder) throws {
        try memory.assumingMemoryBound(to: Half.self).pointee.encode(to: encoder)
    }
}

extension InferredObjectCodec.Halves {
    /// Creates the operations that the type supports.
    init<Subject>(of type: Subject.Type) {
        func decode<Half: Decodable>(_ type: Half.Type) -> DecodingOperation { TypedDecodingHalf<Half>() }
        func encode<Half: Encodable>(_ type: Half.Type) -> EncodingOperation { TypedEncodingHalf<Half>() }
        self.decode = (type as? any Decodable.Type).map { _openExistential($0, do: decode) }
        self.encode = (type as? any Encodable.Type).map { _openExistential($0, do: encode) }
        decodeOther = { value, context, memory in
            memory.initializeMemory(as: type, to: try context.decodeInSteps(type, value))
        }
        encodeInSteps = { memory, context in
            guard let value = memory.assumingMemoryBound(to: type).pointee as? any Encodable else {
                throw BridgeError(.encodeFailed, "\(type) cannot be encoded: it is not Encodable")
            }
            let maximumDepth = context.virtualMachine.maximumDepth
            return try ValueEncoder.value(of: value, maximumDepth: maximumDepth)
        }
        deinitialize = { $0.assumingMemoryBound(to: type).deinitialize(count: 1) }
    }
}

/// The members that a type has requested, in the order of their first request.
struct LearnedMembers {
    /// A type with more members than this is treated as a dictionary.
    static let maximum = 64
    private(set) var names: [String] = []

    mutating func add(_ new: [String]) {
        for name in new
        where !names.contains(where: { $0.hasSameBytes(as: name) }) && names.count < Self.maximum {
            names.append(name)
        }
    }
}
