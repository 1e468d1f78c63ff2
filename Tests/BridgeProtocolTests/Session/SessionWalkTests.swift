import BridgeValues
import TestSupport
import Testing

@testable import BridgeProtocol

@Suite("Session: random walks")
struct SessionWalkTests {
    @Test(
        "R1 R3 R4 R5 R6 P27 the rules hold for random events in random order",
        arguments: [
            IdentifierForm.legacy, .extended, .inProcess,
        ]
    )
    func promises(form: IdentifierForm) throws {
        var generator = SeededGenerator.ofThisRun("walk, \(form)")
        for _ in 0..<300 {
            let seed = generator.next()
            var walk = SessionWalk(seed: seed, form: form)
            walk.run(steps: 300)
            let ledger = SessionLedger(walk.events)
            #expect(
                ledger.violations.isEmpty,
                "\(ledger.violations.prefix(3)) in the walk of seed \(seed), \(form)"
            )
        }
    }

    @Test("The ledger finds mutants", arguments: Mutant.allCases)
    func plantedFaults(fault: Mutant) throws {
        // Not every walk has a place for every fault: the first suitable walk is used.
        let spoiled = (7..<15 as Range<UInt64>).lazy.compactMap { seed -> [SessionEvent]? in
            var walk = SessionWalk(seed: seed, form: .legacy)
            walk.run(steps: 6000)
            #expect(SessionLedger(walk.events).violations.isEmpty)
            return fault.plant(in: walk.events)
        }.first
        let violations = SessionLedger(try #require(spoiled, "no walk has a place for this fault")).violations
        #expect(violations.contains { $0.hasPrefix(fault.rawValue) }, "found \(violations)")
    }
}

/// A way for a session to break its rules, with the text of the ledger's violation.
enum Mutant: String, CaseIterable {
    case lostSettlement = "R6 "
    case doubleSettlement = "R5 a call settled twice"
    case lostPayload = "1 payloads were never discarded or delivered"
    case doublePayload = "a payload was taken twice"
    case overtaking = "P25 P39"
    case reusedIdentifier = "P23"
    case wrongCall = "R4 a reply settled a different call"
    case secondResponse = "P44"
    case errorToLegacyCaller = "P56"
    case unaskedResponse = "R3"
    case controlToPlainPeer = "W2"
    case itemBeyondCredit = "an item beyond its credit"
    case itemOutOfOrder = "an item was delivered out of order"
    case lostFinish = "R6 1 streams never finished"
    case secondFinish = "R5 a stream finished"

