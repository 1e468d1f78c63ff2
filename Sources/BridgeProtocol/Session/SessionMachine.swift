package import BridgeValues

/// The protocol as a pure state machine: calls, replies, handlers, deadlines and the life of the connection.
///
/// It has no lock, no clock, no task and no payload. Its storage calls a verb under its lock. Then it fetches the
/// actions with ``nextAction()`` until there are none, and executes each outside the lock. Both directions and all
/// transports use the same machine.
///
/// Its guarantees:
/// - A call that ``call(_:payload:reply:deadline:)`` accepted settles exactly once: with its reply, an error,
///   at its deadline, by ``cancel(_:reason:)``, or with `disconnected` (R5, R6). An id is never used twice
///   (P23, R4).
/// - An incoming call is answered at most once, with an error only if its caller supports errors (P44, P56).
/// - Messages are sent in the order of the verbs that made them, also across the start-up queue (P25, P27).
/// - A payload token that goes in comes out in exactly one action.
///
/// - Complexity: Each verb is O(1) on average, O(log n) with a deadline; the verbs that end the connection
///   are linear in the number of pending calls and messages.
package struct SessionMachine: Sendable {
    /// The configuration of a session.
    package struct Configuration: Sendable {
        /// The limits; this machine enforces ``BridgeLimits/maximumPendingCalls``,
        /// ``BridgeLimits/maximumQueuedMessages`` and ``BridgeLimits/maximumNameBytes``.
        package var limits: BridgeLimits
        /// The format of the ids of this side's calls.
        package var identifierForm: IdentifierForm
        /// A Boolean value that indicates whether the peer is known to belong to this package; any other peer gets
        /// extensions only after it has shown support for them.
        package var peerIsExtended: Bool
        /// The capabilities that every call announces that expects a result or an error.
        package var accepts: CallerCapabilities
        /// The source of the random bits of the epochs: 64 bits each time, which a script must not be able to guess.
        package var randomBits: @Sendable () -> UInt64

        /// Creates a configuration.
        package init(
            limits: BridgeLimits = BridgeLimits(),
            identifierForm: IdentifierForm = .legacy,
            peerIsExtended: Bool = false,
            accepts: CallerCapabilities = .errors,
            randomBits: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
        ) {
            self.limits = limits
            self.identifierForm = identifierForm
            self.peerIsExtended = peerIsExtended
            self.accepts = accepts
            self.randomBits = randomBits
        }
    }

    /// A state in the life of a session.
    package enum State: Sendable, Hashable {
        /// The other side is not connected yet; messages wait in the start-up queue.
        case idle
        /// The other side is installed but has not sent anything; messages still wait.
        case injected
        /// The peer is connected.
        case live
        /// The context of the other side is being given up: its messages are dropped, messages to it wait for the next
        /// context.
        case tearingDown
        /// The other side will not run, until ``tearDown(_:)`` prepares for another context.
        case retired
        /// The session has ended permanently.
        case closed
    }

    let limits: BridgeLimits
    let capabilities: CallerCapabilities
    /// The current state of the session.
    package internal(set) var state = State.idle
    /// The error that callers got when the session was closed.
    package internal(set) var closingError: BridgeError?
    /// The counts of events.
    package internal(set) var counters = SessionCounters()

    var currentEpoch: SessionEpoch
    var peer: PeerState
    var outgoing = OutgoingCalls()
    var incoming = IncomingCalls()
    var streams = StreamTable()
    var topics = TopicTable()
    var handlers = HandlerNames()
    /// The grants for requests of the peer; nil if all are allowed.
    var grants: GrantTable?
    var startUpQueue = StartUpQueue()
    var order = ArrivalOrder()
    var actions = FIFOQueue<SessionAction>()

    /// Creates a session in the idle state.
    package init(configuration: Configuration = Configuration()) {
        limits = configuration.limits
        capabilities = configuration.accepts
        currentEpoch = SessionEpoch(configuration.identifierForm, randomBits: configuration.randomBits)
        peer = PeerState(assumesExtensions: configuration.peerIsExtended)
    }

    /// The number of contexts that the session has lost.
    ///
    /// It is a part of what distinguishes a late message from a new one.
    package var epoch: UInt64 { currentEpoch.number }

    /// The identification of this epoch in the ids of the peer.
    package var peerEpochText: String { currentEpoch.peerText }

    /// A Boolean value that indicates whether the peer has shown that it supports extensions.
    package var peerIsExtended: Bool { peer.isExtended }

    /// The number of times that a handler was registered, replaced or removed.
    package var registrations: Int { handlers.registrations }

    /// Removes and returns the next action; `nil` when all are done.
    package mutating func nextAction() -> SessionAction? { actions.popFirst() }

    /// The number of calls of this side that wait for their reply.
    package var pendingCallCount: Int { outgoing.pendingCount }

    /// The number of calls of the peer that wait for an answer.
    package var incomingCallCount: Int { incoming.count }

    /// The number of messages that are queued until the peer is connected.
    package var queuedMessageCount: Int { startUpQueue.count }

    /// A Boolean value that indicates whether answers to the peer's calls wait until the peer is connected.
    package var hasQueuedAnswers: Bool { startUpQueue.replyCount > 0 || startUpQueue.itemCount > 0 }

    /// The time of the next deadline for ``expire(now:)``, or `nil` if no call has a deadline.
    ///
    /// It covers calls in both directions.
    package var nextDeadline: Duration? {
        guard let ours = outgoing.earliestDeadline else { return incoming.earliestDeadline }
        return incoming.earliestDeadline.map { min(ours, $0) } ?? ours
    }
}

