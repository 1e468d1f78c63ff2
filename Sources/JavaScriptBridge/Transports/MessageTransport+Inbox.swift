internal import BridgeProtocol
internal import Synchronization

/// Messages of the other side, which wait until it returns.
///
/// A request that nothing observes waits as its handler's type, and is answered without the machine, unless its handler
/// suspends. Other messages that arrive after it wait behind it, so that all keep their order.
extension MessageTransport {
    /// Returns whether one more request may be added as its handler's type; otherwise the machine has to receive it.
    @inline(__always)
    func mayAdd(isCall: Bool) -> Bool {
        if inbox.isEmpty { findRoom() }
        return (!isCall || inbox.callCount < inbox.room) && !inbox.isWornOut
    }

    /// Adds a request, which was decoded in reserved memory, and records its arrival in the trace.
    @inline(__always)
    func add(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler) {
        // The trace records a notification when its handler begins: nothing answers it.
        guard entry.number > 0, session.mask.contains(anyOf: .trace) else { return inbox.append(entry) }
        var entry = entry
        entry.traced = traceArrival(entry, handler)
        inbox.append(entry)
    }

    private func traceArrival(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler)
        -> TraceRecorder.InlineCall?
    {
        let id = id(ofRequest: entry.number)
        return session.record { recorder, now in recorder.arrive(handler.name, id, at: now) }
    }

    func findRoom() {
        inbox.room = session.state.withLock { $0.machine.roomForIncomingCalls }
    }

    func moveRest() {
        handOverItems()
        while let entry = inbox.popFirst() {
            defer { inbox.finish() }
            if let message = message(entry) { session.receive(message, tracedAs: entry.traced) }
        }
    }

    /// Returns an entry that was taken out as a message for the machine.
    private func message(_ entry: MessageInbox.Entry) -> ArrivedMessage? {
        guard let handler = entry.handler else { return inbox.takeMessage() }
        let kind = handler.reader.kind
        let payload: MessagePayload =
            entry.isRead
            ? .read(PayloadMemory(kind) { kind.move(entry.memory, to: $0) })
            // The handler that has the name at its turn reports the error.
            : .unreadable(inbox.takeFailure())
        guard handler.id != nil else {
            return .message(.control(Control(.event, .text(handler.name))), payload)
        }
        return .message(.request(request(entry, handler)), payload)
    }

    func endTurn(of operation: ExecutionBudget?) { takeRest(of: operation) }

    /// Moves the messages of a stopped turn into the machine, or drops them because their operation has ended.
    func takeRest(of operation: ExecutionBudget?) {
        inbox.stopped = .some(operation)
        if operation?.termination == nil { moveRest() } else { dropRest() }
        inbox.stopped = nil
    }

    /// The operation to which messages that are read belong.
    var sendersOperation: ExecutionBudget? { inbox.stopped ?? turnOperation }

    /// Drops the messages of both directions on the fast path.
    private func dropRest() {
        while let entry = inbox.popFirst() {
            drop(entry)
            inbox.finish()
        }
        dropUndelivered()
    }

    /// Drops the request of an entry that was taken out.
    ///
    /// Other messages belong to calls and streams of any operation, such as the end of one: the machine receives them.
    private func drop(_ entry: MessageInbox.Entry) {
        drop(entry.traced)
        if entry.unmanagedHandler == nil {
            if let message = inbox.takeMessage(), !message.isRequest { session.receive(message) }
        } else if entry.isRead {
            entry.end()
        } else {
            _ = inbox.takeFailure()
        }
    }

    /// Records that a call ends without an answer.
    private func drop(_ traced: TraceRecorder.InlineCall?) {
        guard let traced else { return }
        session.record { recorder, now in recorder.drop(traced, .disconnected, at: now) }
    }

