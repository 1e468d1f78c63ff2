internal import BridgeProtocol

/// How values of one type become payloads; what it asks the type is asked once.
// @unchecked Sendable because a type is the same for everybody.
struct PayloadForm<Subject: Encodable>: @unchecked Sendable {
    private let kind: any PayloadKind.Type = HeldKind<Subject>.self
    /// Whether a value may wait until its message is handed over.
    ///
    /// One that holds objects is the session's alone, or may cross threads. An object is encoded at once, as whoever else
    /// holds it may change it (P40).
    private let canWait =
        Subject.self != Value.self && (!(Subject.self is AnyClass) || Subject.self is any JSCrossing.Type)
        && PayloadMemory.takes(HeldKind<Subject>.self)

    /// The payload of a value that nobody changes from now on: in process it is written when its message is handed over.
    ///
    /// On a text wire it is encoded at once: what cannot be encoded is an error for the caller (P70).
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
    /// The payload of a value as it is now.
    ///
    /// - Throws: ``BridgeError`` with the code `encodeFailed` or `limitExceeded`, or what the type throws.
    func takenPayload<Subject: Encodable>(of subject: Subject) throws -> MessagePayload {
        // Data that a script may have made is written by the table of values: its NaN is null (P64).
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

    /// The payload of a call as its data is now, whose reply is read as a type.
    ///
    /// - Throws: As ``takenPayload(of:)``.
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

    /// The payload of a call whose reply is read as a type; its data is nobody else's to change.
    func heldPayload<Subject: Encodable, Response: Decodable>(
        of subject: Subject,
        replyingWith response: Response.Type
    ) throws -> MessagePayload {
        let reader = PayloadReader(response)
        return try PayloadForm<Subject>().payload(of: subject, in: self, replyReader: reader)
    }

    /// The payload of a call without data whose reply is read as a type.
    func noPayload<Response: Decodable>(replyingWith response: Response.Type) -> MessagePayload? {
        guard isDirect else { return nil }
        let reader = PayloadReader(response)
        return .held(PayloadMemory(NothingKind.self, replyReader: reader) { _ in })
    }
}
