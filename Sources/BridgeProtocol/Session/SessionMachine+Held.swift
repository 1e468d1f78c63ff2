package import BridgeValues

/// Calls that somebody here has in hand before they are sent, or instead of that.
///
/// Such a call has a deadline, counts, and is ended by everything that ends calls; the other side knows nothing of it. The
/// requests that are made for it are calls of their own, and parts of it where calls are counted.
extension SessionMachine {
    /// Takes a call up without sending anything.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - isNotification: Whether nobody waits for it. Then it does not count as a call that waits.
    ///   - deadline: When to give up.
    ///   - account: What the work on it counts for.
    /// - Returns: The call, for ``settle(_:with:)``.
    /// - Throws: As ``call(_:payload:reply:accepting:deadline:trace:keepsResult:account:isPart:)``, and `overloaded` where
    ///   ``BridgeLimits/maximumQueuedMessages`` notifications are in hand.
    package mutating func hold(
        _ name: String,
        isNotification: Bool = false,
        deadline: Duration? = nil,
        account: WorkAccount? = nil
    ) throws(BridgeError) -> OutgoingCallID {
        try checkRoom(name: name, reply: isNotification ? .none : .full)
        if isNotification, heldNotifications >= limits.maximumQueuedMessages {
            let text =
                "\(limits.maximumQueuedMessages) notifications may wait for their interceptors, so many do."
            throw BridgeError(.overloaded, text)
        }
        lastNumber += 1
        let call = OutgoingCall(
            number: lastNumber,
            handlerName: name,
            accepts: [],
            isSent: false,
            account: account,
            role: isNotification ? .heldNotification : .held,
            isOrdered: false
        )
        return add(call, deadline)
    }

    /// Whether a call has not ended.
    package func isPending(_ call: OutgoingCallID) -> Bool { outgoing[call.key] != nil }

    /// Ends a call that is in hand with what has come of it.
    ///
    /// On one that has ended nothing changes.
    package mutating func settle(_ call: OutgoingCallID, with outcome: CallOutcome) {
        guard removeOutgoing(call) != nil else { return discard(outcome.payload) }
        actions.append(.settle(call, outcome))
    }

    /// The calls that are in hand.
    var heldCalls: [OutgoingCallID] {
        outgoing.keys.filter { outgoing[$0]?.isHeld == true }.map { OutgoingCallID(key: $0) }
    }
}

extension SessionMachine.OutgoingCall {
    /// Whether it is in hand, and nothing of it was sent.
    var isHeld: Bool {
        switch role {
        case .held, .heldNotification: true
        case .call, .part: false
        }
    }
}
