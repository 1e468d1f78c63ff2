package import BridgeValues

/// The id of a handler; only the storage knows the handler itself.
package struct HandlerID: Sendable, Hashable {
    /// A number chosen by the storage.
    package let rawValue: Int

    /// Creates the id with a number.
    package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// The id of a call that this side made and that has not ended.
package struct OutgoingCallID: Sendable, Hashable {
    /// The key of the call.
    ///
    /// The slot is small and dense, so a storage may keep continuations in an array by it.
    package let key: SlabKey

    /// Creates the id with a key, for tests that stored the key.
    package init(key: SlabKey) { self.key = key }
}

/// The id of a call of the other side that has not been answered.
package struct IncomingCallID: Sendable, Hashable {
    /// The key of the call.
    package let key: SlabKey
    /// The epoch in which the call arrived; its answer is valid in no other.
    package let epoch: UInt64

    /// Creates the id with a key, for tests that stored the key.
    package init(key: SlabKey, epoch: UInt64) {
        self.key = key
        self.epoch = epoch
    }
}

/// The id of a stream of the other side that is read here.
package struct InboundStreamID: Sendable, Hashable {
    /// The key of the stream; the slot is small and dense.
    package let key: SlabKey

    /// Creates the id with a key, for tests that stored the key.
    package init(key: SlabKey) { self.key = key }
}

/// The id of a stream that is sent from here.
package struct OutboundStreamID: Sendable, Hashable {
    /// The key of the stream; the slot is small and dense.
    package let key: SlabKey

    /// Creates the id with a key, for tests that stored the key.
    package init(key: SlabKey) { self.key = key }
}

/// The kind of reply that the caller expects.
package enum ReplyKind: Sendable, Hashable {
    /// No reply: a notification.
    case none
    /// A result, for a callback of the legacy API, which never receives an error (W3).
    case legacy
    /// A result or an error.
    case full
}

/// A request on its way to its handler.
package struct IncomingRequest: Sendable, Hashable {
    /// The call to answer, or `nil` for a notification.
    package let id: IncomingCallID?
    /// The name that was called.
    package let handlerName: String
    /// The payload, or `nil` if the request has none.
    package let payload: PayloadToken?
    /// The time at which the caller stops waiting, on this side's clock.
    package let deadline: Duration?
    /// The trace that it belongs to, as its caller sent it.
    package var trace: BridgeTrace?
    /// The id that its caller gave it.
    package var callbackID: MessageID?
    /// The budget for the work on it.
    package var account: WorkBudget?
    /// Its number among the dispatched requests, for ``SessionMachine/noteBegun(_:)``.
    package let order: UInt64
    /// The grant to which it is charged.
    var admission: Admission?
}

/// The next action for the storage of a session, executed outside its lock.
///
/// Actions are executed in their order. Each payload token that went into the machine comes out in exactly one action.
package enum SessionAction: Sendable, Hashable {
    /// Pass a message to the transport.
    case send(BridgeMessage)
    /// Run a handler.
    case dispatch(HandlerID, IncomingRequest)
    /// End a call that was made here.
    ///
    /// Each call ends with exactly one of this and ``opened(_:_:)``. The outcome is never a stream.
    case settle(OutgoingCallID, CallOutcome)
    /// End a call that was made here: its answer is a stream, which has no credit yet.
    case opened(OutgoingCallID, InboundStreamID)
    /// Report progress to the caller of a call.
    case progress(OutgoingCallID, PayloadToken?)
    /// Cancel the work on a call: its answer is not needed any more, or its caller gave up.
    case abandon(IncomingCallID)
    /// Deliver an item to the reader of a stream, in order.
    case deliver(InboundStreamID, PayloadToken?)
    /// End a stream for its reader, exactly once for each stream.
    indirect case finish(InboundStreamID, BridgeError?)
    /// Send this many more items of a stream.
    case demand(OutboundStreamID, UInt64)
    /// Cancel the production of a stream, because it is not read any more.
    case stop(OutboundStreamID)
    /// Resume the task that requested a point by ``SessionMachine/notePoint(_:)``: all handlers before it have begun.
    case passed(UInt64)
    /// Notify the listeners of a topic; the number is for ``SessionMachine/noteBegun(_:)``, once they were called.
    case event(String, PayloadToken?, order: UInt64)
    /// Release the references that the other side no longer holds: the payload is an array of `{id, n}`.
    case release(PayloadToken)
    /// Record in the trace that a request was refused without a handler; its answer, if it gets one, follows.
    case refused(String, MessageID?, BridgeErrorCode)
    /// Notify the audit of a denial.
    case audit(BridgeDenial)
    /// Release a payload that will not be read.
    case discard(PayloadToken)
    /// Write to the log.
    case report(SessionDiagnostic)
}
