public import BridgeValues

/// A step of a call, or another event of a bridge.
public struct TraceEvent: Sendable, Hashable {
    /// The kind of an event.
    public enum Kind: String, Sendable, Hashable {
        /// A call or a notification was made.
        ///
        /// One of Swift waits for the engine from here on, one of a script for its handler.
        case call
        /// A call arrived: a handler of Swift begins, or a script receives the message.
        case begin
        /// A handler of Swift replied; the reply waits for the engine.
        case reply
        /// The caller received its reply, which may be a stream, or will receive none.
        case end
        /// A handler continues without a caller: the caller cancelled, or its context no longer exists.
        case abandon
        /// A call of a script was refused without a handler: the name is not registered, or a limit was reached.
        case refused
        /// The grants denied a request of a script.
        case denied
        /// An item of a stream, an event of a topic, or the progress of a call.
        case item
        /// A stream ended.
        case finish
        /// Another message of the protocol.
        case control
        /// A line of the log.
        case note
        /// The text of a message that crosses.
        case message
    }

    /// A side of the bridge.
    public enum Side: String, Sendable, Hashable {
        /// The Swift side.
        case swift
        /// The script side.
        case script
    }

    /// The time since tracing was enabled.
    public let time: Duration
    /// The kind of the event.
    public let kind: Kind
    /// The side that made the call, or, for other events, the sender.
    public let origin: Side
    /// The number of the call in this trace, from 1, the same in all its events.
    ///
    /// It is `nil` for other events, and for the arrival of a notification, whose message has no id.
    public var call: UInt64?
    /// The name of the handler or the topic.
    public var handler: String?
    /// The id in the message.
    public var id: String?
    /// The time that the handler took, for `reply`; the time that the call took, waiting included, for `end`.
    public var duration: Duration?
    /// The code of the error, if the call failed.
    public var code: BridgeErrorCode?
    /// The text of a message or of a line.
    public var text: String?
    /// The queue lengths at that moment.
    public var depths: TraceDepths

    init(_ kind: Kind, from origin: Side, at time: Duration, depths: TraceDepths) {
        self.time = time
        self.kind = kind
        self.origin = origin
        self.depths = depths
    }
}

/// The numbers of waiting messages and calls in a bridge.
public struct TraceDepths: Sendable, Hashable {
    /// The number of messages that wait for the engine, or for the other side to be ready.
    public var queue = 0
    /// The number of calls of Swift that wait for their replies.
    public var outgoing = 0
    /// The number of calls of scripts that wait for their replies.
    public var incoming = 0

    /// Creates depths of zero.
    public init() {}
}
