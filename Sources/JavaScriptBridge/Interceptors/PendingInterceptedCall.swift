internal import BridgeProtocol
internal import Synchronization

/// An intercepted call of Swift: one call for its caller, whatever the interceptors do.
///
/// The machine keeps its deadline and settles it with every event that ends calls. Then the interceptors' task and the
/// requests sent for the call are cancelled.
final class PendingInterceptedCall: Sendable {
    private struct State {
        var call: OutgoingCallID?
        var parts: [OutgoingCallID] = []
        var task: Task<Void, Never>?
        var end: Result<MessagePayload, BridgeError>?
    }

    /// The deadline of the call and of everything sent for it.
    let deadline: Duration?
    /// A Boolean value that indicates whether its caller runs the engine's turn until the reply arrives.
    let isInTurn: Bool
    private let session: BridgeSession
    private let name: String
    private let state = Mutex(State())

    init(session: BridgeSession, name: String, deadline: Duration?, isInTurn: Bool) {
        self.session = session
        self.name = name
        self.deadline = deadline
        self.isInTurn = isInTurn
    }

    /// Records the machine's id of the call.
    func begin(_ call: OutgoingCallID) { state.withLock { $0.call = call } }

    /// Adds a request that was sent for the call.
    func add(part: OutgoingCallID) { state.withLock { $0.parts.append(part) } }

    /// Runs the interceptors in a task that begins on this thread, or on an executor, unless the call is over.
    func run(on executor: TurnExecutor? = nil, _ body: @escaping @Sendable () async -> Void) {
        guard !isOver else { return }
        let task =
            if let executor { Task(executorPreference: executor, operation: body) } else {
                Task.immediate(operation: body)
            }
        let isOver = state.withLock { state in
            if state.end == nil { state.task = task }
            return state.end != nil
        }
        if isOver { task.cancel() }
    }

    private var isOver: Bool { state.withLock { $0.end != nil } }

    /// Settles the call with an outcome, unless it is over.
    func settle(_ outcome: Result<Value, any Error>) {
        guard let call = state.withLock({ $0.call }) else { return }
        session.update { state in
            switch outcome {
            case .success(.undefined): state.machine.settle(call, with: .payload(nil))
            case .success(let value):
                state.machine.settle(call, with: .payload(state.payloads.insert(.value(value))))
            case .failure(let error):
                state.machine.settle(call, with: .failure(BridgeError(wrapping: error)))
            }
        }
    }

    /// Records that the call is over, and cancels what is still in progress for it.
    func end(_ outcome: Result<MessagePayload, BridgeError>) {
        let (parts, task) = state.withLock { state in
            state.end = outcome
            defer { (state.parts, state.task) = ([], nil) }
            return (state.parts, state.task)
        }
        if !parts.isEmpty {
            let reason: BridgeError? = if case .failure(let error) = outcome { error } else { nil }
            session.update { state in for part in parts { state.machine.cancel(part, reason: reason) } }
        }
        task?.cancel()
    }

    /// Checks that messages may still be sent for the call.
    ///
    /// - Throws: The error with which it ended.
    func checkPending(in session: borrowing BridgeSession.State) throws(BridgeError) {
        let call = state.withLock { $0.call }
        if let call, session.machine.isPending(call) { return }
        throw error ?? BridgeError(.cancelled, "The call of \"\(name)\" is over.")
    }

    /// The error with which it ended, if any.
    var error: BridgeError? {
        guard case .failure(let error)? = state.withLock({ $0.end }) else { return nil }
        return error
    }
}
