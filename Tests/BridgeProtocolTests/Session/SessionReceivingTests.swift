import BridgeValues
import Testing

@testable import BridgeProtocol

@Suite("Session: calls of the other side")
struct SessionReceivingTests {
    @Test("P22 P49 P15 a request is dispatched, and its reply repeats its id verbatim")
    func reply() throws {
        var machine = try SessionMachine.live(handlers: ["echo"])
        machine.receiveRequest("echo", id: "any id\u{0}", payload: token(1))
        let request = try #require(machine.drain().first?.dispatched)
        #expect(request.handlerName == "echo")
        #expect(request.payload == token(1))
        #expect(machine.incomingCallCount == 1)
        #expect(machine.reply(to: try #require(request.id), with: .payload(token(2))) == true)
        let response = try #require(machine.drain().first?.sentResponse)
        #expect(
            response == BridgeMessage.Response(responseID: .text("any id\u{0}"), outcome: .payload(token(2)))
        )
        #expect(machine.incomingCallCount == 0)
    }

    @Test("P22 R3 canonically equivalent ids belong to two calls")
    func lookAlikes() throws {
        var machine = try SessionMachine.live(handlers: ["echo"])
        let ids = ["\u{E9}", "e\u{301}"]
        for id in ids { machine.receiveRequest("echo", id: id, acceptsErrors: true) }
        let calls = machine.drain().compactMap(\.dispatched?.id)
        #expect(calls.count == 2)
        machine.receive(.control(Control(.cancel, .text(ids[0]))))
        let abandoned = machine.drain().compactMap { if case .abandon(let call) = $0 { call } else { nil } }
        #expect(abandoned == [calls[0]])
        #expect(machine.reply(to: calls[1], with: .payload(nil)) == true)
        #expect(
            Array(try #require(machine.drain().compactMap(\.sentResponse).last).responseID.description.utf8)
                == Array(ids[1].utf8)
        )
        // Also if it is remembered before its call.
        machine.receive(.control(Control(.cancel, .text(ids[0] + "2"))))
        #expect(!machine.isCancelledEarly(.text(ids[1] + "2")))
        #expect(machine.isCancelledEarly(.text(ids[0] + "2")))
    }

    @Test(
        "P17 P60 P69 P66 malformed messages are counted and reported, repaired strings at 1, 2, 4 and so on"
    )
    func unreadable() throws {
        var machine = try SessionMachine.live()
        for _ in 0..<3 { machine.dropUnreadable(BridgeError(.invalidMessage, "no object")) }
        #expect(machine.counters.droppedMessages == 3)
        #expect(machine.drain().compactMap(\.reported).count == 3)
        for _ in 0..<10 { machine.noteRepairedTexts(1) }
        machine.noteRepairedTexts(0)
        machine.noteRepairedTexts(100)
        #expect(machine.counters.repairedTexts == 110)
        let reports = machine.drain().compactMap(\.reported)
        #expect(reports == [1, 2, 4, 8, 110].map { .repairedTexts(count: $0) })
    }

    @Test("P44 R5 a second reply is counted and ignored, and its payload discarded")
    func secondReply() throws {
        var machine = try SessionMachine.live(handlers: ["echo"])
        machine.receiveRequest("echo", id: "1", acceptsErrors: true)
        let id = try #require(machine.drain().first?.dispatched?.id)
        #expect(machine.reply(to: id, with: .payload(nil)) == true)
        #expect(machine.reply(to: id, with: .payload(token(5))) == false)
        #expect(machine.reply(to: id, with: .failure(BridgeError(.handlerFailed, "late"))) == false)
        let actions = machine.drain()
        #expect(actions.compactMap { $0.sentResponse }.count == 1)
        #expect(actions.compactMap { $0.discarded } == [token(5)])
        #expect(machine.counters.duplicateReplies == 2)
    }

    @Test(
        "R3 R22 the latest cancellations that arrive before their calls are remembered, however many arrive"
    )
    func earlyCancellations() throws {
        var machine = try SessionMachine.live(handlers: ["echo"])
        let count = 3 * RecentIdentifiers.generationSize
        for number in 0..<count { machine.receive(.control(Control(.cancel, .text("\(number)")))) }
        #expect(machine.counters.lateCancellations == count)
        _ = machine.drain()
        // The first was forgotten, so that its call begins; the last is still known, and counts once.
        for (id, isBegun) in [("0", true), ("\(count - 1)", false), ("\(count - 1)", true)] {
            #expect(machine.isCancelledEarly(.text(id)) == !isBegun)
            machine.receiveRequest("echo", id: id, acceptsErrors: true)
            let actions = machine.drain()
            #expect(actions.contains { $0.dispatched != nil } == isBegun)
            #expect(
                actions.compactMap(\.sentResponse).map { $0.outcome.error?.code }
                    == (isBegun ? [] : [.cancelled])
            )
        }
    }

    @Test("R3 a cancellation that arrived twice before its call is forgotten with it")
    func repeatedEarlyCancellation() throws {
        var machine = try SessionMachine.live(handlers: ["echo"])
        for number in 0...RecentIdentifiers.generationSize {
            machine.receive(.control(Control(.cancel, .text("\(number)"))))
        }
        machine.receive(.control(Control(.cancel, .text("0"))))
        _ = machine.drain()
        for isBegun in [false, true] {
            machine.receiveRequest("echo", id: "0", acceptsErrors: true)
            #expect(machine.drain().contains { $0.dispatched != nil } == isBegun)
        }
    }

    @Test("P48 a notification has no reply")
    func notification() throws {
        var machine = try SessionMachine.live(handlers: ["note"])
        machine.receiveRequest("note")
        #expect(try #require(machine.drain().first?.dispatched).id == nil)
        #expect(machine.incomingCallCount == 0)
    }

    @Test("P52 P53 a handler is replaced and removed by name; an unknown name is not an error")
    func registration() throws {
        var machine = try SessionMachine.live()
        #expect(try machine.registerHandler("h", as: HandlerID(1)) == nil)
        #expect(try machine.registerHandler("h", as: HandlerID(2)) == HandlerID(1))
        machine.receiveRequest("h", id: "1")
        let first = machine.drain()
        guard case .dispatch(HandlerID(2), let request)? = first.first else {
            Issue.record("expected a dispatch, got \(first)")
            return
        }
        #expect(machine.removeHandler("h") == HandlerID(2))
        #expect(machine.removeHandler("h") == nil)
        #expect(machine.reply(to: try #require(request.id), with: .payload(nil)) == true)
        #expect(machine.drain().compactMap { $0.sentResponse }.count == 1)
    }

    @Test(
        "P54 P55 P56 an unknown handler is a line in the log, without a reply to a caller that does not support errors"
    )
    func unknownForLegacyCaller() throws {
        var machine = try SessionMachine.live()
        machine.receiveRequest("missing", id: "cb_1_2", payload: token(1))
        let actions = machine.drain()
        #expect(actions.compactMap { $0.sentResponse }.isEmpty)
        #expect(actions.compactMap { $0.discarded } == [token(1)])
        let diagnostic = try #require(actions.compactMap { $0.reported }.first)
        let line =
            #"WVJBNoHandlerException, No handler for message from JS: {"handlerName":"missing","callbackId":"cb_1_2"}"#
        #expect("\(diagnostic)" == line)
        #expect(diagnostic.level == .warning)
    }

    @Test(
        "P56 W2 an unknown handler is an error to a caller that supports errors, with a spelling suggestion"
    )
    func unknownForFullCaller() throws {
        var machine = try SessionMachine.live(handlers: ["getUser", "setUser", "total"])
        machine.receiveRequest("getUsr", id: "1", payload: token(1), acceptsErrors: true)
        let actions = machine.drain()
        #expect(actions.compactMap { $0.discarded } == [token(1)])
        let error = try #require(actions.compactMap { $0.sentResponse }.first?.outcome.error)
        #expect(error.code == .handlerNotFound)
        #expect(error.message == "No handler is registered for \"getUsr\". Did you mean \"getUser\"?")
    }

    @Test(
        "P56 P57 W3 an error is sent only to a caller that supports errors; otherwise it is reported and the call ends"
    )
    func errors() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let error = BridgeError(.handlerFailed, "broken")
        machine.receiveRequest("h", id: "full", acceptsErrors: true)
        machine.receiveRequest("h", id: "legacy")
        for id in machine.drain().compactMap({ $0.dispatched?.id }) {
            #expect(machine.reply(to: id, with: .failure(error)) == true)
        }
        let actions = machine.drain()
        #expect(
            actions.compactMap { $0.sentResponse }
                == [
                    BridgeMessage.Response(
                        responseID: .text("full"),
                        outcome: .failure(error),
                        accepts: .errors
                    )
                ]
        )
        #expect(actions.compactMap { $0.reported } == [.suppressedError(handlerName: "h", error)])
        #expect(machine.counters.suppressedErrors == 1)
        #expect(machine.incomingCallCount == 0)
    }

    @Test(
        "P59 P62 R7 any string can be a name, and an unregistered name is not found",
        arguments: [
            "", ".", " ", "__proto__", "constructor", "toString", "hasOwnProperty", "\u{0}", "日本語",
            "e\u{301}",
            String(repeating: "n", count: 10_000),
        ]
    )
    func names(name: String) throws {
        var machine = try SessionMachine.live()
        machine.receiveRequest(name, id: "1", acceptsErrors: true)
        #expect(machine.drain().compactMap { $0.sentResponse?.outcome.error?.code } == [.handlerNotFound])
        try machine.registerHandler(name, as: HandlerID(1))
        machine.receiveRequest(name)
        #expect(machine.drain().compactMap { $0.dispatched }.count == 1)
    }

    @Test("W5 reserved names cannot be registered, except that of WebViewJavascriptBridge")
    func reservedNames() throws {
        var machine = try SessionMachine.live()
        let error = try #require(throws: BridgeError.self) {
            try machine.registerHandler("_wvjb.cancel", as: HandlerID(1))
        }
        #expect(error.code == .invalidArgument)
        // The accent and the dot before it are one character in Swift, and two in JavaScript.
        #expect(throws: BridgeError.self) { try machine.registerHandler("_wvjb.\u{301}x", as: HandlerID(1)) }
        try machine.registerHandler("_disableJavascriptAlertBoxSafetyTimeout", as: HandlerID(1))
    }

    @Test("R22 a peer that calls before it is ready receives replies up to the limit of the queue")
    func repliesBeforeThePeerIsThere() {
        var limits = BridgeLimits()
        limits.maximumQueuedMessages = 3
        var machine = SessionMachine.idle(limits: limits)
        for number in 0..<100 { machine.receiveRequest("none", id: "\(number)", acceptsErrors: true) }
        #expect(machine.queuedMessageCount == 3)
        #expect(machine.counters.droppedMessages == 97)
        let reports = machine.drain().filter { if case .report(.droppedMessage) = $0 { true } else { false } }
        #expect(reports.count == 7)
        machine.peerReady()
        let sent = machine.drain().compactMap { $0.sentResponse?.responseID }
        #expect(sent == [.text("0"), .text("1"), .text("2")])
        machine.receiveRequest("none", id: "100", acceptsErrors: true)
        #expect(machine.drain().compactMap { $0.sentResponse?.responseID } == [.text("100")])
    }

    @Test("R22 progress and items for an absent peer have a limit, and their sender receives an error")
    func progressBeforeThePeerIsThere() throws {
        var limits = BridgeLimits()
        limits.maximumQueuedMessages = 3
        var machine = SessionMachine.idle(limits: limits)
        try machine.registerHandler("h", as: HandlerID(1))
        for id in ["reported", "read"] {
            machine.receive(
                .request(
                    BridgeMessage.Request(
                        handlerName: "h",
                        callbackID: .text(id),
                        accepts: [.errors, .streams, .progress]
                    )
                )
            )
        }
        let calls = machine.drain().compactMap { $0.dispatched?.id }
        let stream = try #require(try machine.openStream(replyingTo: calls[1]))
        let id = machine.streamID(1)
        machine.receive(.control(Control(.more, id, number: 9_007_199_254_740_991)))
        for number in 0..<2 { #expect(try machine.sendItem(token(UInt32(number)), of: stream)) }
        #expect(try machine.reportProgress(of: calls[0], token(2)))
        let item = #expect(throws: BridgeError.self) { _ = try machine.sendItem(token(3), of: stream) }
        let progress = #expect(throws: BridgeError.self) {
            _ = try machine.reportProgress(of: calls[0], token(3))
        }
        #expect(item?.code == .overloaded && progress?.code == .overloaded)
        // The messages that end them have space.
        machine.end(stream, item)
        machine.reply(to: calls[0], with: .payload(nil))
        #expect(machine.queuedMessageCount == 6)
        machine.peerReady()
        #expect(machine.drain().count { if case .send = $0 { true } else { false } } == 6)
        machine.contextLost()
        #expect(machine.queuedMessageCount == 0)
    }

    @Test("R22 notifications in progress have a limit, and an ended one frees its place")
    func notificationsAtWork() throws {
        var limits = BridgeLimits()
        limits.maximumNotifications = 2
        var machine = try SessionMachine.live(limits: limits, handlers: ["h"])
        for _ in 0..<4 { machine.receiveRequest("h") }
        let requests = machine.drain().compactMap { $0.dispatched }
        let begun = requests.map { machine.beginNotification($0) }
        #expect(begun == [true, true, false, false])
        #expect(machine.counters.droppedMessages == 2)
        machine.finishNotification()
        let isBegun = machine.beginNotification(requests[0])
        #expect(isBegun)
    }

    @Test("R22 calls in progress and names have limits; a caller that supports errors receives one")
    func limits() throws {
        var limits = BridgeLimits()
        limits.maximumPendingCalls = 2
        limits.maximumNameBytes = 8
        var machine = try SessionMachine.live(limits: limits, handlers: ["h"])
        for number in 0..<3 { machine.receiveRequest("h", id: "\(number)", acceptsErrors: true) }
        machine.receiveRequest("h", id: "legacy", payload: token(1))
        machine.receiveRequest("much longer", id: "long", acceptsErrors: true)
        let actions = machine.drain()
        #expect(actions.compactMap { $0.dispatched }.count == 2)
        #expect(actions.compactMap { $0.sentResponse?.outcome.error?.code } == [.overloaded, .limitExceeded])
        #expect(actions.compactMap { $0.discarded } == [token(1)])
        #expect(machine.counters.droppedMessages == 1)
        machine.receiveRequest("h")
        #expect(machine.drain().compactMap { $0.dispatched }.count == 1)
    }

    @Test(
        "R2 a request with an invalid payload fails if its caller supports errors, else it is dropped and reported"
    )
    func refusal() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        let error = BridgeError(.limitExceeded, "too deep")
        machine.refuse(.init(handlerName: "h", callbackID: .text("1"), accepts: .errors), error)
        machine.refuse(.init(handlerName: "h", callbackID: .text("2")), error)
        let actions = machine.drain()
        #expect(actions.compactMap { $0.sentResponse?.outcome.error } == [error])
        #expect(actions.compactMap { $0.reported } == [.droppedMessage(error)])
    }

    @Test("A request's deadline reaches its handler")
    func deadline() throws {
        var machine = try SessionMachine.live(handlers: ["h"])
        machine.receive(.request(.init(handlerName: "h", callbackID: .text("1"), deadline: .seconds(5))))
        #expect(machine.drain().first?.dispatched?.deadline == .seconds(5))
    }

    @Test("R3 progress of a call that was not sent yet is ignored, even with a guessed id")
    func progressOfUnsentCall() throws {
        var machine = SessionMachine.idle()
        let call = try machine.call("h", accepting: .progress)
        machine.receive(.control(Control(.progress, .text("objc_cb_1"), payload: token(1))))
        #expect(machine.drain() == [.discard(token(1))])
        machine.peerReady()
        _ = machine.drain()
        machine.receive(.control(Control(.progress, .text("objc_cb_1"), payload: token(2))))
        #expect(machine.drain() == [.progress(try #require(call), token(2))])
    }
}
