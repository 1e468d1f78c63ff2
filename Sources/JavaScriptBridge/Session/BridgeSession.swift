internal import BridgeJSON
internal import BridgeProtocol
internal import Dispatch
internal import JavaScriptEngine
internal import Synchronization

/// The storage around the session machine: its lock, its payloads, and the waiters for its outcomes.
///
/// A verb of the machine runs under the lock; the machine's actions are executed outside it, in order, by one thread at
/// a time. Actions that need the engine (sending, running handlers) join a queue that every turn of the engine drains
/// before it ends. The others (settling calls) are executed immediately, so that no script can delay a deadline.
@usableFromInline
final class BridgeSession: Sendable {
    struct State: ~Copyable {
        var machine: SessionMachine
        var payloads = PayloadSlab<MessagePayload>()
        var queue = EngineQueue()
        var performing = Performing()
        var timer = DeadlineTimer()
        /// The earliest deadline of all calls.
        var nextDeadline: Duration? {
            guard let own = runs.earliestDeadline else { return machine.nextDeadline }
            return machine.nextDeadline.map { min($0, own) } ?? own
        }
        var calls = PendingCalls()
        var handlers = HandlerTable()
        var runs = HandlerRuns()
        var streams = OpenStreams()
        var listeners = TopicListeners()
        /// The results to which the script may refer.
        var kept = SessionResults()
        var content = LoadedContent()
        var lifecycle = SessionLifecycle()
        var tracing = MessageTracing()
        /// The grants as the host set them, and as they apply with the tier's values.
        var grants = (given: BridgeGrants(), resolved: BridgeGrants())
    }

    let configuration: BridgeConfiguration
    /// The number by which operations know it.
    let number = BridgeSession.newNumber()
    let codec: MessageCodec
    let isDirect: Bool
    let textDecoder: JSONTextDecoder
    let textEncoder: JSONTextEncoder
    /// The capabilities of both sides.
    let peer: PeerCapabilities
    let state: Mutex<State>
    /// The checks that apply to messages now.
    let mask = MessageMask()
    /// The grants of data and files.
    let dataGrants: DataGrantTable
    let interceptors: InterceptorTable
    let references: ReferenceTable
    /// The built-in modules that give scripts the system.
    let builtInModules = BuiltInModules()
    let changes = ChangeCounts()
    let addresses = TurnAddresses()

    init(configuration: BridgeConfiguration) {
        precondition(
            configuration.peer == nil
                || configuration.expectsOwnScript && configuration.recording == nil,
            "a bridge whose other side is elsewhere has the text transport, no script of its own, and no journal"
        )
        self.configuration = configuration
        isDirect = configuration.transport == .direct
        peer = PeerCapabilities(configuration)
        dataGrants = DataGrantTable(clock: configuration.clock)
        interceptors = InterceptorTable(publishingIn: mask)
        references = ReferenceTable(maximum: configuration.limits.maximumReferences)
        codec = MessageCodec(
            limits: configuration.limits,
            payloadForm: isDirect ? .value : .text,
            dialect: configuration.dialect,
            importer: references
        )
        textDecoder = JSONTextDecoder(limits: configuration.limits)
        textEncoder = JSONTextEncoder(
            dataStrategy: configuration.binaryPolicy.strategy,
            limits: configuration.limits
        )
        let machine = SessionMachine(
            configuration: SessionMachine.Configuration(
                limits: configuration.limits,
                identifierForm: configuration.identifierForm,
                peerIsExtended: configuration.transport == .direct,
                accepts: configuration.capabilities
            )
        )
        state = Mutex(State(machine: machine))
        if configuration.recording != nil { mask.set(.recording, of: .recording) }
        changeTraceLevels { $0.standard = configuration.traceLevel }
    }

    func connect(to runtime: JavaScriptRuntime) {
        state.withLock { $0.queue.runtime = runtime }
        if configuration.logSink != nil {
            for warning in Capabilities.takeWarnings() { logWarning(warning) }
        }
        references.connect(self, to: runtime)
        runtime.setBusyCheck { [weak self] in self?.isBusy ?? false }
        runtime.setCloseHandler { [weak self] in self?.runtimeWasClosed() }
    }

    var pendingCallCount: Int { state.withLock { $0.machine.pendingCallCount } }

    /// A Boolean value that indicates whether something will still happen without further calls from outside.
    private var isBusy: Bool {
        state.withLock { state in
            // Counted together, so that a negative reference offsets a call that must not keep the run going by itself.
            state.lifecycle.references + state.machine.pendingCallCount > 0
                || state.machine.incomingCallCount > 0
                || state.machine.inboundStreamCount + state.machine.outboundStreamCount > 0
                || !state.runs.isEmpty || state.calls.interceptedCount > 0 || !state.queue.isEmpty
        }
    }

    /// Counts something that keeps a run from ending, such as a listener.
    func addReferences(_ count: Int) {
        state.withLock { $0.lifecycle.references += count }
        if count < 0 { lookForIdle() }
    }

