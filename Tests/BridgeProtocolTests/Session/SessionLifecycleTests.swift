import BridgeValues
import Testing

@testable import BridgeProtocol

@Suite("Session: start, reload, reset, end")
struct SessionLifecycleTests {
    @Test("P25 requests and replies from before the peer was ready are sent once it is, in order")
    func startUpQueue() throws {
        var machine = SessionMachine.idle()
        try machine.registerHandler("h", as: HandlerID(1))
        _ = try machine.call("first", reply: .none)
        machine.receiveRequest("h", id: "theirs")
        let incoming = try #require(machine.drain().first?.dispatched?.id)
        machine.reply(to: incoming, with: .payload(nil))
        _ = try machine.call("last")
        #expect(machine.drain().isEmpty)
        #expect(machine.queuedMessageCount == 3)
        machine.peerReady()
        let sent = machine.drain().map {
            $0.sentRequest?.handlerName ?? $0.sentResponse?.responseID.description
        }
        #expect(sent == ["first", "theirs", "last"])
        #expect(machine.state == .live)
    }

    @Test("R3 R4 a reply to a call that still waits in the start-up queue settles nothing")
    func replyBeforeSending() throws {
        var machine = SessionMachine.idle()
        _ = try machine.call("a")
        machine.receiveResponse(.text("objc_cb_1"))
        #expect(machine.drain().compactMap { $0.settled }.isEmpty)
        #expect(machine.counters.unknownResponses == 1)
        machine.peerReady()
        machine.receiveResponse(.text("objc_cb_1"))
        #expect(machine.drain().compactMap { $0.settled }.count == 1)
    }

    @Test("P27 a message that is sent while the queue is drained follows the queue")
    func reentrantDrain() throws {
        var machine = SessionMachine.idle()
        for name in ["1", "2", "3"] { _ = try machine.call(name, reply: .none) }
        machine.peerReady()
        var sent: [String] = []
        while let action = machine.nextAction() {
            sent += action.sentRequest.map { [$0.handlerName] } ?? []
            // A transport that makes a call in the middle of sending one.
            if sent.count < 3 { _ = try machine.call("inside \(sent.count)", reply: .none) }
        }
        #expect(sent == ["1", "2", "3", "inside 1", "inside 2"])
    }

