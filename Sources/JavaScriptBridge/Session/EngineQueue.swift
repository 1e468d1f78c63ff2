internal import BridgeProtocol

/// A piece of work that waits for the engine.
enum EngineWork: Sendable {
    case send(BridgeMessage, MessagePayload?)
    case dispatch(HandlerID, IncomingRequest, MessagePayload)
    /// An event for the listeners of a topic, in order with requests (P39).
    case event(String, MessagePayload, order: UInt64)
    /// A callback of the legacy API with its result, in order with handlers (P39).
    case callback(@Sendable (Value) -> Void, Value, WorkBudget? = nil)
}

extension EngineWork {
    /// The operation that the work belongs to.
    var operation: ExecutionBudget? {
        switch self {
        case .send(let message, _): message.account?.operation
        case .dispatch(_, let request, _): request.account?.operation
        case .event: nil
        case .callback(_, _, let account): account?.operation
        }
    }
}

/// The queue of work for the engine, which every turn drains before it ends.
struct EngineQueue {
    private var work: [EngineWork] = []
    private var first = 0
    /// The id of the last call that was delivered to the script.
    var lastDeliveredCall: MessageID?
    /// A Boolean value that indicates whether the open turn also handles work of other operations.
    var sharesTurn = false
    /// A Boolean value that indicates whether a turn is scheduled that will drain the queue.
    var isTurnScheduled = false
    /// A Boolean value that indicates whether calls of a stopped script are being rejected.
    var isRejecting = false
    /// A Boolean value that indicates whether the runtime was closed, so that no turn will handle the queued work.
    var isRuntimeClosed = false
    // Weak, as the runtime's context holds the session.
    weak var runtime: JavaScriptRuntime?

    /// The number of waiting pieces of work.
    var count: Int { work.count - first }

    var isEmpty: Bool { first == work.count }

    /// The operation of the next turn; `nil` if it belongs to none, or nothing is queued.
    var nextOperation: ExecutionBudget? { isEmpty ? nil : work[first].operation }

    mutating func append(_ piece: EngineWork) { work.append(piece) }

    /// Removes the first work, if it belongs to the operation of the turn.
    ///
    /// - Parameters:
    ///   - operation: The operation of the turn.
    ///   - drop: Called with each request whose operation has ended, which is removed.
    /// - Returns: The work; `nil` if there is none, or it belongs to another operation.
    mutating func popFirst(
        of operation: ExecutionBudget?,
        dropping drop: (IncomingRequest) -> Void
    ) -> EngineWork? {
        if nextOperation !== operation {
            dropEnded(drop)
            if !isEmpty, nextOperation !== operation, !sharesTurn { return nil }
        }
        guard !isEmpty else {
            work.removeAll(keepingCapacity: true)
            first = 0
            return nil
        }
        let piece = work[first]
        first += 1
        forgetDone()
        if case .send(.request(let request), _) = piece, let id = request.callbackID {
            lastDeliveredCall = id
        }
        return piece
    }

    /// Adds work that was removed, but not done, in front of the rest.
    mutating func putBack(_ piece: EngineWork) { work.insert(piece, at: first) }

    /// Removes the first request in the queue.
    mutating func popFirstRequest() -> EngineWork? {
        let index = work[first...].firstIndex { if case .dispatch = $0 { true } else { false } }
        return index.map { work.remove(at: $0) }
    }

    /// Drops the first work in the queue as long as its operation has ended.
    mutating func dropEnded(_ drop: (IncomingRequest) -> Void) {
        while let piece = work[first...].first, piece.operation?.termination != nil {
            if case .dispatch(_, let request, _) = piece { drop(request) }
            first += 1
        }
    }

    /// Removes all work except replies and callbacks, which are still delivered at the end of a session.
    mutating func keepReplies() {
        work = work[first...].filter { piece in
            switch piece {
            case .send(.response, _), .callback: true
            case .send, .dispatch, .event: false
            }
        }
        first = 0
    }

    /// Removes all work except callbacks.
    ///
    /// - Returns: The number of removed notifications and events.
    mutating func keepCallbacks() -> Int {
        let waiting = work[first...]
        work = waiting.filter { if case .callback = $0 { true } else { false } }
        first = 0
        return waiting.count { piece in
            switch piece {
            case .dispatch(_, let request, _): request.id == nil
            case .event: true
            case .send, .callback: false
            }
        }
    }

    /// Removes and returns all work.
    mutating func removeAll() -> [EngineWork] {
        defer { (work, first) = ([], 0) }
        return Array(work[first...])
    }

    // Releases the memory of completed work from time to time: an engine that never catches up would keep it forever.
    private mutating func forgetDone() {
        guard first >= 1024, first * 2 >= work.count else { return }
        work.removeFirst(first)
        first = 0
    }
}
