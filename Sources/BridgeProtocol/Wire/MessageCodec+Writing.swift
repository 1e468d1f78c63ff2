package import BridgeJSON
package import BridgeValues

extension MessageCodec {
    /// Encodes a message as the native side of WebViewJavascriptBridge does, with `x` where there are extensions (P13,
    /// P15).
    ///
    /// - Parameters:
    ///   - message: The message. Its token is ignored.
    ///   - payload: The payload; `nil` and `undefined` leave `data` out of a request, and are `null` in a response.
    ///   - now: The time on the session's clock, from which a request's remaining time is calculated.
    ///   - isPretty: Whether to write several lines, for a log.
    ///   - isReceived: Whether the message came from the script side, and has its spelling.
    /// - Returns: JSON text without lone surrogates. It is passed as a value, never as source text (R11).
    /// - Throws: `limitExceeded` beyond the depth, the number of values or the length.
    package func text(
        of message: BridgeMessage,
        payload: Value?,
        now: Duration,
        isPretty: Bool = false,
        isReceived: Bool = false
    ) throws(BridgeError) -> String {
        let keys = isReceived ? dialect.scriptKeys : dialect.nativeKeys
        switch message {
        case .request(let request):
            return try write(
                keys.request(
                    request.handlerName,
                    data: try spelled(payload),
                    callbackID: request.callbackID?.text(isScripts: isReceived),
                    extensions: extensions(of: request, now: now),
                    omitsEmptyName: dialect.hasDefaultHandler,
                    text: Value.string
                ),
                isPretty
            )
        case .response(let response):
            let id = response.responseID.text(isScripts: !isReceived)
            if case .stream(let stream) = response.outcome {
                let x: Value = ["st": ["sid": .string(stream.text(isScripts: isReceived))]]
                return try write(
                    keys.response(to: id, data: nil, extensions: x, text: Value.string),
                    isPretty
                )
            }
            guard let error = response.outcome.error else {
                let result = try spelled(payload.flatMap { $0 == .undefined ? nil : $0 }) ?? .null
                return try write(keys.response(to: id, data: result, text: Value.string), isPretty)
            }
            do throws(BridgeError) {
                let x: Value = ["err": error.record]
                return try write(
                    keys.response(to: id, data: nil, extensions: x, text: Value.string),
                    isPretty
                )
            } catch {
                // An error whose data or causes exceed a limit is sent without them.
                let error = response.outcome.error ?? error
                let bare = BridgeError(error.code, String(error.message.prefix(1000)))
                let x: Value = ["err": bare.record]
                return try write(
                    keys.response(to: id, data: nil, extensions: x, text: Value.string),
                    isPretty
                )
            }
        case .control(let control):
            return try write(
                keys.request(
                    SessionMachine.reservedPrefix + control.wireName,
                    data: control.kind == .release
                        ? payload : .object(control.data(payload: payload, isReceived: isReceived)),
                    callbackID: nil,
                    extensions: .object(ValueObject()),
                    omitsEmptyName: false,
                    text: Value.string
                ),
                isPretty
            )
        }
    }

    /// Encodes a message around a payload that is already text, without decoding it.
    ///
    /// - Parameters:
    ///   - message: The message. Its token is ignored.
    ///   - payload: The payload as ``JSONPayload/init(encoding:by:)`` created it; `nil` leaves `data` out of a request,
    ///     and is `null` in a response. An error has none.
    ///   - now: The time on the session's clock, from which a request's remaining time is calculated.
    /// - Returns: The code units of the JSON text.
    /// - Throws: `limitExceeded` beyond the length.
    package func units(
        of message: BridgeMessage,
        payload: JSONPayload?,
        now: Duration
    ) throws(BridgeError) -> [UInt16] {
        let keys = dialect.nativeKeys
        let text = { (text: String) in JSONPayload.Part.value(.string(text)) }
        switch message {
        case .request(let request):
            return try JSONPayload.units(
                ofObject: keys.request(
                    request.handlerName,
                    data: payload.map(spelled),
                    callbackID: request.callbackID?.description,
                    extensions: extensions(of: request, now: now, payload?.places).map { .value($0) },
                    omitsEmptyName: dialect.hasDefaultHandler,
                    text: text
                ),
                limits: limits
            )
        case .control(let control) where control.kind == .release:
            return try JSONPayload.units(
                ofObject: keys.request(
                    SessionMachine.reservedPrefix + control.wireName,
                    data: payload.map { .text($0) },
                    callbackID: nil,
                    extensions: .value(.object([:])),
                    omitsEmptyName: false,
                    text: text
                ),
                limits: limits
            )
        case .control(let control):
            var data: [(key: String, part: JSONPayload.Part?)] = control.data(payload: nil, isReceived: false)
                .members
                .map { ($0.key, .value($0.value)) }
            if control.kind.hasPayload, let payload {
                data.removeAll { $0.key == "v" }
                data.append(("v", .text(payload)))
            }
            let inner = JSONPayload(written: try JSONPayload.units(ofObject: data, limits: limits))
            return try JSONPayload.units(
                ofObject: keys.request(
                    SessionMachine.reservedPrefix + control.wireName,
                    data: .text(inner),
                    callbackID: nil,
                    extensions: .value(.object(payload?.places?.members ?? [:])),
                    omitsEmptyName: false,
                    text: text
                ),
                limits: limits
            )
        case .response(let response):
            guard case .payload = response.outcome else {
                return Array(try self.text(of: message, payload: nil, now: now).utf16)
            }
            return try JSONPayload.units(
                ofObject: keys.response(
                    to: response.responseID.description,
                    data: payload.map(spelled) ?? .value(.null),
                    extensions: payload?.places.map { .value(.object($0.members)) },
                    text: text
                ),
                limits: limits
            )
        }
    }

