internal import BridgeProtocol
internal import Synchronization

/// The storage around the protocol's machine: its lock, its payloads, and whoever waits for its outcomes.
///
/// A verb of the machine runs under the lock; what it wants done is done outside, in order, by one thread at
/// a time. What needs the engine (sending, running handlers) joins a queue that every turn of the engine
/// empties before it ends; the rest (settling calls) happens at once, so that no script can hold up a
/// deadline.
final class BridgeSession: Sendable {
    /// What waits for the engine.
    enum EngineWork: Sendable {
        case send(BridgeMessage, Value?)
        case dispatch(RegisteredHandler, IncomingRequest, Value)
        /// A callback of the ancestor's form gets its result, in order with handlers (P39).
        case callback(@Sendable (Value) -> Void, Value)
    }

    /// What an asynchronous handler is at work for.
    enum HandlerRun: Hashable, Sendable {
        case call(IncomingCallID)
        case notification(Int)
    }

    struct State: ~Copyable {
        var machine: SessionMachine
        var payloads = PayloadSlab<Value>()
        var handlers: [HandlerID: RegisteredHandler] = [:]
        var nextHandler = 0
        var waiters: [OutgoingCallID: Waiter] = [:]
        var progress: [OutgoingCallID: @Sendable (Value) -> Void] = [:]
        var readers: [InboundStreamID: StreamReader] = [:]
        var producers: [OutboundStreamID: StreamProducer] = [:]
        var listeners = TopicListeners()
        /// What was loaded, for a reload that runs it again.
        var scripts = LoadedScripts()
        /// The changes of the state that its observers were not told of yet.
        var changes = FirstInFirstOut<BridgeState>()
        var observers: [Int: @Sendable (BridgeState) -> Void] = [:]
        var lastObserver = 0
        /// What waits for the end of the session.
        var endings: [Int: @Sendable () -> Void] = [:]
        var lastEnding = 0
        /// The calls that a census counts.
        var censusEntries: [OutgoingCallID: CensusEntry] = [:]
        /// The handlers at work, those of notifications too.
        var tasks: [HandlerRun: Task<Void, Never>] = [:]
        var endedRuns: Set<HandlerRun> = []
        var lastNotification = 0
        var engineWork: [EngineWork] = []
        var firstEngineWork = 0
        var lastDeliveredCall: MessageID?
        var isPerforming = false
        var isTurnScheduled = false
        var isRejecting = false
        var wakeUpDeadline: Duration?
        var wakeUp: (any ScheduledWakeUp)?
        var logsTraffic = false
        var maximumLogLength = TrafficLine.defaultMaximumLength
        var references = 0
        /// Calls that are in the hands of interceptors.
        var interceptionsUnderWay = 0
        /// The grants as the host gave them, and as they are with what the tier adds.
        var grants = BridgeGrants()
        var resolvedGrants = BridgeGrants()
        // Weak, as the runtime's context holds this session.
        weak var runtime: JavaScriptRuntime?
    }

    let configuration: BridgeConfiguration
    let codec: MessageCodec
    let state: Mutex<State>
    /// Whether requests are looked at by grants; once they are, they stay so.
    let checksGrants = Atomic(false)
    let interceptors = InterceptorTable()

    init(configuration: BridgeConfiguration) {
        self.configuration = configuration
        codec = MessageCodec(limits: configuration.limits, dialect: configuration.dialect)
        let machine = SessionMachine(
            configuration: SessionMachine.Configuration(
                limits: configuration.limits,
                identifierForm: configuration.identifierForm,
                peerIsExtended: configuration.transport == .direct
            )
        )
        state = Mutex(State(machine: machine))
    }

    func connect(to runtime: JavaScriptRuntime) {
        state.withLock { $0.runtime = runtime }
        runtime.setBusyCheck { [weak self] in self?.isBusy ?? false }
    }

    var pendingCallCount: Int { state.withLock { $0.machine.pendingCallCount } }

    /// Whether something will still happen without anybody doing anything.
    private var isBusy: Bool {
        state.withLock { state in
            // Together, so that a negative reference stands for a call that shall not keep the run going by
            // itself.
            state.references + state.machine.pendingCallCount > 0 || state.machine.incomingCallCount > 0
                || state.machine.inboundStreamCount + state.machine.outboundStreamCount > 0
                || !state.tasks.isEmpty || state.interceptionsUnderWay > 0
                || state.firstEngineWork < state.engineWork.count
        }
    }

    /// Counts what keeps a run from ending, such as a listener.
    func addReferences(_ count: Int) {
        state.withLock { $0.references += count }
        if count < 0 { lookForIdle() }
    }

    // MARK: - Verbs

