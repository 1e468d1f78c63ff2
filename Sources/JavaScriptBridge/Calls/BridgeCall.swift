public import BridgeProtocol

/// A call from a script, as seen by the handler that is working on it.
///
/// An asynchronous handler finds it as ``current``, in its own task and its child tasks. When the caller gives up or
/// the deadline passes, the task is cancelled, and the handler's result is dropped. Calls that the handler makes have
/// at most its caller's remaining time. An unstructured task that the handler starts is free of this limit once the
/// handler has returned.
public struct BridgeCall: Sendable {
    /// The call that the current task answers; `nil` if there is none.
    @TaskLocal public static var current: BridgeCall?

    /// The name of the called handler.
    public let handlerName: String
    /// The trace that this call belongs to, if its caller sent one; calls that the handler makes belong to it too.
    public let trace: BridgeTrace?
    /// The trace for the calls that the handler makes.
    let traceOfCalls: BridgeTrace?
    private let session: BridgeSession
    private let run: HandlerRun
    let deadline: Duration?

    /// Creates the call of a request that the tables have, or that has no caller.
    init(session: BridgeSession, request: IncomingRequest, from epoch: UInt64, deadline: Duration?) {
        handlerName = request.handlerName
        self.session = session
        run = HandlerRun(of: request.id, from: epoch)
        self.deadline = deadline
        trace = request.trace
        traceOfCalls = request.trace?.nested(in: request.callbackID)
    }

    /// Creates the call of a request without a trace, which no table has.
    init(session: BridgeSession, handlerName: String, run: HandlerRun, deadline: Duration?) {
        self.handlerName = handlerName
        self.session = session
        self.run = run
        self.deadline = deadline
        trace = nil
        traceOfCalls = nil
    }

    /// The time that the caller will still wait, at least zero; `nil` if it waits forever.
    public var timeRemaining: Duration? {
        deadline.map { max(.zero, $0 - session.configuration.clock.now) }
    }

    /// The time that calls made now may take: the caller's remaining time until the handler returns.
    var timeForCalls: Duration? { run.hasReturned ? nil : timeRemaining }

    /// Runs the handler as the current call, and returns its outcome.
    func outcome(of body: @Sendable () async throws -> MessagePayload?) async -> HandlerRun.Outcome {
        do {
            return .success(try await Self.$current.withValue(self) { try await body() })
        } catch {
            return .failure(error)
        }
    }

    /// The error with which the call has ended; `nil` while its handler is still wanted.
    var end: BridgeError? {
        let isOverdue = deadline.map { $0 <= session.configuration.clock.now } ?? false
        return run.end(of: handlerName, isOverdue: isOverdue, in: session)
    }

    /// Records that the handler has returned.
    func endHandler() { run.noteReturn() }

    /// Reports the handler's progress to the caller.
    ///
    /// - Returns: Whether it was sent. It is not sent if the caller did not ask for progress, or no longer waits.
    /// - Throws: ``BridgeError`` with `encodeFailed`, or with `overloaded` if ``BridgeLimits/maximumQueuedMessages``
    ///   progress messages are queued for a script's side that is not connected yet.
    @discardableResult
    public func reportProgress(_ progress: some Encodable) throws -> Bool {
        guard let id = run.call(in: session) else { return false }
        let payload = try session.takenPayload(of: progress)
        let isLater = try session.sendLater(handlerName) { [session] in
            _ = try session.reportProgress(of: id, payload)
        }
        return try isLater || session.reportProgress(of: id, payload)
    }
}
