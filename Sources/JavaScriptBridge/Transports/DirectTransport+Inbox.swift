internal import BridgeProtocol
internal import Synchronization

/// Messages of the script, which wait until it returns.
///
/// A request that nothing observes, for a synchronous handler, waits as its handler's type, and is answered without the
/// machine. Other messages that arrive after it wait behind it, so that all keep their order.
extension DirectTransport {
    /// Adds a request; returns false if the machine has to receive it: the inbox is full, or it cannot be read at all.
    func add(
        _ call: HostCall,
        for handler: DirectHandler,
        _ decode: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> Bool {
        let number = UInt64(call.double(at: 0))
        if inbox.isEmpty { findRoom() }
        guard number == 0 || inbox.callCount < inboxRoom, !inbox.isWornOut else { return false }
        let memory = inbox.reserve(size: handler.requestSize)
        do {
            try decode(memory)
        } catch let error as JSException {
            // The exception of a getter in the script belongs to its sender (P65).
            inbox.finish()
            throw error
        } catch {
            // The machine answers a payload that cannot be read at all.
            guard let mismatch = try? PayloadReader.mismatch(error) else {
                inbox.finish()
                return false
            }
            guard !isUnwanted(call) else {
                inbox.finish()
                return true
            }
            inbox.append(RequestInbox.Entry(call, handler, memory, isRead: false), unreadAs: mismatch)
            return true
        }
        guard !isUnwanted(call) else {
            handler.reader.kind.deinitialize(memory)
            inbox.finish()
            return true
        }
        inbox.append(RequestInbox.Entry(call, handler, memory, isRead: true))
        return true
    }

    /// Receives a message that was not decoded as the type of a handler.
    ///
    /// A request waits until the script returns, and so does what arrives after it. The machine takes other messages
    /// now, and also requests that grants may limit: those that are under way count.
    func receive(_ message: ArrivedMessage?) {
        guard let message else { return }
        handOverItems()
        if inbox.isWornOut { moveRest() }
        if inbox.isEmpty, !message.isRequest || session.mask.contains(anyOf: .grants) {
            return session.receive(message)
        }
        if inbox.isEmpty { findRoom() }
        if let request = message.call, inbox.callCount >= inboxRoom {
            let limits = session.configuration.limits
            inbox.append(.refused(request, SessionMachine.tooManyCalls(inbox.callCount, limits)))
        } else {
            inbox.append(message)
        }
    }

    private func findRoom() {
        inboxRoom = session.state.withLock { $0.machine.roomForIncomingCalls }
    }

    func moveRest() {
        handOverItems()
        while let entry = inbox.popFirst() {
            defer { inbox.finish() }
            if let message = message(entry) { session.receive(message) }
        }
    }

    /// Returns an entry that was taken out as a message for the machine.
    private func message(_ entry: RequestInbox.Entry) -> ArrivedMessage? {
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

    /// Drops an entry that was taken out.
    func drop(_ entry: RequestInbox.Entry) {
        if entry.unmanagedHandler == nil {
            _ = inbox.takeMessage()
        } else if entry.isRead {
            entry.end()
        } else {
            _ = inbox.takeFailure()
        }
    }

    /// A Boolean value that indicates whether messages of the script wait until it returns.
    var hasArrivals: Bool { !inbox.isEmpty || (lastStream?.stream.hasItems ?? false) }

    /// A Boolean value that indicates whether a handler runs for a request of the inbox.
    var isAtWork: Bool { inbox.isInUse }

    func work(limit: Int) -> Int? {
        handOverItems()
        guard !inbox.isEmpty else { return nil }
        guard session.acceptsMessages else {
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
                    guard session.stands(handler) else { return take(entry) }
                    count += 1
                    run(entry, handler)
                }
            } else {
                take(entry)
            }
            // Messages that a handler sends precede the results of later handlers. A handler may also close the bridge.
            if notifications > sent || session.mask.contains(anyOf: [.queue, .connection])
                || withContext({ $0.isTerminating })
            {
                break
            }
        }
        return count
    }