    func work(limit: Int) -> Int? {
        handOverItems()
        guard !inbox.isEmpty else { return nil }
        guard acceptsMessages else {
            endAll()
            return 0
        }
        // Another thread has still to take earlier requests out of the machine: these go behind them.
        if session.hasUndone {
            moveRest()
            return 0
        }
        var count = 0
        defer { traceAnswer() }
        let sent = notifications
        while count < limit, let entry = inbox.popFirst() {
            // The inbox retains the handler until the entry is done.
            defer { inbox.finish() }
            if let handler = entry.unmanagedHandler {
                handler._withUnsafeGuaranteedRef { handler in
                    // An earlier handler of this turn may have changed the grants.
                    guard handler.isCurrent(in: session), handler.isAdmitted(in: session) else {
                        take(entry)
                        return
                    }
                    if session.mask.contains(anyOf: .trace), !traceBegin(entry, handler) { return }
                    count += 1
                    run(entry, handler)
                }
            } else if take(entry) {
                count += 1
            }
            // Messages that a handler sends precede the results of later handlers. A handler may also close the bridge.
            if notifications > sent || session.mask.contains(anyOf: .interruptions)
                || isStopped
            {
                break
            }
        }
        return count
    }

    /// Begins the handler of an entry that was taken out, or passes the entry to the machine.
    ///
    /// - Returns: Whether the handler has begun.
    @discardableResult
    private func take(_ entry: MessageInbox.Entry) -> Bool {
        guard let message = message(entry) else { return false }
        if case .message(.request(let request), let payload) = message,
            begin(request, payload ?? .value(.undefined))
        {
            return true
        }
        session.receive(message, tracedAs: entry.traced)
        if message.call != nil { findRoom() }
        return false
    }

    // The context's last turn, or a turn of a context that is being given up.
    private func endAll() {
        while let entry = inbox.popFirst() {
            defer { inbox.finish() }
            guard let handler = entry.handler else {
                take(entry)
                continue
            }
            end(entry, handler)
        }
    }

    /// Ends the request of an entry that was taken out: its context is gone, or the session was closed.
    private func end(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler) {
        drop(entry)
        let request = request(entry, handler)
        session.update(isInTurn: true) { $0.machine.endInline(request) }
    }

    private func run(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler) {
        inbox.received += 1
        guard entry.isRead else { return fail(entry, handler, inbox.takeFailure()) }
        if let body = handler.asynchronousBody { return begin(entry, handler, body) }
        withUnsafeTemporaryAllocation(
            byteCount: handler.response.size + 1,
            alignment: handler.response.alignment
        ) {
            guard let response = $0.baseAddress, let body = handler.body else { return }
            do {
                try body.answer(entry.memory, into: response)
            } catch {
                return fail(entry, handler, error)
            }
            defer { handler.response.kind?.deinitialize(response) }
            guard entry.number > 0 else { return }
            if mayAnswer(request(entry, handler), entry.traced) {
                addAnswer(to: entry, handler, with: response)
            }
        }
    }

    /// Records that the handler of a message begins.
    ///
    /// The sink gets the event before the handler runs: it may never return.
    ///
    /// - Returns: Whether the handler may run. If not, the sink has removed it or closed the bridge, and the request is
    ///   done.
    private func traceBegin(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler) -> Bool {
        let answered = inbox.answeredCall.take()
        session.record { recorder, now in
            if let answered { recorder.end(answered, nil, at: now) }
            if let call = entry.traced {
                recorder.begin(call, at: now)
            } else if handler.id == nil {
                recorder.event(of: handler.name, at: now)
            } else if entry.number == 0 {
                recorder.beginNotification(handler.name, at: now)
            }
        }
        session.deliverTrace()
        guard acceptsMessages else {
            end(entry, handler)
            return false
        }
        guard handler.isCurrent(in: session), handler.isAdmitted(in: session) else {
            take(entry)
            return false
        }
        return true
    }

    /// Records the last answer.
    private func traceAnswer() {
        guard let answered = inbox.answeredCall.take() else { return }
        session.record { recorder, now in recorder.end(answered, nil, at: now) }
    }

