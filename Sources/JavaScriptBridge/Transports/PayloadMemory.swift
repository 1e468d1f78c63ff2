/// What is done with values of one type in raw memory.
///
/// The hot path of a message is not generic: code that is compiled once for all types asks for a description of each
/// generic type that it uses at every use (30 to 50 ns, measured).
protocol PayloadKind {
    /// The type of the values.
    associatedtype Subject
    /// The value in memory as data.
    static func value(of memory: UnsafeMutableRawPointer) throws -> Value
    // Requirements, so that each is called through the table of a kind and not found by its type.
    static var subject: Any.Type { get }
    static var size: Int { get }
    static var alignment: Int { get }
    static func deinitialize(_ memory: UnsafeMutableRawPointer)
    /// Moves the value from one memory to another.
    static func move(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer)
    /// Copies the value from one memory to another.
    static func copy(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer)
}

extension PayloadKind {
    static var subject: Any.Type { Subject.self }
    static var size: Int { MemoryLayout<Subject>.size }
    static var alignment: Int { MemoryLayout<Subject>.alignment }

    static func deinitialize(_ memory: UnsafeMutableRawPointer) {
        memory.assumingMemoryBound(to: Subject.self).deinitialize(count: 1)
    }

    static func move(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
        target.moveInitializeMemory(
            as: Subject.self,
            from: source.assumingMemoryBound(to: Subject.self),
            count: 1
        )
    }

    static func copy(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
        target.initializeMemory(
            as: Subject.self,
            from: source.assumingMemoryBound(to: Subject.self),
            count: 1
        )
    }
}

/// The values of a type that scripts send.
enum ReadKind<Subject: Decodable>: PayloadKind {
    static func value(of memory: UnsafeMutableRawPointer) throws -> Value {
        guard let encodable = memory.assumingMemoryBound(to: Subject.self).pointee as? any Encodable else {
            throw BridgeError(.encodeFailed, "A \(Subject.self) cannot be shown: it is not Encodable.")
        }
        return try ValueEncoder().encode(encodable)
    }
}

/// The values of a type that Swift sends.
enum HeldKind<Subject: Encodable>: PayloadKind {
    static func value(of memory: UnsafeMutableRawPointer) throws -> Value {
        try ValueEncoder().encode(memory.assumingMemoryBound(to: Subject.self).pointee)
    }
}

/// What a call without data hands over.
enum NothingKind: PayloadKind {
    typealias Subject = Void

    static func value(of memory: UnsafeMutableRawPointer) -> Value { .undefined }
}

/// A value of a type that is known where it is made and where it is taken, and nowhere between.
// @unchecked Sendable because it is made by one thread and handed over once, to who takes the value.
struct PayloadMemory: @unchecked Sendable {
    private final class Buffer: ManagedBuffer<Header, UInt> {
        deinit {
            withUnsafeMutablePointers { header, elements in
                guard header.pointee.isFull else { return }
                let kind = header.pointee.kind
                kind.deinitialize(PayloadMemory.start(elements, kind))
            }
        }
    }

    private struct Header {
        let kind: any PayloadKind.Type
        let site: CallSite?
        let replyReader: PayloadReader?
        var isFull: Bool
    }

    private let buffer: ManagedBuffer<Header, UInt>

    /// Whether values of a kind fit: memory is aligned as that of objects is.
    static func takes(_ kind: any PayloadKind.Type) -> Bool { kind.alignment <= 16 }

    /// Makes memory and has a body make the value in it.
    init(
        _ kind: any PayloadKind.Type,
        site: CallSite? = nil,
        replyReader: PayloadReader? = nil,
        _ initialize: (UnsafeMutableRawPointer) throws -> Void
    ) rethrows {
        let words = (kind.size + MemoryLayout<UInt>.size - 1) / MemoryLayout<UInt>.size
        // One word more, so that types which are aligned to two find their place.
        buffer = Buffer.create(minimumCapacity: words + 1) { _ in
            Header(kind: kind, site: site, replyReader: replyReader, isFull: false)
        }
        try buffer.withUnsafeMutablePointers { header, elements in
            try initialize(Self.start(elements, kind))
            header.pointee.isFull = true
        }
    }

