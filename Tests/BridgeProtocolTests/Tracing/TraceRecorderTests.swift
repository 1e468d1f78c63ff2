import BridgeValues
import Testing

@testable import BridgeProtocol

@Suite("Tracing: the events of a session") struct TraceRecorderTests {
    /// A state machine and its recorder, with a clock that advances with each input.
    private struct Session {
        var machine: SessionMachine
        var recorder: TraceRecorder
        var now = Duration.seconds(100)

        init(_ level: TraceLevel = .calls, limits: BridgeLimits = BridgeLimits()) throws {
            machine = try .live(limits: limits, handlers: ["add", "log"])
            recorder = TraceRecorder(levels: TraceLevels(level), start: now)
        }

        /// Advances the clock by a millisecond, runs an input and passes the actions to the recorder; returns them.
        @discardableResult
        mutating func step(_ verb: (inout SessionMachine) throws -> Void) rethrows -> [SessionAction] {
            now += .milliseconds(1)
            try verb(&machine)
            var actions: [SessionAction] = []
            while let action = machine.nextAction() {
                recorder.note(action, of: machine, waiting: 0, at: now)
                actions.append(action)
                if case .dispatch(_, let request) = action { machine.noteBegun(request.order) }
            }
            return actions
        }

        mutating func events() -> [TraceEvent] {
            recorder.takeEvents()
        }
    }

    @Test(
        "calls that wait without the machine end with their context; those that have begun end with their answers"
    )
    func lostArrivals() throws {
        var session = try Session()
        let calls = ["cb_1", "cb_2", "cb_3"].map {
            session.recorder.arrive("add", .text($0), at: session.now)
        }
        session.recorder.begin(calls[0], at: session.now)
        session.recorder.dropArrived(at: session.now)
        session.recorder.end(calls[0], nil, at: session.now)
        // Their keys are stale.
        for call in calls { session.recorder.drop(call, .cancelled, at: session.now) }
        let events = session.events()
        #expect(events.map(\.kind) == [.call, .call, .call, .begin, .end, .end, .reply, .end])
        #expect(events.filter { $0.kind == .end }.map(\.code) == [.disconnected, .disconnected, nil])
        let figures = try #require(session.recorder.statistics.handler("add", from: .script))
        #expect(figures.depth == 0 && figures.queueDepth == 0 && figures.failureCount == 2)
        #expect(session.recorder.statistics.depths == TraceDepths())
    }