    /// Begins an asynchronous handler, and answers if it returns without suspending.
    private func begin(
        _ entry: MessageInbox.Entry,
        _ handler: ResolvedHandler,
        _ body: any AsynchronousHandler
    ) {
        let kind = handler.reader.kind
        let payload = PayloadMemory(kind) { kind.move(entry.memory, to: $0) }
        let (session, site) = (session, handler.site)
        let request = request(entry, handler)
        let outcome: HandlerRun.Outcome? =
            session.begin(request, entry.traced, timeout: handler.timeout, at: site) { _ in
                try await body.run(.read(payload), in: session, at: site)
            }
        guard let outcome else {
            // The call has left the inbox, and may still take one of the places.
            return findRoom()
        }
        switch outcome {
        // Nothing reads the memory of a result that is none: only a handler without a result type returns it.
        case .success(nil):
            if mayAnswer(request, entry.traced) { addAnswer(to: entry, handler, with: entry.memory) }
        case .success(.held(let result)?):
            if mayAnswer(request, entry.traced) {
                result.withValue { addAnswer(to: entry, handler, with: $0) }
            }
        default: answer(request, entry.traced, with: outcome, of: site)
        }
    }

    /// Begins the handler of a request that is data, or its interceptors, and answers if they return without suspending.
    ///
    /// - Returns: Whether it was begun; if not, the machine has to receive the request.
    private func begin(_ request: BridgeMessage.Request, _ payload: MessagePayload) -> Bool {
        // Requests in text tell the machine what their sender supports.
        guard session.isDirect, request.callbackID != nil, request.trace == nil, !payload.isRead,
            !session.mask.contains(anyOf: .dataRequests),
            let (_, handler) = session.handler(named: request.handlerName)
        else { return false }
        let (session, site) = (session, handler.site)
        if let chain = session.interceptors.chain(.incoming, request.handlerName) {
            guard handler.handler.answersOnce, let data = try? payload.value() else { return false }
            begin(request, of: handler) { try await session.answer($0, handler, through: chain, data) }
            return true
        }
        switch handler.handler {
        case .sync(let body):
            inbox.received += 1
            answer(request, nil, with: Result { try body.run(payload, in: session, at: site) }, of: site)
        case .async(let body):
            begin(request, of: handler) { _ in try await body.run(payload, in: session, at: site) }
        case .stream, .legacy: return false
        }
        return true
    }

    private func begin(
        _ request: BridgeMessage.Request,
        of handler: RegisteredHandler,
        _ body: @escaping @Sendable (BridgeCall) async throws -> MessagePayload?
    ) {
        inbox.received += 1
        let outcome = session.begin(request, nil, timeout: handler.timeout, at: handler.site, body)
        // The call of a handler that has suspended has left the inbox, and may still take one of the places.
        if let outcome { answer(request, nil, with: outcome, of: handler.site) } else { findRoom() }
    }

    /// Answers a request with a message.
    private func answer(
        _ request: BridgeMessage.Request,
        _ traced: TraceRecorder.InlineCall?,
        with outcome: HandlerRun.Outcome,
        of site: CallSite
    ) {
        guard mayAnswer(request, traced), !answersLater(request, traced, outcome, of: site) else { return }
        switch outcome {
        case .success(let payload): send(payload, traced, inReplyTo: request)
        case .failure(let error): fail(request, traced, session.failure(error, ofHandlerAt: site))
        }
    }

    /// Returns whether a request may still be answered; otherwise it ends here.
    private func mayAnswer(
        _ request: @autoclosure () -> BridgeMessage.Request,
        _ traced: TraceRecorder.InlineCall?
    ) -> Bool {
        guard session.mask.contains(anyOf: .connection), !isLive else { return true }
        drop(traced)
        let request = request()
        session.update(isInTurn: true) { $0.machine.endInline(request) }
        return false
    }

    /// Leaves an answer to the session if the handler has sent messages through interceptors, which begin on another
    /// thread: they precede the answer.
    private func answersLater(
        _ request: @autoclosure () -> BridgeMessage.Request,
        _ traced: TraceRecorder.InlineCall?,
        _ outcome: @autoclosure () -> HandlerRun.Outcome,
        of site: CallSite
    ) -> Bool {
        guard session.defersAnswers else { return false }
        let run = HandlerRun(
            HandlerRun.Beginning(
                request: request(),
                traced: traced,
                epoch: session.state.withLock { $0.machine.epoch }
            )
        )
        // Without a call, its context is gone.
        guard let call = run.call(in: session) else { return true }
        defer { findRoom() }
        session.replyOnce(to: call, with: outcome(), of: site)
        return true
    }

