internal import BridgeJSON
internal import BridgeProtocol

/// The payload of a message, in the form in which it has arrived so far.
///
/// Code that knows the type decodes or encodes it without a ``Value`` in between; a ``Value`` is created only for code
/// that needs one, such as the log.
enum MessagePayload: Sendable {
    /// Data.
    case value(Value)
    /// Data that is a secret as a whole (R38).
    case secret(Value)
    /// JSON text in the wire format of WebViewJavascriptBridge, validated but not decoded.
    case text(JSONPayload)
    /// A request or a reply of a script, decoded as the receiver's type when the script sent it.
    case read(PayloadMemory)
    /// A request or a reply of a script that cannot be decoded as the receiver's type, with the error for the receiver.
    case unreadable(any Error)
    /// A request or a reply of Swift, which is encoded when it is delivered to the script.
    case held(PayloadMemory)

    /// Creates a payload of data, which may be a secret as a whole.
    init(_ value: Value, isSecret: Bool) { self = isSecret ? .secret(value) : .value(value) }

    /// Creates the payload of a message in text; `nil` if it has none.
    init?(_ message: TextMessage) {
        if let text = message.payloadText {
            self = .text(text)
        } else if let value = message.payload {
            self = .value(value)
        } else {
            return nil
        }
    }

    /// Decodes the payload as a type; only once, if it was decoded on arrival.
    ///
    /// - Throws: ``BridgeError`` with the code `decodeFailed` that names the key path, or any error that the type
    ///   throws.
    func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        by decoder: JSONTextDecoder
    ) throws -> Decoded {
        switch self {
        // A handler of another type had the name on arrival.
        case .read(let memory) where !memory.holds(type):
            return try ValueDecoder().decode(type, from: memory.value())
        case .read(let memory): return try memory.take(type)
        case .value(let value), .secret(let value): return try ValueDecoder().decode(type, from: value)
        case .text(let text): return try text.decode(type, by: decoder)
        case .unreadable(let error): throw error
        case .held(let memory): return try ValueDecoder().decode(type, from: memory.value())
        }
    }

    /// A Boolean value that indicates whether it was decoded as the receiver's type.
    var isRead: Bool {
        switch self {
        case .read, .unreadable: true
        case .value, .secret, .text, .held: false
        }
    }

    /// A Boolean value that indicates whether it is a secret as a whole, which no log shows (R38).
    var isSecret: Bool {
        switch self {
        case .secret: true
        case .text(let text): text.isSecret
        case .held(let memory): memory.isSecret
        case .value, .read, .unreadable: false
        }
    }

    /// Returns the payload as data.
    ///
    /// - Throws: Any error that the encoding of a type throws.
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
    /// Stores data.
    mutating func insert(_ value: Value) -> PayloadToken { insert(.value(value)) }
}
