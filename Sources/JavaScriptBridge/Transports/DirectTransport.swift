internal import BridgeProtocol
internal import Synchronization

/// Messages as values, between Swift and a context of this process: no text, no queue, no copy of what can be
/// shared.
final class DirectTransport: EngineTransport {
    private let session: BridgeSession
    private var receiveRequest: JSHandle?
    private var receiveResponse: JSHandle?
    private var receiveControl: JSHandle?

    init(session: BridgeSession, context: JSContext) throws {
        self.session = session
        let internals = context.internals
        func give(_ name: String, _ body: @escaping (HostCall) throws -> Void) throws {
            let function = context.makeHostFunction { call in
                try body(call)
                return .undefined
            }
            try internals.setValue(function, forProperty: name)
        }
        try give("postRequest") { [unowned session] in session.receiveRequest($0) }
        try give("postResponse") { [unowned session] in try session.receiveResponse($0) }
        try give("postStream") { [unowned session] in session.receiveStream($0) }
        try give("postControl") { [unowned session] in try session.receiveControl($0) }
        try give("listening") { [unowned session] in session.addReferences($0.double(at: 0) < 0 ? -1 : 1) }
    }

    func didInstall(in context: JSContext) throws {
        receiveRequest = JSHandle(try context.internals.forProperty("receiveRequest"))
        receiveResponse = JSHandle(try context.internals.forProperty("receiveResponse"))
        receiveControl = JSHandle(try context.internals.forProperty("receiveControl"))
    }

    func receive(in context: JSContext) {}

    func send(_ message: BridgeMessage, _ payload: Value?, in context: JSContext) {
        let receiver =
            switch message {
            case .request: receiveRequest
            case .response: receiveResponse
            case .control: receiveControl
            }
        guard let receiver else { return }
        // An error comes back from the script with all that the script was not shown of it.
        let origin = message.error.map { context.makeHandle(ErrorOrigin($0)) }
        do {
            try context.call(receiver, with: values(of: message, payload), origin) {
                session.fail(message, with: $0)
            }
        } catch let error as JSException where !error.isTermination {
            context.reportUncaught(error)
        } catch {
            session.fail(message, with: error)
        }
    }

    private func values(of message: BridgeMessage, _ payload: Value?) -> [Value] {
        switch message {
        case .request(let request):
            let remaining = request.deadline.map { ($0 - session.configuration.clock.now).milliseconds } ?? 0
            return [
                .string(request.handlerName), payload ?? .undefined, request.callbackID?.value ?? .undefined,
                .number(remaining > 0 ? remaining : 0), .integer(Int64(request.accepts.rawValue)),
            ]
        case .control(let control):
            return [
                .integer(Int64(control.kind.rawValue)), control.id.value,
                .integer(Int64(clamping: control.number)),
                control.error?.record ?? payload ?? .undefined,
            ]
        case .response(let response):
            if case .stream(let stream) = response.outcome {
                return [response.responseID.value, 2, stream.value]
            }
            let error = response.outcome.error
            return [response.responseID.value, .bool(error == nil), error?.record ?? payload ?? .undefined]
        }
    }
}

extension BridgeSession {
    /// `(start, text, buffers, handlerName, callbackId, ttl, accepts)`: a request of the script, its payload
    /// taken.
    fileprivate func receiveRequest(_ call: HostCall) {
        var request = BridgeMessage.Request(handlerName: call.string(at: 3) ?? "")
        request.callbackID = MessageID(call, at: 4)
        let ttl = call.double(at: 5)
        if ttl > 0 {
            request.deadline = configuration.clock.now + .microseconds(Int64(min(ttl, 1e12) * 1000))
        }
        request.accepts = Acceptance(rawValue: UInt8(truncatingIfNeeded: Int(call.double(at: 6))))
        guard admits(&request, size: { call.takenSize(at: 0) }) else { return }
        let payload: Value
        do {
            payload = try call.takenValue(at: 0)
        } catch {
            let refused = request
            update(isInTurn: true) { $0.machine.refuse(refused, BridgeError(wrapping: error)) }
            return
        }
        let received = request
        logTraffic(.request(request), payload == .undefined ? nil : payload, isSent: false)
        update(isInTurn: true) { state in
            var request = received
            if payload != .undefined { request.payload = state.payloads.insert(payload) }
            state.machine.receive(.request(request))
        }
    }

