import BridgeTesting
import BridgeValues
import JavaScriptEngine
import TestSupport
import Testing

/// Timers that are started while a runtime is being created.
@Suite struct PreparationTimerTests {
    @Test(
        "R6 a timer that starts while a runtime is prepared fires, as do those after it, whatever the engine delivers meanwhile",
        arguments: [JavaScriptRuntime.Isolation.actor, .thread]
    )
    func preparation(isolation: JavaScriptRuntime.Isolation) async throws {
        for round in 0..<50 {
            let lines = Recorder<String>()
            let runtime = try JavaScriptRuntime(
                isolation: isolation,
                limits: ExecutionLimits(),
                clock: SystemClock(),
                consoleSink: { lines.add($0.text) },
                prepare: { context in
                    // The engine has work for the run loop as soon as the collector has seen this object.
                    _ = try context.evaluate(
                        "new FinalizationRegistry(() => {}).register({}, 0); setTimeout(() => console.log('first'), 0)"
                    )
                    context.virtualMachine.collectGarbage()
                }
            )
            try await runtime.evaluate("0")
            #expect(await waitUntil { lines.elements == ["first"] }, "round \(round)")
            try await runtime.evaluate("setTimeout(() => console.log('second'), 0)")
            #expect(await waitUntil { lines.elements == ["first", "second"] }, "round \(round)")
            runtime.close()
            guard lines.elements.count == 2 else { return }
        }
    }
}
