package import BridgeValues

/// The protocol as a pure machine: calls, replies, handlers, deadlines and the life of the connection.
///
/// It has no lock, no clock, no task and no payload. Its storage calls a verb under its lock, then takes
/// actions with ``nextAction()`` until there is none and does each outside the lock. Both directions and all
/// transports use the same machine.
///
/// What it guarantees:
/// - A call that ``call(_:payload:reply:deadline:)`` accepted settles exactly once: with its reply, an error,
///   at its deadline, by ``cancel(_:reason:)``, or with `disconnected` (R5, R6). An id is never used twice
///   (P23, R4).
/// - An incoming call is answered at most once, with an error only if its caller takes errors (P44, P56).
/// - Messages are sent in the order of the verbs that made them, also across the start-up queue (P25, P27).
/// - A payload token that goes in comes out in exactly one action.
///
/// - Complexity: Each verb is O(1) on average, O(log n) with a deadline; the verbs that end the connection
///   are linear in what waits.
package struct SessionMachine: Sendable {
    /// What a session is made with.
    package struct Configuration: Sendable {
        /// The limits; ``BridgeLimits/maximumPendingCalls``, ``BridgeLimits/maximumQueuedMessages`` and
        /// ``BridgeLimits/maximumNameBytes`` are this machine's to keep.
        package var limits: BridgeLimits
        /// How the ids of our calls are written.
        package var identifierForm: IdentifierForm
        /// Whether the peer is known to be one of ours; another is told of extensions only after it has shown
        /// that it knows them.
        package var peerIsExtended: Bool
        /// What every call takes in return that wants a result or an error.
        package var accepts: Acceptance
        /// Where the random bits of the epochs come from: 64 each time, not to be guessed by a script.
        package var randomBits: @Sendable () -> UInt64

        /// Makes a configuration.
        package init(
            limits: BridgeLimits = BridgeLimits(),
            identifierForm: IdentifierForm = .ancestor,
            peerIsExtended: Bool = false,
            accepts: Acceptance = .errors,
            randomBits: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
        ) {
            self.limits = limits
            self.identifierForm = identifierForm
            self.peerIsExtended = peerIsExtended
            self.accepts = accepts
            self.randomBits = randomBits
        }
    }

    /// Where a session is in its life.
    package enum State: Sendable, Hashable {
        /// The other side is not there yet; what is sent waits in the start-up queue.
        case idle
        /// The other side is in its place and has not said anything; what is sent waits still.
        case injected
        /// The peer is there.
        case live
        /// The context of the other side is going: what it still says is dropped, what is sent waits for the next.
        case tearingDown
        /// Nothing of the other side will run, until ``tearDown(_:)`` makes way for another.
        case retired
        /// The session has ended and stays so.
        case closed
    }

    struct OutgoingCall: Sendable {
        let number: UInt64
        let handlerName: String
        let accepts: Acceptance
        /// Whether its request has gone out; until then it waits in the start-up queue.
        var isSent: Bool
        var account: WorkAccount?
        var role = Role.call
        /// Whether its reply waits until the handlers of the requests before it have begun.
        var isOrdered = true

        /// What a call is to those who count calls.
        enum Role: Sendable {
            case call
            /// One that somebody here has in hand, and whose requests are parts of it.
            case held
            /// A notification that somebody here has in hand, which nobody waits for.
            case heldNotification
            /// A request that is made for one in hand.
            case part
        }
    }

    struct IncomingCall: Sendable {
        let callbackID: MessageID
        let handlerName: String
        let accepts: Acceptance
        var admission: Admission?
        /// Whether its caller gave up; the call may still be answered.
        var isCancelled = false
        var account: WorkAccount?
    }

    struct InboundStream: Sendable {
        let id: MessageID
        let handlerName: String
        /// How many items were delivered, which is the number of the next one.
        var received: UInt64 = 0
        /// How many items the producer may have sent in all.
        var granted: UInt64 = 0
        /// Items that came before those in front of them.
        var early: [UInt64: PayloadToken?] = [:]
        var earlyEnd: (count: UInt64, error: BridgeError?)?
        var account: WorkAccount?
    }

    struct OutboundStream: Sendable {
        let number: UInt64
        var sent: UInt64 = 0
        var credit: UInt64 = 0
        var admission: Admission?
        var account: WorkAccount?
    }

    /// A message that waits for the peer.
    ///
    /// The id of a call is written when it is sent, as it belongs to that epoch.
    struct QueuedMessage: Sendable {
        var message: BridgeMessage
        let call: OutgoingCallID?
    }

    let limits: BridgeLimits
    let acceptance: Acceptance
    let randomBits: @Sendable () -> UInt64
    /// Where the session is in its life.
    package internal(set) var state = State.idle
    /// How many contexts the session has lost.
    ///
    /// Part of what tells a late message from a new one.
    package internal(set) var epoch: UInt64 = 0
    /// What stands for this epoch in our ids: its number and 64 random bits.
    package internal(set) var epochText: String
    /// What the peer shall put into its ids.
    ///
    /// Other bits than ours, so that who sees one cannot make the other.
    package internal(set) var peerEpochText: String
    /// What happened, in numbers.
    package internal(set) var counters = SessionCounters()

    var identifiers: IdentifierCodec
    var lastNumber: UInt64 = 0
    /// With what all calls up to a number were ended last.
    var lastEnd: (number: UInt64, error: BridgeError)?
    var outgoing = Slab<OutgoingCall>()
    var outgoingByNumber = NumberTable()
    /// How many of them are parts of others.
    var parts = 0
    /// How many of them are notifications.
    var heldNotifications = 0
    var deadlines = DeadlineHeap()
    var incoming = Slab<IncomingCall>()
    var incomingByID = IdentifierTable()
    /// How often a handler was registered, replaced or removed.
    package internal(set) var registrations = 0
    /// How many synchronous requests of the peer are being answered, each inside the one before.
    var synchronousRequests = 0
    var incomingDeadlines = DeadlineHeap()
    var lastIncomingDeadline: UInt64 = 0
    var earlyCancellations = RecentIdentifiers()
    /// What callers got when the session was closed.
    package internal(set) var closingError: BridgeError?
    var inbound = Slab<InboundStream>()
    var inboundByID = IdentifierTable()
    var outbound = Slab<OutboundStream>()
    var outboundByNumber = NumberTable()
    var lastStream: UInt64 = 0
    /// The topics that somebody here listens to.
    var subscriptions: Set<ExactText> = []
    /// The topics that somebody on the other side listens to, and how many events it was told.
    var heardTopics: [ExactText: UInt64] = [:]
    let assumesExtendedPeer: Bool
    /// Whether the peer has shown that it knows extensions.
    package internal(set) var peerIsExtended: Bool
    /// Whether it has shown that it knows that this side does: only then does it tell what it listens to.
    var peerListens: Bool
    var hasGreeted: Bool
    var handlers: [ExactText: HandlerID] = [:]
    /// What the peer may ask for; nil where that is everything.
    var grants: GrantTable?
    var startUpQueue = FirstInFirstOut<QueuedMessage>()
    /// How many of those are replies.
    var queuedReplies = 0
    /// How many of those are progress and items of streams.
    var queuedNews = 0
    /// How many handlers work on notifications.
    var runningNotifications = 0
    var endedQueuedCalls = 0
    var order = ArrivalOrder()
    var actions = FirstInFirstOut<SessionAction>()

    /// Makes a session in the idle state.
    package init(configuration: Configuration = Configuration()) {
        limits = configuration.limits
        acceptance = configuration.accepts
        assumesExtendedPeer = configuration.peerIsExtended
        peerIsExtended = configuration.peerIsExtended
        peerListens = configuration.peerIsExtended
        hasGreeted = configuration.peerIsExtended
        randomBits = configuration.randomBits
        epochText = "0_" + randomBits().hexadecimal
        peerEpochText = "0_" + randomBits().hexadecimal
        identifiers = IdentifierCodec(form: configuration.identifierForm, epochText: epochText)
    }

    /// Takes the next thing to do, first first; `nil` when all is done.
    package mutating func nextAction() -> SessionAction? { actions.popFirst() }

    /// How many of our calls wait for their reply.
    package var pendingCallCount: Int { outgoing.count - parts - heldNotifications }

    /// How many calls of the peer wait for our reply.
    package var incomingCallCount: Int { incoming.count }

    /// How many messages wait for the peer to be there.
    package var queuedMessageCount: Int { startUpQueue.count }

    /// When ``expire(now:)`` has something to do next, or `nil` if no call has a deadline.
    ///
    /// Both ways.
    package var nextDeadline: Duration? {
        guard let ours = deadlines.earliest?.deadline else { return incomingDeadlines.earliest?.deadline }
        return incomingDeadlines.earliest.map { min(ours, $0.deadline) } ?? ours
    }
}

