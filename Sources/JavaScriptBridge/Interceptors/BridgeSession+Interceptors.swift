internal import BridgeProtocol
internal import Synchronization

/// The path of calls from scripts to a handler.
extension BridgeSession {
    /// Dispatches a request to its handler, through the interceptors if there are any.
    ///
    /// The engine's turn is open.
    func dispatch(_ handler: RegisteredHandler, for request: IncomingRequest, _ payload: MessagePayload) {
        // A payload decoded as the handler's type arrived before there was an interceptor.
        if !payload.isRead, let chain = interceptors.chain(.incoming, request.handlerName) {
            do {
                return intercept(chain, handler, for: request, try payload.value())
            } catch {
                reply(to: request.id, with: .failure(error), of: handler.site, isInTurn: true)
                return endNotification(request)
            }
        }
        run(handler, for: request, payload)
        if !handler.handler.hasTask { endNotification(request) }
    }

    private func intercept(
        _ chain: [Bridge.Interceptor],
        _ handler: RegisteredHandler,
        for request: IncomingRequest,
        _ payload: Value
    ) {
        start(handler, for: request) { call in
            await BridgeCall.$current.withValue(call) {
                await self.answer(request, handler, through: chain, payload, call)
            }
        }
    }

    /// Runs the interceptors and the handler of a call that no table has yet, whose handler answers with one result.
    func answer(
        _ call: BridgeCall,
        _ handler: RegisteredHandler,
        through chain: [Bridge.Interceptor],
        _ payload: Value
    ) async throws -> MessagePayload? {
        let run = InterceptedRun()
        let value = try await pass(payload, .request, call, handler, through: chain, run)
        return MessagePayload(value, isSecret: run.isSecret)
    }

    private nonisolated(nonsending) func answer(
        _ request: IncomingRequest,
        _ handler: RegisteredHandler,
        through chain: [Bridge.Interceptor],
        _ payload: Value,
        _ bridgeCall: BridgeCall
    ) async {
        let run = InterceptedRun()
        let kind: InterceptedCall.Kind =
            request.id == nil ? .notification : handler.handler.isStream ? .stream : .request
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await pass(payload, kind, bridgeCall, handler, through: chain, run))
        } catch is NoReply {
            // A handler of the legacy API may never reply.
            return
        } catch {
            outcome = .failure(error)
        }
        guard case .success = outcome, let source = run.takeSource() else {
            let reply = outcome.map { MessagePayload?.some(MessagePayload($0, isSecret: run.isSecret)) }
            return replyOnce(to: request.id, with: reply, of: handler.site)
        }
        await produce({ _, _ in source }, .value(payload), for: request.id, at: handler.site)
    }

    /// Passes a call through the interceptors to its handler, and returns the reply.
    private nonisolated(nonsending) func pass(
        _ payload: Value,
        _ kind: InterceptedCall.Kind,
        _ bridgeCall: BridgeCall,
        _ handler: RegisteredHandler,
        through chain: [Bridge.Interceptor],
        _ run: InterceptedRun
    ) async throws -> Value {
        let next = InterceptedCall.Next(rest: chain[...]) { call in
            if let end = bridgeCall.end { throw end }
            if run.isOver { throw SessionMachine.over(bridgeCall.handlerName, isOverdue: false) }
            switch handler.handler {
            case .sync(let body):
                return try await self.inTurn {
                    try run.value(of: body.run(.value(call.payload), in: self, at: handler.site))
                }
            case .async(let body):
                return try run.value(of: await body.run(.value(call.payload), in: self, at: handler.site))
            case .legacy(let body): return try await self.reply(of: body, to: call.payload)
            case .stream(let body, _):
                run.keep(try await body(.value(call.payload), self))
                return .undefined
            }
        }
        defer { run.finish() }
        return try await next(
            InterceptedCall(
                direction: .incoming,
                kind: kind,
                handlerName: bridgeCall.handlerName,
                payload: payload,
                deadline: bridgeCall.deadline,
                clock: configuration.clock
            )
        )
    }

    /// Runs a body inside the turn that is open on this thread, or inside one of its own, in the order of the requests
    /// for turns.
    private nonisolated(nonsending) func inTurn<Outcome: Sendable>(
        _ body: @escaping @Sendable () throws -> Outcome
    ) async throws -> Outcome {
        if hasOpenTurn { return try body() }
        let runtime = state.withLock { $0.queue.runtime }
        return try await withCheckedThrowingContinuation { continuation in
            let reply = SingleReply(
                continuation,
                otherwise: BridgeError(.disconnected, "The bridge was closed.")
            )
            runtime?.enqueue(
                joining: .current,
                { _ in reply.settle(Result { try body() }) },
                otherwise: { _ in
                    reply.settle(.failure(BridgeError(.disconnected, "No script runs any more.")))
                }
            )
        }
    }

    /// Waits for the reply of a handler of the legacy API, which may come on any thread, twice, or never.
    private nonisolated(nonsending) func reply(
        of body: @Sendable (Value, @escaping @Sendable (Value) -> Void) -> Void,
        to payload: Value
    ) async throws -> Value {
        // Weak, so that releasing the callback is noticed.
        let cancelled = Mutex(WeakReply())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let reply = SingleReply(continuation, otherwise: NoReply())
                cancelled.withLock { $0.reply = reply }
                if Task.isCancelled { reply.settle(.failure(NoReply())) }
                let hasReplied = Atomic(false)
                body(payload) { [weak self] value in
                    reply.settle(.success(value))
                    if hasReplied.exchange(true, ordering: .relaxed) {
                        self?.logWarning("A handler replied to one call twice; the second reply was ignored.")
                    }
                }
            }
        } onCancel: {
            cancelled.withLock { $0.reply }?.settle(.failure(NoReply()))
        }
    }
}

