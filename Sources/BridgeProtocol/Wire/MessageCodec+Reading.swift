internal import BridgeJSON
internal import BridgeValues

extension MessageCodec {
    /// Decodes the text that `_fetchQueue` returned.
    ///
    /// - Parameters:
    ///   - units: The text as UTF-16 code units, which may contain lone surrogates; `nil` if the text is missing.
    ///   - now: The time on the session's clock, to which a request's time to live is added.
    /// - Returns: The messages in order. No text makes this fail.
    package func batch(_ units: [UInt16]?, now: Duration) -> Batch {
        guard let units else {
            var batch = Batch()
            batch.warning = "The queue was fetched, but there was no text."
            return batch
        }
        return units.withUnsafeBufferPointer { batch($0, now: now) }
    }

    /// Decodes the text that `_fetchQueue` returned, without a copy.
    ///
    /// - Parameters:
    ///   - units: The text as UTF-16 code units, which may contain lone surrogates; it is read only during the call.
    ///   - now: The time on the session's clock, to which a request's time to live is added.
    /// - Returns: The messages in order. No text makes this fail.
    package func batch(_ units: UnsafeBufferPointer<UInt16>, now: Duration) -> Batch {
        var batch = Batch()
        let (warning, repairedTexts) = read(units, now: now) { batch.elements.append($0) }
        batch.warning = warning
        batch.repairedTexts = repairedTexts
        return batch
    }

    /// Decodes the text that `_fetchQueue` returned, and passes each message to a closure when it has been read.
    ///
    /// - Parameters:
    ///   - units: The text as UTF-16 code units, which may contain lone surrogates; it is read only during the call.
    ///   - now: The time on the session's clock, to which a request's time to live is added.
    ///   - take: Receives the ranges of a message's members, before anything is decoded; returns whether the message is
    ///     done. It does not receive messages beyond the limit of length.
    ///   - receive: Receives all other messages.
    /// - Returns: The problem of the text as a whole, and the number of repaired texts, as in ``Batch``.
    package func read(
        _ units: UnsafeBufferPointer<UInt16>,
        now: Duration,
        taking take: (MessageMembers) -> Bool = { _ in false },
        _ receive: (Element) -> Void
    ) -> (warning: String?, repairedTexts: Int) {
        let scanner = JSONScanner(units: units)
        var repairedTexts = 0
        var position = scanner.skipSpace(from: 0)
        guard position < units.count else {
            return ("The queue was fetched, but its text is empty.", 0)
        }
        guard units[position] == .openBracket else {
            let first = units[position].shown
            return ("The queue's text is not an array of messages: it begins with \(first).", 0)
        }
        position = scanner.skipSpace(from: position + 1)
        var isEnded = position < units.count && units[position] == .closeBracket
        while !isEnded {
            let start = position
            var reader = JSONReader(units, in: start..<units.count, limits: limits)
            do throws(BridgeError) {
                let members = try MessageMembers(from: &reader, keys)
                position = reader.position
                guard scanner.isEndOfElement(position) else {
                    reader.skipSpace()
                    throw reader.unexpected("the end of the message")
                }
                if members.text.count > limits.maximumMessageLength || !take(members) {
                    var message = MessageReader(units, members, self, now: now)
                    receive(message.read())
                    repairedTexts += message.repairedTexts
                }
            } catch {
                receive(.malformed(error))
                position = scanner.endOfValue(from: start)
            }
            repairedTexts += reader.repairedTexts
            position = scanner.skipSpace(from: position)
            isEnded = position >= units.count || units[position] == .closeBracket
            if !isEnded { position = scanner.skipSpace(from: position + 1) }
        }
        let isWhole = position < units.count && scanner.skipSpace(from: position + 1) == units.count
        let warning = "The queue's text is not a complete array; its readable messages are processed."
        return (isWhole ? nil : warning, repairedTexts)
    }

    /// Decodes the text of one message, as it is passed to `_handleMessageFromNative`.
    package func element(_ units: [UInt16], now: Duration) -> Element {
        units.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer, in: 0..<buffer.count, limits: limits)
            do throws(BridgeError) {
                let members = try MessageMembers(from: &reader, keys)
                reader.skipSpace()
                guard reader.position == reader.end else { throw reader.unexpected("the end of the message") }
                var message = MessageReader(buffer, members, self, now: now)
                return message.read()
            } catch {
                return .malformed(error)
            }
        }
    }
}

