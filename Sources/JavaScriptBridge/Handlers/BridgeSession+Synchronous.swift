internal import BridgeProtocol
internal import Synchronization

/// Requests that are answered while the script waits for them (decision 15).
extension BridgeSession {
    /// Answers a synchronous request with `[1, result]` or `[0, error's record]`.
    ///
    /// - Parameters:
    ///   - call: The call of the script that asks.
    ///   - name: The handler's name.
    ///   - known: The handler whose type the payload is read as, if it is.
    ///   - read: Reads the payload.
    ///   - size: How large the payload is.
    /// - Returns: The answer; that it needs the payload as data, where the payload was read for another handler.
    /// - Throws: What ends the call without an answer: the turn was stopped.
    func answerSynchronously(
        _ call: HostCall,
        named name: String,
        for known: HandlerID?,
        _ read: () throws -> MessagePayload,
        size: () -> Int
    ) throws -> ReceiverAnswer {
        // Once, for the port and the log as well: what is handed over by reference is let go with the value that has it.
        let taken = showsRequests ? Result { try read() } : nil
        if let port {
            let payload = (try? taken?.get().value()) ?? .undefined
            let isHidden = hidesPayload(of: .request(BridgeMessage.Request(handlerName: name))) { payload }
            if let outcome = port.request(name, payload, hidesPayload: isHidden, in: call.context) {
                return try answer(outcome, call)
            }
        }
        // Before it may be denied (P71).
        let message = BridgeMessage.Request(handlerName: name, callbackID: .synchronous, accepts: .errors)
        if let payload = try? taken?.get() { logTraffic(.request(message), payload, isSent: false) }
        switch beginSynchronous(name, for: known, size: size) {
        case .failure(let error): return try failure(error, call)
        case .success((let request, let handler)):
            let traced = traceSynchronous(name)
            let outcome = Result { try run(handler, named: name, taken?.get() ?? read()) }
            traceEnd(of: traced, outcome.code)
            guard endSynchronous(request) else { return try failure(Self.closedMeanwhile, call) }
            return try self.answer(outcome, of: handler.site, call)
        }
    }

    /// Lets a synchronous request in, as the grants and limits have it; who is let in says when it is done
    /// (``endSynchronous(_:)``).
    func beginSynchronous(
        _ name: String,
        for known: HandlerID? = nil,
        size: () -> Int
    ) -> Result<(SynchronousRequest, RegisteredHandler), BridgeError> {
        let bytes = sizeOfRequest(for: name, size)
        return update(isInTurn: true) { state in
            Result { () throws(BridgeError) in
                let request = try state.machine.beginSynchronous(name, for: known, bytes: bytes)
                guard let handler = state.handlers[request.handler] else {
                    state.machine.endSynchronous(request)
                    throw BridgeError(.handlerNotFound, "The handler \"\(name)\" was removed.")
                }
                return (request, handler)
            }
        }
    }

    /// Ends a synchronous request; gives whether whoever asked is still there.
    func endSynchronous(_ request: SynchronousRequest) -> Bool {
        update(isInTurn: true) { $0.machine.endSynchronous(request) }
    }

    /// What a synchronous request ends with whose bridge was closed while it was answered.
    static var closedMeanwhile: BridgeError { BridgeError(.disconnected, "The bridge was closed meanwhile.") }

    /// The error of the last synchronous request, with all that the script was not shown of it.
    func takeSynchronousError() -> BridgeError? { state.withLock { $0.synchronousError.take() } }

    private func run(
        _ handler: RegisteredHandler,
        named name: String,
        _ payload: MessagePayload
    ) throws -> MessagePayload? {
        switch handler.handler {
        case .typed(let body): return try body.run(payload, in: self, at: handler.site)
        case .sync(let body): return .value(try body(payload.value()))
        case .typedAsync, .async, .stream, .legacy:
            throw BridgeError(
                .wouldDeadlock,
                "The handler \"\(name)\" is asynchronous: it would answer after the script that waits for it here. "
                    + "Use callHandler."
            )
        }
    }

    private func answer(
        _ outcome: Result<MessagePayload?, any Error>,
        of site: CallSite,
        _ call: HostCall
    ) throws -> ReceiverAnswer {
        switch outcome {
        case .success(var payload):
            if port != nil {
                do {
                    let value = try payload?.value() ?? .undefined
                    let isSecret = payload?.isSecret == true
                    _ = crosses(.answer(.success(shownInJournal(value, isHidden: isSecret))))
                    payload = MessagePayload(value, isSecret: isSecret)
                } catch {
                    return try failure(BridgeError(wrapping: error).traced(throughHandlerAt: site), call)
                }
            }
            let message = BridgeMessage.Response(responseID: .synchronous, outcome: .payload(nil))
            logTraffic(.response(message), payload, isSent: true)
            return try call.message { writer in
                writer.put(number: 1)
                try writer.put(payload)
            }
        case .failure(let error):
            return try failure(BridgeError(wrapping: error).traced(throughHandlerAt: site), call)
        }
    }

    /// Answers with an error.
    func failure(_ error: BridgeError, _ call: HostCall) throws -> ReceiverAnswer {
        let message = BridgeMessage.Response(responseID: .synchronous, outcome: .failure(error))
        logTraffic(.response(message), nil, isSent: true)
        _ = crosses(.answer(.failure(error.record)))
        state.withLock { $0.synchronousError = error }
        return try call.message { writer in
            writer.put(number: 0)
            try writer.put(error.record)
        }
    }
}

extension Result where Failure == any Error {
    /// The code of the error that it is, if it is one.
    fileprivate var code: BridgeErrorCode? {
        if case .failure(let error) = self { BridgeError(wrapping: error).code } else { nil }
    }
}
