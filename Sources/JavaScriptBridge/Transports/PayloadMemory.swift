internal import BridgeJSON

/// The operations on values of one type in raw memory.
///
/// The hot path of a message is not generic: code that is compiled once for all types looks up a description of each
/// generic type at every use (30 to 50 ns, measured).
protocol PayloadKind {
    /// The type of the values.
    associatedtype Subject
    /// Returns the value in memory as data.
    static func value(of memory: UnsafeMutableRawPointer) throws -> Value
    // Requirements of the protocol, so that each is called through the table of a kind and not found by its type.
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

/// The operations on values that scripts send.
protocol DecodedKind: PayloadKind {
    /// Decodes JSON text into memory.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - decoder: The decoder.
    ///   - memory: The memory, which is initialized.
    /// - Throws: Any error of the decoder, or ``RepairedText``.
    static func decode(
        _ text: UnsafeBufferPointer<UInt16>,
        by decoder: JSONTextDecoder,
        into memory: UnsafeMutableRawPointer
    ) throws
}

/// The error for text of which a lone surrogate was repaired.
struct RepairedText: Error {}

/// The operations on values that Swift sends.
protocol EncodedKind: PayloadKind {
    /// Encodes the value in memory as JSON text, and passes the text and its extension values to a body.
    ///
    /// - Parameters:
    ///   - memory: The memory.
    ///   - encoder: The encoder.
    ///   - takesReferences: Whether the receiver supports references; `nil` if it supports nothing but JSON.
    ///   - body: Receives the text.
    /// - Throws: Any error of the encoder.
    static func encode(
        _ memory: UnsafeMutableRawPointer,
        by encoder: JSONTextEncoder,
        takesReferences: Bool?,
        _ body: (UnsafeBufferPointer<UInt16>, ExtensionValues?) throws -> Void
    ) throws
}

/// The values of a type that scripts send.
enum ReadKind<Subject: Decodable>: DecodedKind {
    static func decode(
        _ text: UnsafeBufferPointer<UInt16>,
        by decoder: JSONTextDecoder,
        into memory: UnsafeMutableRawPointer
    ) throws {
        var repairedTexts = 0
        let subject = try decoder.decode(Subject.self, from: text, repairedTexts: &repairedTexts)
        guard repairedTexts == 0 else { throw RepairedText() }
        memory.initializeMemory(as: Subject.self, to: subject)
    }

    static func value(of memory: UnsafeMutableRawPointer) throws -> Value {
        guard let encodable = memory.assumingMemoryBound(to: Subject.self).pointee as? any Encodable else {
            throw BridgeError(.encodeFailed, "A \(Subject.self) cannot be shown: it is not Encodable.")
        }
        return try ValueEncoder().encode(encodable)
    }
}

/// The values of a type that Swift sends.
enum HeldKind<Subject: Encodable>: EncodedKind {
    static func encode(
        _ memory: UnsafeMutableRawPointer,
        by encoder: JSONTextEncoder,
        takesReferences: Bool?,
        _ body: (UnsafeBufferPointer<UInt16>, ExtensionValues?) throws -> Void
    ) throws {
        try encoder.withUnitsAndExtensionValues(
            of: memory.assumingMemoryBound(to: Subject.self).pointee,
            takesReferences: takesReferences
        ) { try body($0, $1) }
    }

    static func value(of memory: UnsafeMutableRawPointer) throws -> Value {
        try ValueEncoder().encode(memory.assumingMemoryBound(to: Subject.self).pointee)
    }
}

/// The payload of a call without data.
enum NothingKind: PayloadKind {
    typealias Subject = Void

    static func value(of memory: UnsafeMutableRawPointer) -> Value { .undefined }
}

/// A value whose type is known where it is created and where it is consumed, but not in between.
// @unchecked Sendable because one thread creates it and hands it over once, to its consumer.
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

    /// Returns whether values of a kind fit: the memory is aligned as objects are.
    static func takes(_ kind: any PayloadKind.Type) -> Bool { kind.alignment <= 16 }