/// A reader of one message from the ranges of its members.
private struct MessageReader {
    private var reader: JSONReader
    private let members: MessageMembers
    private let limits: BridgeLimits
    private let payloadForm: MessageCodec.PayloadForm
    private let keys: MessageKeys
    private let hasDefaultHandler: Bool
    private let payloadIsText: Bool
    private let importer: (any ReferenceImporter)?
    private let now: Duration

    private var handlerName: String?
    private var namespace: String?
    private var callbackID: String?
    private var responseID: String?
    private var data: Payload?
    private var responseData: Payload?
    private var extensions = Value.undefined
    private var payloadError: BridgeError?

    private enum Payload {
        case value(Value)
        case text(JSONPayload)
    }

    var repairedTexts: Int { reader.repairedTexts }

    init(
        _ units: UnsafeBufferPointer<UInt16>,
        _ members: MessageMembers,
        _ codec: MessageCodec,
        now: Duration
    ) {
        // The limit of a text's length holds from here to the end of the message.
        reader = JSONReader(units, in: members.text, limits: codec.limits)
        self.members = members
        limits = codec.limits
        payloadForm = codec.payloadForm
        keys = codec.dialect.scriptKeys
        hasDefaultHandler = codec.dialect.hasDefaultHandler
        payloadIsText = codec.dialect.payloadIsText
        importer = codec.importer
        self.now = now
    }

    mutating func read() -> MessageCodec.Element {
        let length = members.text.count
        if length > limits.maximumMessageLength {
            payloadError = BridgeError(
                .limitExceeded,
                "A message may have \(limits.maximumMessageLength) units, this one has \(length)."
            )
        }
        do throws(BridgeError) {
            try readMembers()
            if let places = readExtensionValues() {
                data = fill(data, from: places)
                responseData = fill(responseData, from: places)
            }
            return try element()
        } catch {
            return .malformed(error)
        }
    }

    // MARK: Members

    // P17: an id that is not a string, or empty, makes the message malformed, whatever else it has.
    private mutating func readMembers() throws(BridgeError) {
        callbackID = try readIdentifier(members.callbackID, keys.callbackID)
        responseID = try readIdentifier(members.responseID, keys.responseID)
        handlerName = try readText(members.handlerName, keys.handlerName)
        if let key = keys.namespace { namespace = try readText(members.namespace, key) }
        data = readPayload(members.data)
        responseData = readPayload(members.responseData)
        guard let range = members.extensions else { return }
        extensions = try payloadError == nil ? readValue(range) : readExtensionsOfRefused(range)
    }

    private mutating func readIdentifier(_ range: Range<Int>?, _ key: String) throws(BridgeError) -> String? {
        if keys.nullIsNoIdentifier, let range, reader.units[range].elementsEqual("null".utf16) { return nil }
        let text = try readText(range, key)
        guard text?.isEmpty != true else {
            throw BridgeError(.invalidMessage, "\"\(key)\" of a message must not be empty.")
        }
        return text
    }

    private mutating func readText(_ range: Range<Int>?, _ key: String) throws(BridgeError) -> String? {
        guard let range else { return nil }
        reader.position = range.lowerBound
        guard reader.current == .quote else {
            throw BridgeError(.invalidMessage, "\"\(key)\" of a message must be a string.")
        }
        let text = try reader.readName()
        try reader.expectEnd(of: range)
        return text
    }

    private mutating func readValue(_ range: Range<Int>) throws(BridgeError) -> Value {
        reader.position = range.lowerBound
        let value = try reader.readValue()
        try reader.expectEnd(of: range)
        return value
    }

    // A payload that cannot be decoded is left out, so that its caller can receive an error.
    private mutating func readPayload(_ range: Range<Int>?) -> Payload? {
        guard let range, payloadError == nil else { return nil }
        do throws(BridgeError) {
            switch payloadForm {
            case .value: return .value(try readValue(range))
            case .text:
                reader.position = range.lowerBound
                var text = try reader.readPayload()
                text.mayHoldJSON = payloadIsText
                try reader.expectEnd(of: range)
                return .text(text)
            }
        } catch {
            payloadError = error
            return nil
        }
    }

    /// The maximum length of an extension that is decoded for a refused message.
    private static let longestOfInterest = 1024

