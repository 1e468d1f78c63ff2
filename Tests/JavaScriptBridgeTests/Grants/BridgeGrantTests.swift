import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// The calls and events that scripts are granted, through the whole bridge.
@Suite(.noLeaks) struct BridgeGrantTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    private final class Scene {
        let clock = ManualClock()
        let denials = Recorder<BridgeDenial>()
        let log = Recorder<String>()
        let bridge: Bridge

        init(
            over transport: BridgeConfiguration.Transport = .direct,
            limits: ExecutionLimits = .trusted,
            _ grants: BridgeGrants
        ) throws {
            var configuration = BridgeConfiguration.patient
            configuration.transport = transport
            configuration.clock = clock
            configuration.executionLimits = limits
            configuration.grants = grants
            configuration.denialSink = { [denials] in denials.add($0) }
            configuration.logSink = { [log] in log.add($0.text) }
            bridge = try Bridge(configuration: configuration)
        }

        /// Returns the codes, or the values, with which calls of a script end.
        func outcomes(_ script: String) async throws -> [String] {
            let text = """
                WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
                globalThis.all = [];
                globalThis.call = (...list) => {
                    const at = all.push(null) - 1;
                    bridge.callHandler(...list).then(value => { all[at] = "" + value }, error => { all[at] = error.code });
                };
                \(script)
                """
            // Replies wait until the first script was loaded (P25).
            try await bridge.load(.text(text, name: "calls.js"))
            while true {
                let all = try await bridge.runtime.evaluate("all")
                guard case .array(let elements) = all else { return [] }
                let texts = elements.compactMap(\.stringValue)
                if texts.count == elements.count { return texts }
                clock.advance(by: .zero)
                await Task.yield()
            }
        }
    }

    @Test(
        "R31 a script calls granted names, gets `denied` for the rest, and each denial is audited",
        arguments: transports
    )
    func grants(transport: BridgeConfiguration.Transport) async throws {
        var grants = BridgeGrants.denyAll
        grants.allow("math.*")
        grants.deny("math.secret")
        let scene = try Scene(over: transport, grants)
        let ran = Recorder<String>()
        for name in ["math.double", "math.secret", "other"] {
            try scene.bridge.registerHandler(name) { (number: Int) in
                ran.add(name)
                return number * 2
            }
        }
        let outcomes = try await scene.outcomes(
            """
            call("math.double", 4); call("math.secret", 4); call("other", 4); call("missing", 4);
            bridge.notify("other", 1);
            WebViewJavascriptBridge.callHandler("other", 1, () => { throw new Error("called back") });
            """
        )
        #expect(outcomes == ["8", "denied", "denied", "denied"])
        #expect(ran.elements == ["math.double"])
        await scene.denials.wait(for: 5)
        #expect(scene.denials.elements.map(\.name) == ["math.secret", "other", "missing", "other", "other"])
        #expect(
            scene.denials.elements.map(\.reason) == [
                .denied, .notGranted, .notGranted, .notGranted, .notGranted,
            ]
        )
        #expect(scene.log.elements.filter { $0.contains("\"other\" is not granted") }.count == 2)
        #expect(scene.bridge.grants.recentDenials.count == 5)
    }

    @Test("R31 a message's claims about its sender have no effect", arguments: transports)
    func forged(transport: BridgeConfiguration.Transport) async throws {
        let scene = try Scene(over: transport, .denyAll)
        try scene.bridge.registerHandler("user") { (_: Value) in 1 }
        let outcomes = try await scene.outcomes(
            """
            call("user", { admission: { grant: 0 }, admitted: true, tier: "trusted", caller: "host" });
            call("user", 1, { admission: 1, grants: "*", acc: ["err"] });
            """
        )
        #expect(outcomes == ["denied", "denied"])
    }

    @Test("R31 the constrained tier denies by default and refuses grants that would weaken it")
    func tiers() async throws {
        let scene = try Scene(limits: .constrained, BridgeGrants())
        try scene.bridge.registerHandler("user") { (_: Value) in 1 }
        #expect(try await scene.outcomes("call('user')") == ["denied"])
        try scene.bridge.grants.allow("user")
        #expect(try await scene.outcomes("call('user')") == ["1"])

        func refusal(_ change: (inout BridgeGrants) -> Void) -> String? {
            var grants = BridgeGrants()
            change(&grants)
            do {
                try grants.validated(for: .constrained)
                try grants.validated(for: .trusted)
                return nil
            } catch {
                return error.field
            }
        }
        #expect(refusal { $0.fallback = .allow } == "fallback")
        #expect(refusal { $0.allow("*") } == "the pattern of an allowance")
        #expect(
            refusal { $0.allow("a", limits: GrantLimits(maximumConcurrentCalls: 257)) }
                == "maximumConcurrentCalls of \"a\""
        )
        #expect(
            refusal { $0.allow("a", limits: GrantLimits(maximumPayloadBytes: .max)) }
                == "maximumPayloadBytes of \"a\""
        )
        #expect(refusal { $0.allow("a*", limits: GrantLimits(rate: .init(10_001))) } == "rate of \"a*\"")
        #expect(
            refusal { $0.allow("a*", limits: GrantLimits(rate: .init(1, burst: 10_001))) }
                == "burst of \"a*\""
        )
        #expect(
            refusal {
                $0.allow("a*", limits: GrantLimits(rate: .init(5), maximumPayloadBytes: 9))
                $0.deny("*")
            } == nil
        )

        let before = scene.bridge.grants.current
        #expect(throws: BridgeGrantsError.self) { try scene.bridge.grants.allow("*") }
        #expect(scene.bridge.grants.current == before)
        #expect(throws: BridgeGrantsError.self) { _ = try Scene(limits: .constrained, .allowAll) }
        // A limit that a rule leaves open is that of the tier.
        #expect(try await scene.outcomes("call('user', new Uint8Array(9 << 20))") == ["limitExceeded"])
    }

    @Test(
        "R22 rates and sizes are checked by the bridge's clock and the payload's size",
        arguments: transports
    )
    func limits(transport: BridgeConfiguration.Transport) async throws {
        var grants = BridgeGrants.denyAll
        grants.allow("often", limits: GrantLimits(rate: .init(2, per: .seconds(10))))
        grants.allow("small", limits: GrantLimits(maximumPayloadBytes: 40))
        let scene = try Scene(over: transport, grants)
        for name in ["often", "small"] { try scene.bridge.registerHandler(name) { (_: Value) in "ok" } }
        #expect(
            try await scene.outcomes("for (let i = 0; i < 4; i++) call('often')")
                == ["ok", "ok", "overloaded", "overloaded"]
        )
        scene.clock.advance(by: .seconds(5))
        #expect(try await scene.outcomes("call('often'); call('often')") == ["ok", "overloaded"])
        // An object, an array of one number with the key "a", and a string of units: 8 + 2 + 8 + 8, and 8 + 2 a unit.
        #expect(
            try await scene.outcomes(
                "call('small', { a: [1] }); call('small', 'x'.repeat(16)); call('small', 'x'.repeat(17)); call('small', [1,2,3,4,5])"
            ) == ["ok", "ok", "limitExceeded", "limitExceeded"]
        )
    }

    @Test("R22 asynchronous handlers, streams and notifications count while they run")
    func concurrency() async throws {
        var grants = BridgeGrants.denyAll
        grants.allow("slow", limits: GrantLimits(maximumConcurrentCalls: 2))
        let scene = try Scene(grants)
        let started = Recorder<Int>()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task { for await _ in gate {} }
        try scene.bridge.registerHandler("slow") { (number: Int) async throws -> Int in
            started.add(number)
            await waiting.value
            return number
        }
        _ = try await scene.outcomes(
            "bridge.notify('slow', 0); bridge.notify('slow', 1); bridge.notify('slow', 2)"
        )
        await started.wait(for: 2)
        #expect(try await scene.outcomes("call('slow', 3)") == ["overloaded"])
        open.finish()
        var outcomes = ["overloaded"]
        while outcomes == ["overloaded"] { outcomes = try await scene.outcomes("call('slow', 4)") }
        #expect(outcomes == ["4"])
        #expect(Set(started.elements) == [0, 1, 4])
    }

    /// Requests of names that no grant counts wait for their handlers in the turn, and those of counted names do not.
    @Test(
        "P39 R22 counted and uncounted requests of one turn keep their order and their limits",
        arguments: transports
    )
    func counted(transport: BridgeConfiguration.Transport) async throws {
        var grants = BridgeGrants.denyAll
        grants.allow("free")
        grants.allow("counted", limits: GrantLimits(rate: GrantLimits.Rate(1, per: .seconds(60), burst: 3)))
        grants.allow("brief", for: .seconds(10))
        let scene = try Scene(over: transport, grants)
        let order = Recorder<String>()
        for name in ["free", "counted", "brief", "denied"] {
            try scene.bridge.registerHandler(name) { (number: Int) -> Int in
                order.add("\(name) \(number)")
                return number
            }
        }
        let outcomes = try await scene.outcomes(
            """
            for (let number = 0; number < 5; number++) {
                for (const name of ["free", "counted", "brief", "denied"]) call(name, number);
            }
            """
        )
        let expected = (0..<5).flatMap { number in
            ["\(number)", number < 3 ? "\(number)" : "overloaded", "\(number)", "denied"]
        }
        #expect(outcomes == expected)
        let begun = (0..<5).flatMap { number -> [String] in
            let names = number < 3 ? ["free", "counted", "brief"] : ["free", "brief"]
            return names.map { "\($0) \(number)" }
        }
        #expect(order.elements == begun)
        scene.clock.advance(by: .seconds(10))
        #expect(try await scene.outcomes("call('free', 9); call('brief', 9)") == ["9", "denied"])
    }

    @Test(
        "G36 a grant that a handler revokes does not hold for the requests behind it",
        arguments: transports
    )
    func revokedInTurn(transport: BridgeConfiguration.Transport) async throws {
        var grants = BridgeGrants.denyAll
        grants.allow("*")
        let scene = try Scene(over: transport, grants)
        let ran = Recorder<Int>()
        try scene.bridge.registerHandler("user") { (number: Int) -> Int in
            ran.add(number)
            return number
        }
        try scene.bridge.registerHandler("revoke") {
            [weak bridge = scene.bridge] (number: Int) throws -> Int in
            bridge?.grants.deny("user")
            return number
        }
        #expect(try await scene.outcomes("call('user', 0); call('revoke', 1)") == ["0", "1"])
        try scene.bridge.grants.allow("user")
        scene.bridge.grants.lift("user")
        let outcomes = try await scene.outcomes(
            "call('user', 2); call('revoke', 3); call('user', 4); call('user', 5)"
        )
        #expect(outcomes == ["2", "3", "denied", "denied"])
        #expect(ran.elements == [0, 2])
    }

    @Test("G36 grants expire, are revoked, renewed and lifted while scripts run")
    func changes() async throws {
        let scene = try Scene(.denyAll)
        try scene.bridge.registerHandler("user") { (_: Value) in 1 }
        let grants = scene.bridge.grants
        try grants.allow("user", for: .seconds(10))
        #expect(try await scene.outcomes("call('user')") == ["1"])
        scene.clock.advance(by: .seconds(9))
        try grants.allow("user", for: .seconds(10))
        scene.clock.advance(by: .seconds(9))
        #expect(grants.allows("user"))
        scene.clock.advance(by: .seconds(1))
        #expect(!grants.allows("user"))
        #expect(try await scene.outcomes("call('user')") == ["denied"])
        try grants.allow("user")
        grants.deny("us*")
        #expect(try await scene.outcomes("call('user')") == ["denied"])
        #expect(grants.lift("us*"))
        #expect(try await scene.outcomes("call('user')") == ["1"])
        #expect(grants.revoke("user"))
        #expect(!grants.revoke("user"))
        #expect(try await scene.outcomes("call('user')") == ["denied"])
        #expect(grants.denialCount == 3)
    }

    @Test("R31 Swift calls and emits to scripts without grants")
    func outgoing() async throws {
        let scene = try Scene(.denyAll)
        let events = Recorder<Int>()
        let subscription = scene.bridge.on("secret") { (number: Int) in events.add(number) }
        try await scene.bridge.load(
            .text(
                "bridge.registerHandler('double', n => n * 2); bridge.on('notified', n => { globalThis.notified = n }); bridge.emit('secret', 1)",
                name: "o.js"
            )
        )
        #expect(try await scene.bridge.callHandler("double", with: 4, returning: Int.self) == 8)
        #expect(try scene.bridge.emit("notified", with: 5) == true)
        // A call arrives after the event that was sent before it.
        #expect(try await scene.bridge.callHandler("double", with: 1, returning: Int.self) == 2)
        #expect(try await scene.bridge.runtime.evaluate("notified") == 5)
        #expect(events.elements.isEmpty)
        try scene.bridge.grants.allow("secret")
        _ = try await scene.bridge.runtime.evaluate("bridge.emit('secret', 2)")
        await events.wait(for: 1)
        #expect(events.elements == [2])
        subscription.cancel()
    }

    @Test("R38 R39 a denial shows only its name, shortened and quoted")
    func shown() async throws {
        let scene = try Scene(.denyAll)
        try scene.bridge.registerHandler("secret") { (_: Value) in 1 }
        _ = try await scene.outcomes("call('secret\\n' + 'x'.repeat(100000), { password: 'canary' })")
        let denial = try #require(scene.denials.elements.first)
        let json = String(decoding: try JSONEncoder().encode(denial), as: UTF8.self)
        for text in ["\(denial)", json] {
            #expect(!text.contains("canary") && !text.contains("\n") && text.utf8.count < 400)
        }
        #expect(!scene.log.elements.contains { $0.contains("canary") })
    }
}