    /// Runs a verb of the machine, then does what it wants done.
    ///
    /// Inside an open turn of the engine (`isInTurn`) its queue needs no other turn to be emptied.
    func update<Result: Sendable, Failure: Error>(
        isInTurn: Bool = false,
        _ verb: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        let result = try state.withLock { state throws(Failure) in
            let before = state.machine.state
            defer { if state.machine.state != before { state.noteChange(from: before) } }
            return try verb(&state)
        }
        perform(isInTurn: isInTurn)
        return result
    }

    /// Ends the calls that scripts have, after the engine stopped one: its microtasks are gone, so no answer
    /// would come.
    ///
    /// Calls that were not handed over yet go on: the context does too.
    func terminated(_ exception: JSException) {
        let error = BridgeError(exception)
        update { state in
            state.machine.failStreams(with: error)
            guard let last = state.lastDeliveredCall else { return }
            // In the order of the calls, which a dictionary does not keep.
            for call in state.machine.calls(notAfter: last) { state.machine.cancel(call, reason: error) }
        }
    }

    // MARK: - Doing

    private enum Step {
        case settle(Waiter, Result<Value, BridgeError>)
        case opened(CheckedContinuation<StreamReader, any Error>, StreamReader, InboundStreamID)
        case progress(@Sendable (Value) -> Void, Value)
        case deliver(StreamReader, Value)
        case finish(StreamReader, BridgeError?)
        case demand(StreamProducer, UInt64)
        case stop(StreamProducer)
        case event([TopicListeners.Listener], Value)
        case cancel(Task<Void, Never>)
        case log(SessionDiagnostic)
        case tell([@Sendable (BridgeState) -> Void], BridgeState)
        case audit(BridgeDenial)
        case nothing
    }

    private func perform(isInTurn: Bool) {
        let isMine = state.withLock { state in
            defer { state.isPerforming = true }
            return !state.isPerforming
        }
        // Whoever performs now finds the new actions too, in order.
        guard isMine else { return }
        var needsTurn = false
        while let step = state.withLock({ nextStep(&$0, needsTurn: &needsTurn) }) {
            switch step {
            case .settle(let waiter, let outcome): waiter.settle(outcome)
            case .tell(let observers, let change): for observer in observers { observer(change) }
            case .cancel(let task): task.cancel()
            case .opened(let continuation, let reader, let stream):
                reader.begin(stream)
                continuation.resume(returning: reader)
            case .progress(let body, let value): body(value)
            case .deliver(let reader, let value): reader.deliver(value)
            case .finish(let reader, let error): reader.finish(error)
            case .demand(let producer, let credit): producer.add(credit)
            case .stop(let producer): producer.stop()
            case .event(let listeners, let value): for listener in listeners { listener(value) }
            case .log(let diagnostic): log(diagnostic)
            case .audit(let denial): audit(denial)
            case .nothing: break
            }
        }
        if !isInTurn { needsTurn ? scheduleTurn() : lookForIdle() }
        armDeadline()
    }

    // Returns nil when all is done, and has then given up the right to perform in the same locked step.
    private func nextStep(_ state: inout State, needsTurn: inout Bool) -> Step? {
        if let change = state.changes.popFirst() {
            return .tell(state.observers.sorted { $0.key < $1.key }.map(\.value), change)
        }
        guard let action = state.machine.nextAction() else {
            state.isPerforming = false
            return nil
        }
        switch action {
        case .send(let message):
            let payload = message.payload.flatMap { state.payloads.take($0) }
            state.engineWork.append(.send(message, payload))
            needsTurn = true
            return .nothing
        case .dispatch(let id, let request):
            let payload = request.payload.flatMap { state.payloads.take($0) } ?? .undefined
            guard let handler = state.handlers[id] else {
                // Removed since the request was received.
                if let call = request.id {
                    let error = BridgeError(
                        .handlerNotFound,
                        "The handler \"\(request.handlerName)\" was removed."
                    )
                    _ = state.machine.reply(to: call, with: .failure(error))
                }
                state.machine.endNotification(request)
                return .nothing
            }
            state.engineWork.append(.dispatch(handler, request, payload))
            needsTurn = true
            return .nothing
        case .settle(let call, let outcome):
            let payload = outcome.payload.flatMap { state.payloads.take($0) } ?? .undefined
            guard let waiter = state.removeWaiter(call) else { return .nothing }
            if case .callback(let callback, _) = waiter, outcome.error == nil {
                state.engineWork.append(.callback(callback, payload))
                needsTurn = true
                return .nothing
            }
            return .settle(waiter, outcome.error.map(Result.failure) ?? .success(payload))
        case .opened(let call, let stream):
            guard case .stream(let continuation, let reader) = state.removeWaiter(call) else {
                state.machine.stop(stream)
                return .nothing
            }
            state.readers[stream] = reader
            return .opened(continuation, reader, stream)
        case .progress(let call, let token):
            let payload = token.flatMap { state.payloads.take($0) } ?? .undefined
            return state.progress[call].map { .progress($0, payload) } ?? .nothing
        case .deliver(let stream, let token):
            let payload = token.flatMap { state.payloads.take($0) } ?? .undefined
            return state.readers[stream].map { .deliver($0, payload) } ?? .nothing
        case .finish(let stream, let error):
            return state.readers.removeValue(forKey: stream).map { .finish($0, error) } ?? .nothing
        case .demand(let stream, let credit):
            return state.producers[stream].map { .demand($0, credit) } ?? .nothing
        case .stop(let stream):
            return state.producers.removeValue(forKey: stream).map(Step.stop) ?? .nothing
        case .event(let topic, let token):
            let payload = token.flatMap { state.payloads.take($0) } ?? .undefined
            return .event(state.listeners.of(topic), payload)
        case .abandon(let call):
            return state.tasks[.call(call)].map(Step.cancel) ?? .nothing
        case .audit(let denial):
            return .audit(denial)
        case .discard(let token):
            state.payloads.discard(token)
            return .nothing
        case .report(let diagnostic):
            return .log(diagnostic)
        }
    }

