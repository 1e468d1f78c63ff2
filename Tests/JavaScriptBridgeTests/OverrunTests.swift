import BridgeTesting
import JavaScriptBridge
import Testing

/// Scripts of a bridge that exceed their processor time when the engine gives no chance to stop them.
@Suite(.serialized) struct BridgeOverrunTests {
    private static let page = """
        const slow = () => { /(x+x+)+y/.test("x".repeat(30)); return "done"; };
        bridge.registerHandler("slow", slow);
        bridge.registerHandler("slowLater", async () => { await null; return slow(); });
        bridge.registerHandler("echo", data => data);
        """

    @Test(
        "R19 R20 the reply of a script that exceeds its processor time does not leave the turn",
        arguments: StreamTests.transports,
        ["slow", "slowLater"]
    )
    func reply(transport: BridgeConfiguration.Transport, name: String) async throws {
        let bridge = try await Bridge.patient(transport, running: Self.page) {
            $0.executionLimits.processorTime = .milliseconds(100)
        }
        for _ in 0..<2 {
            let typed = await #expect(throws: BridgeError.self) {
                try await bridge.callHandler(name, with: 1, returning: String.self)
            }
            #expect(typed?.code == .terminated)
            let data = await #expect(throws: BridgeError.self) {
                try await bridge.callHandler(name, with: 1, returning: Value.self)
            }
            #expect(data?.code == .terminated)
        }
        bridge.close()
    }

    @Test(
        "R19 R20 exceeding the processor time retires a constrained bridge",
        arguments: StreamTests.transports
    )
    func retired(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: Self.page) { configuration in
            configuration.executionLimits = .constrained
            configuration.executionLimits.processorTime = .milliseconds(100)
        }
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("slow", with: 1, returning: String.self)
        }
        #expect(error?.code == .terminated)
        await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("echo", with: 1, returning: Int.self)
        }
        bridge.close()
    }
}