/// The path of calls from Swift to a script.
extension BridgeSession {
    /// A function that sends a call after the interceptors, as often as they request, and returns its reply.
    typealias Sending =
        nonisolated(nonsending) @Sendable (InterceptedCall, PendingInterceptedCall) async throws -> Value

    func call(
        _ name: String,
        payload: MessagePayload?,
        timeout: Duration?,
        onProgress: (@Sendable (MessagePayload) -> Void)? = nil,
        from site: CallSite
    ) async throws -> MessagePayload {
        guard let chain = interceptors.chain(.outgoing, name) else {
            return try await callDirectly(
                name,
                payload: payload,
                timeout: timeout,
                onProgress: onProgress,
                from: site
            )
        }
        let data = try payload?.data()
        return try await call(name, from: site) { continuation, cancellation in
            intercept(
                chain,
                .request,
                name,
                data,
                timeout,
                .continuation(continuation),
                cancellation
            ) { call, held in
                try await self.reply(of: name, to: call, .full, onProgress: onProgress, within: held)
            }
        }
    }

    func notify(_ name: String, payload: MessagePayload?) throws(BridgeError) {
        guard let chain = interceptors.chain(.outgoing, name) else {
            let isLater = try sendLater(name) { try self.notifyDirectly(name, payload: payload) }
            return isLater ? () : try notifyDirectly(name, payload: payload)
        }
        let waiter = Waiter.unawaited { [weak self] error in
            self?.logWarning("The call of \"\(name)\" was not sent. \(error)")
        }
        let held = try hold(name, isNotification: true, timeout: nil, waiter)
        do {
            try send(chain, .notification, name, payload?.data(), held) { call, held in
                try self.notifyDirectly(name, payload: call.sentPayload, within: held)
                return .undefined
            }
        } catch {
            held.settle(.failure(error))
        }
    }

    /// Makes a call of the legacy API.
    func callWithCallback(_ name: String, payload: MessagePayload?, _ waiter: Waiter) {
        guard let chain = interceptors.chain(.outgoing, name) else {
            return startInOrder(name, waiter) {
                self.start(name, payload: payload, reply: .legacy, timeout: nil, waiter)
            }
        }
        let held: PendingInterceptedCall
        do throws(BridgeError) { held = try hold(name, timeout: nil, waiter) } catch {
            return waiter.settle(.failure(error))
        }
        do {
            try send(chain, .request, name, payload?.data(), held) { call, held in
                try await self.reply(of: name, to: call, .legacy, within: held)
            }
        } catch {
            held.settle(.failure(error))
        }
    }