    private func addAnswer(
        to entry: MessageInbox.Entry,
        _ handler: ResolvedHandler,
        with response: UnsafeMutableRawPointer
    ) {
        let isLater =
            answersLater(
                request(entry, handler),
                entry.traced,
                .success(handler.held(response)),
                of: handler.site
            )
        guard !isLater else { return }
        let payload: MessagePayload?
        do {
            let isFree = !session.mask.contains(anyOf: .answers)
            switch try addReply(to: entry, of: handler, with: response, isFree: isFree) {
            case .batch:
                inbox.sent += 1
                traceEnd(of: entry.traced)
                return
            case .message(let left): payload = left
            }
        } catch {
            return fail(entry, handler, BridgeError(wrapping: error, defaultCode: .encodeFailed))
        }
        send(payload, entry.traced, inReplyTo: request(entry, handler))
    }

    private func send(
        _ payload: MessagePayload?,
        _ traced: TraceRecorder.InlineCall?,
        inReplyTo request: BridgeMessage.Request
    ) {
        guard let id = request.callbackID else { return }
        traceEnd(of: traced)
        let response = BridgeMessage.Response(
            responseID: id,
            outcome: .payload(nil),
            accepts: request.accepts,
            account: request.account
        )
        if !session.mask.contains(anyOf: .answers), add(.response(response), payload) {
            inbox.sent += 1
            return
        }
        session.update(isInTurn: true) { state in
            state.machine.answerInline(request, with: payload.map { state.payloads.insert($0) })
        }
    }

    private func fail(
        _ entry: MessageInbox.Entry,
        _ handler: ResolvedHandler,
        _ error: any Error
    ) {
        guard handler.id != nil else { return session.noteUnreadEvent(of: handler.name, error) }
        let site = handler.site
        guard entry.number > 0 else {
            let error = session.failure(error, ofHandlerAt: site)
            return session.logWarning("The handler of a notification failed. \(error)")
        }
        let request = request(entry, handler)
        guard !answersLater(request, entry.traced, .failure(error), of: site) else { return }
        fail(request, entry.traced, session.failure(error, ofHandlerAt: site))
    }

    private func fail(
        _ request: BridgeMessage.Request,
        _ traced: TraceRecorder.InlineCall?,
        _ error: BridgeError
    ) {
        traceAnswer()
        if let traced { session.record { recorder, now in recorder.end(traced, error.code, at: now) } }
        session.update(isInTurn: true) { $0.machine.failInline(request, error) }
    }

    /// Records the answer to a call, together with the begin of the next one.
    private func traceEnd(of call: TraceRecorder.InlineCall?) {
        guard call != nil else { return }
        traceAnswer()
        inbox.answeredCall = call
    }

    /// Reports the messages of the fast path to the machine.
    func report() {
        forgetOldHandlers()
        guard inbox.received + inbox.sent > 0 else { return }
        let (received, sent) = (inbox.received, inbox.sent)
        (inbox.received, inbox.sent) = (0, 0)
        session.state.withLock { $0.machine.countInline(received: received, sent: sent) }
    }

    private func request(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler) -> BridgeMessage.Request {
        var request = BridgeMessage.Request(handlerName: handler.name)
        request.callbackID = entry.number > 0 ? id(ofRequest: entry.number) : nil
        request.accepts = entry.accepts
        if entry.timeout > 0 {
            let timeout = Duration.microseconds(Int64(min(entry.timeout, 1e12) * 1000))
            request.deadline = session.configuration.clock.now + timeout
        }
        request.account = session.account(of: sendersOperation)
        return request
    }

    /// A Boolean value that indicates whether the other side is connected, and neither side is being given up.
    private var isLive: Bool { session.state.withLock { $0.machine.state == .live } }

    /// A Boolean value that indicates whether messages of the current context are received.
    private var acceptsMessages: Bool {
        !session.mask.contains(anyOf: .connection) || session.state.withLock { $0.machine.isCurrent(nil) }
    }
}
