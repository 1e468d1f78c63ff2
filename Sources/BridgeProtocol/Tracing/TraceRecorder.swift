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
    private let number: Int
    private var lastCall: UInt64 = 0
    private var outgoing: [OutgoingCallID: OpenCall] = [:]
    private var incoming: [IncomingCallID: OpenCall] = [:]
    // By the id in the reply. A peer may use an id for several calls at the same time.
    private var outgoingByID: [MessageID: OutgoingCallID] = [:]
    private var incomingByID: [MessageID: [IncomingCallID]] = [:]
    /// The calls of one epoch that have arrived without the machine, and that it receives next.
    private var arriving: [MessageID: [OpenCall]] = [:]
    private var arrivingEpoch: UInt64 = 0
    /// The handler of the last such call, and the index of its figures.
    private var lastArrival: (name: String, place: Int)?
    /// The calls in progress that no table of the machine has.
    private var inlineCalls = Slab<OpenCall>()
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
        /// The id in the events.
        let shownID: String
        let called: Duration
        let place: Int
        var begun: Duration?
        var isReplied = false
        var code: BridgeErrorCode?
    }

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - levels: The trace levels of the handlers.
    ///   - start: The time from which its times count.
    ///   - number: The number of the recorder among those of its session.
    ///   - events: Uncollected events of an earlier recorder.
    package init(levels: TraceLevels, start: Duration, number: Int = 0, after events: [TraceEvent] = []) {
        self.levels = levels
        self.start = start
        self.number = number
        self.events = events
    }

    // Methods instead of settable properties: a property that is set through an optional of a noncopyable struct keeps
    // its old value (Swift 6.3.1).

    /// Changes the trace levels.
    package mutating func setLevels(_ levels: TraceLevels) { self.levels = levels }

    /// Records several steps.
    package mutating func record<Result>(_ steps: (inout TraceRecorder) -> Result) -> Result { steps(&self) }

    /// Removes and returns the events.
    package mutating func takeEvents() -> [TraceEvent] {
        var events: [TraceEvent] = []
        exchangeEvents(&events)
        return events
    }

    /// Removes the events, and replaces those of an array, whose memory the next events use.
    package mutating func exchangeEvents(_ taken: inout [TraceEvent]) {
        taken.removeAll(keepingCapacity: taken.capacity <= Self.keptCapacity)
        swap(&events, &taken)
    }

    private static var keptCapacity: Int { 1000 }

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
        dropLost(machine)
        depths.queue = waiting + machine.queuedMessageCount
        depths.outgoing = machine.pendingCallCount
        depths.incoming = machine.incomingCallCount + inlineCalls.count
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
            addEnd(of: open, code)
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

    // MARK: - Calls that no table of the machine has

    /// A call of a script that no table of the machine has.
    ///
    /// It belongs to the recorder that made it: others, created when tracing is enabled again, ignore it.
    package struct InlineCall: Sendable {
        fileprivate let key: SlabKey
        fileprivate let recorder: Int
    }

    /// Records that a call has arrived, which waits for its handler.
    package mutating func arrive(_ name: String, _ id: MessageID, at time: Duration) -> InlineCall {
        begin(at: time)
        let open = open(name, id, placeOfArrival(name))
        let key = inlineCalls.insert(open)
        noteIncoming(1)
        add(.call, from: .script, open)
        return InlineCall(key: key, recorder: number)
    }

    /// Records that the handler of a call begins.
    package mutating func begin(_ call: InlineCall, at time: Duration) {
        guard call.recorder == number, var open = inlineCalls[call.key] else { return }
        begin(at: time)
        arrived(open)
        open.begun = now
        add(.begin, from: .script, open)
        inlineCalls.replace(call.key, open)
    }

    /// Records that a notification has arrived, and that its handler begins.
    package mutating func beginNotification(_ name: String, at time: Duration) {
        begin(at: time)
        notify(name, statistics.place(of: name, from: .script), from: .script)
        add(.begin, from: .script) { $0.handler = name }
    }

    /// Records an event of a topic.
    package mutating func event(of topic: String, at time: Duration) {
        begin(at: time)
        add(.item, from: .script) { $0.handler = topic }
    }

    /// Records the reply to a call, which the script gets in the same turn.
    package mutating func end(_ call: InlineCall, _ code: BridgeErrorCode?, at time: Duration) {
        guard let open = remove(call) else { return }
        begin(at: time)
        ended(open, code)
        add(.reply, from: .script, open) { event in
            event.duration = open.begun.map { event.time - $0 }
            event.code = code
        }
        addEnd(of: open, code)
    }

    /// Records that a call ends without a reply: its caller is gone.
    package mutating func drop(_ call: InlineCall, _ code: BridgeErrorCode, at time: Duration) {
        guard let open = remove(call) else { return }
        begin(at: time)
        ended(open, code)
        addEnd(of: open, code)
    }

    /// Records that the tables of the machine have a call now; its handler has begun.
    package mutating func enter(_ call: InlineCall, as id: IncomingCallID) {
        guard let open = remove(call) else { return }
        add(open, as: id)
    }

    /// Records that the machine receives a call next, whose handler has not begun.
    package mutating func hand(_ call: InlineCall, to machine: borrowing SessionMachine, at time: Duration) {
        guard let open = remove(call) else { return }
        begin(at: time)
        dropLost(machine)
        arrivingEpoch = machine.epoch
        arriving[open.id, default: []].append(open)
    }

    /// Ends the calls whose handlers have not begun, because their context is gone or the session was closed.
    package mutating func dropArrived(at time: Duration) {
        begin(at: time)
        let waiting = inlineCalls.keys.compactMap { key in inlineCalls[key].map { (key, $0) } }
        for (key, open) in waiting.sorted(by: { $0.1.number < $1.1.number }) where open.begun == nil {
            drop(InlineCall(key: key, recorder: number), .disconnected, at: time)
        }
    }

    private mutating func takeArriving(_ id: MessageID) -> OpenCall? {
        guard let open = arriving[id]?.removeFirst() else { return nil }
        if arriving[id]?.isEmpty == true { arriving[id] = nil }
        return open
    }

    /// Ends the calls that the machine has dropped with their context.
    private mutating func dropLost(_ machine: borrowing SessionMachine) {
        guard !arriving.isEmpty, arrivingEpoch != machine.epoch || !machine.isCurrent(nil) else { return }
        for open in arriving.values.joined().sorted(by: { $0.number < $1.number }) {
            ended(open, .disconnected)
            addEnd(of: open, .disconnected)
        }
        arriving = [:]
    }

    private mutating func placeOfArrival(_ name: String) -> Int {
        if let lastArrival, lastArrival.name == name { return lastArrival.place }
        let place = statistics.place(of: name, from: .script)
        lastArrival = (name, place)
        return place
    }

    private mutating func remove(_ call: InlineCall) -> OpenCall? {
        guard call.recorder == number, let open = inlineCalls.remove(call.key) else { return nil }
        noteIncoming(-1)
        return open
    }

    private mutating func noteIncoming(_ change: Int) {
        depths.incoming += change
        statistics.note(depths)
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
        if let open = takeArriving(id) { return add(open, as: call) }
        let open = open(request.handlerName, id, place)
        add(open, as: call)
        add(.call, from: .script, open)
    }

    private mutating func add(_ open: OpenCall, as call: IncomingCallID) {
        incoming[call] = open
        incomingByID[open.id, default: []].append(call)
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
        return OpenCall(
            number: lastCall,
            name: name,
            id: id,
            shownID: id.traced,
            called: now,
            place: place
        )
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

    private mutating func addEnd(of open: OpenCall, _ code: BridgeErrorCode?) {
        add(.end, from: .script, open) { event in
            event.duration = event.time - open.called
            event.code = code
        }
    }

    private mutating func refuse(_ name: String, _ id: MessageID?, _ code: BridgeErrorCode) {
        if let open = id.flatMap({ takeArriving($0) }) {
            ended(open, code)
            return add(.refused, from: .script, open) { $0.code = code }
        }
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
            return addEnd(of: open, .disconnected)
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
            event.id = open.shownID
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
