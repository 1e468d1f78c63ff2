internal import BridgeProtocol
internal import Synchronization

extension BridgeSession {
    /// Puts grants into effect.
    func setGrants(_ grants: BridgeGrants) throws(BridgeGrantsError) {
        let tier = configuration.executionLimits.tier
        try changeGrants { old throws(BridgeGrantsError) in old = try grants.validated(for: tier) }
    }

    /// Changes the grants in effect; a change that throws, for example because it weakens the tier, has no effect.
    ///
    /// The renewed rule starts again, even if it is unchanged.
    @discardableResult
    func changeGrants<Result: Sendable, Failure: Error>(
        renewing renewed: GrantKey? = nil,
        _ change: (inout BridgeGrants) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let tier = configuration.executionLimits.tier
        let now = configuration.clock.now
        return try update { state throws(Failure) in
            var grants = state.grants.given
            let result = try change(&grants)
            let resolved = grants.resolved(for: tier)
            var name: (pattern: NamePattern, isAllowance: Bool)?
            if case .names(let pattern, let isAllowance) = renewed { name = (pattern, isAllowance) }
            state.machine.setGrants(
                resolved,
                from: state.grants.resolved,
                renewing: name?.pattern,
                isAllowance: name?.isAllowance,
                now: now
            )
            changes.grants.store(state.machine.grantChanges, ordering: .releasing)
            dataGrants.set(resolved, renewing: renewed, now: now)
            state.grants = (grants, resolved)
            return result
        }
    }

    /// Returns whether the grants admit a request, before its payload is decoded; a denied request has been answered.
    ///
    /// The size of the payload is computed only if a limit counts it.
    func admits(
        _ request: inout BridgeMessage.Request,
        from sender: UInt64? = nil,
        isInTurn: Bool = true,
        size: () -> Int
    ) -> Bool {
        guard mask.contains(anyOf: .grants) else { return true }
        let bytes = sizeOfRequest(for: request.handlerName, size)
        let asked = request
        let admitted = update(isInTurn: isInTurn) { state -> BridgeMessage.Request? in
            var request = asked
            return state.machine.admit(&request, bytes: bytes, from: sender) ? request : nil
        }
        guard let admitted else { return false }
        request = admitted
        return true
    }

    /// Returns whether a request may wait for results; it is checked again when they have arrived.
    func admitsWaiting(_ request: BridgeMessage.Request) -> Bool {
        guard mask.contains(anyOf: .grants) else { return true }
        noteTime()
        return update(isInTurn: true) { $0.machine.admitsWaiting(request) }
    }

    /// Returns the size of a request if a grant limits it, otherwise 0; advances the time of the grants.
    func sizeOfRequest(for name: String, _ size: () -> Int) -> Int {
        guard mask.contains(anyOf: .grants) else { return 0 }
        let now = configuration.clock.now
        let limitsSize = state.withLock { state in
            state.machine.advance(to: now)
            return state.machine.limitsSize(ofRequestsFor: name)
        }
        return limitsSize ? size() : 0
    }

    /// Returns the same for a message that may be something other than a request.
    func admits(_ message: inout BridgeMessage, size: () -> Int) -> Bool {
        guard mask.contains(anyOf: .grants) else { return true }
        guard case .request(var request) = message else {
            noteTime()
            return true
        }
        guard admits(&request, size: size) else { return false }
        message = .request(request)
        return true
    }

    /// Advances the time of the grants, for events without a call.
    func noteTime() {
        guard mask.contains(anyOf: .grants) else { return }
        let now = configuration.clock.now
        state.withLock { $0.machine.advance(to: now) }
    }

    /// Ends the work on a notification, which has no reply that would end it.
    func endNotification(_ request: IncomingRequest) {
        guard request.id == nil, mask.contains(anyOf: .grants) else { return }
        state.withLock { $0.machine.endNotification(request) }
    }

    /// Records that data or a file was denied, and notifies the audit.
    ///
    /// - Parameters:
    ///   - refusal: The reason.
    ///   - name: The name of the data or file.
    ///   - operation: The denied operation on data.
    ///   - beginsAudit: Whether it is recorded also where all names and data are granted.
    func reportDenial(
        _ refusal: BridgeDenial.Refusal,
        of name: String,
        _ operation: DataOperation?,
        beginsAudit: Bool = false
    ) {
        let now = configuration.clock.now
        update(isInTurn: true) { state in
            if beginsAudit { state.machine.beginAudit(now: now) }
            state.machine.advance(to: now)
            state.machine.reportDenial(refusal, of: name, operation)
        }
    }

    func audit(_ denial: BridgeDenial) { configuration.denialSink?(denial) }
}
