import BridgeValues
import Testing
import WebViewBridgeDialects

@testable import BridgeProtocol

@Suite("Session: late, duplicate and excess messages")
struct SessionEdgeTests {
    private final class Owner: Sendable {}

    @Test("P39 items of a stream that arrive out of order are delivered in order, each once")
    func itemsOutOfOrder() throws {
        var machine = try SessionMachine.live()
        let call = try #require(try machine.call("ticks", accepting: .streams))
        machine.receiveResponse(try #require(machine.identifier(of: call)), .stream(.text("s")))
        let opened = machine.drain().compactMap { action -> InboundStreamID? in
            if case .opened(call, let stream) = action { stream } else { nil }
        }
        let stream = try #require(opened.first)
        machine.grant(stream, 4)
        _ = machine.drain()
        for number in [2, 1, 1] as [UInt64] {
            machine.receive(
                .control(Control(.next, .text("s"), number: number, payload: token(UInt32(number))))
            )
        }
        #expect(machine.drain() == [.discard(token(1))])
        machine.receive(.control(Control(.next, .text("s"), number: 0, payload: token(0))))
        #expect(machine.drain() == (0..<3).map { SessionAction.deliver(stream, token($0)) })
    }

    @Test(
        "R22 a synchronous request counts as a call in progress, and its reply belongs to the context that made it"
    )
    func synchronousRequests() throws {
        var limits = BridgeLimits()
        limits.maximumPendingCalls = 1
        var machine = try SessionMachine.live(limits: limits, handlers: ["h"])
        let first = try machine.beginSynchronous("h")
        let error = #expect(throws: BridgeError.self) { try machine.beginSynchronous("h") }
        #expect(error?.code == .overloaded)
        #expect(error?.message == "Too many calls in progress: 1 (limit 1).")
        let isTaken = machine.endSynchronous(first)
        #expect(isTaken)
        let second = try machine.beginSynchronous("h")
        machine.contextLost()
        let isLost = !machine.endSynchronous(second)
        #expect(isLost)
        #expect(machine.counters.lostReplies == 1)
    }

    @Test("Waiting messages that are charged to a budget are discarded with it, and no others are")
    func queuedWork() throws {
        var machine = SessionMachine.idle()
        let account = WorkBudget(Owner())
        for (id, account) in [("1", account), ("2", nil)] as [(String, WorkBudget?)] {
            var request = BridgeMessage.Request(handlerName: "none", callbackID: .text(id), accepts: .errors)
            request.account = account
            machine.receive(.request(request))
        }
        _ = try machine.call("n", payload: token(1), reply: .none, account: account)
        _ = try machine.call("m", payload: token(2), reply: .none)
        _ = machine.drain()
        machine.endWork(of: account, with: BridgeError(.terminated, "over"))
        #expect(machine.drain().compactMap { $0.discarded } == [token(1)])
        machine.peerReady()
        let actions = machine.drain()
        #expect(actions.compactMap { $0.sentResponse?.responseID } == [.text("2")])
        #expect(actions.sentNames == ["m"])
    }

    @Test("The error of a denied request, and of a request in a closed session, is charged to its budget")
    func errorsOfBudget() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let account = WorkBudget(Owner())
        var request = BridgeMessage.Request(handlerName: "h", callbackID: .text("1"), accepts: .errors)
        request.account = account
        machine.receive(.request(request))
        machine.setGrants(BridgeGrants(fallback: .deny), now: .zero)
        request.callbackID = .text("2")
        machine.receive(.request(request))
        machine.close()
        let responses = machine.drain().compactMap(\.sentResponse)
        #expect(responses.map(\.responseID) == [.text("2"), .text("1")])
        #expect(responses.map { $0.outcome.error?.code } == [.denied, .disconnected])
        #expect(responses.allSatisfy { $0.account == account })
    }

