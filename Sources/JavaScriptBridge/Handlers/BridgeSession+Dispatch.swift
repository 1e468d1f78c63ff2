internal import BridgeProtocol
internal import Synchronization

extension BridgeSession {
    /// Runs a handler for a request.
    ///
    /// The engine's turn is open.
    func run(_ handler: RegisteredHandler, for request: IncomingRequest, _ payload: Value) {
        switch handler.handler {
        case .sync(let body):
            reply(to: request.id, with: Result { try body(payload) }, of: handler.site, isInTurn: true)
        case .legacy(let body):
            let site = handler.site
            body(payload) { [weak self] value in
                self?.reply(to: request.id, with: .success(value), of: site, isInTurn: false)
            }
        case .async(let body):
            start(body, at: handler.site, for: request, payload)
        }
    }

    private func start(
        _ body: @escaping @Sendable (Value) async throws -> Value,
        at site: CallSite,
        for request: IncomingRequest,
        _ payload: Value
    ) {
        let run = request.id.map(HandlerRun.call) ?? nextNotification()
        let task = Task {
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await body(payload))
            } catch {
                outcome = .failure(error)
            }
            // The reply first: a task is noted only while its call waits for one.
            self.reply(to: request.id, with: outcome, of: site, isInTurn: false)
            self.end(run)
        }
        state.withLock { state in
            if state.endedRuns.remove(run) == nil { state.tasks[run] = task }
        }
    }

    private func nextNotification() -> HandlerRun {
        state.withLock { state in
            state.lastNotification += 1
            return .notification(state.lastNotification)
        }
    }

    private func end(_ run: HandlerRun) {
        state.withLock { state in
            // It may have ended before its starter could note it.
            if state.tasks.removeValue(forKey: run) == nil { state.endedRuns.insert(run) }
        }
        lookForIdle()
    }

    private func reply(
        to id: IncomingCallID?,
        with outcome: Result<Value, any Error>,
        of site: CallSite,
        isInTurn: Bool
    ) {
        guard let id else {
            // A notification has no caller that could be told.
            if case .failure(let error) = outcome {
                let error = BridgeError(wrapping: error).traced(throughHandlerAt: site)
                logWarning("A handler failed that nobody waits for. \(error)")
            }
            return
        }
        update(isInTurn: isInTurn) { state in
            switch outcome {
            case .success(.undefined): _ = state.machine.reply(to: id, with: .payload(nil))
            case .success(let value):
                _ = state.machine.reply(to: id, with: .payload(state.payloads.insert(value)))
            case .failure(let error):
                let error = BridgeError(wrapping: error).traced(throughHandlerAt: site)
                _ = state.machine.reply(to: id, with: .failure(error))
            }
        }
    }
}
