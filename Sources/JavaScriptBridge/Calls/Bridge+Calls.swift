internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// Calls a handler that a script registered and waits for its reply.
    ///
    /// The trace of an error goes through the call: the frames of the handler, the hop, and the caller.
    ///
    /// The data is taken when this is called. If the task is cancelled, the call ends at once; the handler
    /// may go on.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - type: What to read the reply as.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``: `handlerNotFound`, `deadlineExceeded`, `cancelled`, `disconnected`,
    ///   `decodeFailed`, or what the handler threw, with its code, message, data and frames; an error that
    ///   Swift threw and scripts let through is its `underlyingError`.
    public func callHandler<Response: Decodable>(
        _ name: String,
        with data: some Encodable,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Response {
        let payload = try ValueEncoder().encode(data)
        SecretMembers.shared.learn(type)
        let site = CallSite(function: function, fileID: fileID, line: line)
        return try ValueDecoder().decode(
            type,
            from: try await session.call(name, payload: payload, timeout: timeout, from: site)
        )
    }

    /// Calls a handler that a script registered, without data, and waits for its reply.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - type: What to read the reply as.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func callHandler<Response: Decodable>(
        _ name: String,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Response {
        let site = CallSite(function: function, fileID: fileID, line: line)
        return try ValueDecoder().decode(
            type,
            from: try await session.call(name, payload: nil, timeout: timeout, from: site)
        )
    }

    /// Calls a handler that a script registered and waits until it is done, whatever it gives back.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func callHandler(
        _ name: String,
        with data: some Encodable,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        let site = CallSite(function: function, fileID: fileID, line: line)
        _ = try await session.call(
            name,
            payload: ValueEncoder().encode(data),
            timeout: timeout,
            from: site
        )
    }

    /// Calls a handler that a script registered, waits for its reply, and is told meanwhile how far it has come.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - type: What to read the reply as.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - onProgress: Called with each piece of news, in order, before this returns, on the thread that brings
    ///     it: keep it short. News that cannot be read as its parameter are logged and passed over.
    /// - Returns: The reply.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func callHandler<Response: Decodable, Progress: Decodable & SendableMetatype>(
        _ name: String,
        with data: some Encodable,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line,
        onProgress: @escaping @Sendable (Progress) -> Void
    ) async throws -> Response {
        let session = self.session
        let reply = try await session.call(
            name,
            payload: ValueEncoder().encode(data),
            timeout: timeout,
            onProgress: { value in
                do {
                    onProgress(try ValueDecoder().decode(from: value))
                } catch {
                    session.logWarning("News of the call of \"\(name)\" cannot be read. \(error)")
                }
            },
            from: CallSite(function: function, fileID: fileID, line: line)
        )
        return try ValueDecoder().decode(type, from: reply)
    }

    /// Calls a handler that a script registered and wants no reply, not even that there is no such handler.
    ///
    /// - Throws: ``BridgeError``: `encodeFailed`, `disconnected`, or a limit.
    public func notify(_ name: String, with data: some Encodable) throws {
        try session.notify(name, payload: ValueEncoder().encode(data))
    }
}

extension BridgeSession {
    func notifyDirectly(_ name: String, payload: Value?) throws(BridgeError) {
        try update { state throws(BridgeError) in
            try checkRoom(for: name, in: state)
            _ = try Self.start(name, payload: payload, reply: .none, deadline: nil, in: &state)
        }
    }

    func callDirectly(
        _ name: String,
        payload: Value?,
        timeout: Duration?,
        onProgress: (@Sendable (Value) -> Void)? = nil,
        from site: CallSite
    ) async throws -> Value {
        try await call(name, from: site) {
            (continuation: CheckedContinuation<Value, any Error>, cancellation) in
            start(
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

    /// Waits for a call that is started with a continuation; the task's cancellation is the call's.
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

    /// How long a call may take: one that is made on behalf of another, no longer than that one has left.
    private func remaining(_ timeout: Duration?) -> Duration? {
        // A wait of more than a century is one without end, and its sum would not fit the clock.
        guard let left = BridgeCall.current?.timeRemaining else { return timeout }
        return timeout.map { min($0, left) } ?? left
    }

    private func call<Outcome>(
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

    /// Starts a call whose waiter is settled exactly once, also if it cannot be started.
    func start(
        _ name: String,
        payload: Value?,
        reply: ReplyKind,
        accepting accepts: Acceptance = [],
        timeout: Duration?,
        onProgress: (@Sendable (Value) -> Void)? = nil,
        _ waiter: Waiter,
        _ cancellation: CallCancellation? = nil
    ) {
        let timeout = remaining(timeout ?? configuration.defaultTimeout)
        let deadline = timeout.map { configuration.clock.now + max(.zero, min($0, .longest)) }
        do {
            try update { state throws(BridgeError) in
                try checkRoom(for: name, in: state)
                let call = try Self.start(
                    name,
                    payload: payload,
                    reply: reply,
                    accepting: accepts,
                    deadline: deadline,
                    in: &state
                )
                guard let call else { return }
                state.waiters[call] = waiter
                if let onProgress { state.progress[call] = onProgress }
                if let entry = Census.note(.pendingCall, name) { state.censusEntries[call] = entry }
                if cancellation?.begin(call) == false { state.machine.cancel(call) }
                // No time at all: an engine with a thread of its own could reply before any wake-up.
                if let timeout, timeout <= .zero { state.machine.expire(now: configuration.clock.now) }
            }
        } catch {
            waiter.settle(.failure(error))
        }
    }

    private static func start(
        _ name: String,
        payload: Value?,
        reply: ReplyKind,
        accepting accepts: Acceptance = [],
        deadline: Duration?,
        in state: inout State
    ) throws(BridgeError) -> OutgoingCallID? {
        let token = payload.map { state.payloads.insert($0) }
        do {
            return try state.machine.call(
                name,
                payload: token,
                reply: reply,
                accepting: accepts,
                deadline: deadline
            )
        } catch {
            if let token { state.payloads.discard(token) }
            throw error
        }
    }
}

/// Joins a task's cancellation with its call, whichever comes first.
final class CallCancellation: Sendable {
    private enum State {
        case waiting
        case begun(OutgoingCallID)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    /// Notes the call; false if it was cancelled before.
    func begin(_ call: OutgoingCallID) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .begun(call)
            return true
        }
    }

    /// Notes the cancellation and gives the call to cancel, if it has begun.
    func cancel() -> OutgoingCallID? {
        state.withLock { state in
            defer { state = .cancelled }
            guard case .begun(let call) = state else { return nil }
            return call
        }
    }
}

extension Duration {
    /// A hundred years.
    static let longest = Duration.seconds(100 * 366 * 86_400)
}
