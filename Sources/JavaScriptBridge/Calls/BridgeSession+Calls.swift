internal import BridgeJSON
internal import BridgeProtocol

extension BridgeSession {
    @usableFromInline
    func notifyByMessage(_ name: String, _ data: some Encodable) throws {
        try notify(name, payload: takenPayload(of: data))
    }

    /// Sends a notification; within an intercepted call, as a part of that call.
    func notifyDirectly(
        _ name: String,
        payload: MessagePayload?,
        within held: PendingInterceptedCall? = nil
    ) throws(BridgeError) {
        let trace = traceOfNextCall
        let account = try currentAccount(nil)
        try update { state throws(BridgeError) in
            try held?.checkPending(in: state)
            try checkRoom(for: name, in: state)
            _ = try Self.start(
                name,
                payload: payload,
                reply: .none,
                deadline: nil,
                trace: trace,
                account: account,
                in: &state
            )
        }
    }

    func callDirectly(
        _ name: String,
        payload: MessagePayload?,
        timeout: Duration?,
        onProgress: (@Sendable (MessagePayload) -> Void)? = nil,
        from site: CallSite
    ) async throws -> MessagePayload {
        try await call(name, from: site) {
            (continuation: CheckedContinuation<MessagePayload, any Error>, cancellation) in
            startInOrder(name, .continuation(continuation)) {
                self.start(
                    name,
                    payload: payload,
                    reply: .full,
                    accepting: onProgress == nil ? [] : .progress,
                    timeout: timeout,
                    onProgress: onProgress,
                    .continuation(continuation),
                    cancellation
                )
            }
        }
    }

    /// Waits for a call that is started with a continuation; cancelling the task cancels the call.
    func call<Outcome>(
        _ name: String,
        from site: CallSite,
        _ start: (CheckedContinuation<Outcome, any Error>, CallCancellation) -> Void
    ) async throws -> Outcome {
        do {
            return try await call(start)
        } catch let error as BridgeError {
            throw error.traced(throughCallOf: name, from: site)
        }
    }

    /// Returns the time that a call may take, bounded by the remaining time of the call it is made for.
    func remaining(_ timeout: Duration?) -> Duration? {
        // A timeout of more than a century counts as endless; its sum with the clock would overflow.
        guard let left = BridgeCall.current?.timeForCalls else { return timeout }
        return timeout.map { min($0, left) } ?? left
    }

