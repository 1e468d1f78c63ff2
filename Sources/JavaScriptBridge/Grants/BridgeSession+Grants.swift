internal import BridgeProtocol
internal import Synchronization

extension BridgeSession {
    /// Puts grants into effect.
    func setGrants(_ grants: BridgeGrants) throws(BridgeGrantsError) {
        let tier = configuration.executionLimits.tier
        try changeGrants { old throws(BridgeGrantsError) in old = try grants.validated(for: tier) }
    }

    /// Changes the grants in effect, to others that the tier takes; a change that throws changes nothing.
    ///
    /// The rule that is renewed begins again, also where it is the same.
    @discardableResult
    func changeGrants<Result: Sendable, Failure: Error>(
        renewing renewed: GrantKey? = nil,
        _ change: (inout BridgeGrants) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let tier = configuration.executionLimits.tier
        let now = configuration.clock.now
        return try update { state throws(Failure) in
            var grants = state.grants
            let result = try change(&grants)
            let resolved = grants.resolved(for: tier)
            var name: (pattern: NamePattern, isAllowance: Bool)?
            if case .names(let pattern, let isAllowance) = renewed { name = (pattern, isAllowance) }
            state.machine.setGrants(
                resolved,
                from: state.resolvedGrants,
                renewing: name?.pattern,
                isAllowance: name?.isAllowance,
                now: now
            )
            dataGrants.set(resolved, renewing: renewed, now: now)
            state.grants = grants
            state.resolvedGrants = resolved
            if state.machine.checksGrants { self.checksGrants.store(true, ordering: .releasing) }
            return result
        }
    }

    /// Looks whether a request may come in, before its payload is decoded; the caller of one that may not has been
    /// answered.
    ///
    /// How large the payload is, is asked only where a limit counts it.
    func admits(_ request: inout BridgeMessage.Request, isInTurn: Bool = true, size: () -> Int) -> Bool {
        guard checksGrants.load(ordering: .acquiring) else { return true }
        let bytes = sizeOfRequest(for: request.handlerName, size)
        let asked = request
        let admitted = update(isInTurn: isInTurn) { state -> BridgeMessage.Request? in
            var request = asked
            return state.machine.admit(&request, bytes: bytes) ? request : nil
        }
        guard let admitted else { return false }
        request = admitted
        return true
    }

    /// Looks whether a request may wait for results, at which it is looked again when they are there.
    func admitsWaiting(_ request: BridgeMessage.Request) -> Bool {
        guard checksGrants.load(ordering: .acquiring) else { return true }
        noteTime()
        return update(isInTurn: true) { $0.machine.admitsWaiting(request) }
    }

    /// How large a request is, where a grant limits that; tells the grants the time.
    func sizeOfRequest(for name: String, _ size: () -> Int) -> Int {
        guard checksGrants.load(ordering: .acquiring) else { return 0 }
        let now = configuration.clock.now
        let limitsSize = state.withLock { state in
            state.machine.advance(to: now)
            return state.machine.limitsSize(ofRequestsFor: name)
        }
        return limitsSize ? size() : 0
    }

    /// The same for a message that may be something else than a request.
    func admits(_ message: inout BridgeMessage, size: () -> Int) -> Bool {
        guard checksGrants.load(ordering: .acquiring) else { return true }
        guard case .request(var request) = message else {
            noteTime()
            return true
        }
        guard admits(&request, size: size) else { return false }
        message = .request(request)
        return true
    }

    /// Tells the grants the time, for what comes without a call.
    func noteTime() {
        guard checksGrants.load(ordering: .acquiring) else { return }
        let now = configuration.clock.now
        state.withLock { $0.machine.advance(to: now) }
    }

    /// Ends the work on a notification, which has no reply that would.
    func endNotification(_ request: IncomingRequest) {
        guard request.id == nil, checksGrants.load(ordering: .acquiring) else { return }
        state.withLock { $0.machine.endNotification(request) }
    }

    /// Notes that data or a file was refused, and tells the audit.
    func noteDenial(_ refusal: BridgeDenial.Refusal, of name: String, _ operation: DataOperation?) {
        let now = configuration.clock.now
        update(isInTurn: true) { state in
            state.machine.advance(to: now)
            state.machine.noteDenial(refusal, of: name, operation)
        }
    }

    func audit(_ denial: BridgeDenial) { configuration.denialSink?(denial) }
}
