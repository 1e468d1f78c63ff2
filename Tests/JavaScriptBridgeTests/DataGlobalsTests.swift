import BridgeTesting
import JavaScriptBridge
import Testing

/// `TextEncoder`, `TextDecoder` and `structuredClone` beside a bridge.
@Suite struct BridgeDataGlobalsTests {
    @Test(
        "data that scripts encode and clone crosses, on both transports",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func crossing(transport: BridgeConfiguration.Transport) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text(
                """
                String.prototype.charCodeAt = Map.prototype.get = Array.isArray = () => { throw new Error("replaced"); };
                bridge.registerHandler("copy", data => {
                    const text = new TextDecoder().decode(new TextEncoder().encode(data.text));
                    return structuredClone({ text, data, again: data });
                });
                """,
                name: "copy.js"
            )
        )
        let data: Value = ["text": "\u{20AC}", "list": [1, 2]]
        let answer = try await bridge.callHandler("copy", with: data, returning: Value.self)
        #expect(answer == ["text": "\u{20AC}", "data": data, "again": data])
        bridge.close()
    }
}
