import BridgeValues
import Testing

@testable import BridgeProtocol

@Suite("Session: grants of the other side")
struct GrantTests {
    private func machine(
        _ handlers: [String] = ["store.read", "store.drop", "user", "x"],
        now: Duration = .zero,
        _ change: (inout BridgeGrants) -> Void
    ) throws -> SessionMachine {
        var machine = try SessionMachine.live(handlers: handlers)
        var grants = BridgeGrants.denyAll
        change(&grants)
        machine.setGrants(grants, now: now)
        return machine
    }

    private func codes(_ machine: inout SessionMachine) -> [BridgeErrorCode] {
        machine.drain().compactMap { $0.sentResponse?.outcome.error?.code }
    }

    @Test(
        "R31 a denial overrides allowances, a name a prefix, a longer prefix a shorter one, and the rest is denied"
    )
    func precedence() throws {
        let machine = try machine { grants in
            grants.allow("store.*")
            grants.deny("store.drop")
            grants.allow("store.drop")
            grants.allow("user")
            grants.deny("user.secret*")
        }
        for name in ["store.read", "store.", "user", "_wvjb.describe"] {
            #expect(machine.isGranted(name), "\(name)")
        }
        for name in [
            "store", "store.drop", "users", "User", "", "*", "store.*.x".dropLast(9) + "x", "user.secrets",
        ] {
            #expect(!machine.isGranted(String(name)), "\(name)")
        }
    }

