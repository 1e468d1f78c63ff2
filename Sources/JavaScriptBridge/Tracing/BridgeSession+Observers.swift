internal import BridgeJSON
internal import BridgeProtocol
internal import Synchronization

/// The observers of messages: traces, the traffic log and the recording hook.
///
/// The recorder of traces is fed under the session's lock at two points: where actions leave the machine, and where
/// work is queued for the engine. Its events are delivered to the sink outside of the lock, by one thread at a time.
extension BridgeSession {
    func changeTraceLevels(_ change: (inout TraceLevels) -> Void) {
        state.withLock { state in
            let before = state.tracing.levels.maximum
            change(&state.tracing.levels)
            if state.tracing.levels.maximum > .off, before == .off {
                // Events recorded before are still delivered.
                state.tracing.recorderCount += 1
                state.tracing.recorder = TraceRecorder(
                    levels: state.tracing.levels,
                    start: configuration.clock.now,
                    number: state.tracing.recorderCount,
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
    func traceSynchronous(_ name: String) -> TraceRecorder.InlineCall? {
        guard mask.contains(anyOf: .trace) else { return nil }
        defer { deliverTrace() }
        return record { recorder, now in
            let call = recorder.arrive(name, .synchronous, at: now)
            recorder.begin(call, at: now)
            return call
        }
    }

    /// Records that a call was answered in its turn, and with which error if it failed.
    func traceEnd(of call: TraceRecorder.InlineCall?, _ code: BridgeErrorCode? = nil) {
        guard let call else { return }
        record { recorder, now in recorder.end(call, code, at: now) }
        deliverTrace()
    }

    /// Records something in the trace; returns `nil` if tracing is off.
    @discardableResult
    func record<Result: Sendable>(_ body: (inout TraceRecorder, Duration) -> Result) -> Result? {
        let now = configuration.clock.now
        return state.withLock { $0.tracing.recorder?.record { body(&$0, now) } }
    }

    /// Records that the calls that have arrived, and whose handlers have not begun, are lost.
    func traceLostArrivals(in state: inout State) {
        guard state.tracing.recorder != nil else { return }
        state.tracing.recorder?.dropArrived(at: configuration.clock.now)
    }

    /// Records that the machine receives a call next, unless its context is gone.
    func traceArrival(of call: TraceRecorder.InlineCall, in state: inout State) {
        let now = configuration.clock.now
        if state.machine.isCurrent(nil) {
            state.tracing.recorder?.hand(call, to: state.machine, at: now)
        } else {
            state.tracing.recorder?.drop(call, .disconnected, at: now)
        }
    }

    /// Delivers the queued events to the sink.
    func deliverTrace() {
        var events: [TraceEvent] = []
        // The thread that is delivering finds the new events too, in order.
        var isMine = state.withLock { state in
            !state.tracing.isDelivering && takeEvents(&state, &events)
        }
        while isMine {
            if let sink = configuration.traceSink { for event in events { sink(event) } }
            isMine = state.withLock { takeEvents(&$0, &events) }
        }
    }

    // Returns false when all events are delivered, and gives up the right to deliver in the same locked step.
    private func takeEvents(_ state: inout State, _ events: inout [TraceEvent]) -> Bool {
        state.tracing.takeEvents(&events)
        state.tracing.isDelivering = !events.isEmpty
        if events.isEmpty, state.tracing.levels.maximum == .off, state.tracing.recorder != nil {
            state.tracing.recorder = nil
            note(state)
        }
        return !events.isEmpty
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

    // MARK: - The recording hook

    var port: (any RecordingHook)? { configuration.recording }

    /// Starts recording, or replaying, once a context is ready.
    func startRecording(
        by port: any RecordingHook,
        _ transport: any MessageTransport,
        in context: JSContext
    ) {
        context.hooks.observer = port
        context.hooks.holdsTimers = port.isReplay
        port.didBegin(ReplayTarget(session: self, transport: transport), in: context)
    }

    /// Reports an entry to the recording hook; returns true if the hook has handled it completely.
    func crosses(_ entry: @autoclosure () -> JournalEntry) -> Bool { port?.cross(entry()) ?? false }

    /// Reports a message from the script; returns true if the machine must not receive it.
    func crosses(_ message: BridgeMessage, _ payload: () throws -> Value?) -> Bool {
        guard let port else { return false }
        do {
            let payload = try payload()
            var received = JournalMessage(
                message,
                payload: payload == .undefined ? nil : payload,
                now: configuration.clock.now
            )
            received.timeout = received.timeout?.rounded()
            received.hidesPayload = hidesPayload(of: message) { payload }
            return port.cross(.received(received))
        } catch {
            return port.cross(.malformed(BridgeError(wrapping: error).code.rawValue))
        }
    }

    /// The time from which the remaining time of a deadline is computed.
    var timeOfSending: Duration {
        guard port != nil else { return configuration.clock.now }
        return state.withLock { $0.tracing.sendingTime } ?? configuration.clock.now
    }

    // MARK: - Secrets in messages from scripts (R38)
    //
    // Messages from Swift are encoded before they are shown, so their secrets are known by property name then. Messages
    // from scripts are shown before they are decoded, so the declaration of their type has to suffice.

    /// The shapes of the secrets in the replies of the calls that are being made.
    @TaskLocal static var replyShapes: [SecretShape] = []

    /// Makes calls whose replies, items and progress are decoded as types.
    static func reading<Reply>(
        _ types: Any.Type...,
        isolation: isolated (any Actor)? = #isolation,
        _ call: () async throws -> Reply
    ) async rethrows -> Reply {
        let shapes = types.compactMap { SecretMembers.shared.learn($0) }
        // The shapes of a call that this one is made on behalf of do not apply to it.
        guard !shapes.isEmpty || !replyShapes.isEmpty else { return try await call() }
        return try await $replyShapes.withValue(shapes, operation: call, isolation: isolation)
    }

    /// Returns whether a script's payload must be hidden completely: its reader's type holds secrets, but the payload
    /// lacks the properties that are known by their names.
    func hidesPayload(of message: BridgeMessage, _ payload: () throws -> Value?) -> Bool {
        guard SecretMembers.shared.isInUse else { return false }
        if case .request(let request) = message, request.handlerName == ReferenceTable.callName {
            guard let data = try? payload() else { return false }
            return references.hidesArguments(data)
        }
        let shapes = shapes(of: message)
        guard !shapes.isEmpty, let payload = try? payload(), payload != .undefined else { return false }
        return !shapes.allSatisfy { $0.isAsDeclared(payload) }
    }

    /// Returns the form for the journal of an answer that may be a secret as a whole.
    func shownInJournal(_ answer: Value, isHidden: Bool) -> Value {
        isHidden && port?.journal?.redactsSecrets == true ? .string(SecretMembers.mark) : answer
    }

    /// Returns the shapes of the secrets in the types as which a script's message is decoded.
    private func shapes(of message: BridgeMessage) -> [SecretShape] {
        switch message {
        case .request(let request):
            // A call without reply may be an event (P51).
            let (type, listeners) = state.withLock { state in
                let handler = state.machine.handler(request.handlerName).flatMap { state.handlers[$0] }
                return (handler?.types?.request, state.listeners.shapes(of: request.handlerName))
            }
            let handler = type.flatMap { SecretMembers.shared.learn($0) }
            return listeners + (handler.map { [$0] } ?? [])
        case .response(let response):
            return state.withLock { $0.replyShapes(of: response.responseID) }
        case .control(let control):
            return state.withLock { state in
                switch control.kind {
                case .event: state.listeners.shapes(of: control.topic)
                case .next: state.itemShapes(of: control.id)
                case .progress: state.replyShapes(of: control.id)
                default: []
                }
            }
        }
    }
}

extension BridgeSession.State {
    fileprivate func replyShapes(of id: MessageID) -> [SecretShape] {
        machine.call(knownAs: id).map(calls.replyShapes(of:)) ?? []
    }

    fileprivate func itemShapes(of id: MessageID) -> [SecretShape] {
        if let reader = machine.stream(knownAs: id).flatMap({ streams.readers[$0] }) { return reader.shapes }
        // It is being opened by one of the pending calls.
        return calls.replyShapes
    }
}

extension ReferenceTable {
    /// Returns whether the arguments that a script passes to a Swift function must be hidden.
    fileprivate func hidesArguments(_ data: Value) -> Bool {
        guard let id = data["id"].stringValue, let target = local(id) else { return false }
        return target.hides(data["args"].arrayValue ?? [], of: data["m"].stringValue)
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
