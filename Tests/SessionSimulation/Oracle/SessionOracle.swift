/// A reference model of a session: it derives the required effects from the inputs, and compares them with the actual
/// ones.
///
/// It is derived from the rules of the protocol and shares no code with the state machine. It has sets and arrays where
/// the state machine has slabs and heaps. It is a class, as is the end of a session that it belongs to.
final class SessionOracle {
    /// A state in the life of a session.
    enum Life { case idle, injected, live, tearingDown, retired, closed }

    /// The role of a call for the limits of calls.
    enum Role { case call, held, heldNotification, part }

    struct Call {
        let order: Int
        let role: Role
        let wishes: SessionCapabilities
        let deadline: Duration?
        let account: Int?
        var isSent: Bool

        var isHeld: Bool { role == .held || role == .heldNotification }
    }

    struct Request {
        let id: SessionIdentifier
        let name: String
        let wishes: SessionCapabilities
        let grant: Int?
        let account: Int?
        var deadline: (time: Duration, order: Int)?
        var isCancelled = false
    }

    struct ReadStream {
        let id: SessionIdentifier
        let account: Int?
        var received: UInt64 = 0
        var granted: UInt64 = 0
        var early: [UInt64: Int?] = [:]
        var end: (count: UInt64, code: String?)?
    }

    struct SentStream {
        let order: Int
        let grant: Int?
        let account: Int?
        var sent: UInt64 = 0
        var credit: UInt64 = 0
    }

    struct Waiting {
        let effect: ExpectedEffect
        let call: SessionReference?
    }

    let settings: SessionSettings
    /// The first rule that was broken, and how.
    private(set) var violation: String?

    var life = Life.idle
    var epoch: UInt64 = 0
    var isPeerExtended: Bool
    var knowsThatWeListen: Bool
    var hasGreeted: Bool
    var counted = SessionStatistics()
    /// A number that increases with everything that is ordered.
    var order = 0

    var calls: [SessionReference: Call] = [:]
    var endedCalls: Set<SessionReference> = []
    /// The calls of this epoch whose ids were seen, including ended ones.
    var callsByIdentifier: [SessionIdentifier: SessionReference] = [:]
    var identifiersOfCalls: [SessionReference: SessionIdentifier] = [:]
    var usedIdentifiers: Set<SessionIdentifier> = []
    /// The calls on the fast path that were neither replied to nor registered: their order among all calls, and the
    /// code of the error that ended all calls since.
    var handed: [SessionIdentifier: (order: Int, code: String?)] = [:]
    private var epochsOfBits: [String: UInt64] = [:]

    var requests: [Int: Request] = [:]
    var requestNumbers: [SessionReference: Int] = [:]
    var seenRequests: Set<Int> = []
    var requestsByIdentifier: [SessionIdentifier: Int] = [:]
    /// The cancellations of calls that have not arrived, the oldest first.
    var early = EarlyCancellationOracle()
    var lastEarlyCancellations = 0
    /// A Boolean value that indicates whether the current input reduced the number of remembered cancellations by one.
    var hasFoundEarly = false
    /// The synchronous requests in progress, with their grants and epochs.
    var synchronous: [SessionReference: (grant: Int?, epoch: UInt64)] = [:]

    var readStreams: [Int: ReadStream] = [:]
    var readNumbers: [SessionReference: Int] = [:]
    var readByIdentifier: [SessionIdentifier: Int] = [:]
    var sentStreams: [SessionReference: SentStream] = [:]
    var sentByIdentifier: [SessionIdentifier: SessionReference] = [:]
    var identifiersOfStreams: [SessionReference: SessionIdentifier] = [:]

    var handlers: [NameBytes: Int] = [:]
    var subscriptions: [NameBytes: String] = [:]
    var peerSubscriptions: [NameBytes: UInt64] = [:]
    var grants: GrantOracle?
    var notifications: [Int: Int?] = [:]
    /// The notifications in progress.
    var workedOn: Set<Int> = []

    /// The retained results, and the requests that wait for some of them.
    var results: ResultsOracle
    /// The messages that wait for handlers to begin.
    var arrivals = ArrivalOracle()
    var waiting: [Waiting] = []
    var payloads: Set<Int> = []
    private var queues = Array(
        repeating: ExpectationQueue(),
        count: ExpectedEffect.OrderingKind.allCases.count
    )
    private var batch = 0

    init(_ settings: SessionSettings) {
        self.settings = settings
        results = ResultsOracle(settings)
        isPeerExtended = settings.peerIsExtended
        knowsThatWeListen = settings.peerIsExtended
        hasGreeted = settings.peerIsExtended
    }

