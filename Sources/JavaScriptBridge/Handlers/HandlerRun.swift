internal import BridgeProtocol
internal import Synchronization

/// The work of an asynchronous handler on one request.
///
/// A handler that returns without suspending answers in the turn that began it, and no table ever has its call. The call
/// gets an entry in the tables when its handler has suspended, or reports progress, and at its deadline.
final class HandlerRun: Sendable {
    typealias Outcome = Result<MessagePayload?, any Error>

    /// A call that no table has.
    struct Beginning: Sendable {
        var request: BridgeMessage.Request
        /// The call of the trace, if that is on.
        let traced: TraceRecorder.InlineCall?
        /// The epoch in which the request arrived.
        let epoch: UInt64
    }

    private enum State {
        /// No table has the call, and the turn that begins the handler waits for its first suspension.
        case beginning(Beginning)
        /// The handler has returned, and that turn takes the outcome.
        case returned(Outcome)
        /// The tables have the call; `nil` if its context is gone.
        case entered(IncomingCallID?)
        /// The request is a notification.
        case unawaited
    }

    /// The epoch in which the request arrived.
    private let epoch: UInt64

    /// The deadline of a call that no table has yet.
    let deadline: Duration?
    private let state: Mutex<State>
    private let isOver = Atomic(false)

    /// Creates the work on a request that the tables have, or that has no caller.
    init(of call: IncomingCallID?, from epoch: UInt64) {
        deadline = nil
        self.epoch = epoch
        state = Mutex(call.map { .entered($0) } ?? .unawaited)
    }

    /// Creates the work on a call that no table has.
    init(_ beginning: Beginning) {
        deadline = beginning.request.deadline
        epoch = beginning.epoch
        state = Mutex(.beginning(beginning))
    }

    /// A Boolean value that indicates whether the handler has returned.
    var hasReturned: Bool { isOver.load(ordering: .acquiring) }

    /// Records that the handler has returned; what its tasks do from now on is not for its caller.
    func noteReturn() { isOver.store(true, ordering: .releasing) }

    /// Returns the error of a request that is over; `nil` while its handler is still wanted.
    func end(of name: String, isOverdue: Bool, in session: BridgeSession) -> BridgeError? {
        let run = state.withLock { $0 }
        return session.state.withLock { session -> BridgeError? in
            if let end = session.machine.end(ofRequestsFrom: epoch) { return end }
            switch run {
            case .unawaited: return nil
            case .entered(let call?): return session.machine.end(of: call, name, isOverdue: isOverdue)
            case .beginning(let beginning):
                guard let id = beginning.request.callbackID, session.machine.isCancelledEarly(id) else {
                    return nil
                }
            case .returned, .entered(nil): break
            }
            return SessionMachine.over(name, isOverdue: isOverdue)
        }
    }

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
            if case .unawaited = state { return nil }
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
        case .beginning(let beginning):
            let call = session.enter(self, beginning)
            state = .entered(call)
            return (call, true)
        case .entered(let call): return (call, false)
        case .returned, .unawaited: return (nil, false)
        }
    }
}
