import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// The behavior of a bridge whose script was stopped and may never run again.
@Suite struct RetirementTests {
    private func makeBridge() throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits = .constrained
        configuration.executionLimits.processorTime = .milliseconds(250)
        configuration.grants.allow("slow")
        return try Bridge(configuration: configuration)
    }

    @Test(
        "R20 (constrained) all pending calls settle with `terminated`, all later ones with `disconnected`"
    )
    func retirement() async throws { try await retire(by: "spin") }

    @Test(
        "R20 (constrained) calls settle in the same way after an endless chain of promises",
        .needs(.drainMicrotasks)
    )
    func retirementByFlood() async throws { try await retire(by: "flood") }

    private func retire(by handler: String) async throws {
        let bridge = try makeBridge()
        let reported = Recorder<String>()
        try bridge.registerHandler("slow") { (_: Value) async throws -> Value in
            reported.add("called")
            try await Task.sleep(for: .seconds(3600))
            return 1
        }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("spin", () => { for (;;) {} });
                bridge.registerHandler("flood", () => { (async () => { for (;;) await 0 })(); return new Promise(() => {}) });
                bridge.registerHandler("wait", () => new Promise(() => {}));
                bridge.registerHandler("ok", x => x + 1);
                bridge.callHandler("slow", 1);
                setInterval(() => bridge.notify("slow", 1), 1e6);
                """,
                name: "t.js"
            )
        )
        await reported.wait(for: 1)
        let waiting = (0..<100).map { _ in Task { try await bridge.callHandler("wait", with: 1) } }
        while bridge.pendingCallCount < 100 { await Task.yield() }
        #expect(try await bridge.callHandler("ok", with: 0, returning: Int.self) == 1)
        let error = await #expect(throws: BridgeError.self) { try await bridge.callHandler(handler, with: 1) }
        #expect(error?.code == .terminated)
        for task in waiting {
            let error = await #expect(throws: BridgeError.self) { try await task.value }
            #expect(error?.code == .terminated)
        }
        #expect(bridge.pendingCallCount == 0)
        for _ in 0..<3 {
            let later = await #expect(throws: BridgeError.self) {
                try await bridge.callHandler("ok", with: 1)
            }
            #expect(later?.code == .disconnected)
            let load = await #expect(throws: BridgeError.self) {
                try await bridge.load(.text("1", name: "b.js"))
            }
            #expect(load?.code == .disconnected)
        }
        #expect(reported.elements == ["called"])
    }

    @Test(
        "R20 (constrained) an answer that arrived before its script was stopped is delivered, without another turn"
    )
    func answered() async throws {
        let bridge = try makeBridge()
        try await bridge.load(
            .text(
                "bridge.registerHandler('answers', (data, reply) => { reply(data + 1); for (;;) {} });",
                name: "t.js"
            )
        )
        let answers = Recorder<Value>()
        bridge.legacy.callHandler("answers", data: 6) { answers.add($0) }
        await answers.wait(for: 1)
        #expect(answers.elements == [7])
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("a bridge refuses limits that weaken their tier")
    func tier() throws {
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits = .constrained
        configuration.executionLimits.allowsEval = true
        #expect(throws: ExecutionLimitsError.self) { _ = try Bridge(configuration: configuration) }
    }

    @Test("R21 (constrained) a script's calls that are never answered end at their limit")
    func pendingCalls() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.maximumPendingPromises = 50
        let bridge = try Bridge(configuration: configuration)
        let codes = Recorder<Value>()
        try bridge.legacy.registerHandler("never") { (_: Value, _: @escaping @Sendable (Value) -> Void) in }
        try bridge.registerHandler("code") { (value: Value) in codes.add(value) }
        try await bridge.load(
            .text(
                "for (let i = 0; i < 60; i++) bridge.callHandler('never', i).catch(e => bridge.notify('code', e.code))",
                name: "c.js"
            )
        )
        await codes.wait(for: 10)
        #expect(
            codes.elements.allSatisfy { $0 == "overloaded" || $0 == "limitExceeded" },
            "\(codes.elements)"
        )
    }
}
