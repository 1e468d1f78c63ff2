internal import BridgeProtocol
internal import Synchronization

/// Synchronous calls of a page, which block as a prompt does: they have no id, and nothing of them outlives the turn.
extension TextTransport {
    /// Installs the functions that answer such calls for the script's side.
    ///
    /// The messages that the page has sent before a call are received first.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
    func installSynchronousCalls(in context: JSContext) throws {
        let answer = context.makeHostFunction { [unowned self] call in
            self.receiveArrived(call.context)
            self.moveRest()
            let text = call.string(at: 0) ?? ""
            return self.answeringAsRecorded("_answer", .string(text), in: call.context) {
                self.answer(text)
            }
        }
        try context.internals.setValue(answer, forProperty: "answer")
        let hasHandler = context.makeHostFunction { [unowned self] call in
            let (name, kind) = (call.string(at: 0) ?? "", call.string(at: 1) ?? "all")
            return self.answeringAsRecorded("_hasHandler", [.string(name), .string(kind)], in: call.context) {
                .bool(self.hasHandler(name, kind: kind))
            }
        }
        try context.internals.setValue(hasHandler, forProperty: "hasNativeHandler")
    }

    /// Answers one synchronous request.
    ///
    /// Earlier messages are handled first (P39). A handler that is `async`, or one that has not replied when it
    /// returns, fails, because the engine's turn is open.
    ///
    /// - Returns: An object with `payload`, the result's JSON, or with `failure`, a sentence.
    private func answer(_ text: String) -> Value {
        let received: TextMessage
        let request: BridgeMessage.Request
        switch session.codec.element(Array(text.utf16), now: session.configuration.clock.now) {
        case .message(let message):
            guard case .request(let asked) = message.message else {
                return ["failure": "a synchronous call is malformed."]
            }
            (received, request) = (message, asked)
        case .refused(_, let error), .malformed(let error):
            return ["failure": .string("a synchronous call cannot be read. \(error.sentence)")]
        }
        let payload = MessagePayload(received)
        session.logTraffic(received.message, payload, isSent: false)
        while let work = takeDispatch() {
            if let handler = session.handler(of: work.1, work.0) {
                session.dispatch(handler, for: work.1, work.2)
            }
        }
        let name = request.handlerName
        switch session.beginSynchronous(name, size: { (try? payload?.value())?.payloadBytes ?? 0 }) {
        case .failure(let error):
            return [
                "failure": .string("the synchronous call of \"\(name)\" is not answered. \(error.sentence)")
            ]
        case .success((let request, let handler)):
            let traced = session.traceSynchronous(name)
            let outcome = Result {
                try handler.replySynchronously(payload ?? .value(.undefined), in: session)
            }
            let isWanted = session.endSynchronous(request)
            do {
                let answer = try outcome.get()
                session.traceEnd(of: traced, answer == nil ? .wouldDeadlock : nil)
                guard isWanted else { throw BridgeSession.closedMeanwhile }
                guard let answer else {
                    let text = "\"\(name)\" did not reply before it returned, as a synchronous call requires."
                    return ["failure": .string(text)]
                }
                return ["payload": .string(try session.codec.text(ofPayload: answer))]
            } catch {
                let error = session.failure(error, ofHandlerAt: handler.site)
                session.traceEnd(of: traced, error.code)
                return ["failure": .string("the synchronous call of \"\(name)\" failed. \(error.sentence)")]
            }
        }
    }

    private func answeringAsRecorded(
        _ name: String,
        _ payload: Value,
        in context: JSContext,
        _ answer: () -> Value
    ) -> Value {
        let hidden = session.port == nil ? (request: false, answer: false) : hiddenParts(ofText: payload)
        switch session.port?.request(name, payload, hidesPayload: hidden.request, in: context) {
        case .success(let value): return value
        case .failure: return .undefined
        case nil:
            let value = answer()
            _ = session.crosses(.answer(.success(session.shownInJournal(value, isHidden: hidden.answer))))
            return value
        }
    }

    /// Returns whether the text of a synchronous request, and that of its answer, must be hidden (R38).
    private func hiddenParts(ofText payload: Value) -> (request: Bool, answer: Bool) {
        guard SecretMembers.shared.isInUse, let text = payload.stringValue,
            case .message(let received) = session.codec.element(
                Array(text.utf16),
                now: session.configuration.clock.now
            ),
            case .request(let request) = received.message
        else { return (false, false) }
        let answer = session.handler(named: request.handlerName)?.1.types?.response
        return (
            session.hidesPayload(of: received.message) { try MessagePayload(received)?.value() },
            answer.flatMap { SecretMembers.shared.learn($0)?.isNameless } ?? false
        )
    }

    private func takeDispatch() -> (HandlerID, IncomingRequest, MessagePayload)? {
        session.state.withLock { state in
            state.endRunningRequest()
            guard let work = state.queue.popFirstRequest(),
                case .dispatch(let id, let request, let payload) = work
            else { return nil }
            state.runs.runningRequest = request.order
            if state.tracing.recorder != nil { session.traceArrival(work, in: &state) }
            return (id, request, payload)
        }
    }

    private func hasHandler(_ name: String, kind: String) -> Bool {
        session.noteTime()
        return session.state.withLock { state in
            guard state.machine.isGranted(name), let id = state.machine.handler(name),
                let registered = state.handlers[id]
            else { return false }
            // Any handler can answer an asynchronous call.
            return kind != "syn" || !registered.handler.hasTask
        }
    }
}

extension RegisteredHandler {
    /// Returns the result if the handler provides it before this returns.
    fileprivate func replySynchronously(_ payload: MessagePayload, in session: BridgeSession) throws -> Value?
    {
        switch handler {
        case .sync(let body): return try body.run(payload, in: session, at: site)?.value() ?? .undefined
        case .legacy(let body):
            let reply = FirstReply()
            body(try payload.value()) { reply.take($0) }
            return reply.close()
        case .async, .stream: return nil
        }
    }
}

/// The first reply of a handler, until it is closed.
private final class FirstReply: Sendable {
    private let state = Mutex<(value: Value?, isOpen: Bool)>((nil, true))

    func take(_ value: Value) {
        state.withLock { if $0.isOpen, $0.value == nil { $0.value = value } }
    }

    func close() -> Value? {
        state.withLock { state in
            state.isOpen = false
            return state.value
        }
    }
}

extension BridgeError {
    /// The code and the message: scripts of another bridge see no frames, because these name files of the program
    /// (R39).
    fileprivate var sentence: String { "\(code): \(message)" }
}