    /// Makes a call whose result other calls may refer to.
    ///
    /// It waits for no interceptors of other calls, because those calls need its id.
    func pipeline(_ name: String, _ payload: MessagePayload?, timeout: Duration?) -> PipelinedValue {
        let chain = interceptors.chain(.outgoing, name)
        let call = PipelinedCall(session: self, isIntercepted: chain != nil)
        if let chain {
            pipeline(chain, name, payload, timeout: timeout, .pipelined(call))
        } else {
            start(name, payload: payload, reply: .full, timeout: timeout, .pipelined(call))
        }
        return PipelinedValue(call)
    }

    /// Makes a call, through the interceptors, whose result other calls may refer to.
    private func pipeline(
        _ chain: [Bridge.Interceptor],
        _ name: String,
        _ data: MessagePayload?,
        timeout: Duration?,
        _ waiter: Waiter
    ) {
        let held: PendingInterceptedCall
        do throws(BridgeError) { held = try hold(name, timeout: timeout, waiter) } catch {
            return waiter.settle(.failure(error))
        }
        send(chain, .request, name, data, held) { call, held in
            try await self.reply(of: name, to: call, .full, within: held)
        }
    }

    private nonisolated(nonsending) func reply(
        of name: String,
        to call: InterceptedCall,
        _ kind: ReplyKind,
        onProgress: (@Sendable (MessagePayload) -> Void)? = nil,
        within held: PendingInterceptedCall
    ) async throws -> Value {
        try await self.call { continuation, cancellation in
            self.start(
                name,
                payload: call.sentPayload,
                reply: kind,
                accepting: onProgress == nil ? [] : .progress,
                timeout: nil,
                onProgress: onProgress,
                .continuation(continuation),
                cancellation,
                within: held
            )
        }.value()
    }

    func openStream<Element: Decodable & Sendable>(
        _ name: String,
        _ payload: MessagePayload?,
        window: Int,
        timeout: Duration?,
        from site: CallSite
    ) async throws -> BridgeStream<Element> {
        guard (1...65536).contains(window) else {
            throw BridgeError(.invalidArgument, "A window is a number from 1 to 65536; this is \(window).")
        }
        guard let chain = interceptors.chain(.outgoing, name) else {
            do {
                return try await openStreamDirectly(name, payload, window: window, timeout: timeout)
            } catch let error as BridgeError {
                throw error.traced(throughCallOf: name, from: site)
            }
        }
        let data = try payload?.data()
        let opened = Mutex<BridgeStream<Element>?>(nil)
        let answer: MessagePayload = try await call(name, from: site) { continuation, cancellation in
            intercept(
                chain,
                .stream,
                name,
                data,
                timeout,
                .continuation(continuation),
                cancellation
            ) { call, held in
                let stream: BridgeStream<Element> = try await self.openStreamDirectly(
                    name,
                    call.sentPayload,
                    window: window,
                    timeout: nil,
                    within: held
                )
                opened.withLock { $0 = stream }
                return .undefined
            }
        }
        if let stream = opened.withLock({ $0 }) { return stream }
        // An interceptor answered: return a stream of one item, as from a peer without support for streams.
        let reader = StreamReader(of: name, session: self, window: window)
        reader.finish(with: answer)
        return BridgeStream(reader: reader)
    }

    /// Begins a call whose caller awaits it.
    private func intercept(
        _ chain: [Bridge.Interceptor],
        _ kind: InterceptedCall.Kind,
        _ name: String,
        _ data: MessagePayload?,
        _ timeout: Duration?,
        _ waiter: Waiter,
        _ cancellation: CallCancellation,
        _ last: @escaping Sending
    ) {
        let held: PendingInterceptedCall
        do throws(BridgeError) { held = try hold(name, timeout: timeout, waiter, cancellation) } catch {
            return waiter.settle(.failure(error))
        }
        guard interceptors.hasUnsent else {
            return held.run { await self.run(chain, kind, name, data, held, last) }
        }
        // Behind messages sent before by callers that do not wait, but in a task of its own caller.
        let executor = TurnExecutor()
        held.run(on: executor) { await self.run(chain, kind, name, data, held, last) }
        let begin: StartQueue.Work = {
            _ = executor.runJobs()
            executor.leave()
        }
        if !interceptors.addBehindUnsent(begin) { begin() }
    }