    func plant(in events: [SessionEvent]) -> [SessionEvent]? {
        var events = events
        let actions = events.indices.compactMap { index in
            if case .action(let action) = events[index] { (index, action) } else { nil }
        }
        let settlements = actions.filter { $0.1.settled?.outcome.error != nil }
        let replies = actions.filter { $0.1.settled?.outcome.payload != nil }
        let requests = actions.filter { $0.1.sentRequest?.callbackID != nil }
        let responses = actions.filter { $0.1.sentResponse?.outcome.payload != nil }
        switch self {
        case .lostSettlement: events.remove(at: settlements[0].0)
        case .doubleSettlement: events.insert(.action(settlements[0].1), at: settlements[0].0)
        case .lostPayload:
            guard let discard = actions.first(where: { $0.1.discarded != nil }) else { return nil }
            events.remove(at: discard.0)
        case .doublePayload:
            guard let discard = actions.first(where: { $0.1.discarded != nil }) else { return nil }
            events.insert(.action(discard.1), at: discard.0)
        case .overtaking:
            // Two calls that were both made before the first was sent.
            let pair = zip(requests, requests.dropFirst()).first { first, second in
                !events[first.0..<second.0].contains { if case .called = $0 { true } else { false } }
            }
            guard let pair else { return nil }
            events.swapAt(pair.0.0, pair.1.0)
        case .reusedIdentifier:
            guard var request = requests[1].1.sentRequest else { return nil }
            request.callbackID = requests[0].1.sentRequest?.callbackID
            events[requests[1].0] = .action(.send(.request(request)))
        case .wrongCall:
            guard let outcome = replies[0].1.settled?.outcome, let call = replies[1].1.settled?.call else {
                return nil
            }
            events[replies[0].0] = .action(.settle(call, outcome))
        case .secondResponse:
            guard var response = responses[0].1.sentResponse else { return nil }
            response.outcome = .payload(nil)
            events.insert(.action(.send(.response(response))), at: responses[0].0)
        case .errorToLegacyCaller:
            let callers = events.compactMap { event -> MessageID? in
                guard case .received(.request(let request)) = event, !request.accepts.contains(.errors) else {
                    return nil
                }
                return request.callbackID
            }
            guard let caller = callers.first else { return nil }
            let error = BridgeError(.handlerFailed, "planted")
            events.append(.action(.send(.response(.init(responseID: caller, outcome: .failure(error))))))
        case .controlToPlainPeer:
            events.insert(.action(.send(.control(Control(.subscribe, .text("t"))))), at: 0)
        case .itemBeyondCredit:
            let isCredit: (SessionEvent) -> Bool = { event in
                if case .received(.control(let control)) = event { control.kind == .more } else { false }
            }
            events.removeAll(where: isCredit)
            guard
                actions.contains(where: {
                    if case .send(.control(let sent)) = $0.1 { sent.kind == .next } else { false }
                })
            else { return nil }
        case .itemOutOfOrder:
            // Two items of one stream are exchanged.
            var first: [InboundStreamID: (index: Int, payload: PayloadToken)] = [:]
            for (index, action) in actions {
                guard case .deliver(let stream, let payload?) = action else { continue }
                guard let other = first.updateValue((index, payload), forKey: stream) else { continue }
                events[other.index] = .action(.deliver(stream, payload))
                events[index] = .action(.deliver(stream, other.payload))
                return events
            }
            return nil
        case .lostFinish, .secondFinish:
            guard let finish = actions.first(where: { if case .finish = $0.1 { true } else { false } }) else {
                return nil
            }
            if self == .lostFinish {
                events.remove(at: finish.0)
            } else {
                events.insert(.action(finish.1), at: finish.0)
            }
        case .unaskedResponse:
            events.append(
                .action(.send(.response(.init(responseID: .text("nobody"), outcome: .payload(nil)))))
            )
        }
        return events
    }
}

/// A session that a storage, a peer and a forger drive randomly in parallel.
struct SessionWalk {
    private(set) var events: [SessionEvent] = []
    private var generator: SeededGenerator
    private var machine: SessionMachine
    private var nextToken: UInt32 = 0
    private var nextCaller = 0
    private var now = Duration.zero
    private var calls: [OutgoingCallID] = []
    private var dispatched: [IncomingCallID] = []
    private var sentIDs: [MessageID] = []
    // The streams that the walk's peer produces, and the number of sent items. An array, because the order of a
    // dictionary depends on the process.
    private var theirStreams: [(id: MessageID, sent: UInt64)] = []
    private var nextStream = 0
    private var read: [InboundStreamID] = []
    private var produced: [OutboundStreamID] = []
    private var producedIDs: [MessageID] = []
    // The epoch of the last teardown.
    private var tornDown: UInt64?

    init(seed: UInt64, form: IdentifierForm) {
        generator = SeededGenerator(seed: seed)
        var limits = BridgeLimits()
        limits.maximumPendingCalls = 20
        limits.maximumQueuedMessages = 10
        machine = .idle(limits: limits, identifierForm: form)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps {
            step()
            // Storages drain when they have time.
            if chance(70) { drain() }
        }
        drain()
        machine.close()
        drain()
        // Messages after the end change nothing.
        for _ in 0..<10 { step() }
        drain()
    }

