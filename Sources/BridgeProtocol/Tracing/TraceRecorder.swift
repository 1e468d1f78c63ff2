package import BridgeValues

/// Makes events and figures of what a session does.
///
/// It is a value without lock, clock or sink. The storage of a session shows it each action of the machine, and what
/// goes to the engine, both in order, and takes the events.
package struct TraceRecorder: Sendable {
    /// How much is told, by handler.
    package private(set) var levels: TraceLevels
    /// The events that nobody has taken yet.
    package private(set) var events: [TraceEvent]
    /// What was counted.
    package private(set) var statistics = TraceStatistics()

    private let start: Duration
    private var lastCall: UInt64 = 0
    private var outgoing: [OutgoingCallID: OpenCall] = [:]
    private var incoming: [IncomingCallID: OpenCall] = [:]
    // By the id that stands in the answer. A peer may give an id to several calls at once.
    private var outgoingByID: [MessageID: OutgoingCallID] = [:]
    private var incomingByID: [MessageID: [IncomingCallID]] = [:]
    private var depths = TraceDepths()
    private var now = Duration.zero
    // What was answered last: the text of its reply comes after its end.
    private var lastAnswered: (id: MessageID, name: String)?
    private var sentStreams = TracedStreams<OutboundStreamID>()
    private var readStreams = TracedStreams<InboundStreamID>()

    fileprivate struct OpenCall: Sendable {
        let number: UInt64
        let name: String
        let id: MessageID
        let called: Duration
        let place: Int
        var begun: Duration?
        var isReplied = false
        var code: BridgeErrorCode?
    }

    /// Makes a recorder whose times count from a moment, behind events of another that nobody has taken.
    package init(levels: TraceLevels, start: Duration, after events: [TraceEvent] = []) {
        self.levels = levels
        self.start = start
        self.events = events
    }

    // Verbs instead of members to set: set through an optional of a noncopyable struct, a member keeps its old value
    // for ever (Swift 6.3.1).

    /// Changes how much is told.
    package mutating func setLevels(_ levels: TraceLevels) { self.levels = levels }

    /// Takes the events out.
    package mutating func takeEvents() -> [TraceEvent] {
        defer { events = [] }
        return events
    }

    /// Notes what the machine wants done.
    ///
    /// - Parameters:
    ///   - action: The action, just taken from the machine.
    ///   - machine: The machine as it is then.
    ///   - waiting: How many messages wait for the engine.
    ///   - time: The time on the session's clock.
    package mutating func note(
        _ action: SessionAction,
        of machine: SessionMachine,
        waiting: Int,
        at time: Duration
    ) {
        begin(at: time)
        depths.queue = waiting + machine.queuedMessageCount
        depths.outgoing = machine.pendingCallCount
        depths.incoming = machine.incomingCallCount
        statistics.note(depths)
        switch action {
        case .send(.request(let request)): call(request, machine)
        case .send(.response(let response)): reply(response, machine)
        case .send(.control(let control)): self.control(control, from: .swift)
        case .dispatch(_, let request): call(request, machine)
        case .settle(let call, let outcome): end(call, outcome.error?.code)
        case .opened(let call, let stream):
            if let open = outgoing[call], let id = machine.inbound[stream.key]?.id {
                readStreams.open(stream, id, of: open.name)
            }
            end(call, nil)
        case .progress(let call, _):
            let open = outgoing[call]
            add(.item, from: .script, open)
        case .deliver(let stream, _):
            let handler = readStreams.handler(of: stream)
            add(.item, from: .script) { $0.handler = handler }
        case .finish(let stream, let error):
            let handler = readStreams.handler(of: stream)
            readStreams.end(stream, keeping: depths.queue)
            add(.finish, from: .script) { event in
                event.handler = handler
                event.code = error?.code
            }
        case .event(let topic, _): add(.item, from: .script) { $0.handler = topic }
        case .abandon(let call): abandon(call, machine)
        case .refused(let name, let id, let code): refuse(name, id, code)
        case .audit(let denial):
            add(.denied, from: .script) { $0.text = "\(denial)" }
        case .report(let diagnostic): add(.note, from: .swift) { $0.text = "\(diagnostic)" }
        case .stop(let stream):
            let handler = sentStreams.handler(of: stream)
            sentStreams.end(stream, keeping: depths.queue)
            add(.control, from: .script) { event in
                event.handler = handler
                event.text = "stop"
            }
        case .release: add(.control, from: .script) { $0.text = "release" }
        case .demand, .discard, .passed: break
        }
        forgetUnanswered(machine)
    }

    /// Notes that a handler of Swift begins.
    package mutating func begin(_ request: IncomingRequest, at time: Duration) {
        begin(at: time)
        guard let id = request.id, let open = incoming[id] else {
            return add(.begin, from: .script) { $0.handler = request.handlerName }
        }
        incoming[id]?.begun = now
        arrived(open)
        add(.begin, from: .script, open)
    }

    /// Notes that a message is handed over to the script's side.
    package mutating func handOver(_ message: BridgeMessage, at time: Duration) {
        begin(at: time)
        switch message {
        case .request(let request):
            guard let id = request.callbackID, let call = outgoingByID[id], let open = outgoing[call] else {
                return add(.begin, from: .swift) { $0.handler = request.handlerName }
            }
            outgoing[call]?.begun = now
            arrived(open)
            add(.begin, from: .swift, open)
        case .response(let response):
            let call = incomingByID[response.responseID]?.first { incoming[$0]?.isReplied == true }
            guard let call, let open = incoming[call] else { return }
            remove(call)
            lastAnswered = (response.responseID, open.name)
            let code = open.code ?? response.outcome.error?.code
            ended(open, code)
            add(.end, from: .script, open) { event in
                event.duration = event.time - open.called
                event.code = code
            }
        case .control: break
        }
    }

    /// Notes a message that crosses, if its text is wanted.
    package mutating func message(
        _ message: BridgeMessage,
        _ text: String,
        from origin: TraceEvent.Side,
        at time: Duration
    ) {
        guard levels.level(of: levels.hasExceptions ? name(of: message, from: origin) : nil) >= .messages
        else { return }
        begin(at: time)
        var event = TraceEvent(.message, from: origin, at: now, depths: depths)
        event.text = text
        events.append(event)
    }

    // The handler that a message is about, where that is known.
    private func name(of message: BridgeMessage, from origin: TraceEvent.Side) -> String? {
        switch message {
        case .request(let request): return request.handlerName
        case .control(let control): return name(of: control, from: origin)
        case .response(let response):
            let id = response.responseID
            if origin == .script { return outgoingName(id) }
            if let lastAnswered, lastAnswered.id == id { return lastAnswered.name }
            return incomingName(id)
        }
    }

    private func name(of control: Control, from origin: TraceEvent.Side) -> String? {
        let isOfSwift = origin == .swift
        switch control.kind {
        // Its producer's.
        case .next, .end:
            return isOfSwift ? sentStreams.handler(of: control.id) : readStreams.handler(of: control.id)
        // Its reader's.
        case .more, .stop:
            return isOfSwift ? readStreams.handler(of: control.id) : sentStreams.handler(of: control.id)
        case .progress: return isOfSwift ? incomingName(control.id) : outgoingName(control.id)
        case .cancel: return isOfSwift ? outgoingName(control.id) : incomingName(control.id)
        case .event, .subscribe, .unsubscribe: return control.topic
        case .hello, .release: return nil
        }
    }

    private func outgoingName(_ id: MessageID) -> String? { outgoingByID[id].flatMap { outgoing[$0]?.name } }

    private func incomingName(_ id: MessageID) -> String? {
        incomingByID[id]?.first.flatMap { incoming[$0]?.name }
    }

    /// A synchronous request that is being answered.
    package struct SynchronousCall: Sendable {
        fileprivate let open: OpenCall
        fileprivate let start: Duration
    }

    /// Notes that a synchronous request has come and that its handler begins.
    ///
    /// - Returns: What to give to ``end(_:_:at:)``.
    package mutating func beginSynchronous(_ name: String, at time: Duration) -> SynchronousCall {
        begin(at: time)
        let place = statistics.place(of: name, from: .script)
        var open = open(name, .synchronous, place)
        add(.call, from: .script, open)
        arrived(open)
        open.begun = now
        add(.begin, from: .script, open)
        return SynchronousCall(open: open, start: start)
    }

    /// Notes that a synchronous request has been answered.
    package mutating func end(_ call: SynchronousCall, _ code: BridgeErrorCode?, at time: Duration) {
        // Another recorder began meanwhile, which knows nothing of it.
        guard call.start == start else { return }
        begin(at: time)
        ended(call.open, code)
        for kind in [TraceEvent.Kind.reply, .end] {
            add(kind, from: .script, call.open) { event in
                event.duration = event.time - call.open.called
                event.code = code
            }
        }
    }

    // MARK: - Calls

    private mutating func call(_ request: BridgeMessage.Request, _ machine: SessionMachine) {
        let place = statistics.place(of: request.handlerName, from: .swift)
        guard let id = request.callbackID, let number = machine.identifiers.number(id),
            let key = machine.outgoingByNumber[number]
        else { return notify(request.handlerName, place, from: .swift) }
        let call = OutgoingCallID(key: key)
        let open = open(request.handlerName, id, place)
        outgoing[call] = open
        outgoingByID[id] = call
        add(.call, from: .swift, open)
    }

    private mutating func call(_ request: IncomingRequest, _ machine: SessionMachine) {
        let place = statistics.place(of: request.handlerName, from: .script)
        guard let call = request.id, let id = machine.incoming[call.key]?.callbackID else {
            return notify(request.handlerName, place, from: .script)
        }
        let open = open(request.handlerName, id, place)
        incoming[call] = open
        incomingByID[id, default: []].append(call)
        add(.call, from: .script, open)
    }

    private mutating func open(_ name: String, _ id: MessageID, _ place: Int) -> OpenCall {
        lastCall += 1
        statistics.update(place) { handler in
            handler.callCount += 1
            handler.depth += 1
            handler.maximumDepth = max(handler.maximumDepth, handler.depth)
            handler.queueDepth += 1
            handler.maximumQueueDepth = max(handler.maximumQueueDepth, handler.queueDepth)
        }
        return OpenCall(number: lastCall, name: name, id: id, called: now, place: place)
    }

    // A call may arrive twice, where the engine's turn was stopped; it waited once.
    private mutating func arrived(_ open: OpenCall) {
        statistics.update(open.place) { handler in
            if open.begun == nil { handler.queueDepth -= 1 }
            handler.waiting.record(now - open.called)
        }
    }

    private mutating func notify(_ name: String, _ place: Int, from origin: TraceEvent.Side) {
        lastCall += 1
        statistics.update(place) { $0.callCount += 1 }
        let number = lastCall
        add(.call, from: origin) { event in
            event.call = number
            event.handler = name
        }
    }

    private mutating func reply(_ response: BridgeMessage.Response, _ machine: SessionMachine) {
        let code = response.outcome.error?.code
        // The machine has let the call go that was just answered, and holds the others of its id.
        let call = incomingByID[response.responseID]?.first { call in
            incoming[call]?.isReplied == false && !machine.isInProgress(call)
        }
        // Refusals are told by themselves, and of a call that was made before the trace began nothing is.
        guard let call, let open = incoming[call] else { return }
        if case .stream(let id) = response.outcome {
            sentStreams.open(machine.outboundStream(id), id, of: open.name)
        }
        incoming[call]?.isReplied = true
        // Who gave up has not failed less because its handler went on.
        incoming[call]?.code = code ?? open.code
        add(.reply, from: .script, open) { event in
            event.duration = open.begun.map { event.time - $0 }
            event.code = code
        }
    }

    private mutating func refuse(_ name: String, _ id: MessageID?, _ code: BridgeErrorCode) {
        lastCall += 1
        statistics.update(statistics.place(of: name, from: .script)) { handler in
            handler.callCount += 1
            handler.failureCount += 1
        }
        let number = lastCall
        add(.refused, from: .script) { event in
            event.call = number
            if TraceStatistics.isKept(name) { event.handler = name }
            event.id = id?.traced
            event.code = code
        }
    }

    private mutating func end(_ call: OutgoingCallID, _ code: BridgeErrorCode?) {
        guard let open = outgoing.removeValue(forKey: call) else { return }
        outgoingByID[open.id] = nil
        ended(open, code)
        add(.end, from: .swift, open) { event in
            event.duration = event.time - open.called
            event.code = code
        }
    }

    private mutating func abandon(_ call: IncomingCallID, _ machine: SessionMachine) {
        guard let open = incoming[call] else { return }
        add(.abandon, from: .script, open)
        // One whose context is there may be answered still, with an error.
        if call.epoch != machine.epoch {
            giveUp(call, open)
            return add(.end, from: .script, open) { event in
                event.duration = event.time - open.called
                event.code = .disconnected
            }
        }
        incoming[call]?.code = .cancelled
    }

    private mutating func ended(_ open: OpenCall, _ code: BridgeErrorCode?) {
        statistics.update(open.place) { handler in
            handler.depth -= 1
            if open.begun == nil { handler.queueDepth -= 1 }
            if code != nil { handler.failureCount += 1 }
            handler.latency.record(now - open.called)
        }
    }

    private mutating func remove(_ call: IncomingCallID) {
        guard let open = incoming.removeValue(forKey: call) else { return }
        incomingByID[open.id]?.removeAll { $0 == call }
        if incomingByID[open.id]?.isEmpty == true { incomingByID[open.id] = nil }
    }

    private mutating func giveUp(_ call: IncomingCallID, _ open: OpenCall) {
        remove(call)
        statistics.update(open.place) { handler in
            handler.depth -= 1
            if open.begun == nil { handler.queueDepth -= 1 }
            handler.failureCount += 1
        }
    }

    // Calls whose callers take no errors end without an answer, and answers to a context that was lost go nowhere.
    private mutating func forgetUnanswered(_ machine: SessionMachine) {
        guard incoming.count > 2 * machine.incomingCallCount + 64 else { return }
        for (call, open) in incoming where !machine.isInProgress(call) {
            if !open.isReplied || call.epoch != machine.epoch { giveUp(call, open) }
        }
    }

    // MARK: - Events

    private mutating func control(_ control: Control, from origin: TraceEvent.Side) {
        let handler = name(of: control, from: origin)
        switch control.kind {
        case .next, .event, .progress:
            add(.item, from: origin) { event in
                event.id = control.id.traced
                event.handler = handler
            }
        case .end:
            sentStreams.end(control.id, keeping: depths.queue)
            add(.finish, from: origin) { event in
                event.id = control.id.traced
                event.handler = handler
                event.code = control.error?.code
            }
        default:
            if control.kind == .stop { readStreams.end(control.id, keeping: depths.queue) }
            add(.control, from: origin) { event in
                event.id = control.id.traced
                event.handler = handler
                event.text = "\(control.kind)"
            }
        }
    }

    private mutating func begin(at time: Duration) { now = time - start }

    private mutating func add(
        _ kind: TraceEvent.Kind,
        from origin: TraceEvent.Side,
        _ open: OpenCall? = nil,
        _ fill: (inout TraceEvent) -> Void = { _ in }
    ) {
        guard levels.maximum >= .calls else { return }
        var event = TraceEvent(kind, from: origin, at: now, depths: depths)
        if let open {
            event.call = open.number
            event.handler = open.name
            event.id = open.id.traced
        }
        fill(&event)
        guard levels.level(of: event.handler) >= .calls else { return }
        events.append(event)
    }
}

