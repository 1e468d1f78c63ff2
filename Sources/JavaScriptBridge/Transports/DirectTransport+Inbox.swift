internal import BridgeProtocol
internal import Synchronization

/// Requests that are answered without the machine: nothing observes them, and their handlers are synchronous.
///
/// Requests of a script wait in the inbox until the script returns, as all requests do. The inbox holds the newest
/// messages of the script: before anything else is received, it is emptied into the machine.
extension DirectTransport {
    /// Adds a request; returns false if the inbox is full and the machine has to report it.
    func add(
        _ call: HostCall,
        for handler: DirectHandler,
        _ decode: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> Bool {
        let number = UInt64(call.double(at: 0))
        if inbox.isEmpty { inboxRoom = session.state.withLock { $0.machine.roomForIncomingCalls } }
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

    /// Empties the inbox into the machine.
    @inline(__always)
    func spill() {
        handOverItems()
        if !inbox.isEmpty { spillAll() }
    }

    private func spillAll() {
        while let entry = inbox.popFirst() { spill(entry) }
    }

    private func spill(_ entry: RequestInbox.Entry) {
        defer { inbox.finish() }
        let handler = entry.handler
        let payload: MessagePayload =
            entry.isRead
            ? .read(PayloadMemory(handler.reader.kind) { handler.reader.kind.move(entry.memory, to: $0) })
            : .unreadable(inbox.takeFailure())
        session.receive(request(entry), payload, for: handler)
    }

    /// A Boolean value that indicates whether messages of the script wait until it returns.
    var hasArrivals: Bool { !inbox.isEmpty || (lastStream?.stream.hasItems ?? false) }

    /// A Boolean value that indicates whether a handler runs for a request of the inbox.
    var isAtWork: Bool { inbox.isInUse }

    func work(limit: Int) -> Int {
        handOverItems()
        guard !inbox.isEmpty else { return 0 }
        // If an observer was added, or the bridge was closed, the machine has to handle them.
        guard !session.mask.contains(anyOf: .observers) else {
            if session.isLive { spillAll() } else { endAll() }
            return 1
        }
        // Earlier requests may be queued in the machine for the performing thread: these go behind them.
        if session.hasUndone {
            spillAll()
            return 1
        }
        var count = 0
        let sent = notifications
        while count < limit, let entry = inbox.popFirst() {
            count += 1
            entry.unmanagedHandler._withUnsafeGuaranteedRef { handler in
                if session.letsIn(handler) { run(entry, handler) } else { spill(entry) }
            }
            // Messages that a handler sends precede the results of later handlers.
            if notifications > sent || session.mask.contains(anyOf: .queue)
                || withContext({ $0.isTerminating })
            {
                break
            }
        }
        return count
    }

    // The context's last turn, or a turn of a context that is being given up.
    private func endAll() {
        while let entry = inbox.popFirst() {
            defer { inbox.finish() }
            if entry.isRead {
                entry.handler.reader.kind.deinitialize(entry.memory)
            } else {
                _ = inbox.takeFailure()
            }
            let request = request(entry)
            session.update(isInTurn: true) { $0.machine.endInline(request) }
        }
    }

    private func run(_ entry: RequestInbox.Entry, _ handler: DirectHandler) {
        // The inbox retains the handler until then.
        defer { inbox.finish() }
        received += 1
        guard entry.isRead else { return fail(entry, inbox.takeFailure()) }
        withUnsafeTemporaryAllocation(
            byteCount: handler.responseSize + 1,
            alignment: handler.responseAlignment
        ) {
            guard let response = $0.baseAddress, let body = handler.body else { return }
            do {
                try body.answer(entry.memory, into: response)
            } catch {
                return fail(entry, error)
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
            let request = request(entry)
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
            return fail(entry, BridgeError(wrapping: error, defaultCode: .encodeFailed))
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

    private func fail(_ entry: RequestInbox.Entry, _ error: any Error) {
        let error = BridgeError(wrapping: error).traced(throughHandlerAt: entry.handler.site)
        guard entry.number > 0 else {
            return session.logWarning("The handler of a notification failed. \(error)")
        }
        let request = request(entry)
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
}

extension DirectTransport {
    private func request(_ entry: RequestInbox.Entry) -> BridgeMessage.Request {
        var request = BridgeMessage.Request(handlerName: entry.handler.name)
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