extension SessionMachine {
    /// Sends a message, or keeps it until the peer is there.
    mutating func send(_ message: BridgeMessage, call: OutgoingCallID? = nil) {
        guard state == .live else {
            if case .response = message {
                guard queuedReplies < limits.maximumQueuedMessages else { return dropReply(message) }
                queuedReplies += 1
            }
            startUpQueue.append(QueuedMessage(message: message, call: call))
            return
        }
        counters.sentMessages += 1
        actions.append(.send(message))
    }

    /// Counts progress or an item that is about to be sent.
    ///
    /// - Throws: `overloaded` where no more of them may wait for the other side, which may have asked for any number.
    mutating func countNews() throws(BridgeError) {
        guard state != .live else { return }
        guard queuedNews < limits.maximumQueuedMessages else {
            let text =
                "\(limits.maximumQueuedMessages) items and reports of progress may wait for the other side, so many do."
            throw BridgeError(.overloaded, text)
        }
        queuedNews += 1
    }

    // A peer that calls before it listens fills no memory: what it asked for is not answered beyond the limit. Calls of this
    // side are refused to their makers instead.
    private mutating func dropReply(_ message: BridgeMessage) {
        discard(message.payload)
        counters.droppedMessages += 1
        guard counters.droppedMessages.isWorthReporting else { return }
        let text = "\(limits.maximumQueuedMessages) replies may wait for the other side, so many do."
        report(.droppedMessage(BridgeError(.overloaded, text)))
    }

