internal import BridgeProtocol
internal import Synchronization

/// The work of an asynchronous handler on one request.
///
/// A handler that returns without suspending answers in the turn that began it, and no table ever has its call. The call
/// gets an entry in the tables when its handler has suspended, or reports progress, and at its deadline.
final class HandlerRun: Sendable {
    typealias Outcome = Result<MessagePayload?, any Error>

    private enum State {
        /// No table has the call, and the turn that begins the handler waits for its first suspension.
        case beginning(BridgeMessage.Request, epoch: UInt64)
        /// The handler has returned, and that turn takes the outcome.
        case returned(Outcome)
        /// The tables have the call; `nil` for a notification, and for a call whose context is gone.
        case entered(IncomingCallID?)
    }

    /// The deadline of a call that no table has yet.
    let deadline: Duration?
    private let state: Mutex<State>
    private let isOver = Atomic(false)

    /// Creates the work on a request that the tables have, or that has no caller.
    init(of call: IncomingCallID?) {
        deadline = nil
        state = Mutex(.entered(call))
    }

    /// Creates the work on a request that arrived in an epoch, and that no table has.
    init(beginning request: BridgeMessage.Request, from epoch: UInt64) {
        deadline = request.deadline
        state = Mutex(.beginning(request, epoch: epoch))
    }

    /// A Boolean value that indicates whether the handler has returned.
    var hasReturned: Bool { isOver.load(ordering: .acquiring) }

    /// Records that the handler has returned; what its tasks do from now on is not for its caller.
    func noteReturn() { isOver.store(true, ordering: .releasing) }

    /// Returns the call, which gets an entry in the tables if it has none; `nil` if its handler has returned.
    func call(in session: BridgeSession) -> IncomingCallID? {
        let (call, isNew) = state.withLock { enter(&$0, in: session) }
        if isNew { session.didEnter() }
        return call
    }

    /// Takes the handler's outcome, on any thread: its turn answers with it, or the tables.
    func finish(_ outcome: Outcome, of site: CallSite, in session: BridgeSession) {
        let call = state.withLock { state -> IncomingCallID? in
            if case .entered(let call) = state { return call }
            state = .returned(outcome)
            // Before the turn takes the outcome: it ends without the run, and then looks whether the session is idle.
            session.end(self)
            return nil
        }
        guard let call else { return }
        // Reply first: the task is tracked only while its call waits for a reply.
        session.replyOnce(to: call, with: outcome, of: site)
        session.end(.call(call))
    }

    /// Returns the outcome of a handler that has returned in its turn; otherwise its call enters the tables.
    ///
    /// The turn that began the handler calls this once, at its first suspension.
    func suspend(in session: BridgeSession) -> Outcome? {
        let (outcome, call, isNew) = state.withLock { state -> (Outcome?, IncomingCallID?, Bool) in
            if case .returned(let outcome) = state { return (outcome, nil, false) }
            let (call, isNew) = enter(&state, in: session)
            return (nil, call, isNew)
        }
        if isNew { session.didEnter() }
        if let call { session.didSuspend(call) }
        return outcome
    }

    private func enter(_ state: inout State, in session: BridgeSession) -> (
        call: IncomingCallID?, isNew: Bool
    ) {
        switch state {
        case .beginning(let request, let epoch):
            let call = session.enter(self, for: request, from: epoch)
            state = .entered(call)
            return (call, true)
        case .entered(let call): return (call, false)
        case .returned: return (nil, false)
        }
    }
}
