internal import BridgeProtocol

/// Messages as data in the direct transport, and the errors of messages that could not be delivered.
extension BridgeSession {
    /// Reads a request of the script with its payload as data.
    ///
    /// - Returns: The request, unless an observer has handled it or it was denied.
    /// - Throws: The error of a payload that cannot be read, for the script that sends it (P65).
    func request(named name: String, _ call: HostCall, _ trace: BridgeTrace? = nil) throws -> ArrivedMessage?
    {
        var received = request(name, call, at: 4)
        received.trace = trace
        // Read once, for the recording hook and the log too: a value's references are released together with it.
        let take = { try call.takenValue(at: 0) { self.readsMembers(ofRequestsFor: name, in: call.context) } }
        let taken = mask.contains(anyOf: .shown) ? Result { try take() } : nil
        if port != nil { _ = try taken?.get() }
        guard !crosses(.request(received), { try taken?.get() }) else { return nil }
        // Logged before it may be denied (P71). An unreadable payload is reported to its sender, and was not received.
        if let payload = try? taken?.get() {
            logTraffic(.request(received), payload == .undefined ? nil : .value(payload), isSent: false)
        }
        guard admits(&received, size: { call.takenSize(at: 0) }) else { return nil }
        let payload = try taken?.get() ?? take()
        return .message(.request(received), payload == .undefined ? nil : .value(payload))
    }

    /// Returns whether a handler reads its requests property by property, although an observer needs this one as data:
    /// properties that it does not request must not cause errors then either.
    func readsMembers(ofRequestsFor name: String, in context: JSContext) -> Bool {
        guard let typed = handler(named: name)?.1.typed else { return false }
        return context.readsMembers(of: typed.requestReader.kind.subject)
    }

    func request(_ name: String, _ call: HostCall, at index: Int) -> BridgeMessage.Request {
        var request = BridgeMessage.Request(handlerName: name)
        request.callbackID = MessageID(call, at: index)
        let ttl = call.double(at: index + 1)
        if ttl > 0 {
            request.deadline = configuration.clock.now + .microseconds(Int64(min(ttl, 1e12) * 1000))
        }
        request.accepts = CallerCapabilities(
            rawValue: UInt8(truncatingIfNeeded: Int(call.double(at: index + 2)))
        )
        request.account = account(of: call.context.turnOperation)
        return request
    }

    /// Returns a response of the script, unless an observer has handled it.
    func response(to id: MessageID, _ outcome: Result<Value, BridgeError>) -> ArrivedMessage? {
        let kind: CallOutcome =
            switch outcome {
            case .success: .payload(nil)
            case .failure(let error): .failure(error)
            }
        let message = BridgeMessage.response(BridgeMessage.Response(responseID: id, outcome: kind))
        let payload = try? outcome.get()
        guard !crosses(message, { payload }) else { return nil }
        logTraffic(message, payload.map(MessagePayload.value), isSent: false)
        return .message(message, payload.map(MessagePayload.value))
    }

    /// Reads `(responseId, stream)`: a stream as the answer to a call of Swift.
    ///
    /// - Returns: The response, unless an observer has handled it.
    func stream(_ call: HostCall) -> ArrivedMessage? {
        guard let id = MessageID(call, at: 0), let stream = MessageID(call, at: 1) else { return nil }
        let account = account(of: call.context.turnOperation)
        let response = BridgeMessage.Response(responseID: id, outcome: .stream(stream), account: account)
        guard !crosses(.response(response), { nil }) else { return nil }
        logTraffic(.response(response), nil, isSent: false)
        return .message(.response(response), nil)
    }

    /// Reads `(start, text, buffers, kind, id, number, isOfType)`: a message other than a call or a reply, with its
    /// payload.
    ///
    /// - Returns: The message, unless it is malformed or an observer has handled it.
    func control(_ call: HostCall) throws -> ArrivedMessage? {
        guard let kind = UInt8(exactly: call.double(at: 3)).flatMap(Control.Kind.init(rawValue:)) else {
            return nil
        }
        // A topic may be any string, also an empty one.
        let topic = kind.isOfTopic ? MessageID.text(call.string(at: 4) ?? "") : nil
        guard let id = topic ?? MessageID(call, at: 4) else { return nil }
        var control = Control(kind, id, number: UInt64(max(0, call.double(at: 5))))
        let payload = try call.takenValue(at: 0) { call.double(at: 6) == 1 }
        if !kind.hasPayload, case .object = payload {
            control.error = BridgeError(record: payload, madeOf: nil, in: call.context)
        }
        guard !crosses(.control(control), { kind.hasPayload ? payload : nil }) else { return nil }
        logTraffic(.control(control), .value(payload), isSent: false)
        noteTime()
        return .message(.control(control), kind.hasPayload ? .value(payload) : nil)
    }

    /// Fails a message that could not be delivered: its call gets the error.
    func fail(_ message: BridgeMessage, with error: any Error) {
        let error = BridgeError(wrapping: error, defaultCode: .encodeFailed)
        switch message {
        case .request(let request):
            guard let id = request.callbackID else {
                return logWarning("A notification was not sent. \(error)")
            }
            update(isInTurn: true) {
                $0.machine.receive(
                    .response(BridgeMessage.Response(responseID: id, outcome: .failure(error)))
                )
            }
        case .response(let response) where !isDirect && !response.accepts.contains(.errors):
            // P56: a reply with an error would be a result without data to a caller that does not support errors.
            logWarning(
                "A reply cannot be written, and its caller takes no errors, so \"\(response.responseID)\" gets none. \(error)"
            )
        case .response(let response):
            // The reply's payload is at fault, or the data of an error: an error without data can always be sent to a
            // caller that supports errors (P56).
            let answer: BridgeError
            if let failed = response.outcome.error {
                guard failed.data != nil || failed.cause != nil else {
                    return logWarning("A reply was not sent. \(error)")
                }
                answer = BridgeError(failed.code, failed.message, frames: failed.frames)
            } else {
                answer = error
            }
            let outcome = CallOutcome.failure(answer)
            let message = BridgeMessage.Response(
                responseID: response.responseID,
                outcome: outcome,
                account: response.account
            )
            addEngineWork(.send(.response(message), nil))
        case .control(let control):
            guard control.kind == .next else {
                return logWarning("\(control.kind) of \(control.id) was not sent. \(error)")
            }
            // An item is missing, so the stream cannot continue.
            update(isInTurn: true) { state in
                state.machine.receive(.control(Control(.stop, control.id)))
                var end = Control(.end, control.id, number: control.number, error: error)
                end.account = control.account
                state.queue.append(.send(.control(end), nil))
            }
        }
    }
}

extension BridgeError {
    /// Creates the error of a script's reply, which may stem from an error of Swift.
    init(record: Value, madeOf origin: ErrorOrigin?, in context: JSContext) {
        self.init(record: record)
        mapFrames(in: context)
        guard let origin else { return }
        frames = (origin.frames + frames).stitched.bounded
        underlyingError = origin.underlyingError
    }
}

extension MessageID {
    init?(_ call: HostCall, at index: Int) {
        // The ids of this package's own script are numbers.
        if let number = UInt64(exactly: call.double(at: index)), number > 0 {
            self = .number(number)
        } else if let text = call.string(at: index), !text.isEmpty {
            self = .text(text)
        } else {
            return nil
        }
    }
}
