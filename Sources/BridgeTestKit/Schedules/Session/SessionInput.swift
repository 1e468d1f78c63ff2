/// A call, a request in progress or a stream of one end of a session.
public struct SessionReference: Sendable, Hashable, CustomStringConvertible {
    /// What tells it from all others of its kind.
    public let number: UInt64
    /// The epoch that it belongs to, where that matters.
    public let epoch: UInt64

    /// Makes a reference.
    public init(_ number: UInt64, epoch: UInt64 = 0) {
        self.number = number
        self.epoch = epoch
    }

    /// The number, and the epoch if it is not the first.
    public var description: String { epoch == 0 ? "\(number)" : "\(number) of epoch \(epoch)" }
}

/// One thing that is done to an end of a session.
///
/// Payloads are numbers that no two inputs share.
public enum SessionInput: Sendable, Hashable {
    /// The other end is in its place, though nothing was heard of it.
    case injected
    /// The other end is there. Answered by `epoch`.
    case peerReady
    /// A message of the other end had extensions.
    case peerShowedExtensions
    /// Calls a handler of the other end. Answered by `began`, by `done` where no answer is wanted, or by `refused`.
    case call(SessionCall)
    /// Begins a call that the transport hands over by itself, to be answered before anything else happens. Answered by `handed`,
    /// by `done` where the other end is not there, or by `refused`.
    case beginAtOnce(String)
    /// Takes up a call that was handed over so and has no answer yet, to wait for it; nothing but a result or an error is
    /// wanted. Answered by `began`.
    case takeUp(SessionIdentifier, String, deadline: Duration?)
    /// A request that the transport has taken by itself, whose handler ran at once, has failed with this code.
    case failAtOnce(SessionMessage, code: String)
    /// A request that the transport has taken by itself has an answer, and its context is no more.
    case endAtOnce(SessionMessage)
    /// Looks whether items of a stream may pass by. Answered by `stream`, or by `done` where they may not.
    case openItems(SessionIdentifier)
    /// So many items of a stream have passed by, in order and within its credit. Answered by `taken`: whether somebody reads.
    case countItems(SessionReference, UInt64)
    /// The handler of a request was removed before its turn: the request's reference, if it has one, and its payload.
    case refuseDispatched(SessionReference?, payload: Int)
    /// Takes a call up before anything of it is sent. Answered by `began`, or by `refused`.
    case hold(String, isNotification: Bool, deadline: Duration?)
    /// Ends a call that was taken up so; on one that has ended nothing changes.
    case settle(SessionReference, SessionResponse, payload: Int?)
    /// Gives a call up. Answered by `taken`.
    case cancel(SessionReference)
    /// The time has come to this.
    case expire(now: Duration)
    /// A message comes by the transport of an epoch; `nil` where the transport cannot tell. The size is that of its payload.
    case receive(SessionMessage, epoch: UInt64?, size: Int, now: Duration)
    /// A request comes that cannot be carried out, for an error with this code.
    case refuse(SessionMessage, code: String, epoch: UInt64?)
    /// The other end asks and waits, so that nothing else happens on its side before the answer. Answered by `running`, or by
    /// `refused`.
    case beginSynchronous(String, size: Int, now: Duration)
    /// The answer to who waits so is there. Answered by `taken`: whether somebody still waits.
    case endSynchronous(SessionReference)
    /// A handler answers. Answered by `taken`.
    case reply(SessionReference, SessionResponse, payload: Int?)
    /// A request shall be answered by a time, if not by its handler.
    case answer(SessionReference, by: Duration)
    /// The handler of a dispatched request has begun, or never will; the payload says which.
    case begin(payload: Int)
    /// The handler of a notification begins work that takes time; the payload says which. Answered by `taken`: whether it may.
    case beginNotification(payload: Int)
    /// The handler of a notification has ended; the payload says which.
    case endNotification(payload: Int)
    /// A handler answers with a stream. Answered by `began`, by `done` where nobody waits any more, or by `refused`.
    case openStream(replyingTo: SessionReference)
    /// Sends an item of a stream. Answered by `taken`.
    case sendItem(SessionReference, payload: Int)
    /// Ends a stream, with an error or without.
    case endStream(SessionReference, code: String?)
    /// Allows the sender of a stream so many more items.
    case grant(SessionReference, credit: UInt64)
    /// Gives a stream up. Answered by `taken`.
    case stop(SessionReference)
    /// Listens to a topic.
    case subscribe(String)
    /// Stops listening to a topic.
    case unsubscribe(String)
    /// Tells the other end of a topic. Answered by `taken`.
    case emit(String, payload: Int)
    /// Tells a caller how far its call has come. Answered by `taken`.
    case reportProgress(SessionReference, payload: Int)
    /// Tells the other end that references of it are held no longer. Answered by `taken`.
    case release(payload: Int)
    /// A handler is there, which the number tells from others; one of the same name goes.
    case registerHandler(String, as: Int)
    /// A handler is there no more.
    case removeHandler(String)
    /// What the other end may ask for; rules of the pattern that is renewed begin anew, also where they are the same.
    case setGrants(SessionGrants, renewing: String?, now: Duration)
    /// The context of the other end is gone. Answered by `epoch`.
    case contextLost
    /// The context of the other end is given up, though it may still run. Answered by `epoch`.
    case tearDown
    /// What was given up in an epoch is gone.
    case tornDown(epoch: UInt64)
    /// Nothing of the other end will run again.
    case retire
    /// Drops what waits.
    case reset
    /// Ends the session.
    case close
}

