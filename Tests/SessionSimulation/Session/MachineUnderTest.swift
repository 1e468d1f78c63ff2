internal import BridgeProtocol
internal import BridgeValues

/// An adapter of this package's own session state machine for the explorer.
///
/// It translates and makes no decisions.
package struct MachineUnderTest: SessionUnderTest {
    private var machine: SessionMachine
    private var notifications: [Int: IncomingRequest] = [:]
    // The last dispatched request and its payload: one whose handler was removed is refused immediately.
    private var lastRequest: (payload: Int, request: IncomingRequest)?
    private var workedOn: Set<Int> = []
    // The order of dispatched requests, by their payloads.
    private var places: [Int: UInt64] = [:]
    private var synchronous: [UInt64: SynchronousRequest] = [:]
    private var lastSynchronous: UInt64 = 0
    private var grants: BridgeGrants?
    private var results: RetainedResults<Int, Int>
    private let resultLimits: RetainedResults<Int, Int>.Limits
    // The requests that no longer wait for results: as a storage, it continues them after the effect before.
    private var continued: [SessionEffect] = []
    private var budgets: [Int: WorkBudget] = [:]

    package init(_ settings: SessionSettings) {
        var resultLimits = RetainedResults<Int, Int>.Limits()
        resultLimits.results = settings.maximumResults
        resultLimits.waiting = settings.maximumWaitingRequests
        resultLimits.fanOut = settings.maximumFanOut
        self.resultLimits = resultLimits
        results = RetainedResults(limits: resultLimits)
        var limits = BridgeLimits()
        limits.maximumPendingCalls = settings.maximumPendingCalls
        limits.maximumQueuedMessages = settings.maximumQueuedMessages
        limits.maximumStreams = settings.maximumStreams
        limits.maximumNotifications = settings.maximumNotifications
        limits.maximumTopics = settings.maximumTopics
        limits.maximumNameBytes = settings.maximumNameBytes
        let form: IdentifierForm =
            switch settings.form {
            case .plain: .legacy
            case .extended: .extended
            case .inProcess: .inProcess
            }
        let bits = RandomBits(seed: settings.seed)
        machine = SessionMachine(
            configuration: SessionMachine.Configuration(
                limits: limits,
                identifierForm: form,
                peerIsExtended: settings.peerIsExtended,
                randomBits: { bits.next() }
            )
        )
    }

    package var queuedMessageCount: Int { machine.queuedMessageCount }

    package var statistics: SessionStatistics {
        var statistics = SessionStatistics()
        statistics.pendingCalls = machine.pendingCallCount
        statistics.requests = machine.incomingCallCount
        statistics.readStreams = machine.inboundStreamCount
        statistics.sentStreams = machine.outboundStreamCount
        statistics.earlyCancellations = machine.earlyCancellationCount
        statistics.nextDeadline = machine.nextDeadline
        let counters = machine.counters
        statistics.ignoredResponses = counters.unknownResponses + counters.lateResponses
        statistics.lostMessages = counters.lostMessages
        statistics.droppedMessages = counters.droppedMessages
        statistics.ignoredReplies = counters.duplicateReplies + counters.lostReplies
        statistics.suppressedErrors = counters.suppressedErrors
        statistics.lateCancellations = counters.lateCancellations
        statistics.unknownStreams = counters.unknownStreams
        statistics.denials = machine.denialCount
        return statistics
    }

    package mutating func take(_ input: SessionInput) -> SessionAnswer {
        do { return try tryTaking(input) } catch { return .refused(error.code.rawValue) }
    }

    private mutating func tryTaking(_ input: SessionInput) throws(BridgeError) -> SessionAnswer {
        switch input {
        case .injected: machine.injected()
        case .peerReady: return .epoch(machine.peerReady())
        case .peerShowedExtensions: machine.peerShowedExtensions()
        case .call(let call): return try make(call)
        case .hold(let name, let isNotification, let deadline, let account):
            let call = try machine.hold(
                name,
                isNotification: isNotification,
                deadline: deadline,
                account: budget(account)
            )
            return .began(SessionReference(call.key))
        case .settle(let call, let response, let payload):
            machine.settle(OutgoingCallID(key: call.key), with: CallOutcome(response, payload))
        case .beginInline(let name):
            return try machine.beginInline(name).map { .handed(.number($0)) } ?? .done
        case .takeUp(let id, let name, let deadline, let account):
            guard case .number(let number) = id else { return .done }
            let call = machine.adopt(number, name, deadline: deadline, account: budget(account))
            return .began(SessionReference(call.key))
        case .admitsFreely(let name, let now):
            machine.advance(to: now)
            return .taken(machine.admitsFreely(name))
        case .adopt(let message, let epoch):
            guard let request = request(message), let call = machine.adoptIncoming(request, from: epoch)
            else { return .done }
            return .began(SessionReference(call.key, epoch: call.epoch))
        case .answerInline(let message, let payload):
            guard let request = request(message) else { return .done }
            machine.answerInline(request, with: PayloadToken(payload))
        case .failInline(let message, let code):
            guard let request = request(message) else { return .done }
            machine.failInline(request, BridgeError(code))
        case .endInline(let message):
            guard let request = request(message) else { return .done }
            machine.endInline(request)
        case .openItems(let id):
            guard let (stream, next, granted) = machine.itemsInline(id.messageID) else { return .done }
            return .stream(SessionReference(stream.key), received: next, granted: granted)
        case .countItems(let stream, let count):
            return .taken(machine.countItems(InboundStreamID(key: stream.key), count))
        case .refuseDispatched(_, let payload):
            guard let lastRequest, lastRequest.payload == payload else { return .done }
            notifications[payload] = nil
            machine.refuseDispatched(lastRequest.request)
        case .drop(_, let payload):
            guard let lastRequest, lastRequest.payload == payload else { return .done }
            notifications[payload] = nil
            places[payload] = nil
            machine.drop(lastRequest.request)
        case .endWork(let account, let code):
            guard let budget = budget(account) else { return .done }
            machine.endWork(of: budget, with: BridgeError(code))
        case .failStreams(let code): machine.failStreams(with: BridgeError(code))
        case .refuseStream(let id): machine.refuseStream(id.messageID)
        case .cancel(let call): return .taken(machine.cancel(OutgoingCallID(key: call.key)))
        case .expire(let now): machine.expire(now: now)
        case .receive(let message, let epoch, let size, let now):
            receive(bridged(message), epoch, size, now)
        case .refuse(let message, let code, let epoch):
            guard let request = request(message) else { return .done }
            machine.refuse(request, BridgeError(code), from: epoch)
        case .beginSynchronous(let name, let size, let now):
            machine.advance(to: now)
            let bytes = machine.limitsSize(ofRequestsFor: name) ? size : 0
            let request = try machine.beginSynchronous(name, bytes: bytes)
            lastSynchronous += 1
            synchronous[lastSynchronous] = request
            return .running(handler: request.handler.rawValue, SessionReference(lastSynchronous))
        case .endSynchronous(let reference):
            guard let request = synchronous.removeValue(forKey: reference.number) else { return .done }
            return .taken(machine.endSynchronous(request))
        case .reply(let call, let response, let payload):
            return .taken(machine.reply(to: call.incoming, with: CallOutcome(response, payload)))
        case .answer(let call, let deadline): machine.answer(call.incoming, by: deadline)
        case .begin(let payload):
            if let place = places.removeValue(forKey: payload) { machine.noteBegun(place) }
        case .beginNotification(let payload):
            guard let request = notifications[payload] else { return .done }
            let mayBegin = machine.beginNotification(request)
            if mayBegin { workedOn.insert(payload) } else { notifications[payload] = nil }
            return .taken(mayBegin)
        case .endNotification(let payload):
            if let request = notifications.removeValue(forKey: payload) { machine.endNotification(request) }
            if workedOn.remove(payload) != nil { machine.finishNotification() }
        case .openStream(let call):
            guard let stream = try machine.openStream(replyingTo: call.incoming) else { return .done }
            return .began(SessionReference(stream.key))
        case .sendItem(let stream, let payload):
            return .taken(try machine.sendItem(PayloadToken(payload), of: OutboundStreamID(key: stream.key)))
        case .endStream(let stream, let code):
            machine.end(OutboundStreamID(key: stream.key), code.map { BridgeError($0) })
        case .grant(let stream, let credit): machine.grant(InboundStreamID(key: stream.key), credit)
        case .stop(let stream): return .taken(machine.stop(InboundStreamID(key: stream.key)))
        case .subscribe(let topic): machine.subscribe(topic)
        case .unsubscribe(let topic): machine.unsubscribe(topic)
        case .emit(let topic, let payload, let account):
            return .taken(machine.emit(topic, PayloadToken(payload), account: budget(account)))
        case .beginEvent(let topic): return machine.beginEvent(of: topic).map { .number($0) } ?? .done
        case .cancelEvent(let topic, let number): machine.cancelEvent(number, of: topic)
        case .reportProgress(let call, let payload):
            return .taken(try machine.reportProgress(of: call.incoming, PayloadToken(payload)))
        case .release(let payload): return .taken(machine.release(PayloadToken(payload)))
        case .registerHandler(let name, let handler):
            _ = try machine.registerHandler(name, as: HandlerID(handler))
        case .removeHandler(let name): machine.removeHandler(name)
        case .setGrants(let grants, let renewed, let now): set(grants, renewed, now)
        case .beginAudit(let now): machine.beginAudit(now: now)
        case .reportDenial(let name, let reason, let now):
            guard let reason = BridgeDenial.Reason(rawValue: reason) else { return .done }
            machine.advance(to: now)
            machine.reportDenial(BridgeDenial.Refusal(reason), of: name, nil)
        case .admitsWaiting(let message, let now):
            guard let request = request(message) else { return .done }
            machine.advance(to: now)
            return .taken(machine.admitsWaiting(request))
        case .keepResult(let id): return .taken(results.keep(id.name))
        case .releaseResult(let id): return .taken(results.release(id.name) != nil)
        case .findResults(let message, let ids):
            guard let request = request(message), let payload = message.payload else { return .done }
            let names = ids.map(\.name)
            let readiness = results.find(for: payload, knownAs: request.callbackID, awaiting: names)
            return .found(SessionReadiness(readiness))
        case .contextLost:
            forgetResults()
            machine.contextLost()
            return .epoch(machine.epoch)
        case .tearDown:
            forgetResults()
            return .epoch(machine.tearDown())
        case .tornDown(let epoch): machine.tornDown(epoch)
        case .retire:
            forgetResults()
            machine.retire(BridgeError(.terminated, "The script was stopped."))
        case .reset: machine.reset()
        case .close:
            forgetResults()
            machine.close()
        }
        return .done
    }

    private mutating func make(_ call: SessionCall) throws(BridgeError) -> SessionAnswer {
        let reply: ReplyKind
        var accepts: CallerCapabilities = []
        switch call.reply {
        case .none: reply = .none
        case .legacy: reply = .legacy
        case .full(let wishes): (reply, accepts) = (.full, CallerCapabilities(rawValue: wishes.rawValue))
        }
        let id = try machine.call(
            call.name,
            payload: PayloadToken(call.payload),
            reply: reply,
            accepting: accepts,
            deadline: call.deadline,
            account: budget(call.account),
            isPart: call.isPart
        )
        return id.map { .began(SessionReference($0.key)) } ?? .done
    }

    private mutating func receive(_ message: BridgeMessage, _ epoch: UInt64?, _ size: Int, _ now: Duration) {
        var message = message
        machine.advance(to: now)
        if case .request(var request) = message {
            let bytes = machine.limitsSize(ofRequestsFor: request.handlerName) ? size : 0
            guard machine.admit(&request, bytes: bytes, from: epoch) else { return }
            message = .request(request)
        }
        machine.receive(message, from: epoch)
    }

    private mutating func set(_ grants: SessionGrants, _ renewed: String?, _ now: Duration) {
        var new = BridgeGrants(fallback: grants.allowsOthers ? .allow : .deny)
        for rule in grants.rules {
            let pattern = NamePattern(rule.pattern)
            if rule.isAllowed {
                let limits = GrantLimits(
                    rate: rule.rate.map { GrantLimits.Rate($0.count, per: $0.period, burst: $0.burst) },
                    maximumConcurrentCalls: rule.maximumInProgress,
                    maximumPayloadBytes: rule.maximumSize
                )
                new.allow(pattern, limits: limits, for: rule.lifetime)
            } else {
                new.deny(pattern, for: rule.lifetime)
            }
        }
        machine.setGrants(new, from: self.grants, renewing: renewed.map { NamePattern($0) }, now: now)
        self.grants = new
    }

    private mutating func forgetResults() { results = RetainedResults(limits: resultLimits) }

    private mutating func budget(_ account: Int?) -> WorkBudget? {
        guard let account else { return nil }
        if let known = budgets[account] { return known }
        let budget = WorkBudget(Operation(account))
        budgets[account] = budget
        return budget
    }

    private mutating func bridged(_ message: SessionMessage) -> BridgeMessage {
        BridgeMessage(message, budget(message.account))
    }

    private mutating func request(_ message: SessionMessage) -> BridgeMessage.Request? {
        guard case .request(let request) = bridged(message) else { return nil }
        return request
    }

    // A reply settles the result of its call once it is passed to the transport.
    private mutating func sent(_ message: BridgeMessage) -> SessionEffect {
        if case .response(let response) = message, case .text(let id) = response.responseID {
            let outcome: Result<Int, BridgeError> =
                switch response.outcome {
                case .payload(let token): .success(token?.number ?? -1)
                case .failure(let error): .failure(error)
                case .stream: .failure(BridgeError("unsupported"))
                }
            let ready = results.settle(ByteEqualString(id), outcome)
            let continuations = ready.map { SessionContinuation($0.0, SessionReadiness($0.1)) }
            if !continuations.isEmpty { continued.append(.proceed(continuations)) }
        }
        return .send(SessionMessage(message))
    }

    package mutating func nextEffect() -> SessionEffect? {
        if !continued.isEmpty { return continued.removeFirst() }
        while let action = machine.nextAction() {
            if let effect = effect(of: action) { return effect }
        }
        return nil
    }

    package mutating func endEffect() {}

    private mutating func effect(of action: SessionAction) -> SessionEffect? {
        switch action {
        case .send(let message): return sent(message)
        case .dispatch(let handler, let request):
            if let payload = request.payload?.number {
                if request.id == nil { notifications[payload] = request }
                lastRequest = (payload, request)
                places[payload] = request.order
            }
            return .dispatch(
                handler: handler.rawValue,
                request.id.map { SessionReference($0.key, epoch: $0.epoch) },
                name: request.handlerName,
                payload: request.payload?.number,
                deadline: request.deadline
            )
        case .settle(let call, let outcome):
            return .settle(
                SessionReference(call.key),
                SessionResponse(outcome),
                payload: outcome.payload?.number
            )
        case .opened(let call, let stream):
            return .opened(SessionReference(call.key), SessionReference(stream.key))
        case .progress(let call, let payload):
            return .progress(SessionReference(call.key), payload: payload?.number)
        case .abandon(let call): return .abandon(SessionReference(call.key, epoch: call.epoch))
        case .deliver(let stream, let payload):
            return .deliver(SessionReference(stream.key), payload: payload?.number)
        case .finish(let stream, let error):
            return .finish(SessionReference(stream.key), code: error?.code.rawValue)
        case .demand(let stream, let credit): return .demand(SessionReference(stream.key), credit)
        case .stop(let stream): return .stop(SessionReference(stream.key))
        case .event(let topic, let payload, let order):
            if let payload { places[payload.number] = order } else { machine.noteBegun(order) }
            return .event(topic, payload: payload?.number)
        case .discard(let payload): return .discard(payload: payload.number)
        // The storage reads and discards the payload.
        case .release(let payload): return .discard(payload: payload.number)
        case .audit(let denial):
            return .audit(
                SessionDenial(
                    denial.name,
                    denial.reason.rawValue,
                    at: denial.time,
                    omitted: denial.omittedCount
                )
            )
        case .refused, .report, .passed: return nil
        }
    }
}

