internal import BridgeProtocol
internal import Synchronization

extension BridgeConfiguration {
    /// A Boolean value that indicates whether a script brings its own side of the protocol, which is connected once its
    /// global exists.
    var expectsOwnScript: Bool { transport == .text && !injectsScript }

    /// The format of the ids of calls: that of WebViewJavascriptBridge on its wire, or that of another dialect.
    ///
    /// If both sides belong to this package, the ids have an epoch and random bits (P21, P24, R4).
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

extension BridgeSession {
    /// Calls a body with the current state, and with each later one.
    ///
    /// - Returns: The subscription, which ends it.
    func observeState(_ body: @escaping @Sendable (BridgeState) -> Void) -> BridgeSubscription {
        let id = state.withLock { state -> Int in
            let (id, isCurrent) = state.lifecycle.addObserver(body)
            // In the order of the changes: no other observer is notified before the lock is released.
            if isCurrent { body(BridgeState(state.machine.state)) }
            return id
        }
        return BridgeSubscription { [weak self] in
            // Release the observer outside the lock: its deinitializers may use the bridge.
            let removed = self?.state.withLock { $0.lifecycle.removeObserver(id) }
            withExtendedLifetime(removed) {}
        }
    }
}
