internal import BridgeProtocol
internal import Synchronization

extension BridgeSession {
    /// Runs a handler for a request.
    ///
    /// The engine's turn is open.
    func run(_ handler: RegisteredHandler, for request: IncomingRequest, _ payload: MessagePayload) {
        let site = handler.site
        switch handler.handler {
        case .sync(let body):
            let outcome = Result { try body.run(payload, in: self, at: site) }
            reply(to: request.id, with: outcome, of: site, isInTurn: true)
        case .async(let body):
            run(handler, for: request) { try await body.run(payload, in: self, at: site) }
        case .legacy(let body):
            let value: Value
            do { value = try payload.value() } catch {
                return reply(to: request.id, with: .failure(error), of: site, isInTurn: true)
            }
            body(value) { [weak self] value in
                self?.reply(
                    to: request.id,
                    with: .success(.value(value)),
                    of: site,
                    isInTurn: false,
                    mayRepeat: true
                )
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
            let outcome = await call.outcome(of: body)
            // Reply first: the task is tracked only while its call waits for a reply.
            self.replyOnce(to: request.id, with: outcome, of: handler.site)
        }
    }

    /// Starts a handler's task, and runs it until its first suspension.
    ///
    /// So handlers begin in the order of the messages, and the answer of one that does not suspend leaves with the turn
    /// of its request (decision 12).
    func start(
        _ handler: RegisteredHandler,
        for request: IncomingRequest,
        _ body: @escaping @Sendable (BridgeCall) async -> Void
    ) {
        if request.id == nil {
            guard update(isInTurn: true, { $0.machine.beginNotification(request) }) else { return }
        }
        let run =
            request.id.map(HandlerRuns.Key.call) ?? state.withLock { $0.runs.newNotification() }
        let deadline = earlierDeadline(request.deadline, handler.timeout)
        if let id = request.id, let deadline {
            update(isInTurn: true) { $0.machine.answer(id, by: deadline) }
        }
        let epoch = state.withLock { $0.machine.epoch }
        let call = BridgeCall(session: self, request: request, from: epoch, deadline: deadline)
        begin {
            await body(call)
            call.endHandler()
            self.endNotification(request)
            self.end(run)
        } recording: { task, state in
            state.runs.begin(run, task)
            // A caller that gave up until now found no task to cancel.
            if case .call(let call) = run { return state.machine.isAwaited(call) }
            return state.machine.isCurrent(epoch)
        }
        lookForIdle()
    }

    /// Starts a handler's task, and runs it until its first suspension.
    ///
    /// - Parameters:
    ///   - work: The work, which runs the handler.
    ///   - record: Records the task before the work begins, and returns whether its answer is still needed. If not, the
    ///     task is cancelled.
    private func begin(
        _ work: @escaping @Sendable () async -> Void,
        recording record: @escaping @Sendable (HandlerTask, inout State) -> Bool
    ) {
        let work: @Sendable () async -> Void = {
            if let task = HandlerTask.current { self.add(task, record) }
            await work()
        }
        // Detached, because a handler must not inherit the task-local values of the caller whose turn this is.
        guard let operation = ExecutionBudget.current else {
            Task.immediateDetached(operation: work)
            return
        }
        Task.immediateDetached { await operation.run(work) }
    }

    private func add(_ task: HandlerTask, _ record: (HandlerTask, inout State) -> Bool) {
        let (isWanted, armsDeadline) = state.withLock { state in
            (record(task, &state), state.timer.mustMove(for: state.nextDeadline))
        }
        if !isWanted || ExecutionBudget.current?.termination != nil { task.cancel() }
        if armsDeadline { armDeadline() }
    }

    /// Begins an asynchronous handler for a request that no table has.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - traced: The call of the trace, if that is on.
    ///   - timeout: The maximum duration of the handler's calls.
    ///   - site: The place where the handler was registered.
    ///   - body: Runs the handler for a call.
    /// - Returns: The outcome of the handler if it returns without suspending; `nil` if the call is in the tables.
    func begin(
        _ request: BridgeMessage.Request,
        _ traced: TraceRecorder.InlineCall?,
        timeout: Duration?,
        at site: CallSite,
        _ body: @escaping @Sendable (BridgeCall) async throws -> MessagePayload?
    ) -> HandlerRun.Outcome? {
        let epoch = state.withLock { $0.machine.epoch }
        var beginning = HandlerRun.Beginning(request: request, traced: traced, epoch: epoch)
        let deadline = earlierDeadline(request.deadline, timeout)
        beginning.request.deadline = deadline
        let run = HandlerRun(beginning)
        let call = BridgeCall(session: self, handlerName: request.handlerName, run: run, deadline: deadline)
        begin {
            let outcome = await call.outcome { try await body(call) }
            call.endHandler()
            run.finish(outcome, of: site, in: self)
        } recording: { task, state in
            state.runs.begin(run, task)
            return state.machine.isCurrent(epoch)
        }
        return run.suspend(in: self)
    }

    /// Enters the call of a run into the tables; returns `nil` if its context is gone, or the session was closed.
    ///
    /// ``didEnter()`` must be called later, without any lock.
    func enter(_ run: HandlerRun, _ beginning: HandlerRun.Beginning) -> IncomingCallID? {
        let now = beginning.traced == nil ? .zero : configuration.clock.now
        return state.withLock { state in
            guard let call = state.machine.adoptIncoming(beginning.request, from: beginning.epoch) else {
                state.runs.end(run)
                if let traced = beginning.traced {
                    state.tracing.recorder?.drop(traced, .disconnected, at: now)
                }
                return nil
            }
            state.runs.enter(run, as: call)
            if let traced = beginning.traced { state.tracing.recorder?.enter(traced, as: call) }
            return call
        }
    }

    /// Executes what follows from an entry: the timer of its deadline, the end of a call that was cancelled early, or the
    /// error for its caller.
    func didEnter() { update(isInTurn: hasOpenTurn) { _ in } }

    /// Cancels the task of a call that has suspended, if its budget has ended before the tables had the call.
    func didSuspend(_ call: IncomingCallID) {
        if ExecutionBudget.current?.termination != nil { state.withLock { $0.runs.task(of: call) }?.cancel() }
        lookForIdle()
    }

    /// Records that the handler of a call that no table has returned in its turn.
    func end(_ run: HandlerRun) { state.withLock { $0.runs.end(run) } }

    /// Returns the earlier one of the deadline of a caller and that of a handler that begins now.
    private func earlierDeadline(_ callers: Duration?, _ timeout: Duration?) -> Duration? {
        let own = deadline(after: timeout)
        guard let own, let callers else { return own ?? callers }
        return min(own, callers)
    }

    /// Records that the handler of a run has returned.
    func end(_ run: HandlerRuns.Key) {
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
        reply(to: id, with: outcome, of: site, isInTurn: hasOpenTurn)
    }

    /// Replies to a call; a second reply of a handler that may repeat is reported (P44).
    func reply(
        to id: IncomingCallID?,
        with outcome: Result<MessagePayload?, any Error>,
        of site: CallSite,
        isInTurn: Bool,
        mayRepeat: Bool = false
    ) {
        guard let id else {
            // A notification has no caller to notify.
            if case .failure(let error) = outcome {
                logWarning("The handler of a notification failed. \(failure(error, ofHandlerAt: site))")
            }
            return
        }
        // Messages that the handler has sent through interceptors, which start on another thread, precede its answer.
        let isLater =
            defersAnswers
            && interceptors.addBehindUnsent {
                self.answer(id, with: outcome, of: site, isInTurn: false, mayRepeat: mayRepeat)
            }
        if !isLater { answer(id, with: outcome, of: site, isInTurn: isInTurn, mayRepeat: mayRepeat) }
    }

    /// A Boolean value that indicates whether answers have to follow messages that wait for interceptors.
    ///
    /// A caller that waits in its turn for an answer cannot wait for another thread.
    var defersAnswers: Bool { interceptors.hasUnsent && !state.withLock { $0.queue.sharesTurn } }

    private func answer(
        _ id: IncomingCallID,
        with outcome: Result<MessagePayload?, any Error>,
        of site: CallSite,
        isInTurn: Bool,
        mayRepeat: Bool
    ) {
        let outcome = outcome.mapError { failure($0, ofHandlerAt: site) }
        update(isInTurn: isInTurn) { state in
            // The call may have ended on another thread in this moment.
            guard mayRepeat || !state.machine.wasAnswered(id) else { return }
            switch outcome {
            case .success(nil), .success(.value(.undefined)):
                _ = state.machine.reply(to: id, with: .payload(nil))
            case .success(let payload?):
                _ = state.machine.reply(to: id, with: .payload(state.payloads.insert(payload)))
            case .failure(let error):
                _ = state.machine.reply(to: id, with: .failure(error))
            }
        }
    }

    /// Returns the error of a handler as its caller gets it, with the handler among the frames.
    ///
    /// The log gets what a script must not: the text of a Swift error that was not made for scripts (R39).
    func failure(_ error: any Error, ofHandlerAt site: CallSite) -> BridgeError {
        var failure = BridgeError(wrapping: error)
        if site.isNamed { failure = failure.traced(throughHandlerAt: site) }
        // The error of a function that a script called by reference was logged with the function's own place.
        if failure.hidesMessage, site.isNamed || !(error is BridgeError) {
            logWarning("The \(site.function) failed, and scripts do not get the reason: \(error)")
        }
        return failure
    }

    // MARK: - Synchronous requests

    /// Admits a synchronous request under the grants and limits; the caller must report its end
    /// (``endSynchronous(_:)``).
    func beginSynchronous(
        _ name: String,
        for known: HandlerID? = nil,
        waiting: Int = 0,
        size: () -> Int
    ) -> Result<(SynchronousRequest, RegisteredHandler), BridgeError> {
        let bytes = sizeOfRequest(for: name, size)
        return update(isInTurn: true) { state in
            Result { () throws(BridgeError) in
                let request = try state.machine.beginSynchronous(
                    name,
                    for: known,
                    waiting: waiting,
                    bytes: bytes
                )
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

    // MARK: - Registration

    func register(
        _ handlers: [(name: String, handler: BridgeHandler)]
    ) throws(BridgeError) -> HandlerRegistration {
        for (_, handler) in handlers { describe(handler.handler) }
        let (registered, replaced) = try update {
            state throws(BridgeError) -> ([(name: String, id: HandlerID)], [RegisteredHandler]) in
            try state.machine.checkNames(handlers.map(\.name))
            var registered: [(name: String, id: HandlerID)] = []
            var replaced: [RegisteredHandler] = []
            for (name, handler) in handlers {
                let id = state.handlers.newID()
                let before = try state.machine.registerHandler(name, as: id)
                if let before, let handler = state.handlers.remove(before) {
                    replaced.append(handler)
                }
                state.handlers[id] = RegisteredHandler(
                    handler: handler.handler,
                    site: CallSite(handler: name, fileID: handler.site.fileID, line: handler.site.line),
                    timeout: handler.timeout,
                    description: handler.description
                )
                registered.append((name, id))
            }
            return (registered, replaced)
        }
        for handler in replaced { release(handler) }
        for (name, _) in registered { _ = crosses(.handler(name: name, isRegistered: true)) }
        return HandlerRegistration(registered, session: self)
    }

    /// Releases a handler that was removed or replaced, also in the transport: its next turn forgets it.
    func release(_ removed: RegisteredHandler?) {
        if removed != nil { scheduleTurn() }
    }

    // MARK: - Descriptions

    static let describeName = SessionMachine.reservedPrefix + "describe"

    /// Answers scripts that ask for the handlers (`_wvjb.describe`): with those that they may call.
    func answerDescribe() {
        register(
            .answering { [weak self] (_: Value) in self?.describedHandlers ?? .array([]) },
            reserved: "describe"
        )
    }

    /// Registers a handler of the protocol itself.
    func register(_ handler: Handler, reserved name: String) {
        // Without a line: a place in this package says nothing to the reader of an error.
        let site = CallSite(handler: SessionMachine.reservedPrefix + name, fileID: #fileID, line: 0)
        state.withLock { state in
            let id = state.handlers.newID()
            state.machine.registerReserved(name, as: id)
            state.handlers[id] = RegisteredHandler(handler: handler, site: site)
        }
    }

    private var describedHandlers: Value {
        noteTime()
        let handlers = state.withLock { state in
            state.machine.handlerNames.compactMap { name -> (String, RegisteredHandler)? in
                guard state.machine.isGranted(name), let id = state.machine.handler(name) else { return nil }
                return state.handlers[id].map { (name, $0) }
            }
        }
        let describeData = state.withLock { $0.handlers.describeData }
        let data = describeData.map { describe in
            _ = dataGrants.generation
            return describe(dataGrants.current)
        }
        return .array(
            handlers.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map { name, handler in
                var members: [(String, Value)] = [
                    ("name", .string(name)), ("kind", .string(kind(of: handler.handler).rawValue)),
                    ("takesCallback", .bool(handler.handler.takesCallback)),
                ]
                if let description = handler.description {
                    members.append(("summary", .string(description.summary)))
                    if let since = description.since { members.append(("since", .string(since))) }
                    if let deprecation = description.deprecation {
                        members.append(("deprecated", .string(deprecation)))
                    }
                }
                if configuration.describesTypes, let types = handler.types { members += types.schemaMembers }
                return .object(ValueObject(members))
            } + (data ?? [])
        )
    }

    /// Inspects a handler's types for later descriptions, if they are on; called outside all locks, as it runs the
    /// types' code.
    func describe(_ handler: Handler) {
        if configuration.describesTypes, !configuration.inspectsTypesLate { handler.types?.describe() }
    }

    /// Returns how a handler answers the scripts of this session: also synchronously, if they have a call that blocks.
    func kind(of handler: Handler) -> DescribedHandler.Kind {
        switch handler {
        case .sync: isDirect || configuration.dialect.api != .handlers ? .sync : .value
        case .async, .legacy: .value
        case .stream: .stream
        }
    }

    /// Sends a progress report of a call; returns false if its caller does not wait any more.
    func reportProgress(of id: IncomingCallID, _ payload: MessagePayload) throws(BridgeError)
        -> Bool
    {
        try update { state throws(BridgeError) in
            let token = state.payloads.insert(payload)
            var isSent = false
            defer { if !isSent { state.payloads.discard(token) } }
            isSent = try state.machine.reportProgress(of: id, token)
            return isSent
        }
    }
}