    /// Begins a call whose caller waits inside a turn, and runs its interceptors meanwhile.
    func intercept(
        _ chain: [Bridge.Interceptor],
        _ name: String,
        _ data: MessagePayload?,
        _ waiter: Waiter,
        _ cancellation: CallCancellation,
        inTurnOf context: JSContext,
        on executor: TurnExecutor
    ) throws(BridgeError) {
        let held = try hold(name, timeout: nil, waiter, cancellation, inTurnOf: context)
        held.run(on: executor) {
            await self.run(chain, .request, name, data, held) { call, held in
                try await self.reply(of: name, to: call, .full, within: held)
            }
        }
    }

    /// Begins a call whose caller does not wait, in the order of such calls.
    private func send(
        _ chain: [Bridge.Interceptor],
        _ kind: InterceptedCall.Kind,
        _ name: String,
        _ data: MessagePayload?,
        _ held: PendingInterceptedCall,
        _ last: @escaping Sending
    ) {
        interceptors.outgoing.add(
            asCaller { held.run { await self.run(chain, kind, name, data, held, last) } }
        )
    }

    // MARK: - Order

    /// Sends a message behind those that wait for their interceptors, if there are any (P39).
    ///
    /// - Returns: Whether it will be sent later; then its errors are logged.
    /// - Throws: `overloaded` if too many messages wait.
    func sendLater(_ name: String, _ send: @escaping @Sendable () throws -> Void) throws(BridgeError) -> Bool
    {
        guard interceptors.hasUnsent else { return false }
        // Those that wait for interceptors will wait for the engine too.
        let queued = state.withLock { $0.queue.count }
        try checkRoom(for: name, waiting: interceptors.outgoing.count + queued)
        return interceptors.addBehindUnsent(
            asCaller {
                do { try send() } catch { self.logWarning("\"\(name)\" was not sent. \(error)") }
            }
        )
    }

    /// Starts a call whose waiter is settled, behind the messages that wait for their interceptors.
    func startInOrder(_ name: String, _ waiter: Waiter, _ start: @escaping @Sendable () -> Void) {
        do throws(BridgeError) {
            if try !sendLater(name, start) { start() }
        } catch {
            waiter.settle(.failure(error))
        }
    }

    /// Returns work that does what a body would do now: for the same call, inside the same operation.
    private func asCaller(_ body: @escaping @Sendable () -> Void) -> StartQueue.Work {
        let (current, operation, shapes) = (BridgeCall.current, ExecutionBudget.current, Self.replyShapes)
        return {
            ExecutionBudget.withCurrent(operation) {
                BridgeCall.$current.withValue(current) {
                    Self.$replyShapes.withValue(shapes, operation: body)
                }
            }
        }
    }

    private nonisolated(nonsending) func run(
        _ chain: [Bridge.Interceptor],
        _ kind: InterceptedCall.Kind,
        _ name: String,
        _ data: MessagePayload?,
        _ held: PendingInterceptedCall,
        _ last: @escaping Sending
    ) async {
        let call = InterceptedCall(
            direction: .outgoing,
            kind: kind,
            handlerName: name,
            payload: (try? data?.value()) ?? .undefined,
            isSecret: data?.isSecret == true,
            deadline: held.deadline,
            clock: configuration.clock
        )
        let next = InterceptedCall.Next(rest: chain[...]) { call in try await last(call, held) }
        do {
            held.settle(.success(try await next(call)))
        } catch {
            held.settle(.failure(error))
        }
    }
}

extension InterceptedCall {
    /// The payload to send: `nil` if it is `undefined`.
    fileprivate var sentPayload: MessagePayload? {
        payload == .undefined ? nil : MessagePayload(payload, isSecret: isSecret)
    }
}

extension MessagePayload {
    /// Returns the payload as data, for interceptors.
    func data() throws -> MessagePayload { MessagePayload(try value(), isSecret: isSecret) }
}