    // The extensions of a refused payload may themselves exceed the length limit, so that they are skipped. Those that
    // determine the reply, and the references to release, are still decoded.
    private mutating func readExtensionsOfRefused(_ range: Range<Int>) throws(BridgeError) -> Value {
        reader.position = range.lowerBound
        guard reader.current == .openBrace else { return .undefined }
        var members = ValueObject()
        var member = try reader.firstMember()
        while let found = member {
            let end = reader.position
            reader.position = found.key.lowerBound
            let key = try reader.readName()
            if key == "refs" || found.value.count <= Self.longestOfInterest {
                // Decoded separately, as the text after it may exceed the length of any value.
                var part = JSONReader(reader.units, in: found.value, limits: limits)
                if let value = try? part.readValue() { members[key] = value }
            }
            reader.position = end
            member = try reader.nextMember()
        }
        try reader.expectEnd(of: range)
        return .object(members)
    }

    // References are imported now, so that each is released even if the payload is never decoded.
    private mutating func readExtensionValues() -> ExtensionValues? {
        let entries = extensions["b"].arrayValue
        guard let records = extensions["refs"].arrayValue else {
            return entries.map { ExtensionValues($0) }
                ?? (extensions["p"].arrayValue == nil ? nil : ExtensionValues())
        }
        var references: [Reference] = []
        guard let importer else {
            payloadError = payloadError ?? BridgeError(.unsupported, "References are not supported here.")
            return ExtensionValues(entries ?? [], references: references)
        }
        for entry in records {
            // The sender also counted the references after a refused one.
            do throws(BridgeError) {
                guard let record = ReferenceRecord(entry) else {
                    throw BridgeError(.decodeFailed, "An entry of the references of a message is malformed.")
                }
                references.append(try importer.reference(to: record))
            } catch {
                payloadError = payloadError ?? error
            }
        }
        return ExtensionValues(entries ?? [], references: references)
    }

    // A payload that stays text carries its extension values until it is decoded.
    private mutating func fill(_ payload: Payload?, from places: ExtensionValues) -> Payload? {
        switch payload {
        case nil: return nil
        case .text(var text)?:
            text.places = places
            return .text(text)
        case .value(let value)?:
            do throws(BridgeError) {
                return .value(try places.fill(value))
            } catch {
                payloadError = payloadError ?? error
                return nil
            }
        }
    }

    // MARK: The message

    private func element() throws(BridgeError) -> MessageCodec.Element {
        if let responseID { return .message(response(to: responseID)) }
        guard let method = handlerName ?? (hasDefaultHandler ? "" : nil) else {
            let text = "A message needs a \"\(keys.handlerName)\" or a \"\(keys.responseID)\"."
            throw BridgeError(.invalidMessage, text)
        }
        let handlerName = MessageKeys.joined(namespace, method)
        let accepted = names(extensions["acc"])
        var request = BridgeMessage.Request(
            handlerName: handlerName,
            callbackID: callbackID.map(MessageID.text),
            accepts: accepted,
            deadline: deadline
        )
        request.trace = trace
        request.keepsResult = extensions["keep"] == .bool(true)
        if let error = payloadError ?? unsupported { return .refused(request, error) }
        if callbackID == nil, NamePattern.isReserved(handlerName) {
            guard let control = control(handlerName, try value(of: data)) else {
                let text = "The control message \"\(handlerName)\" is unknown or malformed."
                throw BridgeError(.invalidMessage, text)
            }
            return .message(control)
        }
        var message = message(.request(request), data)
        message.shows = accepted
        if payloadForm == .text, let awaited = extensions["p"].arrayValue, !awaited.isEmpty {
            message.awaitedResults = awaited.map { $0.stringValue ?? "" }
        }
        return .message(message)
    }

    private var trace: BridgeTrace? {
        guard let id = traceText("id") else { return nil }
        return BridgeTrace(id: id, parent: traceText("parent"))
    }

    private func traceText(_ key: String) -> String? {
        extensions["t"][key].stringValue.flatMap {
            $0.isEmpty || $0.utf16.count > BridgeTrace.maximumLength ? nil : $0
        }
    }

    private func names(_ list: Value) -> CallerCapabilities {
        CallerCapabilities(names: list.arrayValue?.prefix(64).compactMap(\.stringValue) ?? [])
    }

    // The data of control messages is always decoded here, whatever the form of payloads.
    private func value(of payload: Payload?) throws(BridgeError) -> Value {
        switch payload {
        case nil: return .undefined
        case .value(let value): return value
        case .text(let text):
            do {
                return try text.decode()
            } catch {
                throw error as? BridgeError ?? BridgeError(.decodeFailed, "\(error)")
            }
        }
    }

