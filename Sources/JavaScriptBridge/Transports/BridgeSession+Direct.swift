internal import BridgeProtocol

/// Messages as data in the direct transport, and the errors of messages that could not be delivered.
extension BridgeSession {
    /// Receives a request of the script with its payload as data.
    ///
    /// - Throws: The error of a payload that cannot be read, for the script that sends it (P65).
    func receiveRequest(named name: String, _ call: HostCall, _ trace: BridgeTrace? = nil) throws {
        var received = request(name, call, at: 4)
        received.trace = trace
        // Read once, for the recording hook and the log too: a value's references are released together with it.
        let take = { try call.takenValue(at: 0) { self.readsMembers(ofRequestsFor: name, in: call.context) } }
        let taken = mask.contains(anyOf: .shown) ? Result { try take() } : nil
        if port != nil { _ = try taken?.get() }
        guard !crosses(.request(received), { try taken?.get() }) else { return }
        // Logged before it may be denied (P71). An unreadable payload is reported to its sender, and was not received.
        if let payload = try? taken?.get() {
            logTraffic(.request(received), payload == .undefined ? nil : .value(payload), isSent: false)
        }
        guard admits(&received, size: { call.takenSize(at: 0) }) else { return }
        let request = received
        let payload = try taken?.get() ?? take()
        update(isInTurn: true) { state in
            var request = request
            if payload != .undefined { request.payload = state.payloads.insert(payload) }
            state.machine.receive(.request(request))
        }
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

    func receiveReply(to id: MessageID, _ payload: MessagePayload) {
        update(isInTurn: true) { state in
            let outcome = CallOutcome.payload(state.payloads.insert(payload))
            state.machine.receive(.response(BridgeMessage.Response(responseID: id, outcome: outcome)))
        }
    }

    func receiveResponse(to id: MessageID, _ outcome: Result<Value, BridgeError>) {
        let kind: CallOutcome =
            switch outcome {
            case .success: .payload(nil)
            case .failure(let error): .failure(error)
            }
        let message = BridgeMessage.Response(responseID: id, outcome: kind)
        guard !crosses(.response(message), { try? outcome.get() }) else { return }
        logTraffic(.response(message), (try? outcome.get()).map(MessagePayload.value), isSent: false)
        update(isInTurn: true) { state in
            let outcome: CallOutcome =
                switch outcome {
                case .success(let payload): .payload(state.payloads.insert(payload))
                case .failure(let error): .failure(error)
                }
            state.machine.receive(.response(BridgeMessage.Response(responseID: id, outcome: outcome)))
        }
    }

    /// Receives `(responseId, stream)`: a stream as the answer to a call of Swift.
    func receiveStream(_ call: HostCall) {
        guard let id = MessageID(call, at: 0), let stream = MessageID(call, at: 1) else { return }
        let account = account(of: call.context.turnOperation)
        let response = BridgeMessage.Response(responseID: id, outcome: .stream(stream), account: account)
        guard !crosses(.response(response), { nil }) else { return }
        logTraffic(.response(response), nil, isSent: false)
        update(isInTurn: true) { $0.machine.receive(.response(response)) }
    }

    /// Receives `(start, text, buffers, kind, id, number, isOfType)`: a message other than a call or a reply, with its
    /// payload.
    ///
    /// Returns 1 for an item that its consumer reads as a Swift type.
    func receiveControl(_ call: HostCall) throws {
        guard let kind = UInt8(exactly: call.double(at: 3)).flatMap(Control.Kind.init(rawValue:)) else {
            return
        }
        // A topic may be any string, also an empty one.
        let topic = kind.isOfTopic ? MessageID.text(call.string(at: 4) ?? "") : nil
        guard let id = topic ?? MessageID(call, at: 4) else { return }
        var control = Control(kind, id, number: UInt64(max(0, call.double(at: 5))))
        let payload = try call.takenValue(at: 0) { call.double(at: 6) == 1 }
        if !kind.hasPayload, case .object = payload {
            control.error = BridgeError(record: payload, madeOf: nil, in: call.context)
        }
        guard !crosses(.control(control), { kind.hasPayload ? payload : nil }) else { return }
        logTraffic(.control(control), .value(payload), isSent: false)
        noteTime()
        let received = control
        update(isInTurn: true) { state in
            var control = received
            if kind.hasPayload { control.payload = state.payloads.insert(payload) }
            state.machine.receive(.control(control))
        }
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