    @Test("calls with one id that the machine receives keep their numbers, and end with their epoch")
    func handedToMachine() throws {
        var session = try Session()
        let calls = (0..<3).map { _ in session.recorder.arrive("add", .text("cb_1"), at: session.now) }
        for call in calls.prefix(2) {
            session.recorder.hand(call, to: session.machine, at: session.now)
            session.step { $0.receiveRequest("add", id: "cb_1") }
        }
        session.recorder.hand(calls[2], to: session.machine, at: session.now)
        session.step { $0.contextLost() }
        let kinds = Dictionary(grouping: session.events().filter { $0.call != nil }, by: { $0.call ?? 0 })
        #expect(
            kinds.mapValues { $0.map(\.kind) } == [
                1: [.call, .abandon, .end], 2: [.call, .abandon, .end], 3: [.call, .end],
            ]
        )
        let figures = try #require(session.recorder.statistics.handler("add", from: .script))
        #expect(figures.callCount == 3 && figures.depth == 0 && figures.queueDepth == 0)
    }

    @Test("a call of a script is made, begins, is replied to and ends, with its times")
    func incoming() throws {
        var session = try Session()
        let actions = session.step { $0.receiveRequest("add", id: "cb_1_5") }
        let request = try #require(actions.compactMap(\.dispatched).first)
        session.now += .milliseconds(2)
        session.recorder.begin(request, at: session.now)
        let id = try #require(request.id)
        let reply = session.step { $0.reply(to: id, with: .payload(nil)) }
        session.now += .milliseconds(4)
        let response = try #require(reply.compactMap(\.sentResponse).first)
        session.recorder.handOver(.response(response), at: session.now)
        let events = session.events()
        #expect(events.map(\.kind) == [.call, .begin, .reply, .end])
        #expect(events.allSatisfy { $0.origin == .script && $0.call == 1 && $0.handler == "add" })
        #expect(events.allSatisfy { $0.id == "cb_1_5" && $0.code == nil })
        #expect(events.map(\.time) == [1, 3, 4, 8].map { Duration.milliseconds($0) })
        #expect(events.map(\.duration) == [nil, nil, .milliseconds(1), .milliseconds(7)])
        #expect(events.map(\.depths.incoming) == [1, 1, 0, 0])
        let figures = try #require(session.recorder.statistics.handler("add", from: .script))
        #expect(figures.callCount == 1 && figures.failureCount == 0)
        #expect(figures.depth == 0 && figures.maximumDepth == 1)
        #expect(figures.latency.maximum == .milliseconds(7))
        #expect(figures.waiting.maximum == .milliseconds(2))
    }

    @Test("a call of Swift is made, delivered and ended; an error has its code")
    func outgoing() throws {
        var session = try Session()
        let sent = try session.step { machine in _ = try machine.call("total") }
        let request = try #require(sent.compactMap(\.sentRequest).first)
        session.now += .milliseconds(1)
        session.recorder.handOver(.request(request), at: session.now)
        session.step { machine in
            machine.receiveResponse(.text("objc_cb_1"), .failure(BridgeError(.handlerFailed, "no")))
        }
        let events = session.events()
        #expect(events.map(\.kind) == [.call, .begin, .end])
        #expect(events.allSatisfy { $0.origin == .swift && $0.call == 1 && $0.handler == "total" })
        #expect(events.map(\.code) == [nil, nil, .handlerFailed])
        #expect(events[2].duration == .milliseconds(2))
        #expect(session.recorder.statistics.handler("total", from: .swift)?.failureCount == 1)
    }

    @Test("calls that are cancelled, expire, are lost with their context or are refused")
    func endings() throws {
        var session = try Session()
        var cancelled: OutgoingCallID?
        try session.step { cancelled = try $0.call("a") }
        let call = try #require(cancelled)
        session.step { $0.cancel(call) }
        try session.step { _ = try $0.call("b", deadline: .seconds(101)) }
        session.step { $0.expire(now: .seconds(200)) }
        try session.step { _ = try $0.call("c") }
        session.step { $0.receiveRequest("add", id: "1") }
        session.step { $0.contextLost() }
        session.step { $0.peerReady() }
        session.step { $0.receiveRequest("nobody", id: "2", acceptsErrors: true) }
        let ends = session.events().filter { ![.call, .note, .control].contains($0.kind) }
        #expect(ends.map(\.kind) == [.end, .end, .end, .abandon, .end, .refused])
        #expect(
            ends.map(\.code) == [
                .cancelled, .deadlineExceeded, .disconnected, nil, .disconnected, .handlerNotFound,
            ]
        )
        let figures = session.recorder.statistics
        #expect(figures.handlers.allSatisfy { $0.depth == 0 })
        #expect(figures.handler("add", from: .script)?.failureCount == 1)
    }

    /// A refusal of a session: its cause, and the events in its trace.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let code: BridgeErrorCode
        let handler: String?
        let id: String?
        let ask: @Sendable (inout SessionMachine) throws -> Void
        var testDescription: String {
            "\(code) of \(handler ?? "a name that is too long"), id \(id ?? "none")"
        }
    }

    static let refusals = [
        Refusal(code: .handlerNotFound, handler: "nobody", id: "2") {
            $0.receiveRequest("nobody", id: "2", acceptsErrors: true)
        },
        Refusal(code: .handlerNotFound, handler: "nobody", id: "2") { $0.receiveRequest("nobody", id: "2") },
        Refusal(code: .handlerNotFound, handler: "nobody", id: nil) { $0.receiveRequest("nobody") },
        Refusal(code: .overloaded, handler: "add", id: "3") { machine in
            machine.receiveRequest("add", id: "2")
            machine.receiveRequest("add", id: "3", acceptsErrors: true)
        },
        Refusal(code: .denied, handler: "pay", id: "2") { machine in
            var grants = BridgeGrants()
            grants.deny("pay")
            machine.setGrants(grants, now: .zero)
            machine.receiveRequest("pay", id: "2")
        },
        Refusal(code: .limitExceeded, handler: nil, id: "2") {
            $0.receiveRequest(String(repeating: "x", count: 2_000_000), id: "2", acceptsErrors: true)
        },
        Refusal(code: .handlerNotFound, handler: "nobody", id: "synchronous") { machine in
            #expect(throws: BridgeError.self) { _ = try machine.beginSynchronous("nobody") }
        },
        Refusal(code: .invalidMessage, handler: "add", id: "2") { machine in
            let request = BridgeMessage.Request(handlerName: "add", callbackID: .text("2"), accepts: .errors)
            machine.refuse(request, BridgeError(.invalidMessage, "no"))
        },
    ]

    @Test(
        "a refused request is traced once with its name, its id and the reason, and counts as a failed call",
        arguments: refusals
    )
    func refused(refusal: Refusal) throws {
        var limits = BridgeLimits()
        limits.maximumPendingCalls = 1
        var session = try Session(limits: limits)
        try session.step(refusal.ask)
        let events = session.events()
        let event = try #require(events.first { $0.kind == .refused })
        #expect(events.count { $0.kind == .refused } == 1)
        #expect(event.handler == refusal.handler && event.id == refusal.id && event.code == refusal.code)
        #expect(event.call != nil && event.origin == .script)
        let name = refusal.handler ?? TraceStatistics.otherName
        let figures = try #require(session.recorder.statistics.handler(name, from: .script))
        #expect(figures.failureCount == 1 && figures.callCount == events.count { $0.call != nil })
        #expect(figures.latency.count == 0)
    }

    @Test("a reply to a call from before the trace is not traced as a refusal")
    func before() throws {
        var session = try Session()
        session.machine.receiveRequest("add", id: "1")
        let request = try #require(session.machine.drain().compactMap(\.dispatched).first)
        let id = try #require(request.id)
        session.step { $0.reply(to: id, with: .payload(nil)) }
        #expect(session.events().isEmpty)
    }

    @Test("a call that was cancelled before its handler began has failed, and is in no queue")
    func givenUp() throws {
        var session = try Session()
        let actions = session.step { machine in
            machine.receiveRequest("add", id: "1")
            machine.receiveRequest("add", id: "2")
        }
        #expect(session.recorder.statistics.handler("add", from: .script)?.queueDepth == 2)
        session.step { $0.receive(.control(Control(.cancel, .text("1")))) }
        let request = try #require(actions.compactMap(\.dispatched).first)
        session.recorder.begin(request, at: session.now)
        let id = try #require(request.id)
        let reply = session.step { $0.reply(to: id, with: .payload(nil)) }
        let response = try #require(reply.compactMap(\.sentResponse).first)
        session.recorder.handOver(.response(response), at: session.now)
        let events = session.events().filter { $0.id == "1" }
        #expect(events.map(\.kind) == [.call, .abandon, .begin, .reply, .end])
        #expect(events.last?.code == .cancelled)
        let figures = try #require(session.recorder.statistics.handler("add", from: .script))
        #expect(figures.failureCount == 1 && figures.depth == 1)
        #expect(figures.queueDepth == 1 && figures.maximumQueueDepth == 2)
        session.step { $0.contextLost() }
        #expect(session.recorder.statistics.handler("add", from: .script)?.queueDepth == 0)
    }

    @Test("a notification is one event when it is made, and one when it arrives")
    func notifications() throws {
        var session = try Session()
        let actions = session.step { $0.receiveRequest("log") }
        session.recorder.begin(try #require(actions.compactMap(\.dispatched).first), at: session.now)
        try session.step { _ = try $0.call("seen", reply: .none) }
        let events = session.events()
        #expect(events.map(\.kind) == [.call, .begin, .call])
        #expect(events.map(\.handler) == ["log", "log", "seen"])
        #expect(events.allSatisfy { $0.id == nil })
        #expect(session.recorder.statistics.handler("log", from: .script)?.callCount == 1)
    }

    @Test(
        "the level of statistics creates no events, and only the first of too many names have their own figures"
    )
    func statistics() throws {
        var session = try Session(.statistics)
        for number in 0..<(TraceStatistics.maximumHandlers + 50) {
            try session.step { _ = try $0.call("n\(number)", reply: .none) }
        }
        #expect(session.recorder.events.isEmpty)
        let figures = session.recorder.statistics
        #expect(figures.handlers.count == TraceStatistics.maximumHandlers + 1)
        #expect(figures.handler(TraceStatistics.otherName, from: .swift)?.callCount == 50)
    }

    @Test("calls without replies, and duplicate ids, are not kept forever")
    func unanswered() throws {
        var session = try Session(.statistics)
        for _ in 0..<5_000 {
            let actions = session.step { $0.receiveRequest("add", id: "same") }
            let id = try #require(actions.compactMap(\.dispatched).first?.id)
            // Its caller does not support errors, so that nothing is sent.
            session.step { $0.reply(to: id, with: .failure(BridgeError(.handlerFailed, "no"))) }
        }
        let figures = try #require(session.recorder.statistics.handler("add", from: .script))
        #expect(figures.callCount == 5_000)
        #expect(figures.depth < 100)
        #expect(figures.depth + figures.failureCount == 5_000)
    }
}