    /// Waits in the same way, without adding a hop to the trace of the error.
    func call<Outcome>(
        _ start: (CheckedContinuation<Outcome, any Error>, CallCancellation) -> Void
    ) async throws -> Outcome {
        let cancellation = CallCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { start($0, cancellation) }
        } onCancel: {
            guard let call = cancellation.cancel() else { return }
            update { _ = $0.machine.cancel(call) }
        }
    }

    /// Starts a call whose waiter is settled exactly once, even if the call cannot be started.
    ///
    /// A call made within another, for its interceptors, has that call's deadline; it fails once that call is over.
    func start(
        _ name: String,
        payload: MessagePayload?,
        reply: ReplyKind,
        accepting accepts: CallerCapabilities = [],
        timeout: Duration?,
        onProgress: (@Sendable (MessagePayload) -> Void)? = nil,
        _ waiter: Waiter,
        _ cancellation: CallCancellation? = nil,
        inTurnOf context: JSContext? = nil,
        within held: PendingInterceptedCall? = nil
    ) {
        let deadline =
            held.map(\.deadline) ?? deadline(after: remaining(timeout ?? configuration.defaultTimeout))
        let trace = traceOfNextCall
        let pipelined = waiter.pipelined
        let keepsResult = pipelined != nil && peer.takesResults
        let shapes = Self.replyShapes
        // A task that was cancelled before sends no request.
        guard cancellation?.isCancelled != true else {
            let error = held?.error ?? BridgeError(.cancelled, "The call of \"\(name)\" was cancelled.")
            return waiter.settle(.failure(error))
        }
        do {
            let account = try currentAccount(context)
            try update(isInTurn: context != nil) { state throws(BridgeError) in
                try held?.checkPending(in: state)
                try checkRoom(for: name, in: state)
                let call = try Self.start(
                    name,
                    payload: payload,
                    reply: reply,
                    accepting: accepts,
                    deadline: deadline,
                    trace: trace,
                    keepsResult: keepsResult,
                    account: account,
                    isPart: held != nil,
                    isInTurn: context != nil || held?.isInTurn == true,
                    in: &state
                )
                guard let call else { return }
                held?.add(part: call)
                if keepsResult { pipelined?.begin(state.machine.identifier(of: call)) }
                var entry = PendingCalls.Entry(waiter, of: name)
                entry.onProgress = onProgress
                entry.account = account
                entry.replyShapes = shapes
                begin(call, entry, deadline, cancellation, in: &state)
            }
        } catch {
            waiter.settle(.failure(error))
        }
    }

    /// Registers a call that interceptors process; its waiter is settled exactly once, even if this throws.
    ///
    /// - Returns: The call, unless it is over already.
    func hold(
        _ name: String,
        isNotification: Bool = false,
        timeout: Duration?,
        _ waiter: Waiter,
        _ cancellation: CallCancellation? = nil,
        inTurnOf context: JSContext? = nil
    ) throws(BridgeError) -> PendingInterceptedCall {
        let time = isNotification ? nil : remaining(timeout ?? configuration.defaultTimeout)
        let held = PendingInterceptedCall(
            session: self,
            name: name,
            deadline: deadline(after: time),
            isInTurn: context != nil
        )
        let account = try currentAccount(context)
        try update(isInTurn: context != nil) { state throws(BridgeError) in
            let call = try state.machine.hold(
                name,
                isNotification: isNotification,
                deadline: held.deadline,
                account: account
            )
            held.begin(call)
            var entry = PendingCalls.Entry(waiter, of: name)
            entry.account = account
            entry.intercepted = held
            begin(call, entry, held.deadline, cancellation, in: &state)
        }
        return held
    }

    /// Registers a call that the machine has accepted.
    private func begin(
        _ call: OutgoingCallID,
        _ entry: PendingCalls.Entry,
        _ deadline: Duration?,
        _ cancellation: CallCancellation?,
        in state: inout State
    ) {
        state.calls.insert(entry, for: call)
        if cancellation?.begin(call) == false { state.machine.cancel(call) }
        // No time at all: an engine with its own thread could reply before any wake-up.
        if let deadline, deadline <= configuration.clock.now {
            state.machine.expire(now: configuration.clock.now)
        }
    }

    private static func start(
        _ name: String,
        payload: MessagePayload?,
        reply: ReplyKind,
        accepting accepts: CallerCapabilities = [],
        deadline: Duration?,
        trace: BridgeTrace?,
        keepsResult: Bool = false,
        account: WorkBudget?,
        isPart: Bool = false,
        isInTurn: Bool = false,
        in state: inout State
    ) throws(BridgeError) -> OutgoingCallID? {
        let token = payload.map { state.payloads.insert($0) }
        do {
            return try state.machine.call(
                name,
                payload: token,
                reply: reply,
                accepting: accepts,
                deadline: deadline,
                trace: trace,
                keepsResult: keepsResult,
                account: account,
                isPart: isPart,
                isInTurn: isInTurn
            )
        } catch {
            if let token { state.payloads.discard(token) }
            throw error
        }
    }

    /// The trace for a call made now: that of the call it is made for, or a new one if tracing is on.
    var traceOfNextCall: BridgeTrace? {
        BridgeCall.current?.traceOfCalls ?? (configuration.tracesCalls ? BridgeTrace() : nil)
    }

    /// Waits for a call that has been delivered; cancelling the task cancels the call.
    func wait(for slot: ReplySlot, of name: String, from site: CallSite) async throws
        -> MessagePayload
    {
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { slot.resume($0) }
            } onCancel: {
                guard let call = slot.call else { return }
                update { _ = $0.machine.cancel(call) }
            }
        } catch let error as BridgeError {
            throw error.traced(throughCallOf: name, from: site)
        }
    }

    // MARK: - Payloads

    /// Returns the payload of a value as it is now.
    ///
    /// - Throws: ``BridgeError`` with the code `encodeFailed` or `limitExceeded`, or any error that the type throws.
    func takenPayload<Subject: Encodable>(of subject: Subject) throws -> MessagePayload {
        // Data that a script may have created follows the conversion table of values: its NaN becomes null (P64).
        if Subject.self == Value.self, let value = subject as? Value { return .value(value) }
        let isSecret = SecretMembers.shared.isWhole(subject)
        if isDirect {
            let value = try valueEncoder.encode(subject)
            return MessagePayload(value, isSecret: isSecret)
        }
        var text =
            peer.takesPlaces
            ? try JSONPayload(
                encodingWithPlaces: subject,
                by: textEncoder,
                takesReferences: peer.takesReferences
            )
            : try JSONPayload(encoding: subject, by: textEncoder)
        text.isSecret = isSecret
        return .text(text)
    }

    private var valueEncoder: ValueEncoder { ValueEncoder(maximumDepth: configuration.limits.maximumDepth) }

    /// Returns the payload of a call with its data as it is now, and with the type to decode the reply as.
    ///
    /// - Throws: The errors of ``takenPayload(of:)``.
    func takenPayload<Subject: Encodable, Response: Decodable>(
        of subject: Subject,
        replyingWith response: Response.Type
    ) throws -> MessagePayload {
        guard isDirect else { return try takenPayload(of: subject) }
        let value = try (subject as? Value) ?? valueEncoder.encode(subject)
        if SecretMembers.shared.isWhole(subject) { return .secret(value) }
        return .held(
            PayloadMemory(HeldKind<Value>.self, replyReader: PayloadReader(response)) {
                $0.initializeMemory(as: Value.self, to: value)
            }
        )
    }

    /// Returns the payload of a call whose reply is decoded as a type; no other code may change its data.
    func heldPayload<Subject: Encodable, Response: Decodable>(
        of subject: Subject,
        replyingWith response: Response.Type
    ) throws -> MessagePayload {
        let reader = PayloadReader(response)
        return try PayloadForm<Subject>().payload(of: subject, in: self, replyReader: reader)
    }

    /// Returns the payload of a call without data whose reply is decoded as a type.
    func noPayload<Response: Decodable>(replyingWith response: Response.Type) -> MessagePayload? {
        guard isDirect else { return nil }
        let reader = PayloadReader(response)
        return .held(PayloadMemory(NothingKind.self, replyReader: reader) { _ in })
    }
}

extension BridgeSession {
    /// Returns the budget for a message that is sent now, or in the open turn of a context.
    ///
    /// - Throws: The error that ended the operation to which the message would belong.
    func currentAccount(_ context: JSContext?) throws(BridgeError) -> WorkBudget? {
        guard let operation = context.map(\.turnOperation) ?? .current else { return nil }
        if let error = operation.endingError { throw BridgeError(error) }
        return account(of: operation)
    }

    /// Returns the time at which a duration that begins now is over.
    func deadline(after time: Duration?) -> Duration? {
        time.map { configuration.clock.time(after: $0) }
    }
}
