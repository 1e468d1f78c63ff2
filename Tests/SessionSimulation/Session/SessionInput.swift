/// A reference to a call, a request in progress or a stream of one end of a session.
public struct SessionReference: Sendable, Hashable, CustomStringConvertible {
    /// The number that identifies it among all of its kind.
    public let number: UInt64
    /// The epoch that it belongs to, where that matters.
    public let epoch: UInt64

    /// Creates a reference.
    public init(_ number: UInt64, epoch: UInt64 = 0) {
        self.number = number
        self.epoch = epoch
    }

    /// The number, and the epoch if it is not the first.
    public var description: String { epoch == 0 ? "\(number)" : "\(number) of epoch \(epoch)" }
}

/// An input of an end of a session.
///
/// Payloads are numbers that are unique among inputs.
public enum SessionInput: Sendable, Hashable {
    /// The other end was injected, but has not sent anything.
    case injected
    /// The other end is ready.
    ///
    /// The result is `epoch`.
    case peerReady
    /// A message of the other end had extensions.
    case peerShowedExtensions
    /// A call of a handler of the other end.
    ///
    /// The result is `began`, `done` if no reply is expected, or `refused`.
    case call(SessionCall)
    /// The begin of a fast-path call, which the transport delivers itself and which receives its reply before anything
    /// else happens.
    ///
    /// The result is `handed`, `done` if the other end is not ready, or `refused`.
    case beginInline(String)
    /// The registration of a fast-path call without a reply yet, which waits for a result or an error.
    ///
    /// The result is `began`.
    case takeUp(SessionIdentifier, String, deadline: Duration?, account: Int?)
    /// A check whether requests for a name may use the fast path, because no grant counts them.
    ///
    /// The result is `taken`.
    case admitsFreely(String, now: Duration)
    /// The registration of a request on the fast path that arrived in an epoch, and whose handler will reply later.
    ///
    /// The result is `began`, or `done` if its context no longer exists.
    case adopt(SessionMessage, epoch: UInt64)
    /// The result of a request on the fast path, behind messages that are still to be sent.
    case answerInline(SessionMessage, payload: Int)
    /// The failure with this code of a request on the fast path, whose handler ran immediately.
    case failInline(SessionMessage, code: String)
    /// The reply to a request on the fast path whose context no longer exists.
    case endInline(SessionMessage)
    /// A check whether items of a stream may use the fast path.
    ///
    /// The result is `stream`, or `done` if they may not.
    case openItems(SessionIdentifier)
    /// A number of items of a stream on the fast path, in order and within its credit.
    ///
    /// The result is `taken`: whether the stream has a reader.
    case countItems(SessionReference, UInt64)
    /// The removal of a request's handler before its turn: the request's reference, if it has one, and its payload.
    case refuseDispatched(SessionReference?, payload: Int)
    /// The end of a dispatched request whose handler will not run, and whose reply is not awaited: its reference, if it
    /// has one, and its payload.
    case drop(SessionReference?, payload: Int)
    /// The end of all work of an operation, with an error of this code.
    case endWork(Int, code: String)
    /// The end of all streams, with an error of this code, because the scripts that used them were stopped.
    case failStreams(code: String)
    /// The refusal of a stream whose response could not be read.
    case refuseStream(SessionIdentifier)
    /// The begin of an intercepted call, for which nothing is sent yet.
    ///
    /// The result is `began`, or `refused`.
    case hold(String, isNotification: Bool, deadline: Duration?, account: Int?)
    /// The end of an intercepted call; for an ended call nothing changes.
    case settle(SessionReference, SessionResponse, payload: Int?)
    /// The cancellation of a call.
    ///
    /// The result is `taken`.
    case cancel(SessionReference)
    /// The advance of the time to a moment.
    case expire(now: Duration)
    /// A message from the transport of an epoch; `nil` if the transport does not know it.
    ///
    /// The size is that of its payload.
    case receive(SessionMessage, epoch: UInt64?, size: Int, now: Duration)
    /// A request that cannot be performed, and fails with this code.
    case refuse(SessionMessage, code: String, epoch: UInt64?)
    /// A synchronous request of the other end, which does nothing else before the reply.
    ///
    /// The result is `running`, or `refused`.
    case beginSynchronous(String, size: Int, now: Duration)
    /// The end of a synchronous request.
    ///
    /// The result is `taken`: whether its caller still waits.
    case endSynchronous(SessionReference)
    /// A handler's reply.
    ///
    /// The result is `taken`.
    case reply(SessionReference, SessionResponse, payload: Int?)
    /// A deadline for the reply to a request.
    case answer(SessionReference, by: Duration)
    /// The begin of a dispatched request's handler, or the certainty that it never begins; the payload identifies the
    /// request.
    case begin(payload: Int)
    /// The begin of asynchronous work for a notification; the payload identifies it.
    ///
    /// The result is `taken`: whether the work may begin.
    case beginNotification(payload: Int)
    /// The end of a notification's handler; the payload identifies it.
    case endNotification(payload: Int)
    /// A handler's reply with a stream.
    ///
    /// The result is `began`, `done` if its caller no longer waits, or `refused`.
    case openStream(replyingTo: SessionReference)
    /// An item of a stream to send.
    ///
    /// The result is `taken`.
    case sendItem(SessionReference, payload: Int)
    /// The end of a stream, with or without an error.
    case endStream(SessionReference, code: String?)
    /// The credit of additional items for the sender of a stream.
    case grant(SessionReference, credit: UInt64)
    /// The cancellation of a stream by its reader.
    ///
    /// The result is `taken`.
    case stop(SessionReference)
    /// A subscription to a topic.
    case subscribe(String)
    /// The end of a subscription to a topic.
    case unsubscribe(String)
    /// An event of a topic for the other end.
    ///
    /// The result is `taken`.
    case emit(String, payload: Int, account: Int?)
    /// The begin of an event that the transport delivers itself.
    ///
    /// The result is `number`, or `done` if the other end does not listen.
    case beginEvent(String)
    /// The end of an event with a number that the transport could not deliver.
    case cancelEvent(String, number: UInt64)
    /// The progress of a call for its caller.
    ///
    /// The result is `taken`.
    case reportProgress(SessionReference, payload: Int)
    /// The release of references of the other end.
    ///
    /// The result is `taken`.
    case release(payload: Int)
    /// The registration of a handler with a number; it replaces one of the same name.
    case registerHandler(String, as: Int)
    /// The removal of a handler.
    case removeHandler(String)
    /// New grants of the other end; rules of the renewed pattern start again, even if they are equal.
    case setGrants(SessionGrants, renewing: String?, now: Duration)
    /// The begin of the audit, also where everything is granted.
    case beginAudit(now: Duration)
    /// A denial of data or of a file, by its name, for this reason.
    case reportDenial(String, reason: String, now: Duration)
    /// A check whether a request may wait for the results to which it refers; it fails if its name is not granted.
    ///
    /// The result is `taken`.
    case admitsWaiting(SessionMessage, now: Duration)
    /// The request of the other end to retain the result of a call.
    ///
    /// The result is `taken`: whether there is room.
    case keepResult(SessionIdentifier)
    /// The release of a retained result.
    ///
    /// The result is `taken`: whether it has arrived before.
    case releaseResult(SessionIdentifier)
    /// The search for the results to which a request refers.
    ///
    /// The result is `found`.
    case findResults(SessionMessage, awaiting: [SessionIdentifier])
    /// The loss of the other end's context.
    ///
    /// The result is `epoch`.
    case contextLost
    /// The release of the other end's context, which may still run.
    ///
    /// The result is `epoch`.
    case tearDown
    /// The end of the context that was released in an epoch.
    case tornDown(epoch: UInt64)
    /// The end of the other end, which will never run again.
    case retire
    /// A reset, which drops waiting messages and calls.
    case reset
    /// The end of the session.
    case close
}

