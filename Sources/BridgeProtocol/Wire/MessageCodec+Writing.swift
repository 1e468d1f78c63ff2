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
        let isUndefined = payload == .undefined
        var text: JSONPayload?
        if let payload, !isUndefined { text = try JSONPayload(payload, limits: limits) }
        let units = try units(
            of: message,
            payload: text,
            isUndefined: isUndefined,
            now: now,
            isReceived: isReceived
        )
        return isPretty ? JSONPayload.lines(of: units) : String(decoding: units, as: UTF16.self)
    }

    /// Encodes a message around a payload that is already text, without decoding it.
    ///
    /// - Parameters:
    ///   - message: The message. Its token is ignored.
    ///   - payload: The payload as ``JSONPayload/init(encoding:by:)`` created it; `nil` leaves `data` out of a request,
    ///     and is `null` in a response. An error has none.
    ///   - isUndefined: Whether the payload is missing because it is `undefined`, which some messages distinguish.
    ///   - now: The time on the session's clock, from which a request's remaining time is calculated.
    ///   - isReceived: Whether the message came from the script side, and has its spelling.
    /// - Returns: The code units of the JSON text.
    /// - Throws: `limitExceeded` beyond the length.
    package func units(
        of message: BridgeMessage,
        payload: JSONPayload?,
        isUndefined: Bool = false,
        now: Duration,
        isReceived: Bool = false
    ) throws(BridgeError) -> [UInt16] {
        let keys = isReceived ? dialect.scriptKeys : dialect.nativeKeys
        let text = { (text: String) in JSONPayload.Part.value(.string(text)) }
        switch message {
        case .request(let request):
            return try write(
                keys.request(
                    request.handlerName,
                    data: payload.map(spelled),
                    callbackID: request.callbackID?.text(isScripts: isReceived),
                    extensions: extensions(of: request, now: now, payload?.places).map { .value($0) },
                    omitsEmptyName: dialect.hasDefaultHandler,
                    text: text
                )
            )
        case .response(let response):
            func units(_ data: JSONPayload.Part?, _ extensions: Value?) throws(BridgeError) -> [UInt16] {
                let id = response.responseID.text(isScripts: !isReceived)
                return try write(
                    keys.response(to: id, data: data, extensions: extensions.map { .value($0) }, text: text)
                )
            }
            switch response.outcome {
            case .payload:
                return try units(
                    payload.map(spelled) ?? .value(.null),
                    payload?.places.map { .object($0.members) }
                )
            case .stream(let stream):
                return try units(nil, ["st": ["sid": .string(stream.text(isScripts: isReceived))]])
            case .failure(let error):
                do throws(BridgeError) {
                    return try units(nil, ["err": error.record])
                } catch {
                    // An error whose data or causes exceed a limit is sent without them.
                    let error = response.outcome.error ?? error
                    let bare = BridgeError(error.code, String(error.message.prefix(1000)))
                    return try units(nil, ["err": bare.record])
                }
            }
        case .control(let control):
            return try write(
                keys.request(
                    SessionMachine.reservedPrefix + control.wireName,
                    data: control.kind == .release
                        ? payload.map { .text($0) }
                        : .text(
                            try data(of: control, payload, isUndefined: isUndefined, isReceived: isReceived)
                        ),
                    callbackID: nil,
                    extensions: .value(.object(payload?.places?.members ?? [:])),
                    omitsEmptyName: false,
                    text: text
                )
            )
        }
    }

    /// Appends a reply without extensions to a text, around an id and a result that are text already.
    ///
    /// - Parameters:
    ///   - id: The id of the request, as in its text.
    ///   - payload: The result's JSON; `nil` for none.
    ///   - text: The text; unchanged if this returns `nil`.
    /// - Returns: The place of the id in the text; `nil` if the reply is beyond the length limit.
    package func append(
        replyTo id: ArraySlice<UInt16>,
        _ payload: UnsafeBufferPointer<UInt16>?,
        to text: inout [UInt16]
    ) -> Range<Int>? {
        let (opening, data) = replyParts
        let length = opening.count + id.count + data.count + (payload?.count ?? Self.null.count) + 1
        guard length <= limits.maximumMessageLength else { return nil }
        text.append(contentsOf: opening)
        let start = text.count
        text.append(contentsOf: id)
        text.append(contentsOf: data)
        if let payload { text.append(contentsOf: payload) } else { text.append(contentsOf: Self.null) }
        text.append(.closeBrace)
        return start..<start + id.count
    }

    private static let null = Array("null".utf16)

    /// Returns the text of a reply before its id, and that between its id and its result.
    static func replyParts(_ keys: MessageKeys) -> (opening: [UInt16], data: [UInt16]) {
        let members = keys.response(to: "", data: JSONPayload.Part.value(.null)) { .value(.string($0)) }
        // The text ends with the quotes of the empty id, a comma, the key, a colon and `null}`.
        guard let text = try? JSONPayload.units(ofObject: members, limits: BridgeLimits()),
            let withoutData = try? JSONPayload.units(
                ofObject: members.filter { $0.key != keys.responseData },
                limits: BridgeLimits()
            )
        else { preconditionFailure("The keys of a dialect could not be written.") }
        let count = withoutData.count - 2
        return (Array(text[..<count]), Array(text[count..<text.count - Self.null.count - 1]))
    }

    private func data(
        of control: Control,
        _ payload: JSONPayload?,
        isUndefined: Bool,
        isReceived: Bool
    ) throws(BridgeError) -> JSONPayload {
        var members: [(key: String, part: JSONPayload.Part?)] = control.data(isReceived: isReceived).members
            .map { ($0.key, .value($0.value)) }
        // A value that is `undefined` is left out; a missing one is null.
        if control.kind.hasPayload, !isUndefined {
            members.append(("v", payload.map { .text($0) } ?? .value(.null)))
        }
        return JSONPayload(written: try write(members))
    }

    private func write(_ members: [(key: String, part: JSONPayload.Part?)]) throws(BridgeError) -> [UInt16] {
        try JSONPayload.units(ofObject: members, limits: limits)
    }

    /// Encodes a payload by itself.
    ///
    /// - Throws: `limitExceeded`.
    package func text(ofPayload payload: Value) throws(BridgeError) -> String {
        String(decoding: try JSONPayload(payload, limits: limits).units, as: UTF16.self)
    }

    // Where payloads are strings, other values cross as their JSON text; a string is itself.
    private func spelled(_ payload: JSONPayload) -> JSONPayload.Part {
        let isText = payload.units.first == .quote || payload.units.elementsEqual("null".utf16)
        guard dialect.payloadIsText, !isText else { return .text(payload) }
        return .value(.string(String(decoding: payload.units, as: UTF16.self)))
    }

    private func extensions(
        of request: BridgeMessage.Request,
        now: Duration,
        _ places: ExtensionValues?
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

    /// Returns the members of its data, except its payload.
    fileprivate func data(isReceived: Bool) -> ValueObject {
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
        case .end: if let error { object["err"] = error.record }
        case .cancel, .stop: if let error { object["reason"] = error.record }
        default: break
        }
        return object
    }
}