    private mutating func step() {
        switch Int.random(in: 0..<140, using: &generator) {
        case 100..<112: receiveControl()
        case 112..<118:
            if let stream = read.suffix(3).randomElement(using: &generator) { machine.grant(stream, 3) }
        case 118..<120:
            if let stream = read.randomElement(using: &generator), machine.stop(stream) {
                events.append(.gaveUp(stream))
            }
        case 120..<123: openStream()
        case 123..<131:
            sendItem()
            sendItem()
        case 131..<133: if let stream = produced.randomElement(using: &generator) { machine.end(stream) }
        case 133..<135:
            let topic = randomName()
            chance(60) ? machine.subscribe(topic) : machine.unsubscribe(topic)
        case 135..<138: emit()
        case 138..<140: reportProgress()
        case 0..<30: call()
        case 30..<45: respond()
        case 45..<60: request()
        case 60..<75: reply()
        case 75..<80: if let call = calls.randomElement(using: &generator) { machine.cancel(call) }
        case 80..<86:
            now += .seconds(1)
            machine.expire(now: now)
        case 86..<92:
            // A lost context ends at some time, and another one arrives at some time after it.
            if let tornDown, chance(70) { machine.tornDown(tornDown) }
            if chance(50) { machine.injected() }
            machine.peerReady()
        case 92..<93:
            drain()
            if chance(50) {
                machine.contextLost()
            } else {
                tornDown = machine.tearDown()
            }
            events.append(.peerChanged)
            theirStreams = []
            if machine.state == .tearingDown, chance(30) {
                machine.retire(BridgeError(.terminated, "too late"))
            }
        case 93..<94: showExtensions()
        case 94..<95: machine.reset()
        case 95..<98: _ = try? machine.registerHandler(randomName(), as: HandlerID(1))
        default: machine.removeHandler(randomName())
        }
    }

    private mutating func call() {
        let payload = makeToken()
        let reply = [ReplyKind.none, .legacy, .full].randomElement(using: &generator) ?? .full
        let deadline = chance(50) ? now + .seconds(Int.random(in: 0..<4, using: &generator)) : nil
        let name = randomName()
        do {
            let accepts = CallerCapabilities(rawValue: UInt8.random(in: 0..<8, using: &generator))
            let call = try machine.call(
                name,
                payload: payload,
                reply: reply,
                accepting: accepts,
                deadline: deadline
            )
            events.append(.called(call, payload: payload))
            if let call { calls.append(call) }
        } catch {
            // A refused call has changed nothing, so that the ledger need not know it.
        }
    }

    private mutating func respond() {
        let forged: [MessageID] = [.text("objc_cb_99"), .text("__proto__"), .number(0), .text("objc_cb_1")]
        // Mostly for pending calls, which are the latest.
        let known = chance(70) ? Array(sentIDs.suffix(4)) : sentIDs
        let id =
            chance(80) ? known.randomElement(using: &generator) : forged.randomElement(using: &generator)
        guard let id else { return }
        var outcome: CallOutcome =
            chance(60) ? .payload(makeToken()) : .failure(BridgeError(.handlerFailed, "theirs"))
        if outcome.payload == nil, chance(80) {
            nextStream += 1
            let stream = MessageID.text("stream \(nextStream)")
            showExtensions()
            theirStreams.append((stream, 0))
            outcome = .stream(stream)
        }
        receive(.response(.init(responseID: id, outcome: outcome)))
    }

    private mutating func showExtensions() {
        guard machine.state != .closed else { return }
        events.append(.peerShowedExtensions)
        machine.peerShowedExtensions()
    }

