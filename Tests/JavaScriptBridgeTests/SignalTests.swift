import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// Calls of a script that its signals cancel, through the whole bridge.
@Suite struct SignalTests {
    private final class Scene {
        let clock = ManualClock()
        let results = Recorder<Value>()
        let replies = Recorder<@Sendable (Value) -> Void>()
        let uncaught = Recorder<String>()
        let bridge: Bridge
        let transport: BridgeConfiguration.Transport

        init(_ transport: BridgeConfiguration.Transport) throws {
            self.transport = transport
            var configuration = BridgeConfiguration.patient
            configuration.transport = transport
            configuration.clock = clock
            configuration.uncaughtErrorHandler = { [uncaught] in uncaught.add($0.message) }
            bridge = try Bridge(configuration: configuration)
            try bridge.registerHandler("result") { [results] (value: Value) in results.add(value) }
            try bridge.legacy.registerHandler("slow") {
                [replies] (_: Value, reply: @escaping @Sendable (Value) -> Void) in replies.add(reply)
            }
            try bridge.registerHandler("quick") { (value: Value) in value }
        }

        func load(_ script: String) async throws {
            // In the text transport each message would wait for a timer of the stopped clock, and the setup does.
            let setUp = "WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();"
            try await bridge.load(.text(setUp, name: "set-up.js"))
            if transport == .text {
                await clock.waitForWakeUps()
                clock.advance(by: .zero)
            }
            try await bridge.load(.text(script, name: "signals.js"))
        }

        func pendingInScript() async throws -> Value {
            try await bridge.withContext { try $0.internals.invokeMethod("pendingCount").toValue() }
        }
    }

    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    @Test(
        "R23 an abort rejects the call with the reason; the late reply has no effect",
        arguments: transports
    )
    func abortDuringCall(transport: BridgeConfiguration.Transport) async throws {
        let scene = try Scene(transport)
        try await scene.load(
            """
            const controller = new AbortController();
            bridge.callHandler("slow", 1, { signal: controller.signal })
                .catch(reason => bridge.notify("result", [reason === controller.signal.reason, reason.name, reason.message]));
            bridge.registerHandler("abort", () => controller.abort());
            """
        )
        await scene.replies.wait(for: 1)
        try await scene.bridge.callHandler("abort", with: 0)
        await scene.results.wait(for: 1)
        #expect(scene.results.elements == [[true, "AbortError", "The operation was aborted."]])
        for reply in scene.replies.elements { reply(1) }
        let pending = try await scene.pendingInScript()
        #expect(pending == 0)
        #expect(scene.uncaught.elements.isEmpty)
    }

    @Test("R23 AbortSignal.timeout follows the bridge's clock, alone and among others", arguments: transports)
    func timeout(transport: BridgeConfiguration.Transport) async throws {
        let scene = try Scene(transport)
        try await scene.load(
            """
            const tell = reason => bridge.notify("result", [reason.name, reason.code]);
            bridge.callHandler("slow", 1, { signal: AbortSignal.timeout(2000) }).catch(tell);
            const either = AbortSignal.any([new AbortController().signal, AbortSignal.timeout(2000)]);
            bridge.callHandler("slow", 1, { signal: either }).catch(tell);
            """
        )
        await scene.clock.waitForWakeUps()
        await scene.replies.wait(for: 2)
        scene.clock.advance(by: .seconds(2))
        await scene.results.wait(for: 2)
        #expect(scene.results.elements == [["TimeoutError", 23], ["TimeoutError", 23]])
        let pending = try await scene.pendingInScript()
        #expect(pending == 0)
    }

    @Test("R23 a signal that has aborted sends nothing", arguments: transports)
    func abortedBefore(transport: BridgeConfiguration.Transport) async throws {
        let scene = try Scene(transport)
        try await scene.load(
            """
            bridge.callHandler("slow", 1, { signal: AbortSignal.abort("why") }).catch(reason => bridge.notify("result", reason));
            """
        )
        await scene.results.wait(for: 1)
        #expect(scene.results.elements == ["why"])
        #expect(scene.replies.elements.isEmpty)
    }

    @Test(
        "R23 R24 Swift gets `cancelled` and `deadlineExceeded` for the reasons of a handler's signals",
        arguments: transports
    )
    func reasonsInSwift(transport: BridgeConfiguration.Transport) async throws {
        let scene = try Scene(transport)
        try await scene.load(
            """
            bridge.registerHandler("aborted", () => AbortSignal.abort().throwIfAborted());
            bridge.registerHandler("late", async () => { throw new DOMException("too late", "TimeoutError"); });
            """
        )
        let aborted = await #expect(throws: BridgeError.self) {
            try await scene.bridge.callHandler("aborted", with: 0)
        }
        #expect(aborted?.code == .cancelled)
        let late = await #expect(throws: BridgeError.self) {
            try await scene.bridge.callHandler("late", with: 0)
        }
        #expect(late?.code == .deadlineExceeded)
        #expect(late?.message == "too late")
    }

    @Test("R23 one signal for ten thousand calls ends none of those that were answered")
    func longLivedSignal() async throws {
        let scene = try Scene(.direct)
        try await scene.load(
            """
            const controller = new AbortController();
            bridge.registerHandler("run", async () => {
                let sum = 0;
                for (let n = 0; n < 10000; n++) {
                    sum += await bridge.callHandler("quick", 1, { signal: controller.signal });
                }
                controller.abort();
                return sum;
            });
            """
        )
        let sum = try await scene.bridge.callHandler("run", returning: Int.self)
        #expect(sum == 10_000)
        let pending = try await scene.pendingInScript()
        #expect(pending == 0)
        #expect(scene.uncaught.elements.isEmpty)
    }
}