    /// The number of pending calls, without parts of others and notifications.
    var pendingCount: Int { calls.values.count { $0.role == .call || $0.role == .held } }

    /// The number of messages that wait for the other end, without those of ended calls.
    var aliveCount: Int { waiting.count { $0.call.map { calls[$0] != nil } ?? true } }

    /// A Boolean value that indicates whether the session will do nothing more.
    var hasEnded: Bool { life == .retired || life == .closed }

    /// A Boolean value that indicates whether effects are pending.
    var owesEffects: Bool { queues.contains { !$0.isEmpty } }

    /// A Boolean value that indicates whether effects of the state machine are pending, without those of its storage.
    var owesActions: Bool {
        ExpectedEffect.OrderingKind.allCases.contains { $0 != .continuations && !queues[$0.rawValue].isEmpty }
    }

    /// The next deadline of a call or a request.
    var nextDeadline: Duration? {
        let ofCalls = calls.values.lazy.compactMap(\.deadline).min()
        let ofRequests = requests.values.lazy.compactMap(\.deadline?.time).min()
        return [ofCalls, ofRequests].compactMap { $0 }.min()
    }

    // MARK: - What is owed

    func nextOrder() -> Int {
        order += 1
        return order
    }

    /// Adds a required effect; effects within one batch may occur in any order.
    func owe(_ effect: ExpectedEffect, inBatch isInBatch: Bool = false) {
        if !isInBatch { batch += 1 }
        queues[effect.orderingKind.rawValue].append(effect, batch: batch)
    }

    /// Begins a batch, whose effects may occur in any order.
    func beginBatch() { batch += 1 }

    /// Adds a required message, now or when the other end is ready.
    func send(
        _ message: SessionMessage,
        _ identity: ExpectedEffect.Identity = .known,
        call: SessionReference? = nil,
        inBatch: Bool = false
    ) {
        let effect = ExpectedEffect.send(message, identity)
        if life == .live {
            owe(effect, inBatch: inBatch)
        } else if effect.isReply, !takesReplies {
            counted.droppedMessages += 1
        } else {
            waiting.append(Waiting(effect: effect, call: call))
        }
    }

    /// A Boolean value that indicates whether one more reply may be queued, or the other end is ready.
    var takesReplies: Bool {
        life == .live || waiting.count(where: \.effect.isReply) < settings.maximumQueuedMessages
    }

    /// A Boolean value that indicates whether one more report of progress or item may be queued, or the other end is
    /// ready.
    var takesNews: Bool {
        life == .live || waiting.count(where: \.effect.isNews) < settings.maximumQueuedMessages
    }

    func forget(kind: ExpectedEffect.OrderingKind, where isGone: (ExpectedEffect) -> Bool) {
        queues[kind.rawValue].removeAll(where: isGone)
    }

    func fail(_ promise: String) {
        if violation == nil { violation = promise }
    }

    func check(_ isTrue: Bool, _ promise: @autoclosure () -> String) {
        if !isTrue { fail(promise()) }
    }

    // MARK: - What is done

    /// Records an effect when it is taken from the session.
    func saw(_ effect: SessionEffect) {
        if let payload = effect.payload {
            check(
                payloads.remove(payload) != nil,
                "R5 payload \(payload) was delivered twice, or never sent: \(effect)"
            )
        }
        guard let kind = effect.orderingKind else { return }
        guard let index = queues[kind.rawValue].index(where: { fits(effect, $0) }) else {
            return fail(surprise(effect, instead: queues[kind.rawValue].first))
        }
        learn(effect, queues[kind.rawValue].remove(at: index))
    }

    /// Records that the session has no more effects.
    func sawEnd() {
        for queue in queues where !queue.isEmpty {
            if let effect = queue.first { fail("\(effect.promise): \(effect)") }
        }
        if life == .closed {
            if !payloads.isEmpty { fail("R6 payloads were never delivered: \(payloads.sorted().prefix(5))") }
        }
    }

    /// Compares the counters of a session with the expected ones.
    func compare(_ statistics: SessionStatistics, queued: Int) {
        var expected = counted
        expected.pendingCalls = pendingCount
        if let wrong = early.difference(statistics.earlyCancellations) { fail(wrong) }
        expected.earlyCancellations = statistics.earlyCancellations
        expected.requests = requests.count
        expected.readStreams = readStreams.count
        expected.sentStreams = sentStreams.count
        expected.nextDeadline = nextDeadline
        if statistics != expected { fail(difference(statistics, expected)) }
        let alive = aliveCount
        if queued < alive || queued > waiting.count {
            fail("R22 \(queued) messages are queued, should be \(alive)")
        }
    }

