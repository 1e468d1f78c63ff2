internal import BridgeProtocol
internal import Synchronization

extension BridgeSession {
    /// Runs a handler for a request.
    ///
    /// The engine's turn is open.
    func run(_ handler: RegisteredHandler, for request: IncomingRequest, _ payload: MessagePayload) {
        let site = handler.site
        switch handler.handler {
        case .typed(let body):
            let outcome = Result { try body.run(payload, in: self, at: site) }
            reply(to: request.id, with: outcome, of: site, isInTurn: true)
        case .typedAsync(let body):
            run(handler, for: request) { try await body.run(payload, in: self, at: site) }
        case .sync(let body):
            let outcome = Result { MessagePayload?.some(.value(try body(payload.value()))) }
            reply(to: request.id, with: outcome, of: site, isInTurn: true)
        case .async(let body):
            run(handler, for: request) { try await body(payload.value()) }
        case .legacy(let body):
            let value: Value
            do { value = try payload.value() } catch {
                return reply(to: request.id, with: .failure(error), of: site, isInTurn: true)
            }
            body(value) { [weak self] value in
                self?.reply(to: request.id, with: .success(.value(value)), of: site, isInTurn: false)
            }
        case .stream(let body, _):
            start(handler, for: request) { call in
                await BridgeCall.$current.withValue(call) {
                    await self.produce(body, payload, for: request.id, at: handler.site)
                }
            }
        }
    }

    private func run(
        _ handler: RegisteredHandler,
        for request: IncomingRequest,
        _ body: @escaping @Sendable () async throws -> MessagePayload?
    ) {
        start(handler, for: request) { call in
            let outcome: Result<MessagePayload?, any Error>
            do {
                outcome = .success(try await BridgeCall.$current.withValue(call) { try await body() })
            } catch {
                outcome = .failure(error)
            }
            // Reply first: the task is tracked only while its call waits for a reply.
            self.replyOnce(to: request.id, with: outcome, of: handler.site)
        }
    }

    /// Starts a handler's task, in the order of the messages; `immediately` runs it here until its first suspension.
    func start(
        _ handler: RegisteredHandler,
        for request: IncomingRequest,
        immediately: Bool = false,
        _ body: @escaping @Sendable (BridgeCall) async -> Void
    ) {
        if request.id == nil {
            guard update(isInTurn: true, { $0.machine.beginNotification(request) }) else { return }
        }
        let run =
            request.id.map(HandlerRuns.Run.call) ?? state.withLock { $0.runs.newNotification() }
        let deadline = deadline(of: request, handler)
        if let id = request.id, let deadline {
            update(isInTurn: true) { $0.machine.answer(id, by: deadline) }
        }
        let call = BridgeCall(session: self, request: request, deadline: deadline)
        let work: @Sendable () async -> Void = {
            await body(call)
            call.endHandler()
            self.endNotification(request)
            self.end(run)
        }
        let epoch = state.withLock { state in
            // A caller that gave up until now found no task to cancel.
            state.runs.willStart(run, isWanted: request.id.map(state.machine.isInProgress) ?? true)
            if !immediately { state.runs.leaveToTask(request) }
            return state.machine.epoch
        }
        // The task must not inherit the current operation of the thread that begins it.
        let operation = ExecutionBudget.current
        let begin: @Sendable () -> Void = {
            let task = ExecutionBudget.withCurrent(operation) { Task.immediate(operation: work) }
            let isWanted = self.update { state in
                let isWanted = state.runs.start(run, task)
                state.machine.noteBegun(request.order)
                return isWanted && state.machine.wantsWork(of: epoch)
            }
            if !isWanted { task.cancel() }
            self.lookForIdle()
        }
        if immediately { begin() } else { handlerStarts.add(begin) }
    }

    private func deadline(of request: IncomingRequest, _ handler: RegisteredHandler) -> Duration? {
        let own = deadline(after: handler.timeout)
        guard let own, let callers = request.deadline else { return own ?? request.deadline }
        return min(own, callers)
    }

    private func end(_ run: HandlerRuns.Run) {
        state.withLock { state in
            state.runs.end(run)
            if case .notification = run { state.machine.finishNotification() }
        }
        lookForIdle()
    }

    /// Replies for a handler that does so once; does nothing if the call was answered in another way.
    func replyOnce(
        to id: IncomingCallID?,
        with outcome: Result<MessagePayload?, any Error>,
        of site: CallSite
    ) {
        guard id.map({ id in state.withLock { !$0.machine.wasAnswered(id) } }) ?? true else { return }
        reply(to: id, with: outcome, of: site, isInTurn: false)
    }

    func reply(
        to id: IncomingCallID?,
        with outcome: Result<MessagePayload?, any Error>,
        of site: CallSite,
        isInTurn: Bool
    ) {
        guard let id else {
            // A notification has no caller to notify.
            if case .failure(let error) = outcome {
                let error = BridgeError(wrapping: error).traced(throughHandlerAt: site)
                logWarning("The handler of a notification failed. \(error)")
            }
            return
        }
        // Messages that the handler has sent through interceptors, which start on another thread, precede its answer.
        guard mask.contains(anyOf: .interceptors) else {
            return answer(id, with: outcome, of: site, isInTurn: isInTurn)
        }
        let isLater = interceptors.outgoing.addIfBusy {
            self.answer(id, with: outcome, of: site, isInTurn: false)
        }
        if !isLater { answer(id, with: outcome, of: site, isInTurn: isInTurn) }
    }

    private func answer(
        _ id: IncomingCallID,
        with outcome: Result<MessagePayload?, any Error>,
        of site: CallSite,
        isInTurn: Bool
    ) {
        update(isInTurn: isInTurn) { state in
            switch outcome {
            case .success(nil), .success(.value(.undefined)):
                _ = state.machine.reply(to: id, with: .payload(nil))
            case .success(let payload?):
                _ = state.machine.reply(to: id, with: .payload(state.payloads.insert(payload)))
            case .failure(let error):
                let error = BridgeError(wrapping: error).traced(throughHandlerAt: site)
                _ = state.machine.reply(to: id, with: .failure(error))
            }
        }
    }
}
