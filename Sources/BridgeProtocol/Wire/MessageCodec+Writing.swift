package import BridgeValues

extension MessageCodec {
    /// Writes a message as the ancestor's native side does, with `x` where there is something to say (P13,
    /// P15).
    ///
    /// - Parameters:
    ///   - message: The message. Its token is not looked at.
    ///   - payload: The payload; `nil` and `undefined` leave `data` out of a request, and are `null` in a
    ///     response.
    ///   - now: The time on the session's clock, which a request's deadline is written against.
    ///   - isPretty: Whether to write it over several lines, for a log.
    /// - Returns: JSON text without lone surrogates. It is handed over as a value, never as source text
    ///   (R11).
    /// - Throws: `limitExceeded` past the depth, the node or the length limit.
    package func text(
        of message: BridgeMessage,
        payload: Value?,
        now: Duration,
        isPretty: Bool = false
    ) throws(BridgeError) -> String {
        switch message {
        case .request(let request):
            return try write(
                [
                    ("handlerName", .string(request.handlerName)),
                    ("data", payload),
                    ("callbackId", request.callbackID.map { .string($0.description) }),
                    ("x", extensions(of: request, now: now)),
                ],
                isPretty
            )
        case .response(let response):
            let id = Value.string(response.responseID.description)
            if case .stream(let stream) = response.outcome {
                return try write(
                    [("responseId", id), ("x", ["st": ["sid": .string(stream.description)]])],
                    isPretty
                )
            }
            guard let error = response.outcome.error else {
                let result = payload.flatMap { $0 == .undefined ? nil : $0 } ?? .null
                return try write([("responseId", id), ("responseData", result)], isPretty)
            }
            do throws(BridgeError) {
                return try write(
                    [("responseId", id), ("x", ["err": error.record])],
                    isPretty
                )
            } catch {
                return try write(bareError(id, response.outcome.error ?? error), isPretty)
            }
        case .control(let control):
            return try write(
                [
                    ("handlerName", .string(SessionMachine.reservedPrefix + control.wireName)),
                    ("data", .object(control.data(payload: payload))),
                    ("x", .object(ValueObject())),
                ],
                isPretty
            )
        }
    }

    /// Writes a message around a payload that is text already, without reading it again.
    ///
    /// - Parameters:
    ///   - message: The message. Its token is not looked at.
    ///   - payload: The payload as ``JSONPayload/init(encoding:by:)`` made it; `nil` leaves `data` out of a request,
    ///     and is `null` in a response. An error has none.
    ///   - now: The time on the session's clock, which a request's deadline is written against.
    /// - Returns: The units of the JSON text.
    /// - Throws: `limitExceeded` past the length limit.
    package func units(
        of message: BridgeMessage,
        payload: JSONPayload?,
        now: Duration
    ) throws(BridgeError) -> [UInt16] {
        switch message {
        case .request(let request):
            return try JSONPayload.units(
                ofObject: [
                    ("handlerName", .value(.string(request.handlerName))),
                    ("data", payload.map { .text($0) }),
                    ("callbackId", request.callbackID.map { .value(.string($0.description)) }),
                    ("x", extensions(of: request, now: now).map { .value($0) }),
                ],
                limits: limits
            )
        case .control(let control):
            var data: [(key: String, part: JSONPayload.Part?)] = control.data(payload: nil).members
                .map { ($0.key, .value($0.value)) }
            if control.kind.hasPayload, let payload {
                data.removeAll { $0.key == "v" }
                data.append(("v", .text(payload)))
            }
            let inner = JSONPayload(written: try JSONPayload.units(ofObject: data, limits: limits))
            return try JSONPayload.units(
                ofObject: [
                    ("handlerName", .value(.string(SessionMachine.reservedPrefix + control.wireName))),
                    ("data", .text(inner)),
                    ("x", .value(.object(ValueObject()))),
                ],
                limits: limits
            )
        case .response(let response):
            guard case .payload = response.outcome else {
                return Array(try text(of: message, payload: nil, now: now).utf16)
            }
            return try JSONPayload.units(
                ofObject: [
                    ("responseId", .value(.string(response.responseID.description))),
                    ("responseData", payload.map { .text($0) } ?? .value(.null)),
                ],
                limits: limits
            )
        }
    }

    // An error whose data or causes are over a limit reaches its caller without them: better than not at all.
    private func bareError(_ id: Value, _ error: BridgeError) -> [(String, Value?)] {
        let bare = BridgeError(error.code, String(error.message.prefix(1000)))
        return [("responseId", id), ("x", ["err": bare.record])]
    }

    private func write(_ members: [(String, Value?)], _ isPretty: Bool) throws(BridgeError) -> String {
        var writer = JSONWriter(limits: limits, isPretty: isPretty)
        try writer.writeMessage(members)
        let text = writer.text
        // Bytes can tell only from a third of the limit on; the exact length is counted where it may matter.
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

    private func extensions(of request: BridgeMessage.Request, now: Duration) -> Value? {
        var object = ValueObject()
        if !request.accepts.isEmpty { object["acc"] = .array(request.accepts.names.map(Value.string)) }
        if request.callbackID != nil, let deadline = request.deadline {
            // At least 1, as 0 would mean that there is no deadline.
            object["ttl"] = .integer(max(1, Int64((deadline - now).clampedNanoseconds / 1_000_000)))
        }
        return object.isEmpty ? nil : .object(object)
    }
}

extension Control {
    /// What stands behind the reserved prefix.
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
        }
    }

    fileprivate func data(payload: Value?) -> ValueObject {
        let id = Value.string(id.description)
        let number = Value.integer(Int64(clamping: number))
        var object = ValueObject()
        switch kind {
        case .cancel: object["id"] = id
        case .progress: object["id"] = id
        case .next, .end, .more, .stop: object["sid"] = id
        case .subscribe, .unsubscribe, .event: object["topic"] = id
        case .hello: object["v"] = 1
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
