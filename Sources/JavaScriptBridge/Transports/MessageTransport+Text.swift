internal import BridgeJSON
internal import BridgeProtocol

/// Messages in text, in the format of WebViewJavascriptBridge, by any transport.
extension MessageTransport {
    /// Receives a batch of messages.
    ///
    /// - Parameters:
    ///   - units: The text of an array of messages.
    ///   - take: Receives the ranges of a message's members; returns false if it has to be read as a message.
    func receive(
        _ units: UnsafeBufferPointer<UInt16>,
        taking take: (MessageMembers) -> Bool = { _ in false }
    ) {
        let (warning, repairedTexts) = session.codec.read(
            units,
            now: session.configuration.clock.now,
            taking: take
        ) { receive($0) }
        if let warning { session.logWarning(warning) }
        if repairedTexts > 0 {
            session.update(isInTurn: true) { $0.machine.noteRepairedTexts(repairedTexts) }
        }
    }

    private func receive(_ element: MessageCodec.Element) {
        switch element {
        case .message(var received):
            // The cast is slow, and errors are rare.
            if case .response(let response) = received.message, response.outcome.error != nil {
                (self as? any EngineTransport)?.withContext { received.message.mapFrames(in: $0) }
            }
            received.message.count(for: session.account(of: sendersOperation))
            if received.isExtended { session.update(isInTurn: true) { $0.machine.peerShowedExtensions() } }
            session.peer.note(received.shows)
            let payload = MessagePayload(received)
            if case .request(let request) = received.message, !received.awaitedResults.isEmpty,
                case .text(let text)? = payload
            {
                moveRest()
                return receive(request, text, awaiting: received.awaitedResults)
            }
            let admitted = check(
                received.message,
                .success(payload),
                size: { (try? payload?.value())?.payloadBytes ?? 0 }
            )
            guard let admitted else { return }
            enqueue(.message(admitted, payload))
            guard let abandoned = received.abandonedStream else { return }
            moveRest()
            session.update(isInTurn: true) { $0.machine.refuseStream(abandoned) }
        case .refused(var request, let error):
            request.account = session.account(of: sendersOperation)
            guard !session.crosses(.malformed(error.code.rawValue)) else { return }
            keepResult(of: request)
            session.logTraffic(.request(request), nil, isSent: false)
            // A denial comes before an error of the payload, as where payloads are read later.
            guard session.admits(&request, size: { 0 }) else { return }
            enqueue(.refused(request, error))
        case .malformed(let error):
            guard !session.crosses(.malformed(error.code.rawValue)) else { return }
            session.update(isInTurn: true) { $0.machine.dropUnreadable(error) }
        }
    }
}

extension MessageTransport {
    /// Returns a message as text; a payload that is text already is inserted as it is.
    ///
    /// - Throws: `encodeFailed`, `limitExceeded`, or any error that the encoding of the payload throws.
    func units(of message: BridgeMessage, _ payload: MessagePayload?) throws -> [UInt16] {
        let now = session.timeOfSending
        guard let text = try text(of: payload, for: message) else {
            let isUndefined = try payload?.value() == .undefined
            return try session.codec.units(of: message, payload: nil, isUndefined: isUndefined, now: now)
        }
        let exported = text.places?.references ?? []
        try session.references.export(exported)
        do {
            return try session.codec.units(of: message, payload: text, now: now)
        } catch {
            session.references.takeBack(exported)
            throw error
        }
    }

    /// Returns a payload in the form that its message may contain.
    ///
    /// - Throws: `encodeFailed` if the policy demands it, `limitExceeded`.
    private func text(of payload: MessagePayload?, for message: BridgeMessage) throws -> JSONPayload? {
        let (takesPlaces, takesReferences) =
            switch message {
            // Each request announces what its reply may contain.
            case .response(let response):
                (
                    response.accepts.contains(.binary) && canMark,
                    response.accepts.contains([.binary, .references]) && canMark
                )
            case .request, .control: (session.peer.takesPlaces, session.peer.takesReferences)
            }
        switch payload {
        case nil, .value(.undefined)?: return nil
        case .text(let text)?:
            // It was encoded before its receiver was known, and mostly has no extension values that matter.
            guard let places = text.places else { return text }
            guard places.references.isEmpty || takesReferences else {
                throw BridgeError(.unsupported, Value.noReference)
            }
            return takesPlaces ? text : try plain(text.decode(Value.self))
        case let payload?:
            let value = try payload.value()
            if value == .undefined { return nil }
            guard takesPlaces else { return try plain(value) }
            return try JSONPayload(
                encodingWithPlaces: value,
                by: session.textEncoder,
                takesReferences: takesReferences
            )
        }
    }

    private var canMark: Bool { session.peer.ownCapabilities.contains(.binary) }

    // Data that a script may have created follows the conversion table of values: its NaN becomes null (P64).
    private func plain(_ value: Value) throws -> JSONPayload {
        var encoder = session.textEncoder
        encoder.nonFiniteStrategy = .null
        return try JSONPayload(encoding: value, by: encoder)
    }
}

extension BridgeMessage {
    /// Replaces the frames of its error by those of their sources.
    fileprivate mutating func mapFrames(in context: JSContext) {
        guard case .response(var response) = self, var error = response.outcome.error else { return }
        error.mapFrames(in: context)
        response.outcome = .failure(error)
        self = .response(response)
    }

    /// Records the budget for the work on it.
    fileprivate mutating func count(for account: WorkBudget?) {
        guard let account else { return }
        switch self {
        case .request(var request):
            request.account = account
            self = .request(request)
        case .response(var response):
            response.account = account
            self = .response(response)
        case .control: break
        }
    }

    /// Returns the message with the token of its payload.
    func carrying(_ token: PayloadToken?) -> BridgeMessage {
        switch self {
        case .request(var request):
            request.payload = token
            return .request(request)
        case .response(var response):
            if case .payload = response.outcome { response.outcome = .payload(token) }
            return .response(response)
        case .control(var control):
            control.payload = token
            return .control(control)
        }
    }
}
