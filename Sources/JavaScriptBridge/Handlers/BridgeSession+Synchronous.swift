internal import BridgeProtocol
internal import Synchronization

/// Requests that are answered while the script waits for them (decision 15).
extension BridgeSession {
    /// Answers a synchronous request with `[1, result]` or `[0, error's record]`.
    ///
    /// - Parameters:
    ///   - call: The script's call.
    ///   - name: The handler's name.
    ///   - known: The handler whose type the payload is decoded as, if there is one.
    ///   - read: Reads the payload.
    ///   - size: Returns the size of the payload.
    /// - Returns: The answer, or a request for the payload as data if the payload was read for another handler.
    /// - Throws: The error that ends the call without an answer: the turn was stopped.
    func answerSynchronously(
        _ call: HostCall,
        named name: String,
        for known: HandlerID?,
        _ read: () throws -> MessagePayload,
        size: () -> Int
    ) throws -> ReceiverAnswer {
        // Read once, for the recording hook and the log too: a value's references are released together with it.
        let taken = mask.contains(anyOf: .shown) ? Result { try read() } : nil
        if let port {
            let payload = (try? taken?.get().value()) ?? .undefined
            let isHidden = hidesPayload(of: .request(BridgeMessage.Request(handlerName: name))) { payload }
            if let outcome = port.request(name, payload, hidesPayload: isHidden, in: call.context) {
                return try answer(outcome, call)
            }
        }
        // Logged before the request may be denied (P71).
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

    /// Admits a synchronous request under the grants and limits; the caller must report its end
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

    /// Ends a synchronous request; returns whether the bridge is still open.
    func endSynchronous(_ request: SynchronousRequest) -> Bool {
        update(isInTurn: true) { $0.machine.endSynchronous(request) }
    }

    /// The error of a synchronous request whose bridge was closed before the answer.
    static var closedMeanwhile: BridgeError { BridgeError(.disconnected, "The bridge was closed meanwhile.") }

    /// Returns the error of the last synchronous request, including the parts that the script did not see.
    func takeSynchronousError() -> BridgeError? { state.withLock { $0.runs.synchronousError.take() } }

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
        state.withLock { $0.runs.synchronousError = error }
        return try call.message { writer in
            writer.put(number: 0)
            try writer.put(error.record)
        }
    }
}

extension Result where Failure == any Error {
    /// The code of the error, if the result is a failure.
    fileprivate var code: BridgeErrorCode? {
        if case .failure(let error) = self { BridgeError(wrapping: error).code } else { nil }
    }
}
