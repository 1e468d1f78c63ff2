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

    /// Receives a message that was not decoded as the type of a handler.
    ///
    /// A request waits until the other side returns, and so does what arrives after it. The machine takes other messages
    /// now, and also requests that grants may limit: those that are under way count.
    func enqueue(_ message: ArrivedMessage?) {
        guard let message else { return }
        handOverItems()
        if inbox.isWornOut { moveRest() }
        if case .message(.control(let control), _) = message, control.kind == .cancel {
            inbox.hasCancellation = true
        }
        // Requests that grants count may not wait. They follow those that wait because no grant counts them.
        if message.isRequest, session.mask.contains(anyOf: .grants) { moveRest() }
        if inbox.isEmpty, !message.isRequest || session.mask.contains(anyOf: .grants) {
            return session.receive(message)
        }
        if inbox.isEmpty { findRoom() }
        if let request = message.call, inbox.callCount >= inbox.room {
            let limits = session.configuration.limits
            inbox.append(.refused(request, SessionMachine.tooManyCalls(inbox.callCount, limits)))
        } else {
            inbox.append(message)
        }
    }

    private func findRoom() {
        inbox.room = session.state.withLock { $0.machine.roomForIncomingCalls }
    }

    func moveRest() {
        handOverItems()
        while let entry = inbox.popFirst() {
            defer { inbox.finish() }
            if let message = message(entry) { session.receive(message) }
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

    func dropRest() {
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
        if entry.unmanagedHandler == nil {
            if let message = inbox.takeMessage(), !message.isRequest { session.receive(message) }
        } else if entry.isRead {
            entry.end()
        } else {
            _ = inbox.takeFailure()
        }
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
        let sent = notifications
        while count < limit, let entry = inbox.popFirst() {
            // The inbox retains the handler until the entry is done.
            defer { inbox.finish() }
            if let handler = entry.unmanagedHandler {
                handler._withUnsafeGuaranteedRef { handler in
                    // An earlier handler of this turn may have changed the grants.
                    guard handler.stands(in: session), handler.isAdmitted(in: session) else {
                        return take(entry)
                    }
                    count += 1
                    run(entry, handler)
                }
            } else {
                take(entry)
            }
            // Messages that a handler sends precede the results of later handlers. A handler may also close the bridge.
            if notifications > sent || session.mask.contains(anyOf: [.queue, .connection])
                || isStopped
            {
                break
            }
        }
        return count
    }

    /// Passes an entry that was taken out to the machine.
    private func take(_ entry: MessageInbox.Entry) {
        guard let message = message(entry) else { return }
        session.receive(message)
        if message.call != nil { findRoom() }
    }

    // The context's last turn, or a turn of a context that is being given up.
    private func endAll() {
        while let entry = inbox.popFirst() {
            defer { inbox.finish() }
            guard let handler = entry.handler else {
                take(entry)
                continue
            }
            drop(entry)
            let request = request(entry, handler)
            session.update(isInTurn: true) { $0.machine.endInline(request) }
        }
    }

    private func run(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler) {
        inbox.received += 1
        guard entry.isRead else { return fail(entry, handler, inbox.takeFailure()) }
        if let body = handler.asynchronousBody { return begin(entry, handler, body) }
        withUnsafeTemporaryAllocation(
            byteCount: handler.responseSize + 1,
            alignment: handler.responseAlignment
        ) {
            guard let response = $0.baseAddress, let body = handler.body else { return }
            do {
                try body.answer(entry.memory, into: response)
            } catch {
                return fail(entry, handler, error)
            }
            defer { handler.responseKind?.deinitialize(response) }
            guard entry.number > 0 else { return }
            if mayAnswer(entry, handler) { addAnswer(to: entry, handler, with: response) }
        }
    }

    /// Begins an asynchronous handler, and answers if it returns without suspending.
    private func begin(
        _ entry: MessageInbox.Entry,
        _ handler: ResolvedHandler,
        _ body: any AsynchronousHandler
    ) {
        let kind = handler.reader.kind
        let payload = PayloadMemory(kind) { kind.move(entry.memory, to: $0) }
        let outcome: HandlerRun.Outcome? =
            session.begin(body, .read(payload), for: request(entry, handler), of: handler)
        guard let outcome else {
            // The call has left the inbox, and may still take one of the places.
            return findRoom()
        }
        guard mayAnswer(entry, handler) else { return }
        do {
            switch try outcome.get() {
            // Nothing reads the memory of a result that is none: only a handler without a result type returns it.
            case nil: addAnswer(to: entry, handler, with: entry.memory)
            case .held(let result)?: result.withValue { addAnswer(to: entry, handler, with: $0) }
            case let result?: send(result, inReplyTo: entry)
            }
        } catch {
            fail(entry, handler, error)
        }
    }

    /// Returns whether a request may still be answered; otherwise it ends here.
    private func mayAnswer(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler) -> Bool {
        guard session.mask.contains(anyOf: .observers), !isLive else { return true }
        let request = request(entry, handler)
        session.update(isInTurn: true) { $0.machine.endInline(request) }
        return false
    }

    private func addAnswer(
        to entry: MessageInbox.Entry,
        _ handler: ResolvedHandler,
        with response: UnsafeMutableRawPointer
    ) {
        let payload: MessagePayload?
        do {
            let isFree = !session.mask.contains(anyOf: [.observers, .queue])
            switch try addReply(to: entry, of: handler, with: response, isFree: isFree) {
            case .batch:
                inbox.sent += 1
                return
            case .message(let left): payload = left
            }
        } catch {
            return fail(entry, handler, BridgeError(wrapping: error, defaultCode: .encodeFailed))
        }
        send(payload, inReplyTo: entry)
    }

    private func send(_ payload: MessagePayload?, inReplyTo entry: MessageInbox.Entry) {
        var message = BridgeMessage.Response(
            responseID: id(ofRequest: entry.number),
            outcome: .payload(nil),
            accepts: entry.accepts
        )
        message.account = session.account(of: turnOperation)
        session.addEngineWork(.send(.response(message), payload))
        inbox.sent += 1
    }

    private func fail(_ entry: MessageInbox.Entry, _ handler: ResolvedHandler, _ error: any Error) {
        guard handler.id != nil else { return session.noteUnreadEvent(of: handler.name, error) }
        let error = session.failure(error, ofHandlerAt: handler.site)
        guard entry.number > 0 else {
            return session.logWarning("The handler of a notification failed. \(error)")
        }
        let request = request(entry, handler)
        session.update(isInTurn: true) { $0.machine.failInline(request, error) }
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
        request.account = session.account(of: turnOperation)
        return request
    }

    /// A Boolean value that indicates whether the other side is connected, and neither side is being given up.
    private var isLive: Bool { session.state.withLock { $0.machine.state == .live } }

    /// A Boolean value that indicates whether messages of the current context are received.
    private var acceptsMessages: Bool {
        !session.mask.contains(anyOf: .connection) || session.state.withLock { $0.machine.isCurrent(nil) }
    }
}