    // MARK: - Verbs

    /// Runs a verb of the machine, then executes the machine's actions.
    ///
    /// Inside an open turn of the engine (`isInTurn`) its queue needs no other turn to be drained. Most verbs only add
    /// work to that queue: then everything happens under one lock.
    func update<Result: Sendable, Failure: Error>(
        isInTurn: Bool = false,
        _ verb: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        var rest = Rest()
        defer {
            // Also if the verb throws: execute the actions that others left.
            if mask.contains(anyOf: .trace) { deliverTrace() }
            if rest.step != nil { perform(&rest) }
            if rest.isMine { finish(rest, isInTurn: isInTurn) }
        }
        return try state.withLock { state throws(Failure) in
            let before = state.machine.state
            defer {
                if before == .injected, state.machine.hasQueuedAnswers,
                    state.content.start.mayBeginWithAnswers
                {
                    state.machine.peerReady()
                }
                if state.machine.state != before {
                    state.lifecycle.noteChange(from: before, to: state.machine.state)
                }
                if !state.performing.isActive {
                    rest.step = nextStep(&state, &rest)
                    if rest.step != nil { state.performing.begin() }
                }
                note(state)
            }
            return try verb(&state)
        }
    }

    // Publishes what each message reads without the lock.
    func note(_ state: borrowing State) {
        var checks: MessageChecks = []
        if state.machine.state != .live { checks.insert(.connection) }
        if state.tracing.recorder != nil { checks.insert(.trace) }
        if configuration.tracesCalls { checks.insert(.traceIDs) }
        if state.tracing.logsTraffic { checks.insert(.log) }
        if state.tracing.showsTraffic(hasSink: configuration.logSink != nil) { checks.insert(.traffic) }
        if state.machine.checksGrants { checks.insert(.grants) }
        if !state.machine.isInOrder { checks.insert(.order) }
        if state.performing.isActive || !state.queue.isEmpty { checks.insert(.queue) }
        if state.machine.roomForIncomingCalls == 0 { checks.insert(.limit) }
        mask.set(checks, of: .stored)
        changes.registrations.store(state.machine.registrations, ordering: .releasing)
    }

    /// A Boolean value that indicates whether actions of the machine wait for another thread, or for the caller's own
    /// step, to be executed.
    var hasUndone: Bool {
        mask.contains(anyOf: .queue) && state.withLock { $0.machine.hasActions }
    }

    /// Adds work for the engine.
    func addEngineWork(_ work: EngineWork) {
        state.withLock { state in
            state.queue.append(work)
            note(state)
        }
    }

    /// Records the last call that was delivered to the script.
    func noteDelivered(_ id: MessageID) { state.withLock { $0.queue.lastDeliveredCall = id } }

    /// Ends the pending calls of scripts after the engine stopped one: its microtasks are gone, so no answer would
    /// come.
    ///
    /// Calls that were not delivered yet continue, as the context does.
    func terminated(_ exception: JSException) {
        let error = BridgeError(exception)
        update { state in
            state.machine.failStreams(with: error)
            guard let last = state.queue.lastDeliveredCall else { return }
            // In the order of the calls, which a dictionary does not keep.
            for call in state.machine.calls(notAfter: last) { state.machine.cancel(call, reason: error) }
        }
    }

    /// Makes the runtime check again whether it is idle, if a caller waits for that.
    func lookForIdle() {
        let runtime = state.withLock { $0.queue.runtime }
        guard let runtime, runtime.isAwaitedToBeIdle, !isBusy else { return }
        runtime.enqueue { _ in }
    }

    /// Schedules a turn of the engine, which drains the queue for it.
    ///
    /// - Parameter rest: The operation of the turn if the queue is empty, and only the transport has work.
    func scheduleTurn(joining rest: ExecutionBudget? = nil) {
        let (runtime, operation) = state.withLock { state -> (JavaScriptRuntime?, ExecutionBudget?) in
            guard !state.queue.isTurnScheduled else { return (nil, nil) }
            let runtime = state.queue.runtime
            state.queue.isTurnScheduled = runtime != nil
            return (runtime, state.queue.isEmpty ? rest : state.queue.nextOperation)
        }
        runtime?.enqueue(joining: operation) { [weak self] _ in
            self?.state.withLock { $0.queue.isTurnScheduled = false }
        } otherwise: { [weak self] _ in
            // The context was retired, and the next one must get its messages; or the operation has ended.
            let continues = self?.update { state in
                state.queue.isTurnScheduled = false
                state.dropEndedWork()
                return operation?.termination != nil && !state.queue.isEmpty
            }
            if continues == true { self?.scheduleTurn() }
        }
    }

    /// Returns the handler of a request whose turn it is: the one that is registered under its name now (P34).
    ///
    /// If it was removed the caller is notified, if it supports errors.
    func handler(of request: IncomingRequest, _ id: HandlerID) -> RegisteredHandler? {
        let handler = state.withLock { state in
            state.handlers[id]
                ?? state.machine.handler(request.handlerName).flatMap { state.handlers[$0] }
        }
        if handler == nil { update(isInTurn: true) { $0.machine.refuseDispatched(request) } }
        return handler
    }