extension SessionMachine {
    /// Sends a message, or queues it until the peer is connected.
    mutating func send(_ message: BridgeMessage, call: OutgoingCallID? = nil) {
        guard state == .live else {
            if case .response = message {
                guard startUpQueue.replyCount < limits.maximumQueuedMessages else {
                    return dropReply(message)
                }
            }
            startUpQueue.append(StartUpQueue.Entry(message: message, call: call))
            return
        }
        counters.sentMessages += 1
        actions.append(.send(message))
    }

    /// Checks that a progress value or an item may be sent.
    ///
    /// - Throws: `overloaded` if the queue for the other side is full, because it may have requested any number.
    func checkRoomForItem() throws(BridgeError) {
        guard state != .live, startUpQueue.itemCount >= limits.maximumQueuedMessages else { return }
        let text =
            "Too many queued items and progress values for the other side (limit \(limits.maximumQueuedMessages))."
        throw BridgeError(.overloaded, text)
    }

    // Bounds queued replies, so that a peer which calls before it is ready cannot exhaust memory. Calls of this side
    // fail with an error instead.
    private mutating func dropReply(_ message: BridgeMessage) {
        discard(message.payload)
        counters.droppedMessages += 1
        guard counters.droppedMessages.isWorthReporting else { return }
        let text = "Too many queued replies for the other side (limit \(limits.maximumQueuedMessages))."
        report(.droppedMessage(BridgeError(.overloaded, text)))
    }

    mutating func discard(_ payload: PayloadToken?) {
        if let payload { actions.append(.discard(payload)) }
    }

    mutating func report(_ diagnostic: SessionDiagnostic) {
        actions.append(.report(diagnostic))
    }

    /// Records in the trace that a request is refused without a handler.
    mutating func noteRefusal(of name: String, _ id: MessageID?, _ error: BridgeError) {
        actions.append(.refused(name, id, error.code))
    }

    mutating func drop(_ payload: PayloadToken?, because error: BridgeError) {
        counters.droppedMessages += 1
        discard(payload)
        report(.droppedMessage(error))
    }

    /// Counts and reports a message of the other side that could not be parsed (P17, P60, P69).
    package mutating func dropUnreadable(_ error: BridgeError) { drop(nil, because: error) }

    /// Counts names and keys that arrived with a lone surrogate, which is replaced by U+FFFD (P66).
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