// A class, because the machine calls a closure that must not mutate its owner. Copies of a session would share it,
// which only changes their ids.
// @unchecked Sendable because one thread runs a schedule.
private final class RandomBits: @unchecked Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}

// MARK: - Words

extension SessionReference {
    fileprivate init(_ key: SlabKey, epoch: UInt64 = 0) {
        self.init(UInt64(key.slot) << 32 | UInt64(key.generation), epoch: epoch)
    }

    fileprivate var key: SlabKey {
        SlabKey(
            slot: UInt32(truncatingIfNeeded: number >> 32),
            generation: UInt32(truncatingIfNeeded: number)
        )
    }

    fileprivate var incoming: IncomingCallID { IncomingCallID(key: key, epoch: epoch) }
}

// An object, because budgets are compared by identity.
private final class Operation: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
}

extension WorkBudget {
    fileprivate var number: Int? { (owner as? Operation)?.number }
}

extension SessionReadiness {
    fileprivate init(_ readiness: RetainedResults<Int, Int>.Readiness) {
        switch readiness {
        case .ready(let results):
            self = .ready(
                Dictionary(uniqueKeysWithValues: results.map { (SessionIdentifier.text($0.text), $1) })
            )
        case .failed(let error): self = .failed(error.code.rawValue)
        case .waits: self = .waits
        }
    }
}

