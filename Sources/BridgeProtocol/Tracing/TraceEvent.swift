public import BridgeValues

/// One step of a call, or something else that a bridge did.
public struct TraceEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable {
        /// A call or a notification was made. One of Swift's waits for the engine from here on, one of a script's for
        /// its handler.
        case call
        /// It has arrived: a handler of Swift begins, or a script gets the message.
        case begin
        /// A handler of Swift has answered; the answer waits for the engine.
        case reply
        /// The caller has its answer, a stream included, or will get none.
        case end
        /// A handler's work goes on for nobody: its caller gave up, or the context is gone.
        case abandon
        /// A call of a script was answered without a handler: no such name, a limit.
        case refused
        /// The grants denied something to a script.
        case denied
        /// An item of a stream, an event of a topic, or news of a call.
        case item
        /// A stream has ended.
        case finish
        /// What the sides tell each other besides.
        case control
        /// A line for the log.
        case note
        /// The text of a message that crosses.
        case message
    }

    /// A side of the bridge.
    public enum Side: String, Sendable, Hashable {
        /// Swift's.
        case swift
        /// The scripts'.
        case script
    }

    /// When, since tracing was switched on.
    public let time: Duration
    /// What happened.
    public let kind: Kind
    /// Who made the call; for what is no call, who sent it.
    public let origin: Side
    /// The number of the call in this trace, from 1, the same in all its events; `nil` for what is none, and for the
    /// arrival of a notification, which carries nothing to know it by.
    public var call: UInt64?
    /// The handler's name, or the topic's.
    public var handler: String?
    /// The id that the message carries.
    public var id: String?
    /// For `reply` how long the handler took; for `end` how long the call took, waiting included.
    public var duration: Duration?
    /// Why a call failed; `nil` where it did not.
    public var code: BridgeErrorCode?
    /// The text of a message or of a line.
    public var text: String?
    /// How much waited at that moment.
    public var depths: TraceDepths

    init(_ kind: Kind, from origin: Side, at time: Duration, depths: TraceDepths) {
        self.time = time
        self.kind = kind
        self.origin = origin
        self.depths = depths
    }
}

/// How much waits in a bridge.
public struct TraceDepths: Sendable, Hashable {
    /// Messages that wait for the engine or for the other side to be there.
    public var queue = 0
    /// Calls of Swift that wait for their answer.
    public var outgoing = 0
    /// Calls of scripts that wait for theirs.
    public var incoming = 0

    /// Makes depths of nothing.
    public init() {}
}
