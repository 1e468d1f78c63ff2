package import BridgeValues

/// The grants for requests of the other side.
///
/// Requests of this side are never restricted, and neither are messages that belong to an admitted call: its
/// cancellation, the credit of its stream.
extension SessionMachine {
    /// A Boolean value that indicates whether requests of the other side are checked, so that the storage must report
    /// the time.
    package var checksGrants: Bool { grants != nil }

    /// The number of times that the grants were replaced.
    package var grantChanges: Int { grants?.changes ?? 0 }

    /// Returns whether each request for a name is admitted until the grants are replaced, without counting it.
    package func admitsFreely(_ name: String) -> Bool {
        nameTooLong(name) == nil && grants?.admitsFreely(name) ?? true
    }

    /// Replaces the grants; calls in progress continue.
    ///
    /// - Parameters:
    ///   - new: The grants, with the limits and the fallback of the tier filled in.
    ///   - old: The grants in effect before; their rules that stay keep their usage.
    ///   - renewed: The pattern whose rules begin again, even if they are unchanged.
    ///   - kind: Whether its allowance or its denial begins again; `nil` means both.
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

    /// Advances the time, for rates and for grants that expire.
    package mutating func advance(to now: Duration) { grants?.advance(to: now) }

    /// Returns whether the size of a request's payload matters: if so it must be passed to ``admit(_:bytes:)`` before
    /// the payload is decoded.
    package func limitsSize(ofRequestsFor name: String) -> Bool { grants?.limitsSize(of: name) ?? false }

    /// Checks whether a request may be received, before its payload is decoded.
    ///
    /// An admitted request is marked, and is not counted again by ``receive(_:from:)``. For a denied one, the caller
    /// has been answered, if it supports errors, and the audit notified.
    ///
    /// - Parameters:
    ///   - request: The request, without its payload.
    ///   - bytes: The size of the payload, if it matters.
    ///   - sender: The epoch in which it arrived, or `nil` for the current one.
    /// - Returns: Whether it is admitted.
    package mutating func admit(
        _ request: inout BridgeMessage.Request,
        bytes: Int = 0,
        from sender: UInt64? = nil
    ) -> Bool {
        // Lost contexts and invalid names are handled where requests are received: a refusal would go to the next
        // context.
        guard grants != nil, request.admission == nil, isCurrent(sender),
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

    /// Checks whether a request may wait for the results to which it refers: whether its name is granted.
    ///
    /// It counts only a denial, which the caller receives as in ``admit(_:bytes:)``; the limits are checked when the
    /// request continues.
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

    /// Returns whether a name may be called now.
    package func isGranted(_ name: String) -> Bool {
        guard case .failure = grants?.decide(name) else { return true }
        return false
    }

    /// Checks whether a message without a caller may be received.
    mutating func admitsNotice(_ name: String) -> Bool {
        guard case .failure(let refusal) = grants?.admit(name, bytes: 0) else { return true }
        counters.droppedMessages += 1
        if note(refusal, of: name) { report(.droppedMessage(refusal.error)) }
        return false
    }

    /// Checks whether a synchronous request may be received, and returns the grant to which it is charged.
    mutating func admitSynchronous(_ name: String, bytes: Int) throws(BridgeError) -> Admission? {
        switch grants?.admit(name, bytes: bytes) {
        case nil: return nil
        case .success(let admission): return admission
        case .failure(let refusal):
            _ = note(refusal, of: name)
            throw refusal.error
        }
    }

    /// Begins the work of an asynchronous handler on a notification, whose number no answer would bound.
    ///
    /// - Returns: Whether it may begin. If not, the limit is reached, and the notification is dropped, counted and
    ///   reported.
    package mutating func beginNotification(_ request: IncomingRequest) -> Bool {
        guard incoming.notificationCount >= limits.maximumNotifications else {
            incoming.notificationCount += 1
            return true
        }
        counters.droppedMessages += 1
        grants?.end(request.admission)
        if counters.droppedMessages.isWorthReporting {
            let text =
                "Too many notifications in progress (limit \(limits.maximumNotifications)): "
                + "\"\(request.handlerName)\" was dropped."
            report(.droppedMessage(BridgeError(.overloaded, text)))
        }
        return false
    }

    /// Records that the work on a notification is done.
    package mutating func finishNotification() { incoming.notificationCount -= 1 }

    /// Ends the work on a notification, which has no answer that would report it.
    package mutating func endNotification(_ request: IncomingRequest) {
        if request.id == nil { grants?.end(request.admission) }
    }

    /// Begins to count denials, also of files where no name and no data is denied.
    package mutating func beginAudit(now: Duration) {
        if grants == nil { grants = GrantTable(now: now) }
    }

    /// Records that data or a file was denied, and notifies the audit; has no effect without grants.
    package mutating func reportDenial(
        _ refusal: BridgeDenial.Refusal,
        of name: String,
        _ operation: DataOperation?
    ) {
        guard let denial = grants?.note(refusal, of: name, operation) else { return }
        actions.append(.audit(denial))
    }

    /// The latest denials, the oldest first.
    package var recentDenials: [BridgeDenial] { grants?.recentDenials ?? [] }

    /// The number of denied requests.
    package var denialCount: Int { grants?.denialCount ?? 0 }

    private mutating func refuse(_ request: BridgeMessage.Request, _ refusal: GrantRefusal) {
        let isNotified = note(refusal, of: request.handlerName)
        noteRefusal(of: request.handlerName, request.callbackID, refusal.error)
        discard(request.payload)
        if let callbackID = request.callbackID, request.accepts.contains(.errors) {
            return sendFailure(refusal.error, to: callbackID, of: request)
        }
        counters.droppedMessages += 1
        if isNotified { report(.droppedMessage(refusal.error)) }
    }

    /// Notifies the audit, within its rate limit; returns whether it was notified.
    private mutating func note(_ refusal: GrantRefusal, of name: String) -> Bool {
        guard let denial = grants?.note(refusal, of: name) else { return false }
        actions.append(.audit(denial))
        return true
    }
}
