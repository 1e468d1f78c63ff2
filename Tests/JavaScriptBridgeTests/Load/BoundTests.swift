import BridgeTesting
import JavaScriptBridge
import Testing

/// Limits on state that a script could make grow endlessly.
@Suite(.noLeaks) struct BoundTests {
    @Test(
        "R22 notifications to handlers that wait are bounded: those beyond the limit are dropped, counted and logged"
    )
    func notifications() async throws {
        let lines = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.limits.maximumNotifications = 10
        configuration.logSink = { lines.add($0.text) }
        let bridge = try Bridge(configuration: configuration)
        let (started, gate) = (Recorder<Int>(), Recorder<Int>())
        try bridge.registerHandler("slow") { (number: Int) async throws in
            started.add(number)
            await gate.wait(for: 1)
        }
        try bridge.registerHandler("answer") { (number: Int) in number }
        try await bridge.load(
            .text("for (let i = 0; i < 1000; i++) bridge.notify('slow', i);", name: "page.js")
        )
        await started.wait(for: 10)
        // Calls are answered meanwhile.
        #expect(try await bridge.runtime.evaluate("bridge.callHandlerSync('answer', 1)") == 1)
        #expect(Set(started.elements) == Set(0..<10))
        #expect(lines.elements.contains { $0.contains("overloaded") && $0.contains("10") })
        #expect(lines.elements.count < 100)
        gate.add(1)
        // There is room again once these are done.
        await bridge.waitUntilIdle()
        try await bridge.runtime.evaluate("bridge.notify('slow', 1000); 0")
        await started.wait(for: 11)
        #expect(started.elements.count == 11 && started.elements.last == 1000)
    }
}