    /// Returns the next work in the queue, if it belongs to the operation of the turn.
    ///
    /// With this call the handler taken before counts as begun, so that work waiting for it continues first.
    func nextEngineWork(of operation: ExecutionBudget?) -> EngineWork? {
        var (work, hasActions) = takeEngineWork(of: operation)
        while hasActions {
            update(isInTurn: true) { _ in }
            guard work == nil else { break }
            (work, hasActions) = takeEngineWork(of: operation)
        }
        if mask.contains(anyOf: .trace) { deliverTrace() }
        return work
    }

    private func takeEngineWork(of operation: ExecutionBudget?) -> (work: EngineWork?, hasActions: Bool) {
        state.withLock { state in
            state.endRunningRequest()
            let work = state.queue.popFirst(of: operation) { state.machine.drop($0) }
            switch work {
            case .dispatch(_, let request, _): state.runs.runningRequest = request.order
            case .event(_, _, let order): state.runs.runningRequest = order
            case .send, .callback, nil: break
            }
            if let work, state.tracing.recorder != nil { traceArrival(work, in: &state) }
            note(state)
            return (work, state.machine.hasActions && !state.performing.isActive)
        }
    }

    /// Checks that the queue of a busy engine has room for one more message (R22).
    ///
    /// Before the peer is connected its start-up queue has the same limit, which the machine enforces.
    ///
    /// - Throws: `overloaded` at ``BridgeLimits/maximumQueuedMessages``.
    func checkRoom(for name: String, in state: borrowing State) throws(BridgeError) {
        try checkRoom(for: name, waiting: state.queue.count + (transportInTurn?.notifications ?? 0))
    }

    /// Checks the same for a known number of queued messages.
    func checkRoom(for name: String, waiting: Int) throws(BridgeError) {
        guard waiting >= configuration.limits.maximumQueuedMessages else { return }
        let maximum = configuration.limits.maximumQueuedMessages
        throw BridgeError(
            .overloaded,
            "\"\(name)\" was not sent: too many messages queued for the engine (limit \(maximum))."
        )
    }

    /// Leaves the rest of the queue to another turn, so that other users of the engine get turns in between.
    ///
    /// - Parameter operation: The operation of the turn.
    func continueInAnotherTurn(of operation: ExecutionBudget?) { scheduleTurn(joining: operation) }

    /// Waits until the handlers of all received requests have begun.
    func waitUntilBegun() async {
        await withCheckedContinuation { continuation in
            update { state in
                state.machine.notePoint(state.runs.addPoint(continuation))
            }
        }
    }

    // MARK: - Deadlines

    func armDeadline() {
        let deadline = state.withLock { state -> Duration? in
            guard let next = state.nextDeadline, state.timer.mustMove(for: next) else { return nil }
            state.timer.begin(next)
            return next
        }
        guard let deadline else { return }
        let wakeUp = configuration.clock.schedule(at: deadline) { [weak self] in self?.expire() }
        state.withLock { $0.timer.schedule(wakeUp, for: deadline) }
    }

    private func expire() {
        let now = configuration.clock.now
        // Those that hold the engine end as all others do.
        for run in state.withLock({ $0.runs.overdue(now: now) }) { _ = run.call(in: self) }
        update { state in
            state.timer.fire()
            state.machine.expire(now: now)
        }
    }

    // MARK: - Log

    func log(_ diagnostic: SessionDiagnostic) {
        let level: BridgeLogLine.Level =
            switch diagnostic.level {
            case .debug: .debug
            case .warning: .warning
            case .error: .error
            }
        guard let sink = configuration.logSink else { return }
        var text = diagnostic.description
        let length = text.utf8.count
        // Scripts may choose names of any length.
        if length > Self.maximumLineLength {
            text = "\(text.prefix(Self.maximumLineLength / 4))... (\(length) bytes in all)"
        }
        sink(BridgeLogLine(level: level, text: text))
    }

    /// The largest number of UTF-8 bytes of a log line about a message.
    private static let maximumLineLength = 16_384

    func logWarning(_ text: String) { configuration.logSink?(BridgeLogLine(level: .warning, text: text)) }
}

extension BridgeSession {
    /// Returns the handler that is registered under a name now.
    func handler(named name: String) -> (HandlerID, RegisteredHandler)? {
        state.withLock { state in
            state.machine.handler(name).flatMap { id in state.handlers[id].map { (id, $0) } }
        }
    }
}

extension BridgeSession.State {
    /// Records that the last handler of the engine's turn has returned.
    mutating func endRunningRequest() {
        if let request = runs.endRunningRequest() { machine.noteBegun(request) }
    }

    /// Drops the first work in the queue as long as its operation has ended.
    mutating func dropEndedWork() { queue.dropEnded { machine.drop($0) } }
}
