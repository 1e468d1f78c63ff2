import BridgeJSON
import BridgeProtocol
import BridgeTesting
import Synchronization
import Testing

@testable import JavaScriptBridge

/// The parts of a session, each alone.
@Suite struct SessionPartTests {
    private func call(_ number: UInt32) -> OutgoingCallID {
        OutgoingCallID(key: SlabKey(slot: number, generation: 0))
    }
    private func run(_ number: UInt32) -> IncomingCallID {
        IncomingCallID(key: SlabKey(slot: number, generation: 0), epoch: 1)
    }
    private func send(_ name: String, of operation: ExecutionBudget? = nil) -> EngineWork {
        var request = BridgeMessage.Request(handlerName: name, callbackID: .text(name))
        request.account = operation.map { WorkBudget($0) }
        return .send(.request(request), nil)
    }
    private func name(_ work: EngineWork?) -> String? {
        switch work {
        case .send(.request(let request), _)?: request.handlerName
        case .send(.response(let response), _)?: "reply to \(response.responseID)"
        case .event(let topic, _, _)?: "event \(topic)"
        case .callback?: "callback"
        case .send(.control, _)?, .dispatch?, nil: nil
        }
    }

    @Test("the calls: those that are pending in interceptors are counted, and each call ends once")
    func calls() {
        var calls = PendingCalls()
        let waiter = Waiter.unawaited { _ in }
        calls.insert(PendingCalls.Entry(waiter, of: "plain"), for: call(1))
        var entry = PendingCalls.Entry(waiter, of: "progress")
        let progress = Recorder<Value>()
        entry.onProgress = { progress.add((try? $0.value()) ?? .null) }
        calls.insert(entry, for: call(2))
        calls.progressReceiver(of: call(2))?(.value(3))
        #expect(progress.elements == [3])
        #expect(calls.progressReceiver(of: call(1)) == nil)
        #expect(calls.interceptedCount == 0)
        #expect(calls.remove(call(1)) != nil)
        #expect(calls.remove(call(1)) == nil)
    }

    @Test("P39 R3 the handlers: a run keeps its task when its call enters the tables")
    func runs() async throws {
        var runs = HandlerRuns()
        #expect(runs.isEmpty)
        let task = try #require(await Task { HandlerTask.current }.value)
        var request = BridgeMessage.Request(handlerName: "late")
        request.deadline = .seconds(5)
        let late = HandlerRun(HandlerRun.Beginning(request: request, traced: nil, epoch: 1))
        runs.begin(late, task)
        #expect(runs.task(of: run(1)) == nil && runs.earliestDeadline == .seconds(5))
        #expect(runs.overdue(now: .seconds(4)).isEmpty && runs.overdue(now: .seconds(5)).first === late)
        runs.enter(late, as: run(1))
        #expect(runs.task(of: run(1)) != nil && runs.allTasks.count == 1)
        // A task that has ended may still be cancelled.
        runs.task(of: run(1))?.cancel()
        runs.end(.call(run(1)))
        #expect(runs.isEmpty)
        // One that returns in its turn never enters them.
        runs.begin(late, task)
        #expect(!runs.isEmpty)
        runs.end(late)
        #expect(runs.isEmpty && runs.earliestDeadline == nil)
        // The turn's handler begins once.
        runs.runningRequest = 7
        #expect(runs.endRunningRequest() == 7)
        #expect(runs.endRunningRequest() == nil)
        #expect(runs.newNotification() != runs.newNotification())
    }

    @Test("the queue for the engine: a turn takes the work of its own operation only, in order")
    func queue() {
        var queue = EngineQueue()
        let operation = ExecutionBudget()
        queue.append(send("a"))
        queue.append(send("b", of: operation))
        queue.append(send("c"))
        #expect(name(queue.popFirst(of: nil) { _ in }) == "a")
        #expect(queue.lastDeliveredCall == .text("a"))
        #expect(queue.popFirst(of: nil) { _ in } == nil)
        #expect(queue.nextOperation === operation)
        let taken = queue.popFirst(of: operation) { _ in }
        #expect(name(taken) == "b")
        if let taken { queue.putBack(taken) }
        queue.sharesTurn = true
        #expect(name(queue.popFirst(of: nil) { _ in }) == "b")
        #expect(name(queue.popFirst(of: nil) { _ in }) == "c")
        #expect(queue.popFirst(of: nil) { _ in } == nil)
        #expect(queue.isEmpty)
    }