    /// Allocates memory and lets a body initialize the value in it.
    init(
        _ kind: any PayloadKind.Type,
        site: CallSite? = nil,
        replyReader: PayloadReader? = nil,
        _ initialize: (UnsafeMutableRawPointer) throws -> Void
    ) rethrows {
        let words = (kind.size + MemoryLayout<UInt>.size - 1) / MemoryLayout<UInt>.size
        // One more word, so that types with an alignment of two words fit.
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

    /// The place where the handler of the result was registered; errors of its encoding name it.
    var site: CallSite? { buffer.header.site }

    /// The reader that decodes the reply as the caller's type; `nil` if it is read as data.
    var replyReader: PayloadReader? { buffer.header.replyReader }

    /// Moves the value out, which is possible once.
    func take<Subject>(_ type: Subject.Type) throws -> Subject {
        try buffer.withUnsafeMutablePointers { header, elements in
            guard header.pointee.isFull, header.pointee.kind.subject == type else {
                // A value is decoded only for the type that requested it.
                throw BridgeError(.internal, "The payload is not of the type \(type), or was taken before.")
            }
            header.pointee.isFull = false
            return Self.start(elements, header.pointee.kind).assumingMemoryBound(to: Subject.self).move()
        }
    }

    /// A Boolean value that indicates whether the value is a secret as a whole.
    var isSecret: Bool { SecretMembers.shared.learn(buffer.header.kind.subject)?.isNameless ?? false }

    /// Returns whether the value is of a type.
    func holds(_ type: Any.Type) -> Bool { buffer.header.kind.subject == type }

    /// Returns the value as data.
    ///
    /// - Throws: Any error that the type's encoding throws.
    func value() throws -> Value {
        try buffer.withUnsafeMutablePointers { header, elements in
            guard header.pointee.isFull else { throw BridgeError(.internal, "A payload was taken before.") }
            return try header.pointee.kind.value(of: Self.start(elements, header.pointee.kind))
        }
    }

    /// Passes the memory of the value to a body, unless it was taken out.
    func withValue(_ body: (UnsafeMutableRawPointer) -> Void) {
        buffer.withUnsafeMutablePointers { header, elements in
            guard header.pointee.isFull else { return }
            body(Self.start(elements, header.pointee.kind))
        }
    }

    /// Encodes the value for the script to build.
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

/// A reader that decodes payloads of scripts as a type at the moment when they are delivered.
// @unchecked Sendable because a metatype is immutable.
struct PayloadReader: @unchecked Sendable {
    let kind: any DecodedKind.Type

    init<Subject: Decodable>(_ type: Subject.Type) { kind = ReadKind<Subject>.self }

    /// The identity of the type.
    var typeID: ObjectIdentifier { ObjectIdentifier(kind.subject) }

    /// Creates the receiver of the script's payloads; `nil` for types that are read as data in any case.
    ///
    /// - Parameters:
    ///   - context: The script's context. A turn must be open.
    ///   - isNested: Whether the receiver runs code that may call scripts again.
    ///   - receive: Receives the arguments before the payload, and the function that decodes the value into memory.
    ///     Returns the answer for the script.
    /// - Returns: The receiver.
    /// - Throws: ``JSException`` if the turn was stopped.
    func makeReceiver(
        in context: JSContext,
        isNested: Bool,
        _ receive: @escaping (HostCall, (UnsafeMutableRawPointer) throws -> Void) throws -> ReceiverAnswer
    ) throws -> MessageReceiver? {
        guard PayloadMemory.takes(kind) else { return nil }
        return try context.makeReceiver(of: kind.subject, isNested: isNested, receive)
    }

    /// Decodes a payload into new memory.
    ///
    /// - Throws: The error of a payload that cannot be read at all.
    func payload(_ decode: (UnsafeMutableRawPointer) throws -> Void) throws -> MessagePayload {
        do {
            return .read(try PayloadMemory(kind) { try decode($0) })
        } catch {
            return .unreadable(try Self.mismatch(error))
        }
    }

    /// Returns the error of a payload that does not match its type; rethrows errors of payloads that cannot be read at
    /// all.
    static func mismatch(_ error: any Error) throws -> BridgeError {
        if let error = error as? DecodingError { return BridgeError(decoding: error) }
        guard error.isOfType else { throw error }
        return BridgeError(wrapping: error)
    }
}

extension Error {
    /// A Boolean value that indicates whether the error reports a payload that does not match its type, and not one
    /// that cannot be read at all.
    fileprivate var isOfType: Bool {
        guard let error = self as? BridgeError else { return !(self is JSException) }
        return error.code == .decodeFailed
    }
}
