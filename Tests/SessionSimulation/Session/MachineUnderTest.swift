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

    package init(_ settings: SessionSettings) {
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
        case .hold(let name, let isNotification, let deadline):
            let call = try machine.hold(name, isNotification: isNotification, deadline: deadline)
            return .began(SessionReference(call.key))
        case .settle(let call, let response, let payload):
            machine.settle(OutgoingCallID(key: call.key), with: CallOutcome(response, payload))
        case .beginInline(let name):
            return try machine.beginInline(name).map { .handed(.number($0)) } ?? .done
        case .takeUp(let id, let name, let deadline):
            guard case .number(let number) = id else { return .done }
            return .began(SessionReference(machine.adopt(number, name, deadline: deadline).key))
        case .failInline(let message, let code):
            guard case .request(let request) = BridgeMessage(message) else { return .done }
            machine.failInline(request, BridgeError(code))
        case .endInline(let message):
            guard case .request(let request) = BridgeMessage(message) else { return .done }
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
        case .cancel(let call): return .taken(machine.cancel(OutgoingCallID(key: call.key)))
        case .expire(let now): machine.expire(now: now)
        case .receive(let message, let epoch, let size, let now):
            receive(BridgeMessage(message), epoch, size, now)
        case .refuse(let message, let code, let epoch):
            guard case .request(let request) = BridgeMessage(message) else { return .done }
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
        case .emit(let topic, let payload): return .taken(machine.emit(topic, PayloadToken(payload)))
        case .reportProgress(let call, let payload):
            return .taken(try machine.reportProgress(of: call.incoming, PayloadToken(payload)))
        case .release(let payload): return .taken(machine.release(PayloadToken(payload)))
        case .registerHandler(let name, let handler):
            _ = try machine.registerHandler(name, as: HandlerID(handler))
        case .removeHandler(let name): machine.removeHandler(name)
        case .setGrants(let grants, let renewed, let now): set(grants, renewed, now)
        case .contextLost:
            machine.contextLost()
            return .epoch(machine.epoch)
        case .tearDown: return .epoch(machine.tearDown())
        case .tornDown(let epoch): machine.tornDown(epoch)
        case .retire: machine.retire(BridgeError(.terminated, "The script was stopped."))
        case .reset: machine.reset()
        case .close: machine.close()
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
            isPart: call.isPart
        )
        return id.map { .began(SessionReference($0.key)) } ?? .done
    }

    // As in a real storage: a message of a context without a peer is not checked by the grants.
    private mutating func receive(_ message: BridgeMessage, _ epoch: UInt64?, _ size: Int, _ now: Duration) {
        var message = message
        machine.advance(to: now)
        if case .request(var request) = message, epoch ?? machine.epoch == machine.epoch {
            let bytes = machine.limitsSize(ofRequestsFor: request.handlerName) ? size : 0
            guard machine.admit(&request, bytes: bytes) else { return }
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

    package mutating func nextEffect() -> SessionEffect? {
        while let action = machine.nextAction() {
            if let effect = effect(of: action) { return effect }
        }
        return nil
    }

    package mutating func endEffect() {}

    private mutating func effect(of action: SessionAction) -> SessionEffect? {
        switch action {
        case .send(let message): return .send(SessionMessage(message))
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
        case .refused, .audit, .report, .passed: return nil
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
            self.init(body, payload: request.payload?.number)
        case .response(let response):
            self.init(
                .response(SessionIdentifier(response.responseID), SessionResponse(response.outcome)),
                payload: response.outcome.payload?.number
            )
        case .control(let control):
            let body = Body.control(
                SessionControl(control.kind),
                SessionIdentifier(control.id),
                number: control.number,
                code: control.error?.code.rawValue
            )
            self.init(body, payload: control.payload?.number)
        }
    }
}

extension BridgeMessage {
    fileprivate init(_ message: SessionMessage) {
        let token = message.payload.map { PayloadToken($0) }
        switch message.body {
        case .request(let name, let id, let wishes, let deadline):
            let request = Request(
                handlerName: name,
                callbackID: id?.messageID,
                payload: token,
                accepts: CallerCapabilities(rawValue: wishes.rawValue),
                deadline: deadline
            )
            self = .request(request)
        case .response(let id, let response):
            self = .response(
                Response(responseID: id.messageID, outcome: CallOutcome(response, message.payload))
            )
        case .control(let kind, let id, let number, let code):
            let error = code.map { BridgeError($0) }
            self = .control(Control(kind.kind, id.messageID, number: number, payload: token, error: error))
        }
    }
}
