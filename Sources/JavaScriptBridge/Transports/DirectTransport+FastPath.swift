internal import BridgeProtocol
internal import Synchronization

/// A reply of a call that may arrive before the script's function returns.
struct AwaitedReply {
    /// The call's number.
    let number: Double
    /// The call during which this one was made: its reply may arrive first.
    let outer: UnsafeMutablePointer<AwaitedReply>?
    /// The memory into which the reply is decoded.
    var memory: UnsafeMutableRawPointer?
    /// A Boolean value that indicates whether the reply is in that memory.
    var isRead = false
    /// The reply in another form: data, or an error.
    var other: Result<Value, BridgeError>?
    /// The error of a reply that could not be decoded.
    var mismatch: BridgeError?
}

/// The outcome of a call on the fast path.
enum InlineOutcome {
    /// The call was not made, and has to go through the machine.
    case notMade
    case read
    case value(Value)
    /// The reply will arrive later, in the slot.
    case later(ReplySlot)
}

/// Messages of Swift on the fast path, without the machine: their sender is in an open turn, nothing observes them,
/// and no earlier message is queued.
extension DirectTransport {
    /// Adds a notification to the batch; returns false if it has to go through the machine.
    func notify(_ name: String, _ data: UnsafeRawPointer, _ type: Any.Type) throws(BridgeError) -> Bool {
        try SessionMachine.check(name: name, limits: session.configuration.limits)
        try session.checkRoom(for: name, waiting: notifications)
        let shape = dataShape(of: type)
        do {
            let isAdded = try batch.append { writer in
                writer.put(number: BatchKind.notification)
                try writer.put(name)
                try writer.put(data, asData: shape)
            }
            if isAdded {
                inbox.sent += 1
                notifications += 1
            }
            return isAdded
        } catch {
            throw BridgeError(wrapping: error, defaultCode: .encodeFailed)
        }
    }

    /// Adds an event to the batch.
    ///
    /// - Returns: Whether the script listens to the topic; `nil` if the event has to go through the machine.
    func emit(_ topic: String, _ data: UnsafeRawPointer, _ type: Any.Type) throws(BridgeError) -> Bool? {
        guard let number = session.state.withLock({ $0.machine.beginEvent(of: topic) }) else { return false }
        var isAdded = false
        defer { if !isAdded { session.state.withLock { $0.machine.cancelEvent(number, of: topic) } } }
        try session.checkRoom(for: topic, waiting: notifications)
        let shape = dataShape(of: type)
        do {
            isAdded = try batch.append { writer in
                writer.put(number: BatchKind.control)
                try writer.put(topic)
                try writer.put(data, asData: shape)
                writer.put(number: Double(Control.Kind.event.rawValue))
                writer.put(number: Double(number))
            }
        } catch {
            throw BridgeError(wrapping: error, defaultCode: .encodeFailed)
        }
        guard isAdded else { return nil }
        inbox.sent += 1
        notifications += 1
        return true
    }

    /// Makes a call whose reply is decoded into memory; without data if that is `nil`.
    ///
    /// - Throws: The error with which the call ends.
    func call(
        _ name: String,
        _ data: UnsafeRawPointer?,
        _ type: Any.Type,
        replyingAs response: any Decodable.Type,
        into memory: UnsafeMutableRawPointer,
        timeout: Duration?,
        isInTurn: Bool
    ) throws -> InlineOutcome {
        let reply = replyType(for: response)
        if batch.count > 0 {
            _ = flush()
            guard !session.mask.contains(anyOf: .calls) else { return .notMade }
        }
        let own = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        let begun = try session.state.withLock { state throws(BridgeError) -> UInt64? in
            // Another thread may have replaced this context meanwhile.
            guard session.addresses.transport.load(ordering: .acquiring) == own else { return nil }
            return try state.machine.beginInline(name)
        }
        guard let number = begun else { return .notMade }
        let shape = dataShape(of: type)
        var awaited = AwaitedReply(number: Double(number), outer: innermostReply, memory: memory)
        do {
            let outer = awaited.outer
            defer { innermostReply = outer }
            try withUnsafeMutablePointer(to: &awaited) { awaited in
                innermostReply = awaited
                withContext { $0.willEnterOrigin() }
                let mayWait = try deliver { writer in
                    try writer.put(name)
                    writer.put(number: Double(number))
                    writer.put(number: timeout?.milliseconds ?? 0)
                    writer.put(number: Double(Int(CallerCapabilities.errors.rawValue) | reply.number << 8))
                    if let data { try writer.put(data, asData: shape) } else { writer.putUndefined() }
                }
                if mayWait { withContext { $0.runMicrotasks() } }
            }
        } catch {
            if awaited.isRead { reply.reader.kind.deinitialize(memory) }
            throw BridgeError(wrapping: error, defaultCode: .encodeFailed)
        }
        if awaited.isRead {
            inbox.received += 1
            return .read
        }
        if let mismatch = awaited.mismatch {
            inbox.received += 1
            throw mismatch.ofReply(of: name)
        }
        guard let other = awaited.other else {
            return .later(
                takeUp(number, name, timeout, shapes: shapes(of: reply, from: name), isInTurn: isInTurn)
            )
        }
        inbox.received += 1
        return .value(try other.get())
    }

