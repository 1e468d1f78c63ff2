import BridgeTesting
import JavaScriptBridge
import Testing
import WebViewBridgeDialects

/// The synchronous calls of dialects whose scripts get the answer inline.
@Suite struct SynchronousGrantTests {
    @Test("R31 a synchronous call of a dialect reaches granted names, and nothing else")
    func grants() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configuration.dialect = .dsBridge
        configuration.grants.deny("secret")
        let bridge = try Bridge(configuration: configuration)
        let calls = Recorder<String>()
        for name in ["open", "secret"] {
            try bridge.registerHandler(name) { (_: Value) in
                calls.add(name)
                return name
            }
        }
        try await bridge.load(
            .text(
                "var seen = ['open', 'secret'].map(n => [dsBridge.call(n, 1), dsBridge.hasNativeMethod(n)])",
                name: "grants.js"
            )
        )
        let seen = try await bridge.withContext { try $0.evaluate("seen").toValue() }
        #expect(seen[0][0] == "open" && seen[0][1] == true, "\(seen)")
        #expect(seen[1][0] != "secret" && seen[1][1] == false, "\(seen)")
        #expect(calls.elements == ["open"])
        bridge.close()
    }

    /// A bridge of a dialect with synchronous calls, and its denials and log lines.
    private final class Scene {
        let clock = ManualClock()
        let denials = Recorder<BridgeDenial>()
        let log = Recorder<String>()
        let bridge: Bridge

        init(_ dialect: BridgeDialect = .dsBridge, _ change: (inout BridgeConfiguration) -> Void) throws {
            var configuration = BridgeConfiguration.patient
            configuration.transport = .text
            configuration.dialect = dialect
            configuration.clock = clock
            configuration.denialSink = { [denials] in denials.add($0) }
            configuration.consoleSink = { [log] in log.add($0.text) }
            change(&configuration)
            bridge = try Bridge(configuration: configuration)
        }

        /// Returns the value of a script.
        func calls(_ script: String) async throws -> Value {
            try await bridge.runtime.evaluate(script)
        }
    }

    @Test("R22 R31 a synchronous call of a dialect is limited like any other, and each denial is audited")
    func limits() async throws {
        let scene = try Scene {
            $0.grants = .denyAll
            $0.grants.allow("often", limits: GrantLimits(rate: .init(2, per: .seconds(10))))
            $0.grants.allow("small", limits: GrantLimits(maximumPayloadBytes: 40))
            $0.grants.allow("short", for: .seconds(60))
            $0.grants.deny("secret")
        }
        for name in ["often", "small", "short", "secret"] {
            try scene.bridge.registerHandler(name) { (_: Value) in "ok" }
        }
        try await scene.bridge.load(.text("0", name: "page.js"))
        let often = try await scene.calls("[1, 2, 3].map(n => dsBridge.call('often', n) || 'none')")
        #expect(often == ["ok", "ok", "none"])
        let small = try await scene.calls(
            "[16, 17].map(n => dsBridge.call('small', 'x'.repeat(n)) || 'none')"
        )
        #expect(small == ["ok", "none"])
        #expect(try await scene.calls("dsBridge.call('secret', 1) || 'none'") == "none")
        #expect(
            scene.denials.elements.map { "\($0.name) \($0.reason)" } == [
                "often rate", "small payloadSize", "secret denied",
            ]
        )
        #expect(scene.bridge.grants.denialCount == 3)
        // Only the call itself advances the time of the grants.
        scene.clock.advance(by: .seconds(61))
        let late = try await scene.calls(
            "[dsBridge.hasNativeMethod('short'), dsBridge.call('short', 1) || 'none']"
        )
        #expect(late == [false, "none"])
    }

    @Test("R22 notifications that a synchronous call overtakes stop counting once they are done")
    func overtaken() async throws {
        let scene = try Scene(.kkjsBridge) {
            $0.grants.allow("note", limits: GrantLimits(maximumConcurrentCalls: 3))
        }
        let seen = Recorder<Value>()
        try scene.bridge.registerHandler("note") { (value: Value) in seen.add(value) }
        try scene.bridge.registerHandler("now") { (_: Value) in "ok" }
        try await scene.bridge.load(
            .text("KKJSBridge.on('event', () => { KKJSBridge.syncCall(null, 'now', 1); });", name: "page.js")
        )
        // The event goes first: the notes wait when its listener calls.
        for round in 0..<3 {
            try await scene.bridge.withContext { [bridge = scene.bridge] context in
                try bridge.notify("event", with: 0)
                for n in 0..<2 { try context.evaluate("KKJSBridge.call(null, 'note', \(2 * round + n))") }
            }
            await seen.wait(for: 2 * (round + 1))
        }
        #expect(seen.elements == [0, 1, 2, 3, 4, 5])
        #expect(scene.denials.elements.isEmpty, "\(scene.log.elements)")
    }

    @Test("R1 a synchronous call that is too long, or not a message, fails by name")
    func malformed() async throws {
        let scene = try Scene { $0.limits.maximumMessageLength = 200 }
        try scene.bridge.registerHandler("now") { (_: Value) in "ok" }
        try await scene.bridge.load(.text("0", name: "page.js"))
        #expect(try await scene.calls("dsBridge.call('now', 'x'.repeat(300)) || 'none'") == "none")
        #expect(scene.log.elements.contains { $0.contains("limitExceeded") && $0.contains("200") })
    }
}
