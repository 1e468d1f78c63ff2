package import BridgeValues

/// Calls that interceptors process before they are sent, or without sending them.
///
/// Such a call has a deadline, counts as a call, and is ended by all events that end calls; the other side does not
/// know it. The requests that are made for it are separate calls, which count as parts of it.
extension SessionMachine {
    /// Registers an intercepted call without sending anything.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - isNotification: Whether it is a notification. Then it does not count as a pending call.
    ///   - deadline: The deadline.
    ///   - account: The budget for the work on it.
    /// - Returns: The call, for ``settle(_:with:)``.
    /// - Throws: The errors of ``call(_:payload:reply:accepting:deadline:trace:keepsResult:account:isPart:)``, and
    ///   `overloaded` if ``BridgeLimits/maximumQueuedMessages`` notifications are pending in interceptors.
    package mutating func hold(
        _ name: String,
        isNotification: Bool = false,
        deadline: Duration? = nil,
        account: WorkBudget? = nil
    ) throws(BridgeError) -> OutgoingCallID {
        try checkRoom(name: name, reply: isNotification ? .none : .full)
        if isNotification, heldNotifications >= limits.maximumQueuedMessages {
            let text =
                "Too many notifications pending in interceptors (limit \(limits.maximumQueuedMessages))."
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

    /// Returns whether a call has not ended.
    package func isPending(_ call: OutgoingCallID) -> Bool { outgoing[call.key] != nil }

    /// Settles an intercepted call with its outcome.
    ///
    /// A call that has ended does not change.
    package mutating func settle(_ call: OutgoingCallID, with outcome: CallOutcome) {
        guard removeOutgoing(call) != nil else { return discard(outcome.payload) }
        actions.append(.settle(call, outcome))
    }

    /// The intercepted calls.
    var heldCalls: [OutgoingCallID] {
        outgoing.keys.filter { outgoing[$0]?.isHeld == true }.map { OutgoingCallID(key: $0) }
    }
}

extension SessionMachine.OutgoingCall {
    /// A Boolean value that indicates whether it is an intercepted call, of which nothing was sent.
    var isHeld: Bool {
        switch role {
        case .held, .heldNotification: true
        case .call, .part: false
        }
    }
}