    @Test("P28 R6 when the context is lost, sent calls settle in order, handlers stay, and new calls wait")
    func contextLost() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let calls = try (0..<100).map { _ in try machine.call("a", deadline: .seconds(1)) }
        machine.receiveRequest("h", id: "theirs")
        let incoming = try #require(machine.drain().last?.dispatched?.id)
        machine.contextLost()
        var actions = machine.drain()
        #expect(actions.compactMap { $0.settled?.call } == calls)
        #expect(Set(actions.settledCodes) == [.disconnected])
        #expect(actions.contains(.abandon(incoming)))
        #expect(machine.nextDeadline == nil)
        #expect(machine.state == .idle)
        // The late reply of its handler has no caller.
        #expect(machine.reply(to: incoming, with: .payload(token(1))) == false)
        _ = try machine.call("b")
        actions = machine.drain()
        #expect(actions.compactMap { $0.discarded } == [token(1)])
        #expect(machine.counters.lostReplies == 1)
        machine.peerReady()
        #expect(machine.drain().sentNames == ["b"])
        machine.receiveRequest("h")
        #expect(machine.drain().compactMap { $0.dispatched }.count == 1)
    }

    @Test("P28 calls that were never sent survive the loss of a context, replies to it do not")
    func contextLostWhileIdle() throws {
        var machine = SessionMachine.idle(identifierForm: .extended)
        try machine.registerHandler("h", as: HandlerID(1))
        let call = try #require(try machine.call("kept", payload: token(1)))
        machine.receiveRequest("h", id: "theirs")
        machine.reply(to: try #require(machine.drain().first?.dispatched?.id), with: .payload(token(2)))
        machine.contextLost()
        #expect(machine.drain() == [.discard(token(2))])
        machine.peerReady()
        let request = try #require(machine.drain().first?.sentRequest)
        // The id has the epoch in which it is sent.
        #expect(request.callbackID == .text("objc_cb_1_1_0123456789abcdef"))
        machine.receiveResponse(.text("objc_cb_1_1_0123456789abcdef"))
        #expect(machine.drain().compactMap { $0.settled?.call } == [call])
    }

    @Test("P23 P24 R4 no id is used twice, across resets and reloads")
    func identifiersAcrossEpochs() throws {
        var machine = try SessionMachine.live()
        var ids: [MessageID?] = []
        for _ in 0..<4 {
            _ = try machine.call("a")
            machine.reset()
            _ = try machine.call("a")
            ids += machine.drain().compactMap { $0.sentRequest?.callbackID }
            machine.contextLost()
            machine.peerReady()
            ids += machine.drain().compactMap { $0.sentRequest?.callbackID }
        }
        #expect(ids == (1...8).map { .text("objc_cb_\($0)") })
    }

    @Test("P31 R4 a reply that comes after a reset or from an old epoch settles nothing")
    func lateReplies() throws {
        var machine = try SessionMachine.live()
        _ = try machine.call("a")
        let epoch = machine.epoch
        machine.reset()
        _ = machine.drain()
        machine.receiveResponse(.text("objc_cb_1"))
        #expect(machine.counters.lateResponses == 1)
        machine.contextLost()
        machine.peerReady()
        _ = try machine.call("b")
        _ = machine.drain()
        machine.receive(
            .response(.init(responseID: .text("objc_cb_2"), outcome: .payload(token(1)))),
            from: epoch
        )
        let actions = machine.drain()
        #expect(actions.compactMap { $0.settled }.isEmpty)
        #expect(actions.compactMap { $0.discarded } == [token(1)])
        #expect(machine.counters.droppedMessages == 1)
        #expect(machine.pendingCallCount == 1)
    }

    @Test(
        "P28 R4 R6 messages on their way to or from a lost context are dropped, so that no late call is performed"
    )
    func contextLostOnTheWay() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let call = try #require(try machine.call("a", payload: token(1)))
        _ = try machine.call("note", payload: token(2), reply: .none)
        machine.receiveRequest("h", id: "theirs", payload: token(3))
        machine.receiveRequest("h", payload: token(4))
        machine.contextLost()
        let actions = machine.drain()
        #expect(actions.compactMap { $0.discarded } == [1, 2, 3, 4].map { token($0) })
        #expect(actions.compactMap { $0.settled?.call } == [call])
        #expect(actions.sentNames.isEmpty && actions.compactMap { $0.dispatched }.isEmpty)
        #expect(machine.counters.droppedMessages == 1)
    }

    @Test(
        "P28 R4 messages from a context that is torn down are dropped, and messages to it wait for the next one"
    )
    func teardown() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let lost = try #require(try machine.call("lost"))
        _ = machine.drain()
        let epoch = machine.tearDown()
        #expect(machine.state == .tearingDown && machine.epoch == 1)
        #expect(machine.drain().compactMap { $0.settled?.call } == [lost])
        machine.receiveRequest("h", id: "theirs", payload: token(1), acceptsErrors: true)
        machine.receiveResponse(.text("objc_cb_1"), .payload(token(2)))
        let kept = try #require(try machine.call("kept"))
        #expect(machine.drain().compactMap { $0.discarded } == [token(1), token(2)])
        #expect(machine.counters.lostMessages == 2)
        machine.peerReady()
        #expect(machine.state == .tearingDown, "a peer that goes is not the next one")
        // Torn down again before the next context arrived: only the latest teardown counts.
        let last = machine.tearDown()
        machine.tornDown(epoch)
        #expect(machine.state == .tearingDown)
        machine.tornDown(last)
        #expect(machine.state == .idle)
        machine.injected()
        #expect(machine.state == .injected && machine.drain().isEmpty)
        machine.peerReady()
        #expect(machine.drain().sentNames == ["kept"])
        machine.receiveResponse(.text("objc_cb_2"))
        #expect(machine.drain().compactMap { $0.settled?.call } == [kept])
    }

    @Test(
        "R20 a retired session settles all calls, refuses new ones, keeps its handlers, and works after a teardown"
    )
    func retirement() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let call = try #require(try machine.call("a"))
        _ = machine.drain()
        machine.retire(BridgeError(.terminated, "stopped"))
        let actions = machine.drain()
        #expect(actions.compactMap { $0.settled?.call } == [call] && actions.settledCodes == [.terminated])
        let error = try #require(throws: BridgeError.self) { _ = try machine.call("a") }
        #expect(error.code == .disconnected)
        machine.receiveRequest("h")
        machine.peerReady()
        #expect(machine.state == .retired && machine.drain().compactMap { $0.dispatched }.isEmpty)
        machine.tornDown(machine.tearDown())
        machine.peerReady()
        machine.receiveRequest("h")
        #expect(machine.drain().compactMap { $0.dispatched }.count == 1)
    }

    @Test("P29 P30 a reset drops waiting messages, keeps handlers, and leaves a live session live")
    func reset() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        _ = try machine.call("a")
        machine.receiveRequest("h", id: "theirs")
        let incoming = try #require(machine.drain().last?.dispatched?.id)
        machine.reset()
        #expect(machine.drain().settledCodes == [.disconnected])
        #expect(machine.state == .live)
        _ = try machine.call("b", reply: .none)
        machine.reply(to: incoming, with: .payload(nil))
        let actions = machine.drain()
        #expect(actions.sentNames == ["b"])
        #expect(actions.compactMap { $0.sentResponse }.count == 1)

        var idle = SessionMachine.idle()
        _ = try idle.call("a", payload: token(1))
        idle.reset()
        #expect(idle.drain().count == 2)
        idle.peerReady()
        #expect(idle.drain().isEmpty)
    }

    @Test(
        "R6 R27 the end settles every call, replies to callers that support errors, and discards every payload"
    )
    func close() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let calls = try (0..<10_000).map { _ in try machine.call("a") }
        machine.receiveRequest("h", id: "full", acceptsErrors: true)
        machine.receiveRequest("h", id: "legacy")
        let incoming = machine.drain().compactMap { $0.dispatched?.id }
        machine.close()
        let actions = machine.drain()
        #expect(actions.compactMap { $0.settled?.call } == calls)
        #expect(actions.compactMap { $0.sentResponse?.responseID } == [.text("full")])
        #expect(incoming.allSatisfy { actions.contains(.abandon($0)) })
        #expect(machine.pendingCallCount == 0 && machine.incomingCallCount == 0)
        #expect(machine.state == .closed)
    }

    @Test("R1 R5 a closed session refuses calls, ignores everything else, and stays closed")
    func closed() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        machine.receiveRequest("h", id: "1")
        let incoming = try #require(machine.drain().first?.dispatched?.id)
        machine.close()
        _ = machine.drain()
        machine.close()
        machine.reset()
        machine.contextLost()
        machine.peerReady()
        machine.receiveRequest("h", id: "2", payload: token(1), acceptsErrors: true)
        machine.receiveResponse(.text("objc_cb_1"), .payload(token(2)))
        machine.reply(to: incoming, with: .payload(token(3)))
        let actions = machine.drain()
        #expect(actions.compactMap { $0.discarded } == [token(1), token(2), token(3)])
        #expect(actions.allSatisfy { $0.discarded != nil || $0.reported != nil })
        let error = try #require(throws: BridgeError.self) { _ = try machine.call("a") }
        #expect(error.code == .disconnected)
        #expect(machine.state == .closed)
    }

    @Test("R6 a call that waits for an absent peer settles at its deadline")
    func deadlineWhileIdle() throws {
        var machine = SessionMachine.idle()
        _ = try machine.call("a", payload: token(1), deadline: .seconds(1))
        machine.expire(now: .seconds(1))
        #expect(machine.drain().settledCodes == [.deadlineExceeded])
        machine.peerReady()
        #expect(machine.drain() == [.discard(token(1))])
    }
}
