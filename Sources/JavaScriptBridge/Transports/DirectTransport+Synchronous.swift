internal import BridgeProtocol
internal import Synchronization

/// Requests that are answered while the script waits for them (decision 15).
extension DirectTransport {
    func installSynchronousRequests(in context: JSContext) throws {
        let post = context.makeHostFunction(returningValue: { [unowned self] call in
            let name = call.string(at: 3) ?? ""
            return try self.answerSynchronously(
                call,
                named: name,
                for: nil,
                { .value(try self.takenPayload(ofRequestFor: name, call)) },
                size: { call.takenSize(at: 0) }
            ).jsValue(in: call.context)
        })
        try context.internals.setValue(post, forProperty: "postSynchronous")
        let takeError = context.makeHostFunction(returningValue: { [unowned session] call in
            session.takeSynchronousError().map { call.context.makeHandle(ErrorOrigin($0)) }
        })
        try context.internals.setValue(takeError, forProperty: "takeSynchronousError")
    }

    /// Answers a synchronous request for a typed handler; refuses it if it must be data.
    func answer(
        _ call: HostCall,
        for handler: ResolvedHandler,
        _ decode: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> ReceiverAnswer {
        guard let body = handler.body, handler.isOpen(in: session, unless: .synchronousRequests),
            inbox.isEmpty || inbox.callCount < inbox.room
        else {
            guard takesTyped(requestsFor: handler) else { return call.refused }
            return try answerSynchronously(
                call,
                named: handler.name,
                for: handler.id,
                { try handler.reader.payload(decode) },
                size: { 0 }
            )
        }
        inbox.received += 1
        inbox.sent += 1
        let traced = session.traceSynchronous(handler.name)
        return try withUnsafeTemporaryAllocation(
            byteCount: handler.requestSize + 1,
            alignment: handler.requestAlignment
        ) { request in
            try withUnsafeTemporaryAllocation(
                byteCount: handler.response.size + 1,
                alignment: handler.response.alignment
            ) { response in
                guard let request = request.baseAddress, let response = response.baseAddress else {
                    return call.refused
                }
                var isRead = false
                do {
                    do { try decode(request) } catch { throw try PayloadReader.mismatch(error) }
                    isRead = true
                    try body.answer(request, into: response)
                } catch let error as JSException where !isRead {
                    // The exception of a getter in the script belongs to its sender (P65).
                    session.traceEnd(of: traced, .decodeFailed)
                    throw error
                } catch {
                    let error = session.failure(error, ofHandlerAt: handler.site)
                    session.traceEnd(of: traced, error.code)
                    return try answer(error, call)
                }
                session.traceEnd(of: traced)
                defer { handler.response.kind?.deinitialize(response) }
                return try call.message { writer in
                    writer.put(number: 1)
                    guard let shape = handler.response.shape else { return writer.putUndefined() }
                    try writer.put(response, as: shape)
                }
            }
        }
    }

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
    private func answerSynchronously(
        _ call: HostCall,
        named name: String,
        for known: HandlerID?,
        _ read: () throws -> MessagePayload,
        size: () -> Int
    ) throws -> ReceiverAnswer {
        // Read once, for the recording hook and the log too: a value's references are released together with it.
        let taken = session.mask.contains(anyOf: .shown) ? Result { try read() } : nil
        if let port = session.port {
            let payload = (try? taken?.get().value()) ?? .undefined
            let isHidden = session.hidesPayload(of: .request(BridgeMessage.Request(handlerName: name))) {
                payload
            }
            if let outcome = port.request(name, payload, hidesPayload: isHidden, in: call.context) {
                return try answer(outcome, call)
            }
        }
        // Logged before the request may be denied (P71).
        let message = BridgeMessage.Request(handlerName: name, callbackID: .synchronous, accepts: .errors)
        if let payload = try? taken?.get() { session.logTraffic(.request(message), payload, isSent: false) }
        switch session.beginSynchronous(name, for: known, waiting: inbox.callCount, size: size) {
        case .failure(let error): return try answer(error, call)
        case .success((let request, let handler)):
            let traced = session.traceSynchronous(name)
            let outcome = Result { try run(handler, named: name, taken?.get() ?? read()) }
            session.traceEnd(of: traced, outcome.code)
            guard session.endSynchronous(request) else {
                return try answer(BridgeSession.closedMeanwhile, call)
            }
            return try answer(outcome, of: handler.site, call)
        }
    }

    private func run(
        _ handler: RegisteredHandler,
        named name: String,
        _ payload: MessagePayload
    ) throws -> MessagePayload? {
        switch handler.handler {
        case .sync(let body): return try body.run(payload, in: session, at: handler.site)
        case .async, .stream, .legacy:
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
            if session.port != nil {
                do {
                    let value = try payload?.value() ?? .undefined
                    let isSecret = payload?.isSecret == true
                    _ = session.crosses(.answer(.success(session.shownInJournal(value, isHidden: isSecret))))
                    payload = MessagePayload(value, isSecret: isSecret)
                } catch {
                    return try answer(session.failure(error, ofHandlerAt: site), call)
                }
            }
            let message = BridgeMessage.Response(responseID: .synchronous, outcome: .payload(nil))
            session.logTraffic(.response(message), payload, isSent: true)
            return try call.message { writer in
                writer.put(number: 1)
                try writer.put(payload)
            }
        case .failure(let error):
            return try answer(session.failure(error, ofHandlerAt: site), call)
        }
    }

    /// Answers with an error.
    private func answer(_ error: BridgeError, _ call: HostCall) throws -> ReceiverAnswer {
        let message = BridgeMessage.Response(responseID: .synchronous, outcome: .failure(error))
        session.logTraffic(.response(message), nil, isSent: true)
        _ = session.crosses(.answer(.failure(error.record)))
        session.state.withLock { $0.runs.synchronousError = error }
        return try call.message { writer in
            writer.put(number: 0)
            try writer.put(error.record)
        }
    }

    /// Answers a synchronous request with the journal's outcome.
    private func answer(_ outcome: JournalOutcome, _ call: HostCall) throws -> ReceiverAnswer {
        switch outcome {
        case .success(let value):
            return try call.message { writer in
                writer.put(number: 1)
                try writer.put(value)
            }
        case .failure(let record):
            session.state.withLock { $0.runs.synchronousError = BridgeError(record: record) }
            return try call.message { writer in
                writer.put(number: 0)
                try writer.put(record)
            }
        }
    }
}

extension Result where Failure == any Error {
    /// The code of the error, if the result is a failure.
    fileprivate var code: BridgeErrorCode? {
        if case .failure(let error) = self { BridgeError(wrapping: error).code } else { nil }
    }
}
