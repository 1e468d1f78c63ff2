internal import BridgeProtocol
internal import Synchronization

extension DirectTransport {
    /// Receives `(start, text, buffers, handlerName, callbackId, ttl, accepts)`: a request of the script with its
    /// payload.
    func receiveRequest(_ call: HostCall) throws {
        enqueue(try request(named: call.string(at: 3) ?? "", call, takeTrace()))
    }

    /// Makes the script send requests for a handler property by property from now on, if the handler has a type.
    ///
    /// - Returns: Whether they are sent as data as long as the name refers to this handler, and the interceptors stay.
    func introduceHandler(_ name: String) -> Bool {
        forgetOldHandlers()
        guard !session.mask.contains(anyOf: .shown), let (id, handler) = session.handler(named: name) else {
            return false
        }
        guard !introduced.knows(id) else { return true }
        introduced.add(nil, for: id)
        guard !session.interceptors.intercepts(.incoming, name), let typed = handler.typed, let script
        else { return true }
        let direct = ResolvedHandler(id, name, handler, typed, in: context)
        do {
            let receiver = try direct.reader.makeReceiver(in: context, isNested: false) {
                [unowned self] call, decode in
                try self.receive(call, for: direct, decode)
            }
            guard let receiver else { return true }
            let nested = try direct.reader.makeReceiver(in: context, isNested: true) {
                [unowned self] call, decode in
                try self.answer(call, for: direct, decode)
            }
            guard let nested else { return true }
            let text = try JSValue(.string(name), in: context)
            try context.call(
                script.addHandlerReceiver,
                with: [text, receiver.slot, receiver.box, nested.box]
            )
            introduced.add(direct, for: id)
        } catch {
            introduced.remove(id)
        }
        return false
    }

    /// Makes the script send events of a topic property by property from now on, if it has one listener with a type.
    ///
    /// - Returns: Whether they are sent as data as long as the topic has these listeners.
    func introduceTopic(_ topic: String) -> Bool {
        forgetOldHandlers()
        guard !session.mask.contains(anyOf: .shown) else { return false }
        guard let listener = session.state.withLock({ $0.listeners.only(of: topic) })?.handler,
            let typed = listener.typed, let script
        else { return true }
        let direct = ResolvedHandler(nil, topic, listener, typed, in: context)
        do {
            let receiver = try direct.reader.makeReceiver(in: context, isNested: false) {
                [unowned self] call, decode in
                try self.receive(call, for: direct, decode)
            }
            guard let receiver else { return true }
            let text = try JSValue(.string(topic), in: context)
            try context.call(script.addTopicReceiver, with: [text, receiver.slot, receiver.box])
            introduced.add(topic: direct)
        } catch {
            // The turn was stopped; another one may introduce the topic.
        }
        return false
    }

    /// Makes the script forget handlers that were replaced or removed, and all of them when interceptors change.
    func forgetOldHandlers() {
        guard let script, let old = introduced.takeOld(in: session) else { return }
        for handler in old where !handler.isCurrent(in: session) { handler.end() }
        try? context.call(script.dropHandlerReceivers, with: [])
    }

    // MARK: - Requests

    /// Receives a request for a typed handler; refuses it if it must be data.
    private func receive(
        _ call: HostCall,
        for handler: ResolvedHandler,
        _ decode: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> ReceiverAnswer {
        let isCall = call.double(at: 0) > 0
        if handler.canBegin(isCall: isCall), handler.isOpen(in: session), try add(call, for: handler, decode)
        {
            return call.taken
        }
        guard handler.id != nil, takesTyped(requestsFor: handler) else { return call.refused }
        enqueue(
            try request(for: handler, call, takeTrace(), decode) {
                isUnwanted(call)
            }
        )
        return call.taken
    }

    /// Adds a request; returns false if the machine has to receive it: the inbox is full, or it cannot be read at all.
    private func add(
        _ call: HostCall,
        for handler: ResolvedHandler,
        _ decode: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> Bool {
        let number = UInt64(call.double(at: 0))
        guard mayAdd(isCall: number > 0) else { return false }
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
            inbox.append(mismatch)
            add(MessageInbox.Entry(call, handler, memory, isRead: false), handler)
            return true
        }
        guard !isUnwanted(call) else {
            handler.reader.kind.deinitialize(memory)
            inbox.finish()
            return true
        }
        add(MessageInbox.Entry(call, handler, memory, isRead: true), handler)
        return true
    }

    /// Returns whether the caller of a request has given up while the request was read.
    ///
    /// - Parameter call: The script's call that delivers it.
    /// - Returns: Whether the request must be dropped.
    @inline(__always)
    func isUnwanted(_ call: HostCall) -> Bool {
        guard Int(call.double(at: 2)) & Self.mayBeCancelled != 0, let script else { return false }
        return (try? context.result(ofCalling: script.isUnwanted).toBool()) ?? false
    }

    /// The flag above a request's capabilities that says that reading it may cancel its call.
    private static var mayBeCancelled: Int { 256 }

    /// Returns whether requests for a handler may be decoded as its type: no observer needs them as data or needs their
    /// size.
    func takesTyped(requestsFor handler: ResolvedHandler) -> Bool {
        guard !session.mask.contains(anyOf: .shown), !handler.isIntercepted(in: session) else { return false }
        let countsSize =
            session.mask.contains(anyOf: .grants)
            && session.state.withLock { $0.machine.limitsSize(ofRequestsFor: handler.name) }
        return !countsSize && handler.isCurrent(in: session)
    }

    /// Reads a request of the script for a typed handler, with its payload decoded as that type.
    ///
    /// - Returns: The request, unless it was denied or its caller has given up.
    private func request(
        for handler: ResolvedHandler,
        _ call: HostCall,
        _ trace: BridgeTrace?,
        _ decode: (UnsafeMutableRawPointer) throws -> Void,
        isUnwanted: () -> Bool
    ) throws -> ArrivedMessage? {
        var received = request(handler.name, call, at: 0)
        received.trace = trace
        guard session.admits(&received, size: { 0 }) else { return nil }
        let payload: MessagePayload
        do {
            payload = try handler.reader.payload(decode)
        } catch let error as JSException {
            // The exception of a getter in the script belongs to its sender (P65).
            throw error
        } catch {
            return isUnwanted() ? nil : .refused(received, BridgeError(wrapping: error))
        }
        return isUnwanted() ? nil : .message(.request(received), payload)
    }
}

extension MessageInbox.Entry {
    @inline(__always)
    fileprivate init(
        _ call: HostCall,
        _ handler: ResolvedHandler,
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
