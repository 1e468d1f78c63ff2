internal import BridgeJSON
internal import BridgeProtocol
internal import Synchronization

/// Messages of Swift that are sent, and calls that are answered, in the open turn of the engine.
extension BridgeSession {
    /// The transport, if messages of Swift may bypass the machine: its turn is open on this thread, there are no
    /// observers, and no earlier message is queued.
    private var openTransport: DirectTransport? {
        isDirect && !mask.contains(anyOf: .calls) ? transportInTurn : nil
    }

    /// Returns the same transport, if no interceptors process the calls of a name.
    func openTransport(for name: String) -> DirectTransport? {
        interceptors.intercepts(.outgoing, name) ? nil : openTransport
    }

    /// A Boolean value that indicates whether a turn of the engine is open on this thread.
    var hasOpenTurn: Bool {
        let engine = addresses.engine.load(ordering: .acquiring)
        return engine != 0 && JSContext.isInTurn(ofMachine: engine)
    }

    /// The transport, if its turn is open on this thread, which retains it.
    var transportInTurn: DirectTransport? {
        guard hasOpenTurn else { return nil }
        let address = addresses.transport.load(ordering: .acquiring)
        return UnsafeRawPointer(bitPattern: address).map {
            Unmanaged<DirectTransport>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Sends a notification on the fast path; returns false if it has to go through the machine.
    @usableFromInline
    func notifyInline(_ name: String, _ data: UnsafeRawPointer, _ type: any Encodable.Type) throws -> Bool {
        guard !interceptors.hasUnsent, let transport = openTransport(for: name) else { return false }
        return try transport.notify(name, data, type)
    }

    /// Sends an event on the fast path; returns `nil` if it has to go through the machine.
    @usableFromInline
    func emitInline(_ topic: String, _ data: UnsafeRawPointer, _ type: any Encodable.Type) throws -> Bool? {
        guard !interceptors.hasUnsent, let transport = openTransport else { return nil }
        return try transport.emit(topic, data, type)
    }

    /// Makes a call on the fast path, without the session machine; returns false if it has to go through the machine.
    ///
    /// - Throws: The error with which the call ends.
    @usableFromInline
    func callInline(
        _ name: String,
        _ data: UnsafeRawPointer,
        _ type: any Encodable.Type,
        returning response: any Decodable.Type,
        into memory: UnsafeMutableRawPointer,
        in context: JSContext
    ) throws -> Bool {
        guard let transport = openTransport(for: name), transport.context === context
        else {
            return false
        }
        // The turn's own limit ends it; only a call made on behalf of another has less time.
        let time = remaining(nil)
        // The session machine reports a call that has no time left.
        if let time, time <= .zero { return false }
        let leavesEarlier = transport.inbox.isInUse && transport.hasArrivals
        let outcome = try transport.call(
            name,
            type == Nothing.self ? nil : data,
            type,
            replyingAs: response,
            into: memory,
            timeout: time,
            isInTurn: true
        )
        switch outcome {
        case .notMade: return false
        case .read: if !leavesEarlier { doArrivals(of: transport, in: context) }
        case .value(let value):
            if !leavesEarlier { doArrivals(of: transport, in: context) }
            try response.decode(.value(value), of: name, by: textDecoder, into: memory)
        case .later(let slot):
            work(for: slot) { context.doTurnWork() }
            try response.decode(finish(slot, of: name), of: name, by: textDecoder, into: memory)
        }
        return true
    }

    /// Handles the messages that the script sent before its reply (P39).
    ///
    /// If a handler makes the call while requests of the script are queued behind it, the call cannot wait for those.
    private func doArrivals(of transport: DirectTransport, in context: JSContext) {
        guard transport.hasArrivals || mask.contains(anyOf: .queue) else { return }
        sharingTurn { context.doTurnWork() }
    }

    /// Returns the error with the hop of a call behind its frames, and the caller.
    @usableFromInline
    func traced(
        _ error: BridgeError,
        throughCallOf name: String,
        _ function: String,
        _ fileID: String,
        _ line: Int
    )
        -> BridgeError
    {
        error.traced(throughCallOf: name, from: CallSite(function: function, fileID: fileID, line: line))
    }

    @usableFromInline
    func callByMessage<Request: Encodable, Response: Decodable>(
        _ name: String,
        _ data: Request,
        returning type: Response.Type,
        in context: JSContext
    ) throws -> Response {
        // The data is encoded before this returns, so no other code can change it meanwhile.
        let payload =
            Request.self == Nothing.self
            ? noPayload(replyingWith: type) : try takenPayload(of: data, replyingWith: type)
        return try read(name, payload, as: type, in: context)
    }

    func read<Response: Decodable>(
        _ name: String,
        _ payload: MessagePayload?,
        as type: Response.Type,
        in context: JSContext
    ) throws -> Response {
        let shapes = SecretMembers.shared.learn(type).map { [$0] } ?? []
        return try Self.$replyShapes.withValue(shapes) {
            try call(name, payload: payload, in: context).decodeReply(type, of: name, by: textDecoder)
        }
    }

    func call(_ name: String, payload: MessagePayload?, in context: JSContext) throws
        -> MessagePayload
    {
        let slot = ReplySlot()
        let cancellation = CallCancellation()
        guard let chain = interceptors.chain(.outgoing, name) else {
            try context.withTurn {
                start(
                    name,
                    payload: payload,
                    reply: .full,
                    timeout: nil,
                    .slot(slot),
                    cancellation,
                    inTurnOf: context
                )
                work(for: slot) { context.doTurnWork() }
            }
            return try finish(slot, of: name, cancellation)
        }
        let data = try payload?.data()
        let executor = TurnExecutor()
        defer { executor.leave() }
        try context.withTurn {
            try ExecutionBudget.withCurrent(context.turnOperation) {
                try intercept(chain, name, data, .slot(slot), cancellation, inTurnOf: context, on: executor)
            }
            work(for: slot) {
                repeat { context.doTurnWork() } while slot.outcome == nil && executor.runJobs()
            }
        }
        return try finish(slot, of: name, cancellation)
    }

    /// Runs queued work in this turn until a call has its outcome, or until nothing more happens in the turn.
    ///
    /// The work of the call may be waiting for another thread, which completes it in a moment.
    private func work(for slot: ReplySlot, _ body: () -> Void) {
        while slot.outcome == nil {
            let isPerformed = hasPerformer
            sharingTurn(body)
            guard slot.outcome == nil else { return }
            switch waitForPerformer() {
            case true?: continue
            case false?: return
            // The performer may have ended between the work and the question, and left something to do in this turn.
            case nil: guard isPerformed else { return }
            }
        }
    }

    private func finish(
        _ slot: ReplySlot,
        of name: String,
        _ cancellation: CallCancellation
    ) throws -> MessagePayload {
        if slot.outcome == nil { slot.call = cancellation.cancel() }
        return try finish(slot, of: name)
    }

    /// Returns the outcome of a call in this turn; cancels the call if it has none.
    private func finish(_ slot: ReplySlot, of name: String) throws -> MessagePayload {
        if let outcome = slot.outcome { return try outcome.get() }
        let error = BridgeError(
            .wouldDeadlock,
            "\"\(name)\" does not answer in the turn that it is called in, which waits for it. Await callHandler."
        )
        if let call = slot.call { update(isInTurn: true) { _ = $0.machine.cancel(call, reason: error) } }
        // If another thread is about to settle the call, it has no outcome yet.
        guard let outcome = slot.outcome else { throw error }
        return try outcome.get()
    }
}

extension Decodable {
    /// Decodes the reply of a call into memory.
    fileprivate static func decode(
        _ reply: MessagePayload,
        of name: String,
        by decoder: JSONTextDecoder,
        into memory: UnsafeMutableRawPointer
    ) throws {
        memory.initializeMemory(as: Self.self, to: try reply.decodeReply(Self.self, of: name, by: decoder))
    }
}

/// The outcome of a call that was made in a turn on its caller's own thread.
enum BegunCall<Response> {
    /// The call has been answered.
    case answered(Response)
    /// The reply will arrive in the slot.
    case waits(ReplySlot)
}

extension BridgeSession {
    /// Makes a call in a turn on the calling thread; returns `nil` if the engine is not free, or if the call has to
    /// queue behind others.
    ///
    /// A call that changes threads takes ten times as long as one that does not. A task that enters a free actor does
    /// the same: it continues on its thread.
    ///
    /// - Throws: The error with which the call ends.
    func callIfFree<Request: Encodable, Response: Decodable>(
        _ name: String,
        _ data: Request,
        returning type: Response.Type,
        timeout: Duration?,
        on runtime: JavaScriptRuntime
    ) throws -> BegunCall<Response>? {
        guard isDirect, !mask.contains(anyOf: .calls), !interceptors.hasUnsent,
            !interceptors.intercepts(.outgoing, name)
        else { return nil }
        let time = remaining(timeout ?? configuration.defaultTimeout)
        // The session machine reports a call that has no time left.
        if let time, time <= .zero { return nil }
        return try withUnsafeTemporaryAllocation(of: Response.self, capacity: 1) {
            reply -> BegunCall<Response>? in
            guard let memory = reply.baseAddress else { return nil }
            var outcome = InlineOutcome.notMade
            do {
                let isFree = try runtime.performIfFree { _ in
                    guard let transport = openTransport(for: name) else { return }
                    outcome = try withUnsafePointer(to: data) { data in
                        try transport.call(
                            name,
                            Request.self == Nothing.self ? nil : UnsafeRawPointer(data),
                            Request.self,
                            replyingAs: type,
                            into: memory,
                            timeout: time,
                            isInTurn: false
                        )
                    }
                }
                guard isFree else { return nil }
            } catch let error as JSException {
                // The turn was stopped. The session has ended its pending calls then; this call may have ended before.
                guard case .notMade = outcome else { return try begun(outcome, of: name, memory) }
                throw state.withLock({ $0.machine.closingError }) ?? BridgeError(error)
            }
            return try begun(outcome, of: name, memory)
        }
    }

    private func begun<Response: Decodable>(
        _ outcome: InlineOutcome,
        of name: String,
        _ memory: UnsafeMutablePointer<Response>
    ) throws -> BegunCall<Response>? {
        switch outcome {
        case .notMade: nil
        case .read: .answered(memory.move())
        case .value(let value):
            .answered(try MessagePayload.value(value).decodeReply(of: name, by: textDecoder))
        case .later(let slot):
            // Work at the end of the turn may have answered the call.
            try slot.outcome.map {
                .answered(try $0.get().decodeReply(of: name, by: textDecoder))
            } ?? .waits(slot)
        }
    }

    /// Calls a handler, inline if possible.
    func reply<Request: Encodable, Response: Decodable>(
        of name: String,
        to data: Request,
        returning type: Response.Type,
        timeout: Duration?,
        from site: CallSite,
        on runtime: JavaScriptRuntime,
        _ payload: () throws -> MessagePayload?
    ) async throws -> Response {
        let response = try await replyIfFree(
            of: name,
            to: data,
            returning: type,
            timeout: timeout,
            from: site,
            on: runtime
        )
        if let response { return response }
        return try await Self.reading(type) {
            try await call(name, payload: payload(), timeout: timeout, from: site)
                .decodeReply(of: name, from: site, by: textDecoder)
        }
    }

    /// Calls a handler inline; returns `nil` if that is not possible.
    func replyIfFree<Request: Encodable, Response: Decodable>(
        of name: String,
        to data: Request,
        returning type: Response.Type,
        timeout: Duration?,
        from site: CallSite,
        on runtime: JavaScriptRuntime
    ) async throws -> Response? {
        // The machine reports a task that is cancelled.
        guard !Task.isCancelled else { return nil }
        let begun: BegunCall<Response>?
        do {
            begun = try callIfFree(name, data, returning: type, timeout: timeout, on: runtime)
        } catch let error as BridgeError {
            throw error.traced(throughCallOf: name, from: site)
        }
        switch begun {
        case .answered(let response):
            // The turn has run the synchronous part of all that the script sent before.
            if mask.contains(anyOf: .order) { await waitUntilBegun() }
            return response
        case .waits(let slot):
            return try await wait(for: slot, of: name, from: site)
                .decodeReply(type, of: name, from: site, by: textDecoder)
        case nil: return nil
        }
    }
}

/// The result of a call whose caller ignores it: any value of a script, which is not read.
struct IgnoredResult: Decodable, Sendable {
    init(from decoder: any Decoder) {}
}

/// The data of a call that has no data.
struct Nothing: Encodable, Sendable {
    func encode(to encoder: any Encoder) throws {}
}
