internal import BridgeJSON
internal import BridgeProtocol

/// The conversion of values of one type into payloads; the properties of the type are determined once.
// @unchecked Sendable because a metatype is immutable.
struct PayloadForm<Subject: Encodable>: @unchecked Sendable {
    private let kind: any PayloadKind.Type = HeldKind<Subject>.self
    /// A Boolean value that indicates whether a value may be encoded as late as when its message is delivered.
    ///
    /// A value that holds objects must be exclusive to the session, or may cross threads. An object is encoded
    /// immediately, because another owner may change it (P40).
    private let canWait =
        Subject.self != Value.self
        && (!(Subject.self is AnyClass) || Subject.self is any JSValueRepresentable.Type)
        && PayloadMemory.takes(HeldKind<Subject>.self)

    /// Returns the payload of a value that no code changes from now on; the direct transport encodes it on delivery.
    ///
    /// The text transport encodes it immediately: a value that cannot be encoded is an error for the caller (P70).
    func payload(
        of subject: Subject,
        in session: BridgeSession,
        at site: CallSite? = nil,
        replyReader: PayloadReader? = nil
    ) throws -> MessagePayload {
        guard session.isDirect, canWait else { return try session.takenPayload(of: subject) }
        return .held(
            PayloadMemory(kind, site: site, replyReader: replyReader) {
                $0.initializeMemory(as: Subject.self, to: subject)
            }
        )
    }
}

extension BridgeSession {
    /// Returns the payload of a value as it is now.
    ///
    /// - Throws: ``BridgeError`` with the code `encodeFailed` or `limitExceeded`, or any error that the type throws.
    func takenPayload<Subject: Encodable>(of subject: Subject) throws -> MessagePayload {
        // Data that a script may have created follows the conversion table of values: its NaN becomes null (P64).
        if Subject.self == Value.self, let value = subject as? Value { return .value(value) }
        let isSecret = SecretMembers.shared.isWhole(subject)
        if isDirect {
            let value = try valueEncoder.encode(subject)
            return MessagePayload(value, isSecret: isSecret)
        }
        var text =
            peerTakesPlaces
            ? try JSONPayload(
                encodingWithPlaces: subject,
                by: textEncoder,
                takesReferences: peerTakesReferences
            )
            : try JSONPayload(encoding: subject, by: textEncoder)
        text.isSecret = isSecret
        return .text(text)
    }

    private var valueEncoder: ValueEncoder { ValueEncoder(maximumDepth: configuration.limits.maximumDepth) }

    /// Returns the payload of a call with its data as it is now, and with the type to decode the reply as.
    ///
    /// - Throws: The errors of ``takenPayload(of:)``.
    func takenPayload<Subject: Encodable, Response: Decodable>(
        of subject: Subject,
        replyingWith response: Response.Type
    ) throws -> MessagePayload {
        guard isDirect else { return try takenPayload(of: subject) }
        let value = try (subject as? Value) ?? valueEncoder.encode(subject)
        if SecretMembers.shared.isWhole(subject) { return .secret(value) }
        return .held(
            PayloadMemory(HeldKind<Value>.self, replyReader: PayloadReader(response)) {
                $0.initializeMemory(as: Value.self, to: value)
            }
        )
    }

    /// Returns the payload of a call whose reply is decoded as a type; no other code may change its data.
    func heldPayload<Subject: Encodable, Response: Decodable>(
        of subject: Subject,
        replyingWith response: Response.Type
    ) throws -> MessagePayload {
        let reader = PayloadReader(response)
        return try PayloadForm<Subject>().payload(of: subject, in: self, replyReader: reader)
    }

    /// Returns the payload of a call without data whose reply is decoded as a type.
    func noPayload<Response: Decodable>(replyingWith response: Response.Type) -> MessagePayload? {
        guard isDirect else { return nil }
        let reader = PayloadReader(response)
        return .held(PayloadMemory(NothingKind.self, replyReader: reader) { _ in })
    }
}
