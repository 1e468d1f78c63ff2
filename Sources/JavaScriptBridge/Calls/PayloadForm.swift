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