/// A call that is to be made.
public struct SessionCall: Sendable, Hashable {
    /// What its maker wants back.
    public enum Reply: Sendable, Hashable {
        /// Nothing.
        case none
        /// A result, never an error.
        case legacy
        /// A result, an error, and what else is wished for.
        case full(SessionWishes)
    }

    /// The handler's name.
    public var name: String
    /// The number of its payload.
    public var payload: Int
    /// What its maker wants back.
    public var reply: Reply
    /// When its maker stops waiting.
    public var deadline: Duration?
    /// Whether it is made for one that was taken up, which counts for both.
    public var isPart = false

    /// Makes a call.
    public init(_ name: String, payload: Int, reply: Reply, deadline: Duration? = nil) {
        self.name = name
        self.payload = payload
        self.reply = reply
        self.deadline = deadline
    }
}

/// What the other end may ask for, in the explorer's words.
public struct SessionGrants: Sendable, Hashable {
    /// So many requests in each period, and so many of them at once.
    public struct Rate: Sendable, Hashable {
        /// How many requests.
        public var count: Int
        /// The time in which they may come.
        public var period: Duration
        /// How many may come at once after a pause.
        public var burst: Int

        /// Makes a rate.
        public init(_ count: Int, per period: Duration, burst: Int) {
            self.count = count
            self.period = period
            self.burst = burst
        }
    }

    /// A rule: names that match may come in, within limits, or may not.
    public struct Rule: Sendable, Hashable {
        /// A name, or the beginning of names with `*` behind it.
        public var pattern: String
        /// Whether names that match may come in.
        public var isAllowed: Bool
        /// How many requests may be in progress at once.
        public var maximumInProgress: Int?
        /// How often requests may come.
        public var rate: Rate?
        /// How large a payload may be.
        public var maximumSize: Int?
        /// How long the rule holds from when it takes effect.
        public var lifetime: Duration?

        /// Makes a rule.
        public init(_ pattern: String, isAllowed: Bool, maximumInProgress: Int? = nil) {
            self.pattern = pattern
            self.isAllowed = isAllowed
            self.maximumInProgress = maximumInProgress
        }
    }

    /// Whether names without a rule may come in.
    public var allowsOthers: Bool
    /// The rules; no two that allow, and no two that deny, have one pattern.
    public var rules: [Rule]

    /// Makes grants.
    public init(allowsOthers: Bool, rules: [Rule] = []) {
        self.allowsOthers = allowsOthers
        self.rules = rules
    }
}

/// What an input is answered with at once.
public enum SessionAnswer: Sendable, Hashable {
    /// It was done; there is nothing more to say.
    case done
    /// A call or a stream has begun.
    case began(SessionReference)
    /// A call has this id, and is the caller's to hand over.
    case handed(SessionIdentifier)
    /// A stream that is read here has received so many items in order, and may receive so many in all.
    case stream(SessionReference, received: UInt64, granted: UInt64)
    /// A handler, by the number that it was registered with, is to run at once.
    case running(handler: Int, SessionReference)
    /// Whether it made a difference. If not, a payload that came with it stays with its sender.
    case taken(Bool)
    /// The epoch that holds from now on.
    case epoch(UInt64)
    /// It was not done, for an error with this code; nothing has changed.
    case refused(String)
}
