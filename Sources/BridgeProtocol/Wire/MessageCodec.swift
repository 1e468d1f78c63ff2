package import BridgeValues

/// A message of the text transport with its payload beside it.
package struct TextMessage: Sendable, Hashable {
    /// The message; it has no token, as the payload is not in a slab yet.
    package var message: BridgeMessage
    /// The payload, or `nil` where the message has none or ``payloadText`` has it.
    package var payload: Value?
    /// The payload as checked text, from a codec whose ``MessageCodec/payloadForm`` is `text`.
    package var payloadText: JSONPayload?
    /// Whether the message had the key `x`: its sender knows extensions.
    package var isExtended: Bool
    /// What the message shows its sender to take, now and later: what a request names, or a greeting.
    package var shows: Acceptance = []
    /// The calls whose results the payload refers to (`x.p`).
    package var awaitedResults: [String] = []
    /// The stream that a response begins which is read as an error: nobody will read it.
    package var abandonedStream: MessageID?

    /// Makes a message with its payload.
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

/// Takes what messages say of references.
package protocol ReferenceImporter: Sendable {
    /// What stands here for something of the other side, or the thing itself where it is this side's.
    ///
    /// - Throws: `decodeFailed` for what was never given out, `limitExceeded`.
    func reference(to record: ReferenceRecord) throws(BridgeError) -> Reference
}

/// Reads and writes the text wire: the ancestor's message shapes, with the extension key `x` (W1).
///
/// One message that is wrong never harms its neighbours (R2): a batch is cut into its elements first, and
/// each is read by itself.
package struct MessageCodec: Sendable {
    /// What one element of a batch turned out to be.
    package enum Element: Sendable, Hashable {
        /// A message for ``SessionMachine/receive(_:from:)``.
        case message(TextMessage)
        /// A request whose payload cannot be taken, for ``SessionMachine/refuse(_:_:from:)``.
        case refused(BridgeMessage.Request, BridgeError)
        /// No message of the protocol. Count it, log it, go on.
        case malformed(BridgeError)
    }

    /// What a fetched text turned out to be.
    package struct Batch: Sendable, Hashable {
        /// The elements in their order.
        package var elements: [Element] = []
        /// What is wrong with the text as a whole: one warning at most (P32, P69).
        package var warning: String?
        /// How many names and keys had a lone surrogate, now U+FFFD (P66).
        package var repairedTexts = 0
    }

    /// What payloads are read as.
    package enum PayloadForm: Sendable, Hashable {
        /// As data: ``TextMessage/payload``.
        case value
        /// As their own text, checked and cut out of the message, so that a handler's type is read straight from
        /// it: ``TextMessage/payloadText``.
        case text
    }

    let limits: BridgeLimits
    let payloadForm: PayloadForm
    /// How the messages are spelled.
    package let dialect: BridgeDialect
    /// What takes references that come with a message; without it they are `unsupported`.
    package var importer: (any ReferenceImporter)?

    /// Makes a codec.
    package init(
        limits: BridgeLimits = BridgeLimits(),
        payloadForm: PayloadForm = .value,
        dialect: BridgeDialect = .wvjb6
    ) {
        self.limits = limits
        self.payloadForm = payloadForm
        self.dialect = dialect
    }
}
