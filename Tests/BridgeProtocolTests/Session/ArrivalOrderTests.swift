import BridgeValues
import Testing

@testable import BridgeProtocol

/// Replies that arrive after requests whose handlers have not begun.
@Suite struct ArrivalOrderTests {
    private struct Fixture {
        var machine: SessionMachine
        var requests: [UInt64] = []

        init() throws { machine = try SessionMachine.live(handlers: ["note"]) }

        init(machine: SessionMachine) { self.machine = machine }

        /// Receives a number of notifications and performs all actions, but begins no handler.
        mutating func receiveNotes(_ count: Int) {
            for _ in 0..<count { machine.receiveRequest("note") }
            requests += take().compactMap { $0.dispatched?.order }
        }

        mutating func take() -> [SessionAction] {
            var all: [SessionAction] = []
            while let action = machine.nextAction() { all.append(action) }
            return all
        }

        mutating func reply(to number: Int) {
            let id = MessageID.text("objc_cb_\(number)")
            machine.receive(.response(BridgeMessage.Response(responseID: id, outcome: .payload(nil))))
        }

        mutating func settled() -> [OutgoingCallID] {
            take().compactMap { action in
                if case .settle(let call, _) = action { call } else { nil }
            }
        }
    }

    private func made(_ call: OutgoingCallID?) throws -> OutgoingCallID { try #require(call) }

    @Test("P39 a reply waits for all requests before it, in whatever order their handlers begin")
    func waits() throws {
        var fixture = try Fixture()
        let calls = try (0..<2).map { _ in try made(fixture.machine.call("ask")) }
        fixture.receiveNotes(3)
        fixture.reply(to: 1)
        fixture.receiveNotes(1)
        fixture.reply(to: 2)
        let early = fixture.settled()
        #expect(early.isEmpty && fixture.machine.pendingCallCount == 2)
        #expect(!fixture.machine.isInOrder)
        for index in [3, 1, 2] { fixture.machine.noteBegun(fixture.requests[index]) }
        #expect(fixture.settled().isEmpty)
        fixture.machine.noteBegun(fixture.requests[0])
        #expect(fixture.settled() == calls)
        #expect(fixture.machine.isInOrder && fixture.machine.pendingCallCount == 0)
    }

    @Test("P39 a later request does not delay a reply")
    func later() throws {
        var fixture = try Fixture()
        let call = try made(fixture.machine.call("ask"))
        fixture.receiveNotes(1)
        fixture.reply(to: 1)
        fixture.receiveNotes(5)
        fixture.machine.noteBegun(fixture.requests[0])
        #expect(fixture.settled() == [call])
    }

    @Test("P39 R5 a call whose reply waits ends once, by its deadline or its cancellation")
    func ends() throws {
        var fixture = try Fixture()
        let calls = [
            try made(fixture.machine.call("ask", deadline: .seconds(1))),
            try made(fixture.machine.call("ask")),
        ]
        fixture.receiveNotes(1)
        fixture.reply(to: 1)
        fixture.reply(to: 2)
        fixture.machine.expire(now: .seconds(1))
        let isCancelled = fixture.machine.cancel(calls[1])
        #expect(isCancelled)
        #expect(fixture.settled() == calls)
        fixture.machine.noteBegun(fixture.requests[0])
        let late = fixture.settled()
        #expect(late.isEmpty && fixture.machine.counters.lateResponses == 2)
    }

    @Test("P39 callbacks of the legacy API and calls in the open turn do not wait here")
    func unordered() throws {
        var fixture = try Fixture()
        let calls = [
            try made(fixture.machine.call("ask", reply: .legacy)),
            try made(fixture.machine.call("ask", isInTurn: true)),
        ]
        fixture.receiveNotes(1)
        fixture.reply(to: 1)
        fixture.reply(to: 2)
        #expect(fixture.settled() == calls)
    }

    @Test("P39 R3 a forged response to a call that was not sent does not wait until it is sent")
    func unsent() throws {
        var machine = SessionMachine.idle()
        try machine.registerHandler("note", as: HandlerID(0))
        _ = try made(machine.call("ask"))
        var fixture = Fixture(machine: machine)
        fixture.receiveNotes(1)
        fixture.reply(to: 1)
        #expect(fixture.machine.counters.unknownResponses == 1)
        fixture.machine.peerReady()
        fixture.machine.noteBegun(fixture.requests[0])
        #expect(fixture.settled().isEmpty && fixture.machine.pendingCallCount == 1)
    }

    @Test(
        "P39 R6 a reply that has arrived keeps its outcome, whatever ends the calls",
        arguments: ["lose", "tear down", "retire", "reset", "close", "stop"]
    )
    func keepsOutcome(_ end: String) throws {
        var fixture = try Fixture()
        let call = try made(fixture.machine.call("ask"))
        fixture.receiveNotes(1)
        fixture.reply(to: 1)
        let error = BridgeError(.terminated, "stopped")
        switch end {
        case "lose": fixture.machine.contextLost()
        case "tear down": fixture.machine.tearDown()
        case "retire": fixture.machine.retire(error)
        case "reset": fixture.machine.reset()
        case "close": fixture.machine.close()
        default: fixture.machine.failStreams(with: error)
        }
        #expect(fixture.take().contains(.settle(call, .payload(nil))))
        // The handler of a lost context delays nothing.
        if end != "reset" && end != "stop" { #expect(fixture.machine.isInOrder) }
    }

    @Test(
        "R22 a peer that replies to one call repeatedly while a handler has not begun cannot exhaust memory"
    )
    func flood() throws {
        var limits = BridgeLimits()
        limits.maximumQueuedMessages = 10
        var fixture = Fixture(machine: try SessionMachine.live(limits: limits, handlers: ["note"]))
        let call = try made(fixture.machine.call("ask"))
        fixture.receiveNotes(1)
        for _ in 0..<10_000 { fixture.reply(to: 1) }
        #expect(fixture.settled().isEmpty)
        fixture.reply(to: 1)
        #expect(fixture.settled() == [call])
        // The call has ended, so that later messages no longer wait.
        for _ in 0..<1_000 { fixture.reply(to: 1) }
        #expect(fixture.machine.waitingArrivalCount <= 1)
    }

    @Test("P39 a point is passed once all requests before it have begun, immediately where they have")
    func points() throws {
        var fixture = try Fixture()
        fixture.machine.notePoint(1)
        #expect(fixture.take() == [.passed(1)])
        fixture.receiveNotes(2)
        fixture.machine.notePoint(2)
        fixture.machine.noteBegun(fixture.requests[0])
        #expect(fixture.take().isEmpty)
        fixture.machine.noteBegun(fixture.requests[1])
        #expect(fixture.take() == [.passed(2)])
    }
}
