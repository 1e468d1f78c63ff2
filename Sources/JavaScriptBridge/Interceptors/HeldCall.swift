internal import BridgeProtocol
internal import Synchronization

/// A call of Swift in the hands of interceptors: one call to who made it, whatever they do.
///
/// The machine keeps its deadline and ends it with everything that ends calls. Then the interceptors' task is cancelled,
/// and what they have sent for it.
final class HeldCall: Sendable {
    private struct State {
        var call: OutgoingCallID?
        var parts: [OutgoingCallID] = []
        var task: Task<Void, Never>?
        var end: Result<MessagePayload, BridgeError>?
    }

    /// When its time is over, which is the deadline of all that is sent for it.
    let deadline: Duration?
    /// Whether its maker runs the engine's turn until the reply is there.
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

    /// Notes what the machine calls it.
    func begin(_ call: OutgoingCallID) { state.withLock { $0.call = call } }

    /// Notes something that was sent for it.
    func add(part: OutgoingCallID) { state.withLock { $0.parts.append(part) } }

    /// Runs the interceptors in a task that begins here, or on an executor, unless the call is over.
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

    /// Ends the call with what has come of it, unless it is over.
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

    /// Notes that it is over, and stops what is still done for it.
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

    /// Looks whether anything may still be sent for it.
    ///
    /// - Throws: What it ended with.
    func checkPending(in session: borrowing BridgeSession.State) throws(BridgeError) {
        let call = state.withLock { $0.call }
        if let call, session.machine.isPending(call) { return }
        throw error ?? BridgeError(.cancelled, "The call of \"\(name)\" is over.")
    }

    /// What it ended with, if that was an error.
    var error: BridgeError? {
        guard case .failure(let error)? = state.withLock({ $0.end }) else { return nil }
        return error
    }
}