    private func fits(_ effect: SessionEffect, _ expected: ExpectedEffect) -> Bool {
        switch (effect, expected) {
        case (.send(let sent), .send(let message, let identity)):
            guard sent.payload == message.payload else { return false }
            switch identity {
            case .known: return sent == message
            case .newCall, .newStream: return sent.isLike(message, but: identity)
            case .call(let call):
                return sent.isLike(message, but: identity) && sent.id == identifiersOfCalls[call]
            case .stream(let stream):
                return sent.isLike(message, but: identity) && sent.id == identifiersOfStreams[stream]
            }
        case (
            .dispatch(let handler, let reference, let name, let payload, let time),
            .dispatch(let expected, let number, let a, let b, let c)
        ):
            return handler == expected && (reference == nil) == (number == nil) && name == a && payload == b
                && time == c
        case (.settle(let call, let response, let payload), .settle(let a, let b, let c)):
            return call == a && response == b && payload == c
        case (.opened(let call, _), .opened(let expected, _)): return call == expected
        case (.progress(let call, let payload), .progress(let a, let b)): return call == a && payload == b
        case (.abandon(let call), .abandon(let number)):
            // A request that was dropped before its handler ran has no known reference.
            return seenRequests.contains(number)
                ? requestNumbers[call] == number : requestNumbers[call] == nil
        case (.deliver(let stream, let payload), .deliver(let number, let expected)):
            return readNumbers[stream] == number && payload == expected
        case (.finish(let stream, let code), .finish(let number, let expected)):
            return readNumbers[stream] == number && code == expected
        case (.demand(let stream, let credit), .demand(let a, let b)): return stream == a && credit == b
        case (.stop(let stream), .stop(let expected)): return stream == expected
        case (.event(let topic, let payload), .event(let a, let b)): return topic == a && payload == b
        case (.audit(let denial), .audit(let expected)): return denial == expected
        case (.proceed(let continuations), .proceed(let expected)): return continuations == expected
        default: return false
        }
    }

    private func learn(_ effect: SessionEffect, _ expected: ExpectedEffect) {
        switch (effect, expected) {
        case (.send(let message), .send(_, let identity)):
            learn(message, identity)
            settleResult(message)
        case (.dispatch(_, let reference?, _, _, _), .dispatch(_, let number?, _, _, _)):
            check(requestNumbers[reference] == nil, "R4 two requests have one identity: \(reference)")
            requestNumbers[reference] = number
            seenRequests.insert(number)
        case (.opened(_, let stream), .opened(_, let number)):
            check(readNumbers[stream] == nil, "R4 two streams have one identity: \(stream)")
            readNumbers[stream] = number
        default: break
        }
    }

    // The ids of one context must not reveal those of the next.
    private func checkRandomBits(of id: SessionIdentifier) {
        guard settings.form == .extended, case .text(let text) = id,
            let bits = text.split(separator: "_").last
        else {
            return
        }
        let isNew = bits.utf8.count == 16 && epochsOfBits[String(bits)] ?? epoch == epoch
        check(isNew, "R4 an id lacks random bits of its own context: \(id)")
        epochsOfBits[String(bits)] = epoch
    }

    private func learn(_ message: SessionMessage, _ identity: ExpectedEffect.Identity) {
        guard let id = message.id else { return }
        switch identity {
        case .known, .call, .stream: break
        case .newCall(let call):
            check(usedIdentifiers.insert(id).inserted, "R4 an id was used twice: \(id)")
            checkRandomBits(of: id)
            identifiersOfCalls[call] = id
            callsByIdentifier[id] = call
        case .newStream(let stream):
            guard case .response(_, .stream(let id)) = message.body else { return }
            check(identifiersOfStreams.values.allSatisfy { $0 != id }, "R4 an id was used twice: \(id)")
            identifiersOfStreams[stream] = id
            if sentStreams[stream] != nil { sentByIdentifier[id] = stream }
        }
    }
}

extension ExpectedEffect {
    /// A Boolean value that indicates whether it is the reply to a call of the other end.
    fileprivate var isReply: Bool {
        guard case .send(let message, _) = self, case .response = message.body else { return false }
        return true
    }

    fileprivate var isNews: Bool {
        guard case .send(let message, _) = self, case .control(let kind, _, _, _) = message.body else {
            return false
        }
        return kind == .progress || kind == .next
    }
}
