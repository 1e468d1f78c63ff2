package import BridgeValues

/// The handler that a name stands for; what runs when it is called is known to the storage alone.
package struct HandlerID: Sendable, Hashable {
    /// A number of the storage's choice.
    package let rawValue: Int

    /// Makes the id of a number.
    package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A call that this side made and that has not ended.
package struct OutgoingCallID: Sendable, Hashable {
    /// The call's place.
    ///
    /// The slot is small and dense, so a storage may keep continuations in an array by it.
    package let key: SlabKey

    /// Makes the id of a place, as a test does that kept the place.
    package init(key: SlabKey) { self.key = key }
}

/// A call of the other side that has not been answered.
package struct IncomingCallID: Sendable, Hashable {
    /// The call's place.
    package let key: SlabKey
    /// The epoch in which the call came; its answer belongs to no other.
    package let epoch: UInt64

    /// Makes the id of a place, as a test does that kept the place.
    package init(key: SlabKey, epoch: UInt64) {
        self.key = key
        self.epoch = epoch
    }
}

/// A stream of the other side that is read here.
package struct InboundStreamID: Sendable, Hashable {
    /// The stream's place; the slot is small and dense.
    package let key: SlabKey

    /// Makes the id of a place, as a test does that kept the place.
    package init(key: SlabKey) { self.key = key }
}

/// A stream that is sent from here.
package struct OutboundStreamID: Sendable, Hashable {
    /// The stream's place; the slot is small and dense.
    package let key: SlabKey

    /// Makes the id of a place, as a test does that kept the place.
    package init(key: SlabKey) { self.key = key }
}

/// What the maker of a call wants back.
package enum ReplyKind: Sendable, Hashable {
    /// Nothing: a notification.
    case none
    /// A result, by the ancestor's callback, which never sees an error (W3).
    case legacy
    /// A result or an error.
    case full
}

/// A request on its way to its handler.
package struct IncomingRequest: Sendable, Hashable {
    /// What to answer, or `nil` for a notification.
    package let id: IncomingCallID?
    /// The name that was called.
    package let handlerName: String
    /// The payload, or `nil` where the request has none.
    package let payload: PayloadToken?
    /// When the caller stops waiting, on this side's clock.
    package let deadline: Duration?
    /// The calls that it belongs to, as its caller said.
    package var trace: BridgeTrace?
    /// The id that its caller gave it.
    package var callbackID: MessageID?
    /// What the work on it counts for.
    package var account: WorkAccount?
    /// Its place among the dispatched requests, for ``SessionMachine/noteBegun(_:)``.
    package let order: UInt64
    /// What its grant counts.
    var admission: Admission?
}

/// What the storage of a session does next, outside its lock.
///
/// Actions are done in the order in which they come. Each payload token that went into the machine comes out
/// in exactly one action.
package enum SessionAction: Sendable, Hashable {
    /// Give a message to the transport.
    case send(BridgeMessage)
    /// Run a handler.
    case dispatch(HandlerID, IncomingRequest)
    /// End a call that was made here. Comes exactly once for each, unless ``opened(_:_:)`` does. Its outcome is
    /// never a stream.
    case settle(OutgoingCallID, CallOutcome)
    /// End a call that was made here: its answer is a stream, which has no credit yet.
    case opened(OutgoingCallID, InboundStreamID)
    /// Tell the maker of a call how far it has come.
    case progress(OutgoingCallID, PayloadToken?)
    /// Stop working on a call: nobody waits for its answer any more, or its caller gave up.
    case abandon(IncomingCallID)
    /// Give an item to the reader of a stream. Items come in their order.
    case deliver(InboundStreamID, PayloadToken?)
    /// End a stream for its reader. Comes exactly once for each.
    indirect case finish(InboundStreamID, BridgeError?)
    /// Send so many more items of a stream.
    case demand(OutboundStreamID, UInt64)
    /// Stop producing a stream: nobody reads it any more.
    case stop(OutboundStreamID)
    /// Continue what asked for a point by ``SessionMachine/notePoint(_:)``: all handlers before it have begun.
    case passed(UInt64)
    /// Tell whoever listens to a topic.
    case event(String, PayloadToken?)
    /// Take back what the other side holds no longer: the payload is a list of `{id, n}`.
    case release(PayloadToken)
    /// Tell the trace that a request was turned down without a handler; its answer, where it gets one, comes next.
    case refused(String, MessageID?, BridgeErrorCode)
    /// Tell the audit that something was denied.
    case audit(BridgeDenial)
    /// Let a payload go that nobody will read.
    case discard(PayloadToken)
    /// Tell the log.
    case report(SessionDiagnostic)
}
