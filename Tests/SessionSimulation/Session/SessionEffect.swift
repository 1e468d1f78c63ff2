/// An external effect of an end of a session.
public enum SessionEffect: Sendable, Hashable {
    /// A message for the other end.
    case send(SessionMessage)
    /// A handler runs, by the number of its registration; without a reference no reply is expected.
    case dispatch(handler: Int, SessionReference?, name: String, payload: Int?, deadline: Duration?)
    /// A call of this end has ended, without a stream.
    case settle(SessionReference, SessionResponse, payload: Int?)
    /// A call of this end has ended with a stream, which is the second reference.
    case opened(SessionReference, SessionReference)
    /// The progress of a call of this end.
    case progress(SessionReference, payload: Int?)
    /// The caller of a request no longer waits for the reply.
    case abandon(SessionReference)
    /// An item of a stream.
    case deliver(SessionReference, payload: Int?)
    /// A stream with a reader here has ended.
    case finish(SessionReference, code: String?)
    /// A number of additional items may be sent in a stream.
    case demand(SessionReference, UInt64)
    /// The reader of a stream has cancelled it.
    case stop(SessionReference)
    /// An event.
    case event(String, payload: Int?)
    /// A denial is reported to the audit.
    case audit(SessionDenial)
    /// Requests no longer wait for results, in the order of their arrival, each by its payload.
    case proceed([SessionContinuation])
    /// A payload without a reader is discarded.
    case discard(payload: Int)
}

/// A denial for the audit.
public struct SessionDenial: Sendable, Hashable {
    /// The denied name.
    public let name: String
    /// The reason.
    public let reason: String
    /// The time.
    public let time: Duration
    /// The number of denials before it that were not reported.
    public let omitted: Int

    /// Creates a denial.
    public init(_ name: String, _ reason: String, at time: Duration, omitted: Int = 0) {
        self.name = name
        self.reason = reason
        self.time = time
        self.omitted = omitted
    }
}

/// A request that no longer waits for results.
public struct SessionContinuation: Sendable, Hashable {
    /// The payload of the request.
    public let payload: Int
    /// The results, or the failure.
    public let readiness: SessionReadiness

    /// Creates a continuation.
    public init(_ payload: Int, _ readiness: SessionReadiness) {
        self.payload = payload
        self.readiness = readiness
    }
}

/// The pending work and the counters of an end of a session.
public struct SessionStatistics: Sendable, Hashable {
    /// The number of pending calls of this end.
    public var pendingCalls = 0
    /// The number of requests of the other end without a reply.
    public var requests = 0
    /// The number of streams with a reader here.
    public var readStreams = 0
    /// The number of streams with a sender here.
    public var sentStreams = 0
    /// The number of remembered cancellations for calls that have not arrived.
    public var earlyCancellations = 0
    /// The next deadline.
    public var nextDeadline: Duration?
    /// The number of responses that settled nothing.
    public var ignoredResponses = 0
    /// The number of messages of lost contexts.
    public var lostMessages = 0
    /// The number of messages that were neither dispatched nor replied to.
    public var droppedMessages = 0
    /// The number of handlers' replies without a waiting caller.
    public var ignoredReplies = 0
    /// The number of errors that were not sent, because their callers do not support errors.
    public var suppressedErrors = 0
    /// The number of cancellations of calls that are not in progress.
    public var lateCancellations = 0
    /// The number of items, ends, credits and cancellations of unknown streams.
    public var unknownStreams = 0
    /// The number of denials, of requests, data and files.
    public var denials = 0

    /// Creates counters of zero.
    public init() {}
}

/// An end of a session that the explorer drives.
///
/// The explorer passes inputs, and performs the effects in order when the schedule says so. Between any two effects it
/// may pass more inputs.
public protocol SessionUnderTest {
    /// Handles an input.
    mutating func take(_ input: SessionInput) -> SessionAnswer

    /// Removes and returns the next effect, in order; `nil` if there is none.
    mutating func nextEffect() -> SessionEffect?

    /// Records that the last effect was performed, including nested events.
    ///
    /// Only a session that keeps an effect until it is performed needs this.
    mutating func endEffect()

    /// The pending work and the counters.
    var statistics: SessionStatistics { get }

    /// The number of messages that wait for the other end to be ready.
    var queuedMessageCount: Int { get }
}

/// The settings of an end of a session.
public struct SessionSettings: Sendable, Hashable {
    /// A form of ids.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// A counter after a fixed prefix.
        case plain
        /// The plain form with an epoch, and 64 random bits.
        case extended
        /// Numbers that no message from outside can contain.
        case inProcess
    }

    /// The form of ids.
    public var form = Form.extended
    /// A Boolean value that indicates whether the other end is known to support extensions from the start.
    public var peerIsExtended = false
    /// The maximum number of pending calls, and of requests in progress.
    public var maximumPendingCalls = 12
    /// The maximum number of messages that wait for the other end to be ready.
    public var maximumQueuedMessages = 10
    /// The maximum number of open streams, in each direction.
    public var maximumStreams = 4
    /// The maximum number of retained results.
    public var maximumResults = 6
    /// The maximum number of requests that wait for results.
    public var maximumWaitingRequests = 3
    /// The maximum number of results to which one request may refer.
    public var maximumFanOut = 3
    /// The maximum number of notifications in progress.
    public var maximumNotifications = 2
    /// The maximum number of topics that the other end may listen to.
    public var maximumTopics = 3
    /// The maximum length of a name in UTF-8.
    public var maximumNameBytes = 16
    /// The seed of its random bits.
    public var seed: UInt64 = 0

    /// Creates the settings of a small session, whose limits a schedule soon reaches.
    public init() {}
}
