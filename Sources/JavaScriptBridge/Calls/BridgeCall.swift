public import BridgeProtocol
internal import Synchronization

/// The call of a script that a handler answers, as long as it works on it.
///
/// An asynchronous handler finds it as ``current``, in its own task and those that it starts as children. When
/// the caller gives up or its time is over the task is cancelled; what the handler returns after that goes
/// nowhere. Calls that the handler makes itself have no more time than its caller has left. A task of its own that
/// the handler starts and leaves behind has its own time once the handler has returned.
public struct BridgeCall: Sendable {
    /// The call that the present task answers, if it answers one.
    @TaskLocal public static var current: BridgeCall?

    /// The name that was called.
    public let handlerName: String
    /// The calls that this one belongs to, if its caller said so; calls that the handler makes itself belong to them too.
    public let trace: BridgeTrace?
    /// The trace of the calls that the handler makes.
    let traceOfCalls: BridgeTrace?
    private let session: BridgeSession
    private let id: IncomingCallID?
    let deadline: Duration?
    private let handlerEnd = HandlerEnd()

    private final class HandlerEnd: Sendable {
        let hasCome = Atomic(false)
    }

    init(session: BridgeSession, request: IncomingRequest, deadline: Duration?) {
        handlerName = request.handlerName
        self.session = session
        id = request.id
        self.deadline = deadline
        trace = request.trace
        traceOfCalls = request.trace?.nested(in: request.callbackID)
    }

    /// How long the caller will still wait, at least zero, or `nil` if it waits for ever.
    public var timeRemaining: Duration? {
        deadline.map { max(.zero, $0 - session.configuration.clock.now) }
    }

    /// How long calls may take that are made now: as long as the caller waits, while its handler works for it.
    var timeForCalls: Duration? { handlerEnd.hasCome.load(ordering: .acquiring) ? nil : timeRemaining }

    /// Notes that the handler has returned.
    func endHandler() { handlerEnd.hasCome.store(true, ordering: .releasing) }

    /// Tells the caller how far the handler has come.
    ///
    /// - Returns: Whether it was sent. It is not if the caller did not ask for it, or waits no more.
    /// - Throws: ``BridgeError`` with `encodeFailed`, or with `overloaded` where ``BridgeLimits/maximumQueuedMessages`` of them
    ///   wait for a script's side that is not there yet.
    @discardableResult
    public func reportProgress(_ news: some Encodable) throws -> Bool {
        guard let id else { return false }
        let payload = try session.takenPayload(of: news)
        return try session.update { state throws(BridgeError) in
            let token = state.payloads.insert(payload)
            var isSent = false
            defer { if !isSent { state.payloads.discard(token) } }
            isSent = try state.machine.reportProgress(of: id, token)
            return isSent
        }
    }
}