/// A call to be made.
public struct SessionCall: Sendable, Hashable {
    /// The reply that a caller expects.
    public enum Reply: Sendable, Hashable {
        /// No reply.
        case none
        /// A result, never an error.
        case legacy
        /// A result or an error, and the other capabilities.
        case full(SessionCapabilities)
    }

    /// The handler's name.
    public var name: String
    /// The number of its payload.
    public var payload: Int
    /// The reply that its caller expects.
    public var reply: Reply
    /// The time at which its caller stops waiting.
    public var deadline: Duration?
    /// A Boolean value that indicates whether it is a part of an intercepted call, which counts for both.
    public var isPart = false
    /// The operation that it is charged to.
    public var account: Int?

    /// Creates a call.
    public init(_ name: String, payload: Int, reply: Reply, deadline: Duration? = nil) {
        self.name = name
        self.payload = payload
        self.reply = reply
        self.deadline = deadline
    }
}

/// The grants of the other end, in the explorer's form.
public struct SessionGrants: Sendable, Hashable {
    /// A rate limit with a burst.
    public struct Rate: Sendable, Hashable {
        /// The number of requests in each period.
        public var count: Int
        /// The period.
        public var period: Duration
        /// The maximum number of requests in a burst after a pause.
        public var burst: Int

        /// Creates a rate.
        public init(_ count: Int, per period: Duration, burst: Int) {
            self.count = count
            self.period = period
            self.burst = burst
        }
    }