    /// Returns how the data of a message is encoded; `nil` for a `Value`, which follows the conversion table of values
    /// (P64).
    @inline(__always)
    private func dataShape(of type: Any.Type) -> MessageShape? { type == Value.self ? nil : shape(of: type) }

    /// Returns the shapes of the secrets in the reply of a call (R38).
    ///
    /// The result of a function is data here, and its caller knows the type.
    private func shapes(of reply: ReplyType, from name: String) -> [SecretShape] {
        name == ReferenceTable.callName
            ? BridgeSession.replyShapes
            : SecretMembers.shared.learn(reply.reader.kind.subject).map { [$0] } ?? []
    }

    /// Registers a call with the machine because its reply did not arrive inline.
    private func takeUp(
        _ number: UInt64,
        _ name: String,
        _ timeout: Duration?,
        shapes: [SecretShape],
        isInTurn: Bool
    ) -> ReplySlot {
        let slot = ReplySlot()
        let deadline = session.deadline(after: timeout)
        let account = session.account(of: context.turnOperation)
        session.update(isInTurn: true) { state in
            let call = state.machine.adopt(
                number,
                name,
                deadline: deadline,
                account: account,
                isInTurn: isInTurn
            )
            var entry = PendingCalls.Entry(.slot(slot), of: name)
            entry.replyShapes = shapes
            state.calls.insert(entry, for: call)
            state.queue.lastDeliveredCall = .number(number)
            slot.call = call
        }
        return slot
    }

    /// Takes a reply for which a call is waiting inside its turn.
    func takeAwaited(_ call: HostCall, _ decode: (UnsafeMutableRawPointer) throws -> Void) -> Bool {
        guard let awaited = awaitedReply(call.double(at: 0)), let memory = awaited.pointee.memory else {
            return false
        }
        awaited.pointee.memory = nil
        do {
            try decode(memory)
            awaited.pointee.isRead = true
        } catch {
            let mismatch = try? PayloadReader.mismatch(error)
            awaited.pointee.mismatch = mismatch ?? BridgeError(wrapping: error)
        }
        return true
    }

    /// Returns the waiting call with a number: mostly the innermost.
    @inline(__always)
    private func awaitedReply(_ number: Double) -> UnsafeMutablePointer<AwaitedReply>? {
        var next = innermostReply
        while let awaited = next {
            if awaited.pointee.number == number { return awaited }
            next = awaited.pointee.outer
        }
        return nil
    }

    /// Takes a reply that arrived as data, or as an error.
    func takeAwaited(_ id: MessageID, _ outcome: Result<Value, BridgeError>) -> Bool {
        guard case .number(let number) = id, let awaited = awaitedReply(Double(number)),
            awaited.pointee.memory != nil
        else { return false }
        awaited.pointee.memory = nil
        awaited.pointee.other = outcome
        return true
    }
}

extension MessageWriter {
    /// Adds the data of a message, which is a `Value` if it has no shape.
    @inline(__always)
    fileprivate func put(_ data: UnsafeRawPointer, asData shape: MessageShape?) throws {
        guard let shape else { return try put(data.assumingMemoryBound(to: Value.self).pointee) }
        try put(data, as: shape)
    }
}
