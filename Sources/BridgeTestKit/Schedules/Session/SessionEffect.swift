/// One thing that an end of a session has done outside of itself.
public enum SessionEffect: Sendable, Hashable {
    /// A message for the other end.
    case send(SessionMessage)
    /// A handler runs, by the number that it was registered with; without a reference nobody waits for its answer.
    case dispatch(handler: Int, SessionReference?, name: String, payload: Int?, deadline: Duration?)
    /// A call of this end has ended, not with a stream.
    case settle(SessionReference, SessionResponse, payload: Int?)
    /// A call of this end has ended with a stream, the second.
    case opened(SessionReference, SessionReference)
    /// How far a call of this end has come.
    case progress(SessionReference, payload: Int?)
    /// Nobody waits for the answer to a request any more.
    case abandon(SessionReference)
    /// An item of a stream.
    case deliver(SessionReference, payload: Int?)
    /// A stream that is read here has ended.
    case finish(SessionReference, code: String?)
    /// So many more items of a stream may be sent.
    case demand(SessionReference, UInt64)
    /// Nobody reads a stream any more.
    case stop(SessionReference)
    /// An event.
    case event(String, payload: Int?)
    /// A payload that nobody will read.
    case discard(payload: Int)
}

/// What an end of a session has in hand, and what it has counted.
public struct SessionCensus: Sendable, Hashable {
    /// Calls of this end that wait.
    public var pendingCalls = 0
    /// Requests of the other end that wait for their answer.
    public var requests = 0
    /// Streams that are read here.
    public var readStreams = 0
    /// Streams that are sent from here.
    public var sentStreams = 0
    /// Cancellations that are remembered for calls that have not come.
    public var earlyCancellations = 0
    /// When the next deadline is.
    public var nextDeadline: Duration?
    /// Responses that settled nothing.
    public var ignoredResponses = 0
    /// Messages of contexts that are gone.
    public var lostMessages = 0
    /// Messages that were neither dispatched nor answered.
    public var droppedMessages = 0
    /// Answers of handlers that nobody waited for.
    public var ignoredReplies = 0
    /// Errors that were not sent, as their callers take none.
    public var suppressedErrors = 0
    /// Cancellations of calls that are not in progress.
    public var lateCancellations = 0
    /// Items, ends, credits and stops of streams that are not there.
    public var unknownStreams = 0

    /// Makes a census of nothing.
    public init() {}
}

/// One end of a session, as the explorer drives it.
///
/// The explorer gives inputs, and does the effects in their order when the schedule says so; between any two effects it
/// may give more inputs.
public protocol SessionUnderTest {
    /// Takes an input.
    mutating func take(_ input: SessionInput) -> SessionAnswer

    /// Takes the next effect out, first first; `nil` if there is none.
    mutating func nextEffect() -> SessionEffect?

    /// Notes that the effect that was taken last is done, with all that a schedule put into its middle.
    ///
    /// Only who keeps an effect until it is done needs to know.
    mutating func endEffect()

    /// What it has in hand.
    var census: SessionCensus { get }

    /// How many messages wait for the other end to be there.
    var queuedMessageCount: Int { get }
}

/// What an end of a session is made with.
public struct SessionSettings: Sendable, Hashable {
    /// How ids are written.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// A counter behind fixed letters.
        case plain
        /// That, an epoch, and 64 random bits.
        case extended
        /// Numbers that no message can carry from outside.
        case inProcess
    }

    /// How ids are written.
    public var form = Form.extended
    /// Whether the other end is known to know extensions from the beginning.
    public var peerIsExtended = false
    /// How many calls may wait, and how many requests may be in progress.
    public var maximumPendingCalls = 12
    /// How many messages may wait for the other end to be there.
    public var maximumQueuedMessages = 10
    /// How many streams may go on, each way.
    public var maximumStreams = 4
    /// How many notifications may be worked on.
    public var maximumNotifications = 2
    /// How many topics the other end may listen to.
    public var maximumTopics = 3
    /// How long a name may be.
    public var maximumNameBytes = 16
    /// What its random bits come from.
    public var seed: UInt64 = 0

    /// Makes the settings of a small session, whose limits a schedule soon reaches.
    public init() {}
}
