package import BridgeValues

/// What the other side may ask of this one.
///
/// What this side asks is never restricted, and neither is what belongs to a call that was let in: its cancellation,
/// the credit of its stream.
extension SessionMachine {
    /// Whether requests of the other side are looked at, so that the storage must tell the time.
    package var checksGrants: Bool { grants != nil }

    /// Puts other grants into effect; what is in progress goes on.
    ///
    /// - Parameters:
    ///   - new: The grants, with the limits and the fallback of the tier filled in.
    ///   - old: Those that were in effect; their rules that stay go on with what is used of them.
    ///   - renewed: The pattern whose rules begin again, also where they are the same.
    ///   - kind: Whether its allowance begins again or its denial; `nil` means both.
    ///   - now: The time on the storage's clock.
    package mutating func setGrants(
        _ new: BridgeGrants,
        from old: BridgeGrants? = nil,
        renewing renewed: NamePattern? = nil,
        isAllowance kind: Bool? = nil,
        now: Duration
    ) {
        let hasRules = !new.rules.isEmpty || !new.dataRules.isEmpty || !new.fileRules.isEmpty
        guard grants != nil || new.fallback == .deny || hasRules else { return }
        var table = grants ?? GrantTable(now: now)
        table.advance(to: now)
        table.set(new, from: old, renewing: renewed, isAllowance: kind)
        grants = table
    }

    /// Tells the time, for rates and for grants that end.
    package mutating func advance(to now: Duration) { grants?.advance(to: now) }

    /// Whether the size of a request's payload matters: if so it must be told before the payload is decoded.
    package func limitsSize(ofRequestsFor name: String) -> Bool { grants?.limitsSize(of: name) ?? false }

    /// Looks whether a request may come in, before its payload is decoded.
    ///
    /// One that may is marked, and is not counted again by ``receive(_:from:)``. Of one that may not, the caller has been
    /// answered, if it takes errors, and the audit told.
    ///
    /// - Parameters:
    ///   - request: The request, without its payload.
    ///   - bytes: The size of the payload, where it matters.
    /// - Returns: Whether it may come in.
    package mutating func admit(_ request: inout BridgeMessage.Request, bytes: Int = 0) -> Bool {
        // A context that is gone and a name that is no name are dealt with where requests are received: a refusal would go to
        // the next context.
        guard grants != nil, request.admission == nil, isCurrent(nil),
            nameTooLong(request.handlerName) == nil
        else { return true }
        switch grants?.admit(request.handlerName, bytes: bytes) {
        case nil: return true
        case .success(let admission):
            request.admission = admission
            return true
        case .failure(let refusal):
            refuse(request, refusal)
            return false
        }
    }

    /// Looks whether a request may wait for the results that it refers to: whether its name may be asked for.
    ///
    /// Nothing is counted but a denial, of which the caller has been told as in ``admit(_:bytes:)``; its limits are looked at
    /// when it goes on.
    ///
    /// - Parameter request: The request, without its payload.
    /// - Returns: Whether it may wait.
    package mutating func admitsWaiting(_ request: BridgeMessage.Request) -> Bool {
        guard isCurrent(nil), nameTooLong(request.handlerName) == nil,
            case .failure(let refusal) = grants?.decide(request.handlerName)
        else { return true }
        refuse(request, refusal)
        return false
    }

    /// Whether a name may be asked for now.
    package func isGranted(_ name: String) -> Bool {
        guard case .failure = grants?.decide(name) else { return true }
        return false
    }

    /// Looks whether something that has no caller may come in.
    mutating func admitsNotice(_ name: String) -> Bool {
        guard case .failure(let refusal) = grants?.admit(name, bytes: 0) else { return true }
        counters.droppedMessages += 1
        if note(refusal, of: name) { report(.droppedMessage(refusal.error)) }
        return false
    }

    /// Looks whether a synchronous request may come in, and gives what its grant counts.
    mutating func admitSynchronous(_ name: String, bytes: Int) throws(BridgeError) -> Admission? {
        switch grants?.admit(name, bytes: bytes) {
        case nil: return nil
        case .success(let admission): return admission
        case .failure(let refusal):
            _ = note(refusal, of: name)
            throw refusal.error
        }
    }

    /// Begins the work of a handler that may wait on a notification, which has no answer that would bound how many there are.
    ///
    /// - Returns: Whether it may. If not, too many are under way, and the notification is dropped, counted and reported.
    package mutating func beginNotification(_ request: IncomingRequest) -> Bool {
        guard runningNotifications >= limits.maximumNotifications else {
            runningNotifications += 1
            return true
        }
        counters.droppedMessages += 1
        grants?.end(request.admission)
        if counters.droppedMessages.isWorthReporting {
            let text =
                "\(limits.maximumNotifications) notifications may be worked on, so many are: \"\(request.handlerName)\" is not."
            report(.droppedMessage(BridgeError(.overloaded, text)))
        }
        return false
    }

    /// Notes that the work on a notification is done.
    package mutating func finishNotification() { runningNotifications -= 1 }

    /// Whether work on notifications of an epoch still goes on.
    package func wantsWork(of epoch: UInt64) -> Bool {
        self.epoch == epoch && state != .closed && state != .retired
    }

    /// Ends the work on a notification, which has no answer that would tell.
    package mutating func endNotification(_ request: IncomingRequest) {
        if request.id == nil { grants?.end(request.admission) }
    }

    /// Notes that data or a file was refused, and tells the audit; nothing where there are no grants.
    package mutating func noteDenial(
        _ refusal: BridgeDenial.Refusal,
        of name: String,
        _ operation: DataOperation?
    ) {
        guard let denial = grants?.note(refusal, of: name, operation) else { return }
        actions.append(.audit(denial))
    }

    /// The latest denials, the oldest first.
    package var recentDenials: [BridgeDenial] { grants?.recentDenials ?? [] }

    /// How many requests were denied.
    package var denialCount: Int { grants?.denialCount ?? 0 }

    private mutating func refuse(_ request: BridgeMessage.Request, _ refusal: GrantRefusal) {
        let isTold = note(refusal, of: request.handlerName)
        noteRefusal(of: request.handlerName, request.callbackID, refusal.error)
        discard(request.payload)
        if let callbackID = request.callbackID, request.accepts.contains(.errors) {
            let response = BridgeMessage.Response(responseID: callbackID, outcome: .failure(refusal.error))
            return send(.response(response))
        }
        counters.droppedMessages += 1
        if isTold { report(.droppedMessage(refusal.error)) }
    }

    /// Tells the audit, unless it is told too much; gives whether it was.
    private mutating func note(_ refusal: GrantRefusal, of name: String) -> Bool {
        guard let denial = grants?.note(refusal, of: name) else { return false }
        actions.append(.audit(denial))
        return true
    }
}
