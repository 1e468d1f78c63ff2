internal import BridgeProtocol
internal import Synchronization

/// The work of an asynchronous handler on one request.
///
/// A handler that returns without suspending answers in the turn that began it, and no table ever has its call. The call
/// gets an entry in the tables when its handler has suspended, or reports progress.
final class HandlerRun: Sendable {
    typealias Outcome = Result<MessagePayload?, any Error>

    private enum State {
        /// The turn that began the handler waits for its first suspension.
        case beginning(BridgeMessage.Request)
        /// The handler has returned, and that turn takes the outcome.
        case returned(Outcome)
        /// The tables have the call; `nil` for a notification, and for a call whose context is gone.
        case entered(IncomingCallID?)
    }

    private let state: Mutex<State>
    private let isOver = Atomic(false)

    /// Creates the work on a request that the tables have, or that has no caller.
    init(of call: IncomingCallID?) { state = Mutex(.entered(call)) }

    /// Creates the work on a request that no table has.
    init(beginning request: BridgeMessage.Request) { state = Mutex(.beginning(request)) }

    /// A Boolean value that indicates whether the handler has returned.
    var hasReturned: Bool { isOver.load(ordering: .acquiring) }

    /// Records that the handler has returned; what its tasks do from now on is not for its caller.
    func noteReturn() { isOver.store(true, ordering: .releasing) }

    /// Returns the call, which gets an entry in the tables if it has none.
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
            return nil
        }
        guard let call else { return }
        session.replyOnce(to: call, with: outcome, of: site)
        session.end(.call(call))
    }

    /// Returns the outcome of a handler that has returned; otherwise its call enters the tables, and its task waits there.
    ///
    /// The turn that began the handler calls this once, at its first suspension.
    func suspend(_ task: Task<Void, Never>, in session: BridgeSession) -> Outcome? {
        let (outcome, call, isNew) = state.withLock { state -> (Outcome?, IncomingCallID?, Bool) in
            if case .returned(let outcome) = state { return (outcome, nil, false) }
            let (call, isNew) = enter(&state, in: session)
            return (nil, call, isNew)
        }
        guard outcome == nil else { return outcome }
        if let call { session.keep(task, of: call) } else { task.cancel() }
        if isNew { session.didEnter() }
        return nil
    }

    private func enter(
        _ state: inout State,
        in session: BridgeSession
    ) -> (call: IncomingCallID?, isNew: Bool) {
        switch state {
        case .beginning(let request):
            let call = session.enter(request)
            state = .entered(call)
            return (call, true)
        case .entered(let call): return (call, false)
        case .returned: return (nil, false)
        }
    }
}
