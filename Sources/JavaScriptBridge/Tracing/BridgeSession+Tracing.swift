internal import BridgeJSON
internal import BridgeProtocol
internal import Synchronization

/// Traces and the traffic log.
///
/// The recorder is fed under the session's lock at two points: where actions leave the machine, and where work is
/// queued for the engine. Its events are delivered to the sink outside of the lock, by one thread at a time.
extension BridgeSession {
    func changeTraceLevels(_ change: (inout TraceLevels) -> Void) {
        state.withLock { state in
            let before = state.tracing.levels.maximum
            change(&state.tracing.levels)
            if state.tracing.levels.maximum > .off, before == .off {
                // Events recorded before are still delivered.
                state.tracing.recorder = TraceRecorder(
                    levels: state.tracing.levels,
                    start: configuration.clock.now,
                    after: state.tracing.recorder?.events ?? []
                )
            } else if state.tracing.levels.maximum == .off, state.tracing.recorder?.events.isEmpty == true {
                state.tracing.recorder = nil
            } else {
                state.tracing.recorder?.setLevels(state.tracing.levels)
            }
            note(state)
        }
        if mask.contains(anyOf: .trace) { deliverTrace() }
    }

    func enableLogging() {
        state.withLock { state in
            state.tracing.logsTraffic = true
            note(state)
        }
    }

    func trace(_ action: SessionAction, in state: inout State) {
        state.tracing.recorder?.note(
            action,
            of: state.machine,
            waiting: state.queue.count,
            at: configuration.clock.now
        )
    }

    func traceArrival(_ work: EngineWork, in state: inout State) {
        switch work {
        case .send(let message, _): state.tracing.recorder?.handOver(message, at: configuration.clock.now)
        case .dispatch(_, let request, _): state.tracing.recorder?.begin(request, at: configuration.clock.now)
        case .event, .callback: break
        }
    }

    /// Records that a synchronous request is about to be answered; returns `nil` if tracing is off.
    func traceSynchronous(_ name: String) -> TraceRecorder.SynchronousCall? {
        guard mask.contains(anyOf: .trace) else { return nil }
        defer { deliverTrace() }
        return state.withLock { $0.tracing.recorder?.beginSynchronous(name, at: configuration.clock.now) }
    }

    /// Records that it was answered, and with which error if it failed.
    func traceEnd(of call: TraceRecorder.SynchronousCall?, _ code: BridgeErrorCode?) {
        guard let call else { return }
        state.withLock { $0.tracing.recorder?.end(call, code, at: configuration.clock.now) }
        deliverTrace()
    }

    /// Delivers the queued events to the sink.
    func deliverTrace() {
        let isMine = state.withLock { state in
            guard state.tracing.recorder?.events.isEmpty == false, !state.tracing.isDelivering else {
                return false
            }
            state.tracing.isDelivering = true
            return true
        }
        // The thread that is delivering finds the new events too, in order.
        guard isMine else { return }
        while let events = state.withLock({ nextEvents(&$0) }) {
            guard let sink = configuration.traceSink else { continue }
            for event in events { sink(event) }
        }
    }

    // Returns nil when all events are delivered, and gives up the right to deliver in the same locked step.
    private func nextEvents(_ state: inout State) -> [TraceEvent]? {
        let events = state.tracing.recorder?.takeEvents() ?? []
        guard events.isEmpty else { return events }
        state.tracing.isDelivering = false
        if state.tracing.levels.maximum == .off { state.tracing.recorder = nil }
        note(state)
        return nil
    }

    // MARK: - Log

    /// Logs and traces a message that crosses, if the log or a trace is on (P71, P72).
    func logTraffic(_ message: BridgeMessage, _ payload: MessagePayload?, isSent: Bool) {
        guard mask.contains(anyOf: .traffic) else { return }
        let value = try? payload?.value()
        let isHidden = isSent ? payload?.isSecret == true : hidesPayload(of: message) { value }
        let shown = isHidden ? .string(SecretMembers.mark) : SecretMembers.shared.redacted(value)
        let now = configuration.clock.now
        let text =
            (try? codec.text(
                of: message.withoutSecrets,
                payload: shown,
                now: now,
                isPretty: !isSent,
                isReceived: !isSent
            ))
            ?? "?"
        let maximum = state.withLock { state -> Int? in
            state.tracing.recorder?.message(message, text, from: isSent ? .swift : .script, at: now)
            return state.tracing.logsTraffic ? state.tracing.maximumLogLength : nil
        }
        if mask.contains(anyOf: .trace) { deliverTrace() }
        guard let maximum, let sink = configuration.logSink else { return }
        let line =
            isSent
            ? TrafficLine.sent(text, maximumLength: maximum)
            : TrafficLine.received(text, maximumLength: maximum)
        sink(BridgeLogLine(level: .debug, text: line))
    }
}

extension BridgeMessage {
    /// The message with placeholders instead of secrets in the data of its error (R38).
    fileprivate var withoutSecrets: BridgeMessage {
        switch self {
        case .request: return self
        case .response(var response):
            guard let error = response.outcome.error else { return self }
            response.outcome = .failure(error.withoutSecrets)
            return .response(response)
        case .control(var control):
            control.error = control.error?.withoutSecrets
            return .control(control)
        }
    }
}

extension BridgeError {
    fileprivate var withoutSecrets: BridgeError {
        var error = self
        error.data = SecretMembers.shared.redacted(data)
        error.cause = cause?.withoutSecrets
        return error
    }
}
