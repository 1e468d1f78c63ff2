import BridgeTesting
import JavaScriptBridge
import Testing

/// The calls of dialects whose scripts get the answer at once.
@Suite struct SynchronousGrantTests {
    @Test("R31 a synchronous call of a dialect reaches what is granted, and nothing else")
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
}