    private var isExtended: Bool {
        guard case .object = extensions else { return false }
        return true
    }

    private func control(_ name: String, _ data: Value) -> TextMessage? {
        let topic = data["topic"].stringValue
        let call = data["id"].stringValue.flatMap { $0.isEmpty ? nil : MessageID.text($0) }
        let stream = data["sid"].stringValue.flatMap { $0.isEmpty ? nil : MessageID.text($0) }
        func message(
            _ kind: Control.Kind,
            _ id: MessageID?,
            number: String? = nil,
            payload: String? = nil,
            error: String? = nil
        ) -> TextMessage? {
            guard let id else { return nil }
            var control = Control(kind, id)
            if let number {
                guard let value = data[number].integerValue, value >= 0 else { return nil }
                control.number = UInt64(value)
            }
            if let error, case .object = data[error] { control.error = BridgeError(record: data[error]) }
            let payload = payload.map { data[$0] }
            return TextMessage(.control(control), payload: payload, isExtended: isExtended || kind != .hello)
        }
        switch name.dropFirst(SessionMachine.reservedPrefix.count) {
        case "cancel":
            return message(.cancel, call, error: "reason") ?? message(.stop, stream, error: "reason")
        case "progress": return message(.progress, call, payload: "v")
        case "next":
            return message(.next, stream, number: "n", payload: "v")
                ?? message(.event, topic.map(MessageID.text), number: "n", payload: "v")
        case "end": return message(.end, stream, number: "n", error: "err")
        case "more": return message(.more, stream, number: "k")
        case "sub": return message(.subscribe, topic.map(MessageID.text))
        case "unsub": return message(.unsubscribe, topic.map(MessageID.text))
        case "hello":
            var greeting = message(.hello, .text(name))
            greeting?.shows = names(data["features"])
            return greeting
        // A single object, or an array of them.
        case "release":
            guard !data.isNil else { return nil }
            let list = data.arrayValue == nil ? .array([data]) : data
            return TextMessage(.control(Control(.release, .text(""))), payload: list, isExtended: true)
        default: return nil
        }
    }

    private func response(to responseID: String) -> TextMessage {
        let stream = extensions["st"]["sid"].stringValue.flatMap { $0.isEmpty ? nil : MessageID.text($0) }
        var outcome = CallOutcome.payload(nil)
        if let error = payloadError ?? unsupported {
            outcome = .failure(error)
        } else if case .object = extensions["err"] {
            outcome = .failure(BridgeError(record: extensions["err"]))
        } else if let stream {
            outcome = .stream(stream)
        }
        let response = BridgeMessage.Response(responseID: .text(responseID), outcome: outcome)
        if case .payload = outcome { return self.message(.response(response), responseData) }
        var message = self.message(.response(response), nil)
        if case .failure = outcome { message.abandonedStream = stream }
        return message
    }

    private func message(_ message: BridgeMessage, _ payload: Payload?) -> TextMessage {
        switch payload {
        case nil: TextMessage(message, isExtended: isExtended)
        case .value(let value): TextMessage(message, payload: value, isExtended: isExtended)
        case .text(let text): TextMessage(message, payloadText: text, isExtended: isExtended)
        }
    }

    private var deadline: Duration? {
        // A time to live of more than 285 years counts as none.
        guard let milliseconds = extensions["ttl"].doubleValue, milliseconds > 0, milliseconds < 9e12 else {
            return nil
        }
        return now + .nanoseconds(Int64(milliseconds * 1e6))
    }

    // W1: a message that requires an unknown extension is refused.
    private var unsupported: BridgeError? {
        let must = extensions["must"]
        guard must != .undefined else { return nil }
        guard let required = must.arrayValue, required.allSatisfy({ $0.kind == "string" }) else {
            return BridgeError(
                .invalidMessage,
                "The member \"must\" of a message must be an array of strings."
            )
        }
        let names = required.map { $0.stringValue ?? "a string with a lone surrogate" }
        guard let first = names.first(where: { !Self.knownExtensions.contains($0) }) else { return nil }
        let text = "The message requires the extension \"\(first)\", which is not known here."
        return BridgeError(.unsupported, text)
    }

    /// The members of `x` that are known here.
    private static let knownExtensions: Set<String> = [
        "acc", "b", "err", "keep", "p", "refs", "st", "t", "ttl",
    ]
}
