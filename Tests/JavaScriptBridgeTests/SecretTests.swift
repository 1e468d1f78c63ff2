import BridgeTesting
import JavaScriptBridge
import Testing

@Suite(.noLeaks) struct BridgeSecretTests {
    struct Login: Codable {
        var user: String
        var bridgePassphrase: Secret<String>
    }

    @Test(
        "R38 no secret is in any line of the log, whichever way it crosses, from the first message on",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func log(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.logSink = { log.add($0.text) }
        configuration.uncaughtErrorHandler = { log.add("\($0)") }
        let bridge = try Bridge(configuration: configuration)
        bridge.enableLogging()
        bridge.setLogMaxLength(100_000)
        try bridge.registerHandler("login") { (login: Login) in login.bridgePassphrase.value.count }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("echo", login => login);
                bridge.registerHandler("call", async login => [
                    await bridge.callHandler("login", { user: "u", bridgePassphrase: "canary" }),
                    await bridge.callHandler("login", { user: "u", bridgePassphrase: ["canary"] }).catch(e => e.message),
                ]);
                """,
                name: "secrets.js"
            )
        )
        let seen = try await bridge.callHandler("call", returning: [Value].self)
        #expect(seen.first == 6)
        #expect(seen.last?.stringValue?.contains("canary") == false)
        let login = try await bridge.callHandler(
            "echo",
            with: Login(user: "u", bridgePassphrase: Secret("canary")),
            returning: Login.self
        )
        #expect(login.bridgePassphrase.value == "canary")
        #expect(log.elements.contains { $0.contains("[secret]") })
        #expect(log.elements.filter { $0.contains("canary") } == [])
    }
}