    fileprivate static func start(
        _ elements: UnsafeMutablePointer<UInt>,
        _ kind: any PayloadKind.Type
    ) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(elements).alignedUp(toMultipleOf: kind.alignment)
    }

    /// Where the handler was registered whose result it is; errors of its encoding name it.
    var site: CallSite? { buffer.header.site }

    /// What reads the reply as the type that the caller wants; `nil` where it is read as data.
    var replyReader: PayloadReader? { buffer.header.replyReader }

    /// Takes the value out, which can be done once.
    func take<Subject>(_ type: Subject.Type) throws -> Subject {
        try buffer.withUnsafeMutablePointers { header, elements in
            guard header.pointee.isFull, header.pointee.kind.subject == type else {
                // A value is read only for who asked for it.
                throw BridgeError(.internal, "A payload is no \(type), or was taken before.")
            }
            header.pointee.isFull = false
            return Self.start(elements, header.pointee.kind).assumingMemoryBound(to: Subject.self).move()
        }
    }

    /// Whether the value is a secret as a whole.
    var isSecret: Bool { SecretMembers.shared.learn(buffer.header.kind.subject)?.isNameless ?? false }

    /// Whether the value is of a type.
    func holds(_ type: Any.Type) -> Bool { buffer.header.kind.subject == type }

    /// The value as data.
    ///
    /// - Throws: What the type's encoding throws.
    func value() throws -> Value {
        try buffer.withUnsafeMutablePointers { header, elements in
            guard header.pointee.isFull else { throw BridgeError(.internal, "A payload was taken before.") }
            return try header.pointee.kind.value(of: Self.start(elements, header.pointee.kind))
        }
    }

    /// Writes the value for the script to build.
    func write(to writer: MessageWriter) throws {
        try buffer.withUnsafeMutablePointers { header, elements in
            guard header.pointee.kind.size > 0 || header.pointee.kind.subject != Void.self else {
                return writer.putUndefined()
            }
            let start = Self.start(elements, header.pointee.kind)
            if header.pointee.kind.subject == Value.self {
                return try writer.put(start.assumingMemoryBound(to: Value.self).pointee)
            }
            try writer.put(start, as: header.pointee.kind.subject)
        }
    }
}

/// Reads payloads of scripts as a type, at the moment when they are handed over.
// @unchecked Sendable because a type is the same for everybody.
struct PayloadReader: @unchecked Sendable {
    let kind: any PayloadKind.Type

    init<Subject: Decodable>(_ type: Subject.Type) { kind = ReadKind<Subject>.self }

    /// What tells types apart.
    var typeID: ObjectIdentifier { ObjectIdentifier(kind.subject) }

    /// Makes what the script hands payloads to; `nil` for types that are read as data in any case.
    ///
    /// - Parameters:
    ///   - context: The script's context. A turn must be open.
    ///   - isNested: Whether the receiver runs what may call scripts again.
    ///   - receive: Takes what stands before the payload in the call, and what makes the value in memory. Gives what the
    ///     script is answered.
    /// - Returns: The receiver.
    /// - Throws: ``JSException`` where the turn was stopped.
    func makeReceiver(
        in context: JSContext,
        isNested: Bool,
        _ receive: @escaping (HostCall, (UnsafeMutableRawPointer) throws -> Void) throws -> ReceiverAnswer
    ) throws -> MessageReceiver? {
        guard PayloadMemory.takes(kind) else { return nil }
        return try context.makeReceiver(of: kind.subject, isNested: isNested, receive)
    }

    /// Reads a payload into memory of its own.
    ///
    /// - Throws: What says that it cannot be taken at all.
    func payload(_ decode: (UnsafeMutableRawPointer) throws -> Void) throws -> MessagePayload {
        do {
            return .read(try PayloadMemory(kind) { try decode($0) })
        } catch {
            return .unreadable(try Self.mismatch(error))
        }
    }

    /// What says that a payload is not of its type; others say that it cannot be taken at all, and are thrown.
    static func mismatch(_ error: any Error) throws -> BridgeError {
        if let error = error as? DecodingError { return BridgeError(decoding: error) }
        guard error.isOfType else { throw error }
        return BridgeError(wrapping: error)
    }
}

extension Error {
    /// Whether the error says that a payload is not of its type; others say that it cannot be taken at all.
    fileprivate var isOfType: Bool {
        guard let error = self as? BridgeError else { return !(self is JSException) }
        return error.code == .decodeFailed
    }
}