    /// Passes an entry that was taken out to the machine.
    private func take(_ entry: RequestInbox.Entry) {
        if let message = message(entry) { session.receive(message) }
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

    private func run(_ entry: RequestInbox.Entry, _ handler: DirectHandler) {
        received += 1
        guard entry.isRead else { return fail(entry, handler, inbox.takeFailure()) }
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
            answer(entry, handler, with: response)
        }
    }

    private func answer(
        _ entry: RequestInbox.Entry,
        _ handler: DirectHandler,
        with response: UnsafeMutableRawPointer
    ) {
        let isObserved = session.mask.contains(anyOf: .observers)
        guard !isObserved || session.isLive else {
            let request = request(entry, handler)
            return session.update(isInTurn: true) { $0.machine.endInline(request) }
        }
        do {
            let isAdded =
                try !isObserved && !session.mask.contains(anyOf: .queue)
                && batch.append { writer in
                    writer.put(number: BatchKind.response)
                    writer.put(number: Double(entry.number))
                    guard let shape = handler.responseShape else { return writer.putUndefined() }
                    try writer.put(response, as: shape)
                }
            if isAdded {
                sent += 1
                return
            }
        } catch {
            return fail(entry, handler, BridgeError(wrapping: error, defaultCode: .encodeFailed))
        }
        let payload = handler.responseKind.map { kind in
            MessagePayload.held(PayloadMemory(kind, site: handler.site) { kind.copy(response, to: $0) })
        }
        var message = BridgeMessage.Response(responseID: .number(entry.number), outcome: .payload(nil))
        message.accepts = entry.accepts
        message.account = session.account(of: context.turnOperation)
        session.addEngineWork(.send(.response(message), payload))
        sent += 1
    }

    private func fail(_ entry: RequestInbox.Entry, _ handler: DirectHandler, _ error: any Error) {
        guard handler.id != nil else { return session.noteUnreadEvent(of: handler.name, error) }
        let error = BridgeError(wrapping: error).traced(throughHandlerAt: handler.site)
        guard entry.number > 0 else {
            return session.logWarning("The handler of a notification failed. \(error)")
        }
        let request = request(entry, handler)
        session.update(isInTurn: true) { $0.machine.failInline(request, error) }
    }

    /// Reports the messages of the fast path to the machine.
    func report() {
        forgetOldHandlers()
        guard received + sent > 0 else { return }
        let (received, sent) = (received, sent)
        self.received = 0
        self.sent = 0
        session.state.withLock { $0.machine.countInline(received: received, sent: sent) }
    }
}

extension RequestInbox.Entry {
    @inline(__always)
    fileprivate init(
        _ call: HostCall,
        _ handler: DirectHandler,
        _ memory: UnsafeMutableRawPointer,
        isRead: Bool
    ) {
        self.init(
            unmanagedHandler: .passUnretained(handler),
            number: UInt64(call.double(at: 0)),
            accepts: CallerCapabilities(rawValue: UInt8(truncatingIfNeeded: Int(call.double(at: 2)))),
            timeout: call.double(at: 1),
            memory: memory,
            isRead: isRead
        )
    }
}

/// The kind of a message in a batch.
enum BatchKind {
    static let response = 1.0
    static let notification = 2.0
    static let request = 3.0
    static let control = 4.0
}

extension DirectTransport {
    private func request(_ entry: RequestInbox.Entry, _ handler: DirectHandler) -> BridgeMessage.Request {
        var request = BridgeMessage.Request(handlerName: handler.name)
        request.callbackID = entry.number > 0 ? .number(entry.number) : nil
        request.accepts = entry.accepts
        if entry.timeout > 0 {
            let timeout = Duration.microseconds(Int64(min(entry.timeout, 1e12) * 1000))
            request.deadline = session.configuration.clock.now + timeout
        }
        request.account = session.account(of: context.turnOperation)
        return request
    }
}