extension PayloadToken {
    fileprivate init(_ number: Int) {
        self.init(key: SlabKey(slot: UInt32(truncatingIfNeeded: number), generation: 0))
    }

    fileprivate var number: Int { Int(key.slot) }
}

extension BridgeError {
    fileprivate init(_ code: String) { self.init(BridgeErrorCode(rawValue: code), "explored") }
}

extension SessionIdentifier {
    fileprivate init(_ id: MessageID) {
        switch id {
        case .text(let text): self = .text(text)
        case .number(let number): self = .number(number)
        }
    }

    // Only calls with text ids have retained results.
    fileprivate var name: ByteEqualString {
        switch self {
        case .text(let text): ByteEqualString(text)
        case .number(let number): ByteEqualString("\(number)")
        }
    }

    fileprivate var messageID: MessageID {
        switch self {
        case .text(let text): .text(text)
        case .number(let number): .number(number)
        }
    }
}

extension SessionResponse {
    fileprivate init(_ outcome: CallOutcome) {
        switch outcome {
        case .payload: self = .result
        case .stream(let id): self = .stream(SessionIdentifier(id))
        case .failure(let error): self = .failure(error.code.rawValue)
        }
    }
}

extension CallOutcome {
    fileprivate init(_ response: SessionResponse, _ payload: Int?) {
        switch response {
        case .result: self = .payload(payload.map { PayloadToken($0) })
        case .stream(let id): self = .stream(id.messageID)
        case .failure(let code): self = .failure(BridgeError(code))
        }
    }
}

