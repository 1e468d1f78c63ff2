internal import BridgeProtocol
internal import Synchronization

extension BridgeConfiguration {
    /// Whether a script brings its own side of the protocol, which is there once its global is.
    var expectsOwnScript: Bool { transport == .text && !injectsScript }

    /// How ids of calls are written: the ancestor's on its wire, with an epoch and random bits where both ends are
    /// ours (P21, P24, R4), another dialect's as it has them.
    var identifierForm: IdentifierForm {
        switch transport {
        case .direct: .inProcess
        case .text: injectsScript && dialect == .wvjb6 ? .extended : dialect.identifierForm
        }
    }
}

extension BridgeState {
    init(_ state: SessionMachine.State) {
        self =
            switch state {
            case .idle: .idle
            case .injected: .injected
            case .live: .live
            case .tearingDown: .tearingDown
            case .retired, .closed: .dead
            }
    }
}

extension BridgeSession.State {
    /// Notes a change for those who observe the state.
    mutating func noteChange(from before: SessionMachine.State) {
        let change = BridgeState(machine.state)
        guard change != BridgeState(before) else { return }
        changes.append(change)
    }
}

extension BridgeSession {
    /// Tells a body of the state now, and whenever it changes.
    ///
    /// - Returns: What ends that.
    func observeState(_ body: @escaping @Sendable (BridgeState) -> Void) -> BridgeSubscription {
        let id = state.withLock { state -> Int in
            state.lastObserver += 1
            state.observers[state.lastObserver] = body
            // In the order of the changes: nobody else is told before the lock is free.
            if state.changes.isEmpty { body(BridgeState(state.machine.state)) }
            return state.lastObserver
        }
        return BridgeSubscription { [weak self] in self?.state.withLock { $0.observers[id] = nil } }
    }
}
