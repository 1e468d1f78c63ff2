internal import BridgeProtocol

/// Messages of the script as data.
extension DirectTransport {
    /// Reads a request of the script with its payload as data.
    ///
    /// - Returns: The request, unless an observer has handled it or it was denied.
    /// - Throws: The error of a payload that cannot be read, for the script that sends it (P65).
    func request(named name: String, _ call: HostCall, _ trace: BridgeTrace? = nil) throws -> ArrivedMessage?
    {
        var received = request(name, call, at: 4)
        received.trace = trace
        // Read once, for the recording hook and the log too: a value's references are released together with it.
        let take = { try self.takenPayload(ofRequestFor: name, call) }
        let taken = session.mask.contains(anyOf: .shown) ? Result { try take().payload } : nil
        if session.port != nil { _ = try taken?.get() }
        let admitted = check(.request(received), taken ?? .success(nil), size: { call.takenSize(at: 0) })
        guard let admitted else { return nil }
        guard let taken else { return .message(admitted, try take().payload) }
        return .message(admitted, try taken.get())
    }

    /// Returns the payload of a request as data.
    func takenPayload(ofRequestFor name: String, _ call: HostCall) throws -> Value {
        try call.takenValue(at: 0) { readsMembers(ofRequestsFor: name, in: call.context) }
    }

    /// Returns whether a handler reads its requests property by property, although an observer needs this one as data:
    /// properties that it does not request must not cause errors then either.
    private func readsMembers(ofRequestsFor name: String, in context: JSContext) -> Bool {
        guard let typed = session.handler(named: name)?.1.typed else { return false }
        return context.readsMembers(of: typed.requestReader.kind.subject)
    }

    func request(_ name: String, _ call: HostCall, at index: Int) -> BridgeMessage.Request {
        var request = BridgeMessage.Request(handlerName: name)
        request.callbackID = MessageID(call, at: index)
        let ttl = call.double(at: index + 1)
        if ttl > 0 {
            request.deadline = session.configuration.clock.now + .microseconds(Int64(min(ttl, 1e12) * 1000))
        }
        request.accepts = CallerCapabilities(
            rawValue: UInt8(truncatingIfNeeded: Int(call.double(at: index + 2)))
        )
        request.account = session.account(of: call.context.turnOperation)
        return request
    }

    /// Returns a response of the script, unless an observer has handled it.
    func response(to id: MessageID, _ outcome: Result<Value, BridgeError>) -> ArrivedMessage? {
        let kind: CallOutcome =
            switch outcome {
            case .success: .payload(nil)
            case .failure(let error): .failure(error)
            }
        return checked(
            .response(BridgeMessage.Response(responseID: id, outcome: kind)),
            (try? outcome.get()).map(MessagePayload.value)
        )
    }

    private func checked(_ message: BridgeMessage, _ payload: MessagePayload? = nil) -> ArrivedMessage? {
        check(message, .success(payload)).map { .message($0, payload) }
    }

    /// Reads `(responseId, stream)`: a stream as the answer to a call of Swift.
    ///
    /// - Returns: The response, unless an observer has handled it.
    func stream(_ call: HostCall) -> ArrivedMessage? {
        guard let id = MessageID(call, at: 0), let stream = MessageID(call, at: 1) else { return nil }
        let account = session.account(of: call.context.turnOperation)
        let response = BridgeMessage.Response(responseID: id, outcome: .stream(stream), account: account)
        return checked(.response(response))
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
        return checked(.control(control), kind.hasPayload ? .value(payload) : nil)
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

extension Value {
    /// The value as the payload of a message, which `undefined` lacks.
    fileprivate var payload: MessagePayload? { self == .undefined ? nil : .value(self) }
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