    /// Encodes a payload by itself.
    ///
    /// - Throws: The errors of ``text(of:payload:now:isPretty:isReceived:)``.
    package func text(ofPayload payload: Value) throws(BridgeError) -> String {
        var writer = JSONWriter(limits: limits)
        try writer.write(payload)
        return writer.text
    }

    // Where payloads are strings, other values cross as their JSON text; a string is itself.
    private func spelled(_ payload: Value?) throws(BridgeError) -> Value? {
        guard dialect.payloadIsText, let payload else { return payload }
        switch payload {
        case .undefined, .null, .string, .illFormedString: return payload
        default: return .string(try text(ofPayload: payload))
        }
    }

    private func spelled(_ payload: JSONPayload) -> JSONPayload.Part {
        let isText = payload.units.first == .quote || payload.units.elementsEqual("null".utf16)
        guard dialect.payloadIsText, !isText else { return .text(payload) }
        return .value(.string(String(decoding: payload.units, as: UTF16.self)))
    }

    private func write(_ members: [(key: String, part: Value?)], _ isPretty: Bool) throws(BridgeError)
        -> String
    {
        var writer = JSONWriter(limits: limits, isPretty: isPretty)
        try writer.writeMessage(members.map { ($0.key, $0.part) })
        let text = writer.text
        // The byte count decides if it is within the limit; otherwise the units are counted.
        if text.utf8.count > limits.maximumMessageLength {
            let length = text.utf16.count
            guard length <= limits.maximumMessageLength else {
                throw BridgeError(
                    .limitExceeded,
                    "A message may have \(limits.maximumMessageLength) units, this one has \(length)."
                )
            }
        }
        return text
    }

    private func extensions(
        of request: BridgeMessage.Request,
        now: Duration,
        _ places: ExtensionValues? = nil
    ) -> Value? {
        var object = ValueObject()
        if !request.accepts.isEmpty { object["acc"] = .array(request.accepts.names.map(Value.string)) }
        // A call in the form of WebViewJavascriptBridge has a deadline here, but does not send it (W2).
        if request.callbackID != nil, !request.accepts.isEmpty, let deadline = request.deadline {
            // At least 1, as 0 would mean no deadline.
            object["ttl"] = .integer(max(1, Int64((deadline - now).clampedNanoseconds / 1_000_000)))
        }
        if let trace = request.trace {
            var record: ValueObject = ["id": .string(trace.id)]
            record["parent"] = trace.parent.map(Value.string)
            object["t"] = .object(record)
        }
        if request.keepsResult { object["keep"] = true }
        for member in places?.members.members ?? [] { object[member.key] = member.value }
        return object.isEmpty ? nil : .object(object)
    }
}

extension Control {
    /// The name after the reserved prefix.
    fileprivate var wireName: String {
        switch kind {
        case .cancel, .stop: "cancel"
        case .progress: "progress"
        case .next, .event: "next"
        case .end: "end"
        case .more: "more"
        case .subscribe: "sub"
        case .unsubscribe: "unsub"
        case .hello: "hello"
        case .release: "release"
        }
    }

    // The caller chose the id of a call; the producer chose the id of a stream.
    private var isOfSender: Bool {
        switch kind {
        case .cancel, .next, .end: true
        default: false
        }
    }

    fileprivate func data(payload: Value?, isReceived: Bool) -> ValueObject {
        let id = Value.string(id.text(isScripts: isReceived == isOfSender))
        let number = Value.integer(Int64(clamping: number))
        var object = ValueObject()
        switch kind {
        case .cancel: object["id"] = id
        case .progress: object["id"] = id
        case .next, .end, .more, .stop: object["sid"] = id
        case .subscribe, .unsubscribe, .event: object["topic"] = id
        case .hello:
            object["v"] = 1
            object["features"] = .array(CallerCapabilities.all.names.map(Value.string))
        case .release: break
        }
        switch kind {
        case .next, .end, .event: object["n"] = number
        case .more: object["k"] = number
        default: break
        }
        switch kind {
        case .next, .event, .progress: object["v"] = payload ?? .null
        case .end: if let error { object["err"] = error.record }
        case .cancel, .stop: if let error { object["reason"] = error.record }
        default: break
        }
        return object
    }
}
