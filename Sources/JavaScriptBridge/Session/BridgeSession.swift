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
    /// A piece of work that waits for the engine.
    enum EngineWork: Sendable {
        case send(BridgeMessage, MessagePayload?)
        case dispatch(HandlerID, IncomingRequest, MessagePayload)
        /// A callback of the legacy API with its result, in order with handlers (P39).
        case callback(@Sendable (Value) -> Void, Value, WorkBudget? = nil)
    }

    /// The request for which an asynchronous handler runs.
    enum HandlerRun: Hashable, Sendable {
        case call(IncomingCallID)
        case notification(Int)
    }

    struct State: ~Copyable {
        var machine: SessionMachine
        var payloads = PayloadSlab<MessagePayload>()
        var handlers: [HandlerID: RegisteredHandler] = [:]
        var nextHandler = 0
        /// The error of the last synchronous request, until the script has fetched it.
        var synchronousError: BridgeError?
        var waiters: [OutgoingCallID: Waiter] = [:]
        var progress: [OutgoingCallID: @Sendable (MessagePayload) -> Void] = [:]
        /// The budgets of calls with a callback, if they have one.
        var accounts: [OutgoingCallID: WorkBudget] = [:]
        /// A Boolean value that indicates whether the open turn also handles work of other operations.
        var sharesTurn = false
        /// A Boolean value that indicates whether the runtime was closed, so that no turn will handle the queued work.
        var isRuntimeClosed = false
        /// The shapes of the secrets in the replies of calls, for the calls that have some.
        var replyShapes: [OutgoingCallID: [SecretShape]] = [:]
        var readers: [InboundStreamID: StreamReader] = [:]
        var producers: [OutboundStreamID: StreamProducer] = [:]
        var listeners = TopicListeners()
        /// The results to which the script may refer.
        var kept = RetainedResults()
        /// The conditions that delay the calls queued for a page.
        var start = StartCondition()
        /// The scripts that were loaded, for a reload that runs them again.
        var scripts = LoadedScripts()
        /// The state changes that the observers were not notified of yet.
        var changes = FIFOQueue<BridgeState>()
        var observers: [Int: @Sendable (BridgeState) -> Void] = [:]
        var lastObserver = 0
        /// The functions to call at the end of the session.
        var endings: [Int: @Sendable () -> Void] = [:]
        var lastEnding = 0
        /// The calls that the leak tracker counts.
        var censusEntries: [OutgoingCallID: TrackedObject] = [:]
        /// The running handlers, including those of notifications.
        var tasks: [HandlerRun: Task<Void, Never>] = [:]
        var endedRuns: Set<HandlerRun> = []
        var lastNotification = 0
        /// The request whose handler the engine's turn is running, until the turn takes the next work.
        var runningRequest: UInt64 = 0
        /// Tasks that wait until the handlers of all requests before them have begun.
        var pointWaiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastPoint: UInt64 = 0
        var engineWork: [EngineWork] = []
        var firstEngineWork = 0
        var lastDeliveredCall: MessageID?
        /// A Boolean value that indicates whether a thread executes the machine's actions.
        var isPerforming = false
        /// The semaphores that wake the threads which wait for the performing thread.
        var performanceSignals: [DispatchSemaphore] = []
        var isTurnScheduled = false
        var isRejecting = false
        var wakeUpDeadline: Duration?
        var wakeUp: (any ScheduledWakeUp)?
        var logsTraffic = false
        /// The level of detail of the trace, by handler.
        var traceLevels = TraceLevels()
        /// The recorder of the trace, while tracing is on.
        var trace: TraceRecorder?
        var isDeliveringTrace = false
        var maximumLogLength = TrafficLine.defaultMaximumLength
        var references = 0
        /// The calls of Swift that are pending in interceptors.
        var held: [OutgoingCallID: PendingInterceptedCall] = [:]
        /// The number of script calls that are queued for interceptors.
        var interceptionsUnderWay = 0
        /// Asynchronous handlers whose tasks are about to begin, and those of them whose callers have given up
        /// meanwhile.
        var startingRuns: Set<HandlerRun> = []
        var abandonedRuns: Set<HandlerRun> = []
        /// The grants as the host set them, and as they apply with the tier's values.
        var grants = BridgeGrants()
        var resolvedGrants = BridgeGrants()
        /// The function that lists data for scripts that call `describe`.
        var describeData: (@Sendable (DataGrants) -> [Value])?
        // Weak, as the runtime's context holds this session.
        weak var runtime: JavaScriptRuntime?
    }

    let configuration: BridgeConfiguration
    /// The number by which operations know it.
    let number = BridgeSession.newNumber()
    let codec: MessageCodec
    let isDirect: Bool
    let textDecoder: JSONTextDecoder
    let textEncoder: JSONTextEncoder
    /// The capabilities of the other side, as the bits of an ``CallerCapabilities``; it announces them in its requests.
    let peerAccepts = Atomic<UInt8>(0)
    /// The capabilities that every call announces that expects a result or an error.
    let acceptance: CallerCapabilities
    let state: Mutex<State>
    /// The thread that executes the machine's actions.
    let performer = Performer()
    /// The time at which a message is sent, while it is being recorded.
    let sendingTime = Mutex<Duration?>(nil)
    /// A Boolean value that indicates whether requests are looked at by grants; once they are, they stay so.
    let checksGrants = Atomic(false)
    /// The grants of data and files.
    let dataGrants: DataGrantTable
    let interceptors = InterceptorTable()
    /// The queue that starts the tasks of asynchronous handlers, in the order of the messages.
    let handlerStarts = StartQueue()
    let references: ReferenceTable
    /// A Boolean value that indicates whether there may be events of a trace to deliver.
    let isTracing = Atomic(false)
    /// A Boolean value that indicates whether the log or a trace needs the text of messages.
    let wantsTraffic = Atomic(false)
    /// A Boolean value that indicates whether messages may bypass the machine: the session is live and has no
    /// observers.
    let hasNoObservers = Atomic(false)
    /// The number of times that a handler was registered, replaced or removed.
    let registrations = Atomic(0)
    /// A Boolean value that indicates whether the handlers of all requests have begun.
    let isInOrder = Atomic(true)
    /// A Boolean value that indicates whether work is queued for the engine, or about to be.
    let hasEngineWork = Atomic(false)
    /// The addresses of the direct transport and of the engine of its turns.
    let transportInProcess = Atomic<UInt>(0)
    let engineInProcess = Atomic<UInt>(0)

    init(configuration: BridgeConfiguration) {
        self.configuration = configuration
        isDirect = configuration.transport == .direct
        acceptance = configuration.acceptance
        dataGrants = DataGrantTable(clock: configuration.clock)
        references = ReferenceTable(maximum: configuration.limits.maximumReferences)
        var codec = MessageCodec(
            limits: configuration.limits,
            payloadForm: isDirect ? .value : .text,
            dialect: configuration.dialect
        )
        codec.importer = references
        self.codec = codec
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
                accepts: acceptance
            )
        )
        state = Mutex(State(machine: machine))
        changeTraceLevels { $0.standard = configuration.traceLevel }
    }

    func connect(to runtime: JavaScriptRuntime) {
        state.withLock { $0.runtime = runtime }
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
            state.references + state.machine.pendingCallCount > 0 || state.machine.incomingCallCount > 0
                || state.machine.inboundStreamCount + state.machine.outboundStreamCount > 0
                || !state.tasks.isEmpty || !state.startingRuns.isEmpty
                || state.interceptionsUnderWay > 0 || !state.held.isEmpty
                || state.firstEngineWork < state.engineWork.count
        }
    }

    /// Counts something that keeps a run from ending, such as a listener.
    func addReferences(_ count: Int) {
        state.withLock { $0.references += count }
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
            if isTracing.load(ordering: .relaxed) { deliverTrace() }
            if rest.step != nil { perform(&rest) }
            if rest.isMine { finish(rest, isInTurn: isInTurn) }
        }
        return try state.withLock { state throws(Failure) in
            let before = state.machine.state
            defer {
                if state.machine.state != before { state.noteChange(from: before) }
                if !state.isPerforming {
                    rest.step = nextStep(&state, &rest)
                    state.isPerforming = rest.step != nil
                    if state.isPerforming { performer.begin() }
                }
                note(state)
            }
            return try verb(&state)
        }
    }

    // The flags that each message reads without the lock.
    func note(_ state: borrowing State) {
        hasNoObservers.store(
            configuration.recording == nil && state.machine.state == .live && !state.logsTraffic
                && state.trace == nil
                && !configuration.tracesCalls,
            ordering: .releasing
        )
        registrations.store(state.machine.registrations, ordering: .releasing)
        isInOrder.store(state.machine.isInOrder, ordering: .releasing)
        hasEngineWork.store(
            state.isPerforming || state.firstEngineWork < state.engineWork.count,
            ordering: .releasing
        )
    }

    /// A Boolean value that indicates whether actions of the machine wait for another thread, or for the caller's own
    /// step, to be executed.
    var hasUndone: Bool {
        hasEngineWork.load(ordering: .acquiring) && state.withLock { $0.machine.hasActions }
    }

    /// Adds work for the engine.
    func addEngineWork(_ work: EngineWork) {
        state.withLock { state in
            state.engineWork.append(work)
            note(state)
        }
    }

    /// Ends the pending calls of scripts after the engine stopped one: its microtasks are gone, so no answer would
    /// come.
    ///
    /// Calls that were not delivered yet continue, as the context does.
    func terminated(_ exception: JSException) {
        let error = BridgeError(exception)
        update { state in
            state.machine.failStreams(with: error)
            guard let last = state.lastDeliveredCall else { return }
            // In the order of the calls, which a dictionary does not keep.
            for call in state.machine.calls(notAfter: last) { state.machine.cancel(call, reason: error) }
        }
    }

    /// Makes the runtime check again whether it is idle, if a caller waits for that.
    func lookForIdle() {
        let runtime = state.withLock { $0.runtime }
        guard let runtime, runtime.isAwaitedToBeIdle, !isBusy else { return }
        runtime.enqueue { _ in }
    }

    /// Schedules a turn of the engine, which drains the queue for it.
    ///
    /// - Parameter rest: The operation of the turn if the queue is empty, and only the transport has work.
    func scheduleTurn(joining rest: ExecutionBudget? = nil) {
        let (runtime, operation) = state.withLock { state -> (JavaScriptRuntime?, ExecutionBudget?) in
            guard !state.isTurnScheduled else { return (nil, nil) }
            state.isTurnScheduled = state.runtime != nil
            let waits = state.firstEngineWork < state.engineWork.count
            return (state.runtime, waits ? state.nextOperation : rest)
        }
        runtime?.enqueue(joining: operation) { [weak self] _ in
            self?.state.withLock { $0.isTurnScheduled = false }
        } otherwise: { [weak self] _ in
            // The context was retired, and the next one must get its messages; or the operation has ended.
            let continues = self?.update { state in
                state.isTurnScheduled = false
                state.dropEndedWork()
                return operation?.termination != nil && state.firstEngineWork < state.engineWork.count
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
        if isTracing.load(ordering: .relaxed) { deliverTrace() }
        return work
    }

    private func takeEngineWork(of operation: ExecutionBudget?) -> (work: EngineWork?, hasActions: Bool) {
        state.withLock { state in
            state.endRunningRequest()
            let work = takeEngineWork(of: operation, &state)
            if case .dispatch(_, let request, _) = work { state.runningRequest = request.order }
            isInOrder.store(state.machine.isInOrder, ordering: .releasing)
            return (work, state.machine.hasActions && !state.isPerforming)
        }
    }

    private func takeEngineWork(of operation: ExecutionBudget?, _ state: inout State) -> EngineWork? {
        if state.nextOperation !== operation {
            state.dropEndedWork()
            let waits = state.firstEngineWork < state.engineWork.count
            if waits, state.nextOperation !== operation, !state.sharesTurn { return nil }
        }
        guard state.firstEngineWork < state.engineWork.count else {
            state.engineWork.removeAll(keepingCapacity: true)
            state.firstEngineWork = 0
            note(state)
            return nil
        }
        let work = state.engineWork[state.firstEngineWork]
        state.firstEngineWork += 1
        if state.firstEngineWork == state.engineWork.count { note(state) }
        state.forgetDoneEngineWork()
        if case .send(.request(let request), _) = work, let id = request.callbackID {
            state.lastDeliveredCall = id
        }
        if state.trace != nil { traceArrival(work, in: &state) }
        return work
    }

    /// Leaves the rest of the queue to another turn, so that other users of the engine get turns in between.
    ///
    /// - Parameter operation: The operation of the turn.
    func continueInAnotherTurn(of operation: ExecutionBudget?) { scheduleTurn(joining: operation) }

    /// Waits until the handlers of all received requests have begun.
    func waitUntilBegun() async {
        await withCheckedContinuation { continuation in
            update { state in
                state.lastPoint += 1
                state.pointWaiters[state.lastPoint] = continuation
                state.machine.notePoint(state.lastPoint)
            }
        }
    }

    // MARK: - Deadlines

    // One wake-up for the earliest deadline; calls with later ones cost nothing.
    func armDeadline() {
        let deadline = state.withLock { state -> Duration? in
            guard state.needsToArm, let next = state.machine.nextDeadline else { return nil }
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
    /// A Boolean value that indicates whether an observer needs the messages as data.
    var needsValues: Bool { !interceptors.isEmpty || showsRequests }

    /// A Boolean value that indicates whether an observer sees requests before the grants admit them.
    var showsRequests: Bool { wantsTraffic.load(ordering: .acquiring) || configuration.recording != nil }

    /// Returns the handler that is registered under a name now.
    func handler(named name: String) -> (HandlerID, RegisteredHandler)? {
        state.withLock { state in
            state.machine.handler(name).flatMap { id in state.handlers[id].map { (id, $0) } }
        }
    }
}

extension BridgeSession.State {
    /// A Boolean value that indicates whether the earliest deadline is earlier than the wake-up.
    var needsToArm: Bool {
        guard let next = machine.nextDeadline else { return false }
        return wakeUpDeadline.map { next < $0 } ?? true
    }

    /// Records that the last handler of the engine's turn has returned.
    mutating func endRunningRequest() {
        guard runningRequest > 0 else { return }
        machine.noteBegun(runningRequest)
        runningRequest = 0
    }

    /// Records that the handler of a request begins in a task, which reports its own begin.
    mutating func leaveToTask(_ request: IncomingRequest) {
        if runningRequest == request.order { runningRequest = 0 }
    }

    /// Removes the waiter of a call.
    mutating func removeWaiter(_ call: OutgoingCallID) -> Waiter? {
        if !censusEntries.isEmpty { censusEntries[call] = nil }
        if !progress.isEmpty { progress[call] = nil }
        if !accounts.isEmpty { accounts[call] = nil }
        if !replyShapes.isEmpty { replyShapes[call] = nil }
        return waiters.removeValue(forKey: call)
    }
}