    @Test("R31 R7 names are compared by their bytes, and a star inside a name is an ordinary character")
    func names() throws {
        let machine = try machine { grants in
            grants.allow("caf\u{e9}")
            grants.allow("a*b")
            grants.allow(.exactly("all*"))
            grants.allow("__proto__")
        }
        for name in ["caf\u{e9}", "a*b", "all*", "__proto__"] { #expect(machine.isGranted(name)) }
        for name in ["cafe\u{301}", "axb", "allx", "all", "toString"] { #expect(!machine.isGranted(name)) }
    }

    @Test(
        "R31 a denied call fails with `denied` if errors are supported, and is otherwise logged; no handler runs"
    )
    func denial() throws {
        var machine = try machine { _ in }
        machine.receiveRequest("user", id: "1", payload: token(1), acceptsErrors: true)
        machine.receiveRequest("user", id: "2", payload: token(2))
        machine.receiveRequest("nobody", id: "3", acceptsErrors: true)
        machine.receiveRequest("user", payload: token(3))
        let actions = machine.drain()
        #expect(actions.compactMap { $0.dispatched }.isEmpty)
        #expect(actions.compactMap { $0.discarded } == [token(1), token(2), token(3)])
        let responses = actions.compactMap { $0.sentResponse }
        #expect(responses.map(\.responseID) == [.text("1"), .text("3")])
        // The error does not reveal whether there is such a handler.
        #expect(responses.map { $0.outcome.error?.code } == [.denied, .denied])
        #expect(responses[1].outcome.error?.message == "\"nobody\" is not granted to this script.")
        #expect(actions.compactMap { $0.reported }.count == 2)
        #expect(machine.recentDenials.map(\.name) == ["user", "user", "nobody", "user"])
        #expect(machine.counters.droppedMessages == 2)
    }

    @Test("R31 a spelling suggestion has only granted names")
    func nearNames() throws {
        var machine = try machine(["secret1", "open1"]) { grants in
            grants.allow("secret2")
            grants.allow("open*")
        }
        for name in ["secret2", "open2"] { machine.receiveRequest(name, id: name, acceptsErrors: true) }
        let messages = machine.drain().compactMap { $0.sentResponse?.outcome.error?.message }
        #expect(messages.count == 2)
        #expect(messages.first?.contains("secret1") == false)
        #expect(messages.last?.contains("Did you mean \"open1\"?") == true)
    }

    @Test("R31 reserved names are denied only by patterns with the reserved prefix")
    func reserved() throws {
        var machine = try machine { $0.deny(.any) }
        machine.registerReserved("describe", as: HandlerID(77))
        machine.receiveRequest("_wvjb.describe", id: "1", acceptsErrors: true)
        #expect(machine.drain().compactMap { $0.dispatched }.count == 1)
        #expect(!machine.isGranted("_wvj"))
        machine.setGrants(
            {
                var grants = BridgeGrants.allowAll
                grants.deny("_wvjb.*")
                return grants
            }(),
            now: .zero
        )
        machine.receiveRequest("_wvjb.describe", id: "2", acceptsErrors: true)
        machine.receive(.control(Control(.subscribe, .text("topic"))))
        machine.receiveRequest("user", id: "3", acceptsErrors: true)
        let actions = machine.drain()
        #expect(actions.compactMap { $0.sentResponse?.outcome.error?.code } == [.denied])
        #expect(actions.compactMap { $0.dispatched?.handlerName } == ["user"])
        #expect(!machine.hasPeerListener("topic") || !machine.peer.listens)
    }

    @Test("R22 a rate allows a burst, then calls at its rate; more are `overloaded`")
    func rate() throws {
        var machine = try machine {
            $0.allow("x", limits: GrantLimits(rate: .init(2, per: .seconds(1), burst: 3)))
        }
        func send(_ count: Int, at time: Duration) -> Int {
            machine.advance(to: time)
            for _ in 0..<count { machine.receiveRequest("x", id: nil) }
            return machine.drain().compactMap { $0.dispatched }.count
        }
        #expect(send(5, at: .zero) == 3)
        #expect(send(5, at: .milliseconds(499)) == 0)
        #expect(send(5, at: .milliseconds(500)) == 1)
        #expect(send(9, at: .seconds(100)) == 3)
        machine.receiveRequest("x", id: "1", acceptsErrors: true)
        #expect(codes(&machine) == [.overloaded])
        // A clock that goes backwards adds no tokens.
        #expect(send(1, at: .zero) == 0)
    }

    @Test("R22 calls and streams in progress count until they have ended, however they end")
    func concurrency() throws {
        var machine = try machine { $0.allow("*", limits: GrantLimits(maximumConcurrentCalls: 2)) }
        func begin(_ id: String) throws -> IncomingCallID? {
            machine.receive(
                .request(
                    BridgeMessage.Request(
                        handlerName: "x",
                        callbackID: .text(id),
                        accepts: [.errors, .streams]
                    )
                )
            )
            return machine.drain().compactMap { $0.dispatched?.id }.first
        }
        let first = try #require(try begin("1"))
        let second = try #require(try begin("2"))
        #expect(try begin("3") == nil)
        machine.reply(to: first, with: .payload(nil))
        machine.reply(to: first, with: .payload(nil))
        let third = try #require(try begin("4"))
        #expect(try begin("5") == nil)
        // A stream continues after the call received its reply.
        let stream = try #require(try machine.openStream(replyingTo: second))
        #expect(try begin("6") == nil)
        machine.end(stream)
        machine.end(stream)
        let fourth = try #require(try begin("7"))
        #expect(try begin("8") == nil)
        machine.answer(third, by: .seconds(1))
        machine.expire(now: .seconds(1))
        #expect(try begin("9") != nil)
        machine.contextLost()
        machine.peerReady()
        #expect(try begin("10") != nil)
        #expect(try begin("11") != nil)
        #expect(try begin("12") == nil)
        _ = fourth
    }

    @Test("R22 notifications count until their storage reports their end")
    func notifications() throws {
        var machine = try machine { $0.allow("x", limits: GrantLimits(maximumConcurrentCalls: 1)) }
        machine.receiveRequest("x")
        let running = try #require(machine.drain().compactMap { $0.dispatched }.first)
        machine.receiveRequest("x")
        #expect(machine.drain().compactMap { $0.dispatched }.isEmpty)
        machine.endNotification(running)
        machine.receiveRequest("x")
        #expect(machine.drain().compactMap { $0.dispatched }.count == 1)
    }

    // They were subtracted from the counter of their grant and never added, so that each admitted one more call.
    @Test("R22 R31 synchronous requests count while they are in progress, and no longer")
    func synchronous() throws {
        var machine = try machine { $0.allow("x", limits: GrantLimits(maximumConcurrentCalls: 1)) }
        let request = try machine.beginSynchronous("x")
        #expect(throws: BridgeError.self) { try machine.beginSynchronous("x") }
        machine.endSynchronous(request)
        machine.removeHandler("x")
        #expect(throws: BridgeError.self) { try machine.beginSynchronous("x") }
        try machine.registerHandler("x", as: HandlerID(9))
        for id in ["1", "2"] { machine.receiveRequest("x", id: id, acceptsErrors: true) }
        let actions = machine.drain()
        #expect(actions.compactMap { $0.dispatched }.count == 1)
        #expect(actions.compactMap { $0.sentResponse?.outcome.error?.code } == [.overloaded])
    }

    @Test("R3 R31 messages of a context that is torn down are ignored, and their denials are not sent")
    func tornDown() throws {
        var machine = try machine { $0.allow("x") }
        machine.tearDown()
        _ = machine.drain()
        for name in ["x", "user"] {
            var request = BridgeMessage.Request(handlerName: name, callbackID: .text("1"), accepts: .errors)
            if machine.admit(&request) { machine.receive(.request(request)) }
            #expect(throws: BridgeError.self) { try machine.beginSynchronous(name) }
        }
        #expect(machine.queuedMessageCount == 0)
        #expect(machine.counters.lostMessages == 2)
        #expect(machine.drain().compactMap { $0.dispatched }.isEmpty)
    }

    @Test("R22 a notification that is lost with its context before its handler ran no longer counts")
    func lostNotification() throws {
        var machine = try machine { $0.allow("x", limits: GrantLimits(maximumConcurrentCalls: 1)) }
        machine.receiveRequest("x")
        machine.contextLost()
        #expect(machine.drain().compactMap { $0.dispatched }.isEmpty)
        machine.peerReady()
        machine.receiveRequest("x")
        #expect(machine.drain().compactMap { $0.dispatched }.count == 1)
    }

    @Test("a payload that is too large is `limitExceeded` before it is decoded, with both numbers")
    func payloadSize() throws {
        var machine = try machine { $0.allow("x", limits: GrantLimits(maximumPayloadBytes: 100)) }
        #expect(machine.limitsSize(ofRequestsFor: "x") && !machine.limitsSize(ofRequestsFor: "user"))
        var request = BridgeMessage.Request(handlerName: "x", callbackID: .text("1"), accepts: .errors)
        #expect(machine.admit(&request, bytes: 101) == false)
        let error = machine.drain().compactMap { $0.sentResponse?.outcome.error }.first
        #expect(error?.code == .limitExceeded)
        #expect(error?.message == "A payload for \"x\" may have 100 bytes, this one has 101.")
        #expect(machine.admit(&request, bytes: 100) == true)
    }

    @Test("a request that was admitted early is counted once")
    func admittedOnce() throws {
        var machine = try machine { $0.allow("x", limits: GrantLimits(rate: .init(1, burst: 2))) }
        for _ in 0..<2 {
            var request = BridgeMessage.Request(handlerName: "x")
            #expect(machine.admit(&request) == true)
            machine.receive(.request(request))
        }
        #expect(machine.drain().compactMap { $0.dispatched }.count == 2)
        var request = BridgeMessage.Request(handlerName: "x")
        #expect(machine.admit(&request) == false)
    }

    @Test("G36 a grant expires and can be revoked; calls in progress continue")
    func ends() throws {
        var grants = BridgeGrants.denyAll
        grants.allow("x", for: .seconds(10))
        grants.allow("user")
        grants.deny("store.*", for: .seconds(5))
        grants.allow("store.read")
        var machine = try SessionMachine.live(handlers: ["x", "user"])
        machine.setGrants(grants, now: .seconds(100))
        #expect(machine.isGranted("x") && !machine.isGranted("store.read"))
        machine.advance(to: .seconds(105))
        #expect(machine.isGranted("x") && machine.isGranted("store.read"))
        machine.receiveRequest("x", id: "1", acceptsErrors: true)
        let calls = machine.drain().compactMap { $0.dispatched?.id }
        let call = try #require(calls.first)
        // Another change does not extend the time.
        var changed = grants
        changed.revoke("user")
        machine.setGrants(changed, from: grants, now: .seconds(109))
        #expect(machine.isGranted("x") && !machine.isGranted("user"))
        machine.advance(to: .seconds(110))
        #expect(!machine.isGranted("x"))
        machine.receiveRequest("x", id: "2", acceptsErrors: true)
        #expect(codes(&machine) == [.denied])
        #expect(machine.reply(to: call, with: .payload(nil)) == true)
        machine.setGrants(changed, from: changed, renewing: "x", now: .seconds(111))
        #expect(machine.isGranted("x"))
    }

    @Test("R31 events of the other side are granted by name like calls")
    func events() throws {
        var machine = try machine { $0.allow("open") }
        machine.subscribe("open")
        machine.subscribe("closed")
        for topic in ["open", "closed"] {
            machine.receive(.control(Control(.event, .text(topic), payload: token(1))))
            machine.receiveRequest(topic, payload: token(2))
        }
        let actions = machine.drain()
        let events = actions.compactMap { action -> String? in
            guard case .event(let topic, _, _) = action else { return nil }
            return topic
        }
        #expect(events == ["open", "open"])
        #expect(actions.compactMap { $0.discarded }.count == 2)
        #expect(machine.denialCount == 2)
    }

    @Test(
        "R22 R38 the audit keeps 256 denials with short names, and reports 1,000 a second; the rest is counted"
    )
    func audit() throws {
        var machine = try machine { _ in }
        let name = String(repeating: "n", count: 100_000)
        for _ in 0..<5_000 { machine.receiveRequest(name) }
        func audited() -> [BridgeDenial] {
            machine.drain().compactMap { action -> BridgeDenial? in
                guard case .audit(let denial) = action else { return nil }
                return denial
            }
        }
        #expect(audited().count == 1_000)
        #expect(machine.recentDenials.count == 256)
        #expect(machine.denialCount == 5_000)
        #expect(machine.recentDenials.allSatisfy { $0.name.count == BridgeDenial.maximumNameLength + 3 })
        machine.advance(to: .seconds(1))
        machine.receiveRequest("last")
        #expect(audited().map(\.omittedCount) == [4_000])
        #expect(machine.recentDenials.last?.name == "last")
        #expect(machine.recentDenials.last?.time == .seconds(1))
    }

    @Test("calls of this side are never restricted, and without grants there is no table")
    func outgoing() throws {
        var machine = try machine { _ in }
        #expect(try machine.call("anything") != nil)
        var open = try SessionMachine.live(handlers: ["x"])
        open.setGrants(.allowAll, now: .zero)
        #expect(!open.checksGrants)
    }
}