    mutating func discard(_ payload: PayloadToken?) {
        if let payload { actions.append(.discard(payload)) }
    }

    mutating func report(_ diagnostic: SessionDiagnostic) {
        actions.append(.report(diagnostic))
    }

    /// Tells the trace that a request is turned down without a handler.
    mutating func noteRefusal(of name: String, _ id: MessageID?, _ error: BridgeError) {
        actions.append(.refused(name, id, error.code))
    }

    mutating func drop(_ payload: PayloadToken?, because error: BridgeError) {
        counters.droppedMessages += 1
        discard(payload)
        report(.droppedMessage(error))
    }

    /// Counts and reports a message of the other side that could not be read (P17, P60, P69).
    package mutating func dropUnreadable(_ error: BridgeError) { drop(nil, because: error) }

    /// Counts names and keys that came with a lone surrogate, which are read with U+FFFD in its place (P66).
    package mutating func noteRepairedTexts(_ count: Int) {
        let before = counters.repairedTexts
        counters.repairedTexts += count
        // At 1, 2, 4, 8 and so on, as a script may send any number.
        guard before.leadingZeroBitCount != counters.repairedTexts.leadingZeroBitCount else { return }
        report(.repairedTexts(count: counters.repairedTexts))
    }

    func nameTooLong(_ name: String) -> BridgeError? {
        name.utf8.count > limits.maximumNameBytes ? Self.tooLong(name, limits) : nil
    }
}