/// The handlers of streams of one way: messages about one carry nothing but its id.
///
/// Of one that has ended, messages may wait still, and its other side may not know yet.
private struct TracedStreams<Stream: Hashable & Sendable>: Sendable {
    private var known: [MessageID: (handler: String, stream: Stream?)] = [:]
    private var ids: [Stream: MessageID] = [:]
    private var ended = FirstInFirstOut<MessageID>()
    /// How many that have ended are known at least.
    private static var keptCount: Int { 1000 }

    func handler(of id: MessageID) -> String? { known[id]?.handler }

    func handler(of stream: Stream) -> String? { ids[stream].flatMap { known[$0]?.handler } }

    /// Notes a stream; one that is over already is none any more, but has its id.
    mutating func open(_ stream: Stream?, _ id: MessageID, of handler: String) {
        known[id] = (handler, stream)
        if let stream { ids[stream] = id } else { ended.append(id) }
    }

    /// Notes that a stream has ended, while so many messages wait.
    mutating func end(_ stream: Stream, keeping waiting: Int) {
        guard let id = ids.removeValue(forKey: stream) else { return }
        known[id]?.stream = nil
        ended.append(id)
        while ended.count > Self.keptCount + waiting, let id = ended.popFirst() {
            // A later context may have given it again.
            if known[id]?.stream == nil { known[id] = nil }
        }
    }

    mutating func end(_ id: MessageID, keeping waiting: Int) {
        if let stream = known[id]?.stream { end(stream, keeping: waiting) }
    }
}

extension MessageID {
    /// The id in a trace: a number in process has no text, and is another for each side.
    fileprivate var traced: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}