extension SessionControl {
    fileprivate init(_ kind: Control.Kind) {
        switch kind {
        case .cancel: self = .cancel
        case .progress: self = .progress
        case .next: self = .next
        case .end: self = .end
        case .more: self = .more
        case .stop: self = .stop
        case .subscribe: self = .subscribe
        case .unsubscribe: self = .unsubscribe
        case .event: self = .event
        case .hello: self = .hello
        case .release: self = .release
        }
    }

    fileprivate var kind: Control.Kind {
        switch self {
        case .cancel: .cancel
        case .progress: .progress
        case .next: .next
        case .end: .end
        case .more: .more
        case .stop: .stop
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .event: .event
        case .hello: .hello
        case .release: .release
        }
    }
}

extension SessionMessage {
    fileprivate init(_ message: BridgeMessage) {
        switch message {
        case .request(let request):
            let body = Body.request(
                name: request.handlerName,
                id: request.callbackID.map { SessionIdentifier($0) },
                wishes: SessionCapabilities(rawValue: request.accepts.rawValue),
                deadline: request.deadline
            )
            self.init(body, payload: request.payload?.number, account: request.account?.number)
        case .response(let response):
            self.init(
                .response(SessionIdentifier(response.responseID), SessionResponse(response.outcome)),
                payload: response.outcome.payload?.number,
                account: response.account?.number
            )
        case .control(let control):
            let body = Body.control(
                SessionControl(control.kind),
                SessionIdentifier(control.id),
                number: control.number,
                code: control.error?.code.rawValue
            )
            self.init(body, payload: control.payload?.number, account: control.account?.number)
        }
    }
}

extension BridgeMessage {
    fileprivate init(_ message: SessionMessage, _ account: WorkBudget?) {
        let token = message.payload.map { PayloadToken($0) }
        switch message.body {
        case .request(let name, let id, let wishes, let deadline):
            var request = Request(
                handlerName: name,
                callbackID: id?.messageID,
                payload: token,
                accepts: CallerCapabilities(rawValue: wishes.rawValue),
                deadline: deadline
            )
            request.account = account
            self = .request(request)
        case .response(let id, let response):
            let outcome = CallOutcome(response, message.payload)
            self = .response(Response(responseID: id.messageID, outcome: outcome, account: account))
        case .control(let kind, let id, let number, let code):
            let error = code.map { BridgeError($0) }
            self = .control(
                Control(
                    kind.kind,
                    id.messageID,
                    number: number,
                    payload: token,
                    error: error,
                    account: account
                )
            )
        }
    }
}
