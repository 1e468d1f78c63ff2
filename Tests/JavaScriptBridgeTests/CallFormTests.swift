import BridgeTesting
import JavaScriptBridge
import Testing

/// Calls in all forms: with data and without, with a result and without, awaited and in a turn.
@Suite(.noLeaks) struct CallFormTests {
    @Test(
        "A call is awaited with or without data, whether or not its result is wanted",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func forms(transport: BridgeConfiguration.Transport) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text(
                """
                WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
                let done = 0;
                bridge.registerHandler("slow", async data => {
                    await new Promise(resolve => setTimeout(resolve, 10));
                    return done += data ?? 1;
                });
                bridge.registerHandler("never", () => new Promise(() => {}));
                bridge.registerHandler("fast", data => done += data ?? 1);
                bridge.registerHandler("done", () => done);
                bridge.registerHandler("bad", () => { throw new BridgeError("my.bad", "bad"); });
                """,
                name: "forms.js"
            )
        )
        @Sendable func other() async throws -> Int { 0 }
        _ = try await (bridge.callHandler("slow"), other())
        #expect(try await bridge.callHandler("done") == 1)
        try await bridge.callHandler("slow", with: 2)
        #expect(try await bridge.callHandler("done") == 3)
        let errors = [
            await #expect(throws: BridgeError.self) { _ = try await (bridge.callHandler("bad"), other()) },
            await #expect(throws: BridgeError.self) { try await bridge.callHandler("bad", with: 1) },
        ]
        #expect(errors.map { $0?.code.rawValue } == ["my.bad", "my.bad"])
        let late = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("never", timeout: .zero)
        }
        #expect(late?.code == .deadlineExceeded)

        let codes = try await bridge.runtime.withContext { context in
            let bad = #expect(throws: BridgeError.self) { try bridge.callHandler("bad", in: context) }
            let badWithData = #expect(throws: BridgeError.self) {
                try bridge.callHandler("bad", with: 1, in: context)
            }
            try bridge.callHandler("fast", in: context)
            try bridge.callHandler("fast", with: 10, in: context)
            let done: Int = try bridge.callHandler("done", in: context)
            #expect(done >= 14)
            return [bad?.code.rawValue, badWithData?.code.rawValue]
        }
        #expect(codes == ["my.bad", "my.bad"])
        let before: Int = try await bridge.callHandler("done")
        try bridge.notify("fast")
        #expect(try await bridge.callHandler("done") == before + 1)
    }
}