    @Test("the queue for the engine: at the end replies and callbacks stay, then only callbacks")
    func endOfQueue() {
        var queue = EngineQueue()
        queue.append(send("call"))
        queue.append(.event("topic", .value(1), order: 1))
        let response = BridgeMessage.Response(responseID: .text("1"), outcome: .payload(nil))
        queue.append(.send(.response(response), nil))
        queue.append(.callback({ _ in }, 1))
        queue.keepReplies()
        #expect(queue.count == 2)
        queue.append(.event("topic", .value(1), order: 2))
        #expect(queue.keepCallbacks() == 1)
        #expect(queue.removeAll().map { name($0) } == ["callback"])
        #expect(queue.isEmpty)
    }

    @Test("R22 the queue for the engine keeps no memory of completed work while it never empties")
    func longQueue() {
        var queue = EngineQueue()
        for number in 0..<10_000 {
            queue.append(send("\(number)"))
            queue.append(send("\(number)"))
            let taken = queue.popFirst(of: nil) { _ in }
            #expect(taken != nil)
        }
        #expect(queue.count == 10_000)
        #expect(name(queue.popFirst(of: nil) { _ in }) == "5000")
    }

    @Test("P39 the replies of a session settle its retained results: a value, an error, never a stream")
    func results() throws {
        let id = ByteEqualString("a")
        let request = PipelinedRequest(
            message: BridgeMessage.Request(handlerName: "x", callbackID: .text("x")),
            payload: JSONPayload(written: Array("null".utf16)),
            epoch: 0
        )
        func settled(_ outcome: CallOutcome, _ payload: MessagePayload? = nil) -> SessionResults.Readiness? {
            var results = SessionResults()
            let response = BridgeMessage.Response(responseID: .text("a"), outcome: outcome)
            // Nothing waits for what is not retained.
            let unknown = results.settle(.response(response), payload)
            #expect(unknown.isEmpty)
            _ = results.keep(id)
            guard case .waits = results.find(for: request, knownAs: .text("x"), awaiting: [id]) else {
                return nil
            }
            return results.settle(.response(response), payload).first?.1
        }
        guard case .ready(let found)? = settled(.payload(nil), .value(1)),
            case .ready(let empty)? = settled(.payload(nil)),
            case .failed(let error)? = settled(.failure(BridgeError(.handlerFailed, "no"))),
            case .failed(let ofStream)? = settled(.stream(.text("s")))
        else {
            Issue.record("the request does not continue")
            return
        }
        #expect(try found[id]?.value() == 1)
        #expect(try empty[id]?.value() == .null)
        #expect(error.code == .handlerFailed)
        #expect(ofStream.code == .unsupported)
    }

    @Test(
        "R4 a request that waited for a result is dropped if its context was lost meanwhile",
        arguments: [true, false]
    )
    func continuedTooLate(hasResult: Bool) throws {
        let bridge = try Bridge(configuration: .patient)
        try bridge.registerHandler("h") { (_: Value) in Issue.record("The handler runs.") }
        let session = bridge.session
        let request = PipelinedRequest(
            message: BridgeMessage.Request(handlerName: "h", callbackID: .text("x"), accepts: .errors),
            payload: JSONPayload(written: Array("null".utf16)),
            epoch: session.state.withLock { $0.machine.epoch }
        )
        session.update { $0.machine.contextLost() }
        request.proceed(hasResult ? .ready([:]) : .failed(BridgeError(.handlerFailed, "no")), in: session)
        let (counters, queued) = session.state.withLock {
            ($0.machine.counters, $0.machine.queuedMessageCount)
        }
        // The next context receives neither its answer nor its effects.
        #expect(counters.lostMessages == 1 && queued == 0)
    }