    /// Makes the runtime look again whether all is done, if somebody waits for that.
    func lookForIdle() {
        let runtime = state.withLock { $0.runtime }
        guard let runtime, runtime.isAwaitedToBeIdle, !isBusy else { return }
        runtime.enqueue { _ in }
    }

    /// Makes sure that a turn of the engine comes, which empties the queue of what waits for it.
    private func scheduleTurn() {
        let runtime = state.withLock { state -> JavaScriptRuntime? in
            guard !state.isTurnScheduled else { return nil }
            state.isTurnScheduled = state.runtime != nil
            return state.runtime
        }
        runtime?.enqueue { [weak self] _ in self?.state.withLock { $0.isTurnScheduled = false } }
    }

    /// Takes the next thing that waits for the engine.
    func nextEngineWork() -> EngineWork? {
        state.withLock { state in
            guard state.firstEngineWork < state.engineWork.count else {
                state.engineWork.removeAll(keepingCapacity: true)
                state.firstEngineWork = 0
                return nil
            }
            let work = state.engineWork[state.firstEngineWork]
            state.firstEngineWork += 1
            state.forgetDoneEngineWork()
            if case .send(.request(let request), _) = work, let id = request.callbackID {
                state.lastDeliveredCall = id
            }
            return work
        }
    }

    /// Leaves the rest of the queue to another turn, so that other users of the engine have theirs between.
    func continueInAnotherTurn() { scheduleTurn() }

    // MARK: - Deadlines

    // One wake-up for the earliest deadline; calls with later ones cost nothing.
    private func armDeadline() {
        let deadline = state.withLock { state -> Duration? in
            guard let next = state.machine.nextDeadline else { return nil }
            if let armed = state.wakeUpDeadline, armed <= next { return nil }
            state.wakeUp?.cancel()
            state.wakeUp = nil
            state.wakeUpDeadline = next
            return next
        }
        guard let deadline else { return }
        let wakeUp = configuration.clock.schedule(at: deadline) { [weak self] in self?.expire() }
        state.withLock { state in
            if state.wakeUpDeadline == deadline { state.wakeUp = wakeUp }
        }
    }

    private func expire() {
        let now = configuration.clock.now
        update { state in
            state.wakeUpDeadline = nil
            state.wakeUp = nil
            state.machine.expire(now: now)
        }
    }

    // MARK: - Log

    private func log(_ diagnostic: SessionDiagnostic) {
        let level: BridgeLogLine.Level =
            switch diagnostic.level {
            case .debug: .debug
            case .warning: .warning
            case .error: .error
            }
        configuration.logSink?(BridgeLogLine(level: level, text: diagnostic.description))
    }

    func logWarning(_ text: String) { configuration.logSink?(BridgeLogLine(level: .warning, text: text)) }

    /// Logs a message that crosses, while logging is on (P71, P72).
    func logTraffic(_ message: BridgeMessage, _ payload: Value?, isSent: Bool) {
        guard let sink = configuration.logSink else { return }
        let maximum = state.withLock { $0.logsTraffic ? $0.maximumLogLength : nil }
        guard let maximum else { return }
        let shown = SecretMembers.shared.redacted(payload)
        let text =
            (try? codec.text(
                of: message,
                payload: shown,
                now: configuration.clock.now,
                isPretty: !isSent,
                isReceived: !isSent
            ))
            ?? "?"
        let line =
            isSent
            ? TrafficLine.sent(text, maximumLength: maximum)
            : TrafficLine.received(text, maximumLength: maximum)
        sink(BridgeLogLine(level: .debug, text: line))
    }
}

extension BridgeSession.State {
    /// Takes whoever waits for a call out.
    mutating func removeWaiter(_ call: OutgoingCallID) -> Waiter? {
        censusEntries[call] = nil
        progress[call] = nil
        return waiters.removeValue(forKey: call)
    }
}