    /// A rule that allows matching names, within limits, or denies them.
    public struct Rule: Sendable, Hashable {
        /// A name, or the prefix of names followed by `*`.
        public var pattern: String
        /// A Boolean value that indicates whether matching names are allowed.
        public var isAllowed: Bool
        /// The maximum number of requests in progress at the same time.
        public var maximumInProgress: Int?
        /// The maximum rate of requests.
        public var rate: Rate?
        /// The maximum size of a payload.
        public var maximumSize: Int?
        /// The lifetime of the rule, from when it takes effect.
        public var lifetime: Duration?

        /// Creates a rule.
        public init(_ pattern: String, isAllowed: Bool, maximumInProgress: Int? = nil) {
            self.pattern = pattern
            self.isAllowed = isAllowed
            self.maximumInProgress = maximumInProgress
        }
    }

    /// A Boolean value that indicates whether names without a rule are allowed.
    public var allowsOthers: Bool
    /// The rules; among those that allow, and among those that deny, patterns are unique.
    public var rules: [Rule]

    /// Creates grants.
    public init(allowsOthers: Bool, rules: [Rule] = []) {
        self.allowsOthers = allowsOthers
        self.rules = rules
    }
}

/// The immediate result of an input.
public enum SessionAnswer: Sendable, Hashable {
    /// The input was handled, without further information.
    case done
    /// A call or a stream has begun.
    case began(SessionReference)
    /// A fast-path call has this id; the caller must deliver it.
    case handed(SessionIdentifier)
    /// A stream with a reader here has received a number of items in order, and may receive another number in total.
    case stream(SessionReference, received: UInt64, granted: UInt64)
    /// A handler must run immediately, by the number of its registration.
    case running(handler: Int, SessionReference)
    /// A Boolean value that indicates whether the input had an effect.
    ///
    /// If not, the sender keeps its payload.
    case taken(Bool)
    /// The epoch from now on.
    case epoch(UInt64)
    /// The number of an event.
    case number(UInt64)
    /// The state of a request that refers to results.
    case found(SessionReadiness)
    /// The input failed with this code; nothing has changed.
    case refused(String)
}

/// The state of a request that refers to results of earlier calls.
public enum SessionReadiness: Sendable, Hashable {
    /// All have arrived, with these payloads.
    case ready([SessionIdentifier: Int])
    /// The request fails with this code.
    case failed(String)
    /// It waits for some of them.
    case waits
}