    // The messages that a peer may send in any order, also to ended streams and calls.
    private mutating func receiveControl() {
        if let index = theirStreams.indices.suffix(3).randomElement(using: &generator), chance(60) {
            let (id, sent) = theirStreams[index]
            if chance(10) {
                theirStreams.remove(at: index)
                return receive(.control(Control(.end, id, number: sent)))
            }
            // Sometimes an item beyond the credit, a duplicate, or an early one.
            let number = chance(90) ? sent : sent + 2
            theirStreams[index].sent = number + 1
            return receive(.control(Control(.next, id, number: number, payload: makeToken())))
        }
        if let id = producedIDs.suffix(2).randomElement(using: &generator), chance(40) {
            return receive(.control(Control(.more, id, number: 3)))
        }
        let calls = sentIDs + [.text("objc_cb_77")]
        let ours = producedIDs.suffix(4) + [.text("objc_st_77")]
        let kind = Control.Kind(rawValue: UInt8.random(in: 1...10, using: &generator)) ?? .hello
        let id: MessageID
        switch kind {
        case .cancel:
            id = chance(50) ? .text("theirs \(max(1, nextCaller))") : .text("theirs \(nextCaller + 1)")
        case .progress: id = calls.randomElement(using: &generator) ?? .number(1)
        case .more, .stop: id = ours.randomElement(using: &generator) ?? .number(1)
        case .next, .end, .subscribe, .unsubscribe, .event, .hello, .release: id = .text(randomName())
        }
        let number = UInt64.random(in: 0..<5, using: &generator)
        receive(.control(Control(kind, id, number: number, payload: kind.hasPayload ? makeToken() : nil)))
    }

    private mutating func openStream() {
        guard let call = dispatched.suffix(4).randomElement(using: &generator) else { return }
        if let stream = try? machine.openStream(replyingTo: call) { produced.append(stream) }
    }

    private mutating func sendItem() {
        guard let stream = produced.suffix(4).randomElement(using: &generator) else { return }
        let token = makeToken()
        if (try? machine.sendItem(token, of: stream)) == true { events.append(.gave(token)) }
    }

    private mutating func emit() {
        let token = makeToken()
        let isPlain = !machine.peerListens
        // For a plain peer an event is a call without a reply, and the ledger records it as such.
        if machine.emit(randomName(), token) {
            events.append(isPlain ? .called(nil, payload: token) : .gave(token))
        }
    }

    private mutating func reportProgress() {
        guard let call = dispatched.randomElement(using: &generator) else { return }
        let token = makeToken()
        if (try? machine.reportProgress(of: call, token)) == true { events.append(.gave(token)) }
    }

    private mutating func request() {
        nextCaller += 1
        let id = chance(80) ? MessageID.text("theirs \(nextCaller)") : nil
        let accepts = CallerCapabilities(rawValue: UInt8.random(in: 0..<8, using: &generator))
        if !accepts.isEmpty { showExtensions() }
        receive(
            .request(
                .init(
                    handlerName: randomName(),
                    callbackID: id,
                    payload: makeToken(),
                    accepts: accepts
                )
            )
        )
    }

    private mutating func receive(_ message: BridgeMessage) {
        events.append(.received(message))
        machine.receive(message, from: chance(90) ? nil : machine.epoch)
    }

    private mutating func reply() {
        guard let call = dispatched.randomElement(using: &generator) else { return }
        let isError = chance(20)
        let payload = isError ? nil : makeToken()
        events.append(.replied(call, payload: payload))
        machine.reply(
            to: call,
            with: isError ? .failure(BridgeError(.handlerFailed, "ours")) : .payload(payload)
        )
    }

    private mutating func drain() {
        while let action = machine.nextAction() {
            events.append(.action(action))
            if let id = action.sentRequest?.callbackID { sentIDs.append(id) }
            if let id = action.dispatched?.id { dispatched.append(id) }
            if let request = action.dispatched { machine.noteBegun(request.order) }
            if case .opened(_, let stream) = action { read.append(stream) }
            if case .stream(let id)? = action.sentResponse?.outcome { producedIDs.append(id) }
            // A handler or a continuation that calls back while the storage is still draining.
            if chance(5) { step() }
        }
    }

    private mutating func makeToken() -> PayloadToken {
        nextToken += 1
        return token(nextToken)
    }

    private mutating func randomName() -> String {
        ["a", "b", "c", "__proto__"].randomElement(using: &generator) ?? "a"
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &generator) < percent
    }
}
