import BridgeTesting
import JavaScriptBridge
import Testing

/// Leaks of bridges, as the leak tracker reports them.
@Suite struct BridgeLeakTests {
    @Test("R30 a call that is left pending is found, by its handler's name")
    func pendingCall() async throws {
        // The bridge is made untracked, because a report finds the place of each object in the source, in seconds.
        let tracker = LeakTracker()
        let bridge = try Bridge(configuration: .patient)
        try await bridge.load(
            .text("bridge.registerHandler('never', () => new Promise(() => {}))", name: "never.js")
        )
        let call = tracker.observe {
            Task { try await bridge.callHandler("never", with: 1, returning: Int.self) }
        }
        while tracker.liveCount(of: "pending call") == 0 { await Task.yield() }
        let report = tracker.report
        #expect(report.entries.contains { $0.kind == "pending call" && $0.label == "never" }, "\(report)")
        #expect(report.count(of: "pending call") == 1)
        call.cancel()
        _ = await call.result
        #expect(tracker.liveCount(of: "pending call") == 0)
    }

    @Test("R30 bridges with handlers, calls and timers leak nothing")
    func bridges() async throws {
        for _ in 0..<10 {
            try await assertNoLeaks(timeLimit: .seconds(240)) {
                let bridge = try Bridge(configuration: .patient)
                try bridge.registerHandler("double") { (number: Int) in number * 2 }
                try await bridge.load(
                    .text(
                        """
                        bridge.registerHandler('quadruple', async n => 2 * await bridge.callHandler('double', n));
                        setTimeout(() => {}, 1e9);
                        """,
                        name: "quadruple.js"
                    )
                )
                let result = try await bridge.callHandler("quadruple", with: 5, returning: Int.self)
                #expect(result == 20)
            }
        }
    }
}
