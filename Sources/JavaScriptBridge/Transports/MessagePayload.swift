internal import BridgeProtocol

/// What a message carries, in the form in which it has come so far.
///
/// Whoever knows the type reads or writes that without a ``Value`` in between; a ``Value`` is made only for those
/// that must see one, such as the log.
enum MessagePayload: Sendable {
    /// Data.
    case value(Value)
    /// Data that is a secret as a whole (R38).
    case secret(Value)
    /// Text of the ancestor's wire, checked and not read.
    case text(JSONPayload)
    /// A request or a reply of a script, read as the type of who takes it when the script handed it over.
    case read(PayloadMemory)
    /// A request or a reply of a script that is not what who takes it wants; that is told to the taker.
    case unreadable(any Error)
    /// A request or a reply of Swift, written when it is handed to the script.
    case held(PayloadMemory)

    /// Data, which may be a secret as a whole.
    init(_ value: Value, isSecret: Bool) { self = isSecret ? .secret(value) : .value(value) }

    /// What a message of a wire carries; `nil` where that is nothing.
    init?(_ message: TextMessage) {
        if let text = message.payloadText {
            self = .text(text)
        } else if let value = message.payload {
            self = .value(value)
        } else {
            return nil
        }
    }

    /// Reads the payload as a type; once, where it was read when it was handed over.
    ///
    /// - Throws: ``BridgeError`` with the code `decodeFailed` that names the place, or what the type throws.
    func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        by decoder: JSONTextDecoder
    ) throws -> Decoded {
        switch self {
        // Another type's handler had the name when it came.
        case .read(let memory) where !memory.holds(type):
            return try ValueDecoder().decode(type, from: memory.value())
        case .read(let memory): return try memory.take(type)
        case .value(let value), .secret(let value): return try ValueDecoder().decode(type, from: value)
        case .text(let text): return try text.decode(type, by: decoder)
        case .unreadable(let error): throw error
        case .held(let memory): return try ValueDecoder().decode(type, from: memory.value())
        }
    }

    /// Whether it was read as the type of who takes it.
    var isRead: Bool {
        switch self {
        case .read, .unreadable: true
        case .value, .secret, .text, .held: false
        }
    }

    /// Whether the whole is a secret, which no log shows (R38).
    var isSecret: Bool {
        switch self {
        case .secret: true
        case .text(let text): text.isSecret
        case .held(let memory): memory.isSecret
        case .value, .read, .unreadable: false
        }
    }

    /// The payload as data.
    ///
    /// - Throws: What the encoding of a type throws.
    func value() throws -> Value {
        switch self {
        case .value(let value), .secret(let value): value
        case .text(let text): try text.decode(Value.self)
        case .read(let memory), .held(let memory): try memory.value()
        case .unreadable(let error): throw error
        }
    }
}

extension PayloadSlab where Payload == MessagePayload {
    /// Keeps data.
    mutating func insert(_ value: Value) -> PayloadToken { insert(.value(value)) }
}
