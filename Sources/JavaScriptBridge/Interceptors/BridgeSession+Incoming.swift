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
        switch handler.handler {
        // Their tasks report the end.
        case .typedAsync, .async, .stream: break
        case .typed, .sync, .legacy: endNotification(request)
        }
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
            case .typed(let body):
                return try await self.inTurn {
                    try run.value(of: body.run(.value(call.payload), in: self, at: handler.site))
                }
            case .typedAsync(let body):
                return try run.value(of: await body.run(.value(call.payload), in: self, at: handler.site))
            case .sync(let body): return try await self.inTurn { try body(call.payload) }
            case .async(let body): return try run.value(of: await body(call.payload))
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

private struct NoReply: Error {}

/// The way of one call through its interceptors.
private final class InterceptedRun: Sendable {
    private struct State {
        // A result that interceptors derive from a secret is a secret too (R38).
        var isSecret = false
        var source: (any ItemSource)?
        var isOver = false
    }

    private let state = Mutex(State())

    var isSecret: Bool { state.withLock { $0.isSecret } }

    /// A Boolean value that indicates whether the interceptors have returned, so that no handler may begin any more.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Records that the interceptors have returned.
    func finish() { state.withLock { $0.isOver = true } }

    /// Returns the data of a handler's result.
    func value(of reply: MessagePayload?) throws -> Value {
        if reply?.isSecret == true { state.withLock { $0.isSecret = true } }
        return try reply?.value() ?? .undefined
    }

    /// Keeps the items with which the handler answers.
    func keep(_ source: any ItemSource) { state.withLock { $0.source = source } }

    func takeSource() -> (any ItemSource)? { state.withLock { $0.source.take() } }
}

private struct WeakReply {
    weak var reply: SingleReply<Value>?
}

/// A continuation that is resumed once: by the first outcome, or with an error when its last reference is released.
private final class SingleReply<Success: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Success, any Error>?>
    private let otherwise: any Error

    init(_ continuation: CheckedContinuation<Success, any Error>, otherwise: any Error) {
        self.continuation = Mutex(continuation)
        self.otherwise = otherwise
    }

    deinit { settle(.failure(otherwise)) }

    /// Settles it; returns false if it was settled before.
    @discardableResult
    func settle(_ outcome: Result<Success, any Error>) -> Bool {
        let continuation = continuation.withLock { $0.take() }
        continuation?.resume(with: outcome)
        return continuation != nil
    }
}

extension Handler {
    /// A Boolean value that indicates whether it answers with one result, so that its interceptors can begin before a
    /// table has the call.
    var answersOnce: Bool {
        switch self {
        case .typed, .typedAsync, .sync, .async: true
        case .stream, .legacy: false
        }
    }

    var isStream: Bool {
        if case .stream = self { return true }
        return false
    }
}
