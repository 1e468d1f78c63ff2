internal import BridgeProtocol
internal import BridgeValues
internal import WebViewBridgeDialects

/// A fuzzing target that decodes any text as messages of the wire, and reports contradictions of the decoder.
///
/// Any input is valid, even a text that is not a message. A message must be the same in both payload forms, and the
/// same again after it is encoded and decoded.
enum WireProbe {
    /// The number of dialects that a probe can decode.
    static var dialectCount: Int { dialects.count }

    private static let dialects = BridgeDialect.all
    private static let limits: BridgeLimits = {
        var limits = BridgeLimits()
        limits.maximumDepth = 64
        limits.maximumNodes = 20_000
        limits.maximumMessageLength = 100_000
        limits.maximumNameBytes = 1_000
        return limits
    }()

    /// Decodes a text.
    ///
    /// - Parameters:
    ///   - units: The text, which may contain lone surrogates.
    ///   - dialect: Any number, which selects the dialect.
    /// - Returns: The contradiction, or `nil`.
    static func contradiction(in units: [UInt16], dialect: Int = 0) -> String? {
        let dialect = dialects[dialect % dialects.count]
        let values = MessageCodec(limits: limits, payloadForm: .value, dialect: dialect)
        let texts = MessageCodec(limits: limits, payloadForm: .text, dialect: dialect)
        let batch = values.batch(units, now: .zero)
        let other = texts.batch(units, now: .zero)
        guard batch.elements.count == other.elements.count else {
            return "\(batch.elements.count) messages, read as text \(other.elements.count)"
        }
        if batch.elements.count > units.count { return "more messages than units" }
        for (element, twin) in zip(batch.elements, other.elements) {
            if let problem = difference(element, twin) { return problem }
            if case .message(let message) = element, let problem = change(of: message, by: values) {
                return problem
            }
        }
        return nil
    }

    private static func difference(_ element: MessageCodec.Element, _ twin: MessageCodec.Element) -> String? {
        switch (element, twin) {
        case (.message(let message), .message(let other)):
            guard message.message == other.message, message.isExtended == other.isExtended else {
                return "\(message) is read as text as \(other)"
            }
            // Control messages are decoded completely in either form.
            guard (message.payload == nil) == (other.payloadText == nil && other.payload == nil) else {
                return "the payload of \(message) exists in one form only"
            }
            return nil
        case (.refused(let request, _), .refused(let other, _)):
            return request == other ? nil : "\(request) is refused as text as \(other)"
        case (.malformed, .malformed): return nil
        default: return "\(element) is read as text as \(twin)"
        }
    }

    // A decoded message can be encoded, and is the same when it is decoded again; deadlines are excluded, as their
    // remaining time changes.
    private static func change(of message: TextMessage, by codec: MessageCodec) -> String? {
        // Other dialects encode some messages in ways that their own decoder need not accept.
        guard codec.dialect == .wvjb6 else { return nil }
        var message = message
        if case .request(var request) = message.message {
            request.deadline = nil
            message.message = .request(request)
        }
        let text: String
        do { text = try codec.text(of: message.message, payload: message.payload, now: .zero) } catch {
            return error.code == .limitExceeded ? nil : "\(message) cannot be written: \(error)"
        }
        guard case .message(let again) = codec.element(Array(text.utf16), now: .zero) else {
            return error(text, "is not a message")
        }
        guard kind(again.message) == kind(message.message) else { return error(text, "is another message") }
        return nil
    }

    private static func error(_ text: String, _ what: String) -> String {
        "the encoded message \(what): \(text)"
    }

    private static func kind(_ message: BridgeMessage) -> [String] {
        switch message {
        case .request(let request):
            ["request", request.handlerName, request.callbackID?.description ?? "none"]
        case .response(let response):
            switch response.outcome {
            case .payload: ["result", response.responseID.description]
            case .stream(let id): ["stream", response.responseID.description, id.description]
            case .failure(let error): ["failure", response.responseID.description, error.code.rawValue]
            }
        case .control(let control):
            ["control", "\(control.kind)", control.id.description, "\(control.number)"]
        }
    }
}