    @Test("the listeners: in the order in which they were added, and known as the only one")
    func listeners() {
        var listeners = TopicListeners()
        func listener() -> TopicListeners.Listener {
            let site = CallSite(function: "test", fileID: #fileID, line: #line)
            return TopicListeners.Listener(
                handler: RegisteredHandler(handler: .answering { (value: Value) in value }, site: site),
                shape: nil
            )
        }
        let (first, second) = (listener(), listener())
        let (firstID, count) = listeners.add("t", first)
        #expect(count == 1 && listeners.only(of: "t")?.handler === first.handler)
        #expect(listeners.add("t", second).count == 2)
        #expect(listeners.only(of: "t") == nil)
        #expect(listeners.of("t").map { $0.handler === first.handler } == [true, false])
        // Topics are equal if their bytes are.
        #expect(listeners.add("\u{e9}", listener()).count == 1)
        #expect(listeners.of("e\u{301}").isEmpty)
        #expect(listeners.remove("t", firstID).count == 1)
        #expect(listeners.remove("t", firstID).listener == nil)
        #expect(listeners.only(of: "t")?.handler === second.handler)
    }

    @Test("the lifecycle: observers get each change that they can see once, endings run in order")
    func lifecycle() {
        var lifecycle = SessionLifecycle()
        let states = Recorder<BridgeState>()
        let observer = lifecycle.addObserver { states.add($0) }
        #expect(observer.isCurrent)
        // For observers both are the same state.
        lifecycle.noteChange(from: .retired, to: .closed)
        #expect(lifecycle.popChange() == nil)
        lifecycle.noteChange(from: .idle, to: .injected)
        lifecycle.noteChange(from: .injected, to: .live)
        #expect(!lifecycle.addObserver { _ in }.isCurrent)
        while let (observers, change) = lifecycle.popChange() { observers[0](change) }
        #expect(states.elements == [.injected, .live])
        let endings = Recorder<Int>()
        for number in 0..<3 { _ = lifecycle.addEnding { endings.add(number) } }
        _ = lifecycle.removeEnding(lifecycle.addEnding { endings.add(9) })
        for ending in lifecycle.takeEndings() { ending() }
        #expect(endings.elements == [0, 1, 2])
        #expect(lifecycle.takeEndings().isEmpty)
    }

    @Test("the capabilities: what both sides know, of the current context only")
    func capabilities() {
        var configuration = BridgeConfiguration()
        configuration.transport = .text
        let peer = PeerCapabilities(configuration)
        var taken: [[Bool]] = []
        func take() { taken.append([peer.takesPlaces, peer.takesReferences, peer.takesResults]) }
        take()
        peer.note([.binary])
        take()
        peer.note([.references, .pipelining])
        take()
        var known = peer.begin(isOurs: false)
        #expect(known.isEmpty)
        take()
        known = peer.begin(isOurs: true)
        #expect(known == [.binary, .references, .pipelining])
        take()
        #expect(
            taken == [
                [false, false, false], [true, false, false], [true, true, true], [false, false, false],
                [true, true, true],
            ]
        )
        configuration.transport = .direct
        let direct = PeerCapabilities(configuration)
        known = direct.begin(isOurs: true)
        #expect(known.isEmpty)
    }

    @Test("P71 the log: traffic is shown where there is a sink or a trace of messages")
    func tracing() {
        var tracing = MessageTracing()
        #expect(!tracing.showsTraffic(hasSink: true))
        tracing.logsTraffic = true
        #expect(tracing.showsTraffic(hasSink: true) && !tracing.showsTraffic(hasSink: false))
        tracing.levels.standard = .messages
        #expect(tracing.showsTraffic(hasSink: false))
    }

    @Test("the checks: groups do not affect each other")
    func checks() {
        let mask = MessageMask()
        #expect(mask.contains(anyOf: .connection))
        mask.set([.trace, .queue], of: .stored)
        mask.set(.recording, of: .recording)
        #expect(!mask.contains(anyOf: .connection) && mask.contains(anyOf: .recording))
        mask.set([], of: .stored)
        #expect(!mask.contains(anyOf: .trace) && mask.contains(anyOf: .observers))
        mask.set([], of: .recording)
        #expect(!mask.contains(anyOf: [.calls, .requests, .shown]))
    }
}
