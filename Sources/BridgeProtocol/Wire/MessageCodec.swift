package import BridgeJSON
package import BridgeValues

/// A message of the text transport, with its payload beside it.
package struct TextMessage: Sendable, Hashable {
    /// The message; it has no token, as the payload is not in a slab yet.
    package var message: BridgeMessage
    /// The payload; `nil` where the message has none, or where ``payloadText`` has it.
    package var payload: Value?
    /// The payload as validated text, from a codec whose ``MessageCodec/payloadForm`` is `text`.
    package var payloadText: JSONPayload?
    /// A Boolean value that indicates whether the message had the key `x`, which shows that its sender supports
    /// extensions.
    package var isExtended: Bool
    /// The sender's capabilities that the message shows: those of a request, or of a greeting.
    package var shows: CallerCapabilities = []
    /// The ids of the calls whose results the payload refers to (`x.p`).
    package var awaitedResults: [String] = []
    /// The stream of a response that was decoded as an error, which has no consumer.
    package var abandonedStream: MessageID?

    /// Creates a message with its payload.
    package init(
        _ message: BridgeMessage,
        payload: Value? = nil,
        payloadText: JSONPayload? = nil,
        isExtended: Bool = false
    ) {
        self.message = message
        self.payload = payload
        self.payloadText = payloadText
        self.isExtended = isExtended
    }
}

/// An importer of the references in messages.
package protocol ReferenceImporter: Sendable {
    /// Returns the reference of a record: a proxy of the other side's object, or this side's own object.
    ///
    /// - Throws: `decodeFailed` for an id that was never exported, `limitExceeded`.
    func reference(to record: ReferenceRecord) throws(BridgeError) -> Reference
}

/// A codec of the text wire: the messages of WebViewJavascriptBridge, with the extension key `x` (W1).
///
/// A malformed message never affects its neighbors (R2): the ends of a batch's elements are found without decoding
/// them, and each is decoded separately.
///
/// A class, because a session uses it for each message, and a copy would retain all strings of its dialect.
package final class MessageCodec: Sendable {
    /// The result of decoding one element of a batch.
    package enum Element: Sendable, Hashable {
        /// A message for ``SessionMachine/receive(_:from:)``.
        case message(TextMessage)
        /// A request whose payload cannot be accepted, for ``SessionMachine/refuse(_:_:from:)``.
        case refused(BridgeMessage.Request, BridgeError)
        /// A malformed message.
        ///
        /// The caller counts it, logs it, and continues.
        case malformed(BridgeError)
    }

    /// The result of decoding a fetched text.
    package struct Batch: Sendable, Hashable {
        /// The elements in order.
        package var elements: [Element] = []
        /// The problem of the text as a whole: at most one warning (P32, P69).
        package var warning: String?
        /// The number of names and keys with a lone surrogate, now U+FFFD (P66).
        package var repairedTexts = 0
    }

    /// The form in which payloads are returned.
    package enum PayloadForm: Sendable, Hashable {
        /// Decoded data: ``TextMessage/payload``.
        case value
        /// The payload's own text, validated and cut out of the message, so that a handler's type is decoded directly
        /// from it: ``TextMessage/payloadText``.
        case text
    }

    /// The limits of messages.
    package let limits: BridgeLimits
    let payloadForm: PayloadForm
    /// The dialect of the messages.
    package let dialect: BridgeDialect
    /// The importer of references in messages; without it they are `unsupported`.
    let importer: (any ReferenceImporter)?
    let keys: MessageKeyTable
    /// The parts of a reply around its id and its result.
    let replyParts: (opening: [UInt16], data: [UInt16])

    /// Creates a codec.
    package init(
        limits: BridgeLimits = BridgeLimits(),
        payloadForm: PayloadForm = .value,
        dialect: BridgeDialect = .wvjb6,
        importer: (any ReferenceImporter)? = nil
    ) {
        self.limits = limits
        self.payloadForm = payloadForm
        self.dialect = dialect
        self.importer = importer
        keys = MessageKeyTable(dialect.scriptKeys)
        replyParts = Self.replyParts(dialect.nativeKeys)
    }
}