    /// `(start, text, buffers, responseId, ok, handle)`: a reply of the script, its payload taken.
    fileprivate func receiveResponse(_ call: HostCall) throws {
        guard let id = MessageID(call, at: 3) else { return }
        let isResult = call.double(at: 4) != 0
        let payload = try call.takenValue(at: 0)
        if isResult {
            let response = BridgeMessage.Response(responseID: id, outcome: .payload(nil))
            logTraffic(.response(response), payload, isSent: false)
        }
        let error =
            isResult ? nil : BridgeError(record: payload, madeOf: call.handle(at: 5), in: call.context)
        update(isInTurn: true) { state in
            let outcome: CallOutcome =
                error.map { .failure($0) } ?? .payload(state.payloads.insert(payload))
            state.machine.receive(.response(BridgeMessage.Response(responseID: id, outcome: outcome)))
        }
    }

    /// `(responseId, stream)`: a call of ours is answered with a stream.
    fileprivate func receiveStream(_ call: HostCall) {
        guard let id = MessageID(call, at: 0), let stream = MessageID(call, at: 1) else { return }
        let response = BridgeMessage.Response(responseID: id, outcome: .stream(stream))
        logTraffic(.response(response), nil, isSent: false)
        update(isInTurn: true) { $0.machine.receive(.response(response)) }
    }

    /// `(start, text, buffers, kind, id, number)`: what crosses beside calls and replies, its payload taken.
    fileprivate func receiveControl(_ call: HostCall) throws {
        guard let kind = UInt8(exactly: call.double(at: 3)).flatMap(Control.Kind.init(rawValue:)) else {
            return
        }
        // A topic may be any text, also an empty one.
        let topic = kind.isOfTopic ? MessageID.text(call.string(at: 4) ?? "") : nil
        guard let id = topic ?? MessageID(call, at: 4) else { return }
        var control = Control(kind, id, number: UInt64(max(0, call.double(at: 5))))
        let payload = try call.takenValue(at: 0)
        if !kind.hasPayload, case .object = payload {
            control.error = BridgeError(record: payload, madeOf: nil, in: call.context)
        }
        logTraffic(.control(control), payload, isSent: false)
        noteTime()
        let received = control
        update(isInTurn: true) { state in
            var control = received
            if kind.hasPayload { control.payload = state.payloads.insert(payload) }
            state.machine.receive(.control(control))
        }
    }

    /// Ends a message that could not be handed over: its call gets the error.
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
        case .response(let response):
            // The reply's payload is at fault, or what an error carries: an error without either can always
            // be sent.
            let answer: BridgeError
            if let failed = response.outcome.error {
                guard failed.data != nil || failed.cause != nil else {
                    return logWarning("A reply was not sent. \(error)")
                }
                answer = BridgeError(failed.code, failed.message, frames: failed.frames)
            } else {
                answer = error
            }
            state.withLock { state in
                let outcome = CallOutcome.failure(answer)
                let message = BridgeMessage.Response(responseID: response.responseID, outcome: outcome)
                state.engineWork.append(.send(.response(message), nil))
            }
        case .control(let control):
            guard control.kind == .next else {
                return logWarning("\(control.kind) of \(control.id) was not sent. \(error)")
            }
            // An item is missing, so the stream cannot go on.
            update(isInTurn: true) { state in
                state.machine.receive(.control(Control(.stop, control.id)))
                let end = Control(.end, control.id, number: control.number, error: error)
                state.engineWork.append(.send(.control(end), nil))
            }
        }
    }
}

extension BridgeMessage {
    fileprivate var error: BridgeError? {
        switch self {
        case .request: nil
        case .response(let response): response.outcome.error
        case .control(let control): control.error
        }
    }
}

extension BridgeError {
    /// Reads the error of a script's reply, which may have been made of one of ours.
    fileprivate init(record: Value, madeOf origin: ErrorOrigin?, in context: JSContext) {
        self.init(record: record)
        mapFrames(in: context)
        guard let origin else { return }
        frames = (origin.frames + frames).stitched.bounded
        underlyingError = origin.underlyingError
    }
}

extension MessageID {
    /// The id as scripts see it: a number of ours, or the text of theirs.
    fileprivate var value: Value {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .integer(Int64(number))
        }
    }

    fileprivate init?(_ call: HostCall, at index: Int) {
        if let text = call.string(at: index), !text.isEmpty {
            self = .text(text)
        } else if let number = UInt64(exactly: call.double(at: index)), number > 0 {
            self = .number(number)
        } else {
            return nil
        }
    }
}
