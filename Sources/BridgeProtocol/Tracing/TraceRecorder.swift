package import BridgeValues

/// A recorder that creates the trace events and statistics of a session.
///
/// It is a value without a lock, a clock or an output. The session's storage passes it every action of the state
/// machine, and every message to the engine, in order, and collects the events.
package struct TraceRecorder: Sendable {
    /// The trace levels of the handlers.
    package private(set) var levels: TraceLevels
    /// The events that were not collected yet.
    package private(set) var events: [TraceEvent]
    /// The statistics.
    package private(set) var statistics = TraceStatistics()

    private let start: Duration
    private var lastCall: UInt64 = 0
    private var outgoing: [OutgoingCallID: OpenCall] = [:]
    private var incoming: [IncomingCallID: OpenCall] = [:]
    // By the id in the reply. A peer may use an id for several calls at the same time.
    private var outgoingByID: [MessageID: OutgoingCallID] = [:]
    private var incomingByID: [MessageID: [IncomingCallID]] = [:]
    private var depths = TraceDepths()
    private var now = Duration.zero
    // The last call that was replied to: the text of its reply follows its end.
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

    /// Creates a recorder whose times count from a start, with uncollected events of an earlier recorder.
    package init(levels: TraceLevels, start: Duration, after events: [TraceEvent] = []) {
        self.levels = levels
        self.start = start
        self.events = events
    }

    // Methods instead of settable properties: a property that is set through an optional of a noncopyable struct keeps
    // its old value (Swift 6.3.1).

    /// Changes the trace levels.
    package mutating func setLevels(_ levels: TraceLevels) { self.levels = levels }

    /// Removes and returns the events.
    package mutating func takeEvents() -> [TraceEvent] {
        defer { events = [] }
        return events
    }

    /// Records an action of the state machine.
    ///
    /// - Parameters:
    ///   - action: The action, which was just taken from the machine.
    ///   - machine: The machine at that moment.
    ///   - waiting: The number of messages that wait for the engine.
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
            if let open = outgoing[call], let id = machine.streams[stream]?.id {
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
        case .event(let topic, _, _): add(.item, from: .script) { $0.handler = topic }
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

    /// Records the begin of a handler of Swift.
    package mutating func begin(_ request: IncomingRequest, at time: Duration) {
        begin(at: time)
        guard let id = request.id, let open = incoming[id] else {
            return add(.begin, from: .script) { $0.handler = request.handlerName }
        }
        incoming[id]?.begun = now
        arrived(open)
        add(.begin, from: .script, open)
    }

    /// Records that a message is handed over to the script side.
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

    /// Records a message that crosses, if its text is traced.
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

    // Returns the handler that a message is about, if it is known.
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
        // The stream's producer sends it.
        case .next, .end:
            return isOfSwift ? sentStreams.handler(of: control.id) : readStreams.handler(of: control.id)
        // The stream's consumer sends it.
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

    /// A synchronous request in progress.
    package struct SynchronousCall: Sendable {
        fileprivate let open: OpenCall
        fileprivate let start: Duration
    }

    /// Records that a synchronous request has arrived and that its handler begins.
    ///
    /// - Returns: The call for ``end(_:_:at:)``.
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

    /// Records the reply to a synchronous request.
    package mutating func end(_ call: SynchronousCall, _ code: BridgeErrorCode?, at time: Duration) {
        // A recorder that was created meanwhile does not know the call.
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
        guard let id = request.callbackID, let number = machine.currentEpoch.identifiers.number(id),
            let call = machine.outgoing.call(number)
        else { return notify(request.handlerName, place, from: .swift) }
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

    // A call may arrive twice if the engine's turn was terminated; it waited once.
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
        // The machine has already removed the call that was just replied to, and still has the others with its id.
        let call = incomingByID[response.responseID]?.first { call in
            incoming[call]?.isReplied == false && !machine.isInProgress(call)
        }
        // Refusals are recorded separately, and a call from before the trace is not recorded.
        guard let call, let open = incoming[call] else { return }
        if case .stream(let id) = response.outcome {
            sentStreams.open(machine.outboundStream(id), id, of: open.name)
        }
        incoming[call]?.isReplied = true
        // A cancelled call has failed, even if its handler continued and succeeded.
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
        // A call whose context still exists may still receive an error.
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

    // Calls without the capability for errors end without a reply, and replies to a lost context are dropped.
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

/// The handlers of the streams in one direction, as messages about a stream have only its id.
///
/// After the end of a stream, messages may still be queued, and the other side may not know of the end yet.
private struct TracedStreams<Stream: Hashable & Sendable>: Sendable {
    private var known: [MessageID: (handler: String, stream: Stream?)] = [:]
    private var ids: [Stream: MessageID] = [:]
    private var ended = FIFOQueue<MessageID>()
    /// The minimum number of ended streams that are remembered.
    private static var keptCount: Int { 1000 }

    func handler(of id: MessageID) -> String? { known[id]?.handler }

    func handler(of stream: Stream) -> String? { ids[stream].flatMap { known[$0]?.handler } }

    /// Records a stream; one that has already ended keeps only its id.
    mutating func open(_ stream: Stream?, _ id: MessageID, of handler: String) {
        known[id] = (handler, stream)
        if let stream { ids[stream] = id } else { ended.append(id) }
    }

    /// Records the end of a stream while a number of messages wait.
    mutating func end(_ stream: Stream, keeping waiting: Int) {
        guard let id = ids.removeValue(forKey: stream) else { return }
        known[id]?.stream = nil
        ended.append(id)
        while ended.count > Self.keptCount + waiting, let id = ended.popFirst() {
            // A later context may have used the id again.
            if known[id]?.stream == nil { known[id] = nil }
        }
    }

    mutating func end(_ id: MessageID, keeping waiting: Int) {
        if let stream = known[id]?.stream { end(stream, keeping: waiting) }
    }
}

extension MessageID {
    /// The id in a trace: the digits of a number in process, which is not the same on both sides.
    fileprivate var traced: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}