    @Test("R4 R31 a request of a lost context is not refused to the next context, and no denial is reported")
    func lateDenial() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        machine.setGrants(BridgeGrants(fallback: .deny), now: .zero)
        let epoch = machine.epoch
        machine.contextLost()
        machine.peerReady()
        _ = machine.drain()
        var request = BridgeMessage.Request(handlerName: "h", callbackID: .text("1"), accepts: .errors)
        let isAdmitted = machine.admit(&request, from: epoch)
        #expect(isAdmitted && machine.denialCount == 0)
        machine.receive(.request(request), from: epoch)
        #expect(machine.counters.lostMessages == 1)
        #expect(machine.drain().allSatisfy { $0.reported != nil })
    }

    @Test("Two events of a topic never have the same number, and an event that was not sent has none")
    func eventNumbers() throws {
        var machine = try SessionMachine.live()
        machine.receive(.control(Control(.hello, .text(""))))
        machine.peerShowedExtensions()
        machine.receive(.control(Control(.subscribe, .text("t"))))
        let first = machine.beginEvent(of: "t")
        machine.cancelEvent(0, of: "t")
        let second = machine.beginEvent(of: "t")
        // Code that encodes an event emits another one.
        let nested = machine.beginEvent(of: "t")
        machine.cancelEvent(0, of: "t")
        let next = machine.beginEvent(of: "t")
        #expect([first, second, nested, next] == [0, 0, 1, 2])
        machine.receive(.control(Control(.unsubscribe, .text("t"))))
        machine.cancelEvent(2, of: "t")
        let unheard = machine.beginEvent(of: "t")
        #expect(unheard == nil)
    }

    @Test("A request whose handler will not run is no longer a call in progress, and has no reply")
    func droppedRequest() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        machine.receiveRequest("h", id: "1", acceptsErrors: true)
        let request = try #require(machine.drain().first?.dispatched)
        #expect(machine.incomingCallCount == 1)
        machine.drop(request)
        #expect(machine.incomingCallCount == 0 && machine.counters.droppedMessages == 1)
        #expect(machine.drain().isEmpty)
    }

    @Test(
        "P57 the error of a fast-path request is logged if its caller takes no errors, and lost with its context"
    )
    func errorsInSameTurn() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let error = BridgeError(.handlerFailed, "no")
        let request = BridgeMessage.Request(handlerName: "h", callbackID: .text("1"))
        machine.failInline(request, error)
        #expect(machine.counters.suppressedErrors == 1)
        #expect(machine.drain().compactMap { $0.reported } == [.suppressedError(handlerName: "h", error)])
        machine.contextLost()
        _ = machine.drain()
        machine.failInline(request, error)
        #expect(machine.counters.lostMessages == 1)
        #expect(machine.drain().isEmpty)
    }

    @Test("R6 a fast-path call that began before all calls were ended ends like them, a later one does not")
    func endedBeforeTakenUp() throws {
        let ends: [(inout SessionMachine) -> Void] = [
            { $0.contextLost() }, { $0.tearDown() }, { $0.reset() }, { $0.close() },
            { $0.retire(BridgeError(.disconnected, "stopped")) },
        ]
        for end in ends {
            var machine = try SessionMachine.live(handlers: [])
            let number = try #require(try machine.beginInline("h"))
            end(&machine)
            let call = machine.adopt(number, "h", deadline: .seconds(1))
            #expect(machine.drain().compactMap { $0.settled?.call } == [call])
            #expect(machine.pendingCallCount == 0 && machine.nextDeadline == nil)
        }
        var machine = try SessionMachine.live(handlers: [])
        machine.reset()
        let number = try #require(try machine.beginInline("h"))
        _ = machine.adopt(number, "h", deadline: nil)
        #expect(machine.pendingCallCount == 1)
        machine.contextLost()
        #expect(try machine.beginInline("h") == nil)
    }
}

@Suite("Messages of the dialects as text")
struct DialectTextTests {
    @Test(
        "JsBridge: a value that is not a string is sent as its JSON",
        arguments: [
            (["a": 1], #"{"handlerName":"n","data":"{\"a\":1}"}"#), ("t", #"{"handlerName":"n","data":"t"}"#),
            (.null, #"{"handlerName":"n","data":null}"#), (7, #"{"handlerName":"n","data":"7"}"#),
        ] as [(Value, String)]
    )
    func texts(payload: Value, text: String) throws {
        let codec = MessageCodec(dialect: .jsBridge)
        let message = BridgeMessage.request(.init(handlerName: "n"))
        #expect(try codec.text(of: message, payload: payload, now: .zero) == text)
    }

    @Test(
        "KKJSBridge: what has come is shown with module and method apart",
        arguments: [
            ("user.get", "user", "get"), ("log", "default", "log"), ("a.b.c", "a.b", "c"),
            (".x", "default", ".x"),
        ]
    )
    func modules(name: String, module: String, method: String) throws {
        let codec = MessageCodec(dialect: .kkjsBridge)
        let message = BridgeMessage.request(.init(handlerName: name, callbackID: .text("cb_1")))
        let text = try codec.text(of: message, payload: 1, now: .zero, isReceived: true)
        #expect(text == #"{"module":"\#(module)","method":"\#(method)","data":1,"callbackId":"cb_1"}"#)
    }

    @Test("2.3 references are refused where they are not supported, and the caller receives an error")
    func noImporter() {
        let text =
            #"{"handlerName":"h","data":{"$r":"a"},"callbackId":"c","x":{"acc":["err"],"refs":[{"id":"a","k":"function"}]}}"#
        guard case .refused(let request, let error) = MessageCodec().element(Array(text.utf16), now: .zero)
        else {
            Issue.record("It was not refused.")
            return
        }
        #expect(request.callbackID == .text("c") && error.message == "References are not supported here.")
    }
}
