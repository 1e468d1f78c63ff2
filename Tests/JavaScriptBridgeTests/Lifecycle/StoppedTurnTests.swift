import BridgeTesting
import Foundation
import JavaScriptBridge
import TestSupport
import Testing

/// What begins after a turn was stopped, before the script's side has heard of it.
@Suite struct StoppedTurnTests {
    /// Stops a script while a stream is being opened, and has a timer run before the script's side hears of that.
    private func stop(_ kind: BridgeKind, in operation: JSOperation?) async throws {
        let clock = ManualClock()
        let console = Recorder<String>()
        let bridge = try await kind.makeBridge(synchronousMode + pageScript) {
            $0.clock = clock
            $0.consoleSink = { console.add($0.text) }
        }
        clock.advance(by: .zero)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("timer", () => { setTimeout(() => console.log("timer"), 10); return 1; });
                bridge.registerHandler("later", async value => { await new Promise(go => setTimeout(go, 20)); return value; });
                bridge.registerHandler("aborted", async (value, reply, call) => {
                    await new Promise(go => setTimeout(go, 20));
                    return call.signal.aborted;
                });
                """,
                name: "timer.js"
            )
        )
        clock.advance(by: .zero)
        let isStopped = Recorder<Void>()
        try await JSOperation.$current.withValue(operation) {
            _ = try await bridge.callHandler("timer", with: 1, returning: Int.self)
        }
        Thread.detachNewThread {
            JSOperation.withCurrent(operation) {
                _ = try? bridge.runtime.withContextAndWait { context in
                    try context.evaluate("console.log('running'); for (;;) {}").toValue()
                }
            }
            isStopped.add(())
        }
        await console.wait(for: 1)
        // The timer's turn comes first, then that of the opening, then that in which the script's side hears of the stop.
        clock.advance(by: .milliseconds(15))
        let opening = JSOperation.withCurrent(operation) {
            Task { try await bridge.openStream("ticks", of: Int.self) }
        }
        let calls = JSOperation.withCurrent(operation) {
            (
                Task { try await bridge.callHandler("later", with: 5, returning: Int.self) },
                Task { try await bridge.callHandler("aborted", with: 5, returning: Bool.self) }
            )
        }
        while bridge.pendingCallCount < 3 { await Task.yield() }
        bridge.runtime.interrupt(reason: "a test")
        await isStopped.wait(for: 1)
        var count = 0
        for try await number in try await opening.value {
            #expect(number == count)
            count += 1
            if count == 500 { break }
        }
        #expect(count == 500)
        clock.advance(by: .milliseconds(30))
        #expect(try await calls.0.value == 5)
        #expect(try await calls.1.value == false)
        bridge.close()
    }

    @Test("R5 R6 a stream that is opened after a turn was stopped goes on", arguments: BridgeKind.allCases)
    func stream(kind: BridgeKind) async throws { try await stop(kind, in: nil) }
}
