import BridgeTesting
import JavaScriptBridge
import Testing

/// Handlers and listeners that hold an object which uses the bridge when it is released.
@Suite(.noLeaks) struct HeldClosureTests {
    private final class Held: Sendable {
        let onEnd: @Sendable () -> Void
        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
        deinit { onEnd() }
    }

    @Test(
        "P53 R4 an object that a handler or listener holds may use the bridge when it is released, in any way",
        arguments: ["remove", "replace", "cancel", "close"]
    )
    func letGo(how: String) async throws {
        let bridge = try Bridge(configuration: .patient)
        try await bridge.load(.text("", name: "first.js"))
        let gone = Recorder<Int>()
        func make() throws -> BridgeSubscription {
            let ticks = bridge.on("tick") { (_: Int) in }
            let held = Held { [weak bridge] in
                ticks.cancel()
                gone.add(bridge?.pendingCallCount ?? -1)
            }
            try bridge.registerHandler("stop") { (_: Int) in withExtendedLifetime(held) { 0 } }
            return bridge.on("tock") { (_: Int) in withExtendedLifetime(held) {} }
        }
        let listener = try make()
        switch how {
        case "remove":
            listener.cancel()
            bridge.removeHandler("stop")
        case "replace":
            listener.cancel()
            try bridge.registerHandler("stop") { (_: Int) in 1 }
        case "cancel":
            bridge.removeHandler("stop")
            listener.cancel()
        default: bridge.close()
        }
        #expect(gone.elements == [0])
    }

    @Test("P62 topics that only look the same are two topics, to listeners as on the wire")
    func topics() async throws {
        let bridge = try Bridge(configuration: .patient)
        try await bridge.load(
            .text(
                "bridge.registerHandler('tell', ([topic, text]) => bridge.emit(topic, text))",
                name: "first.js"
            )
        )
        let received = Recorder<String>()
        let composed = bridge.on("caf\u{E9}") { (text: String) in received.add("composed \(text)") }
        let decomposed = bridge.on("cafe\u{301}") { (text: String) in received.add("decomposed \(text)") }
        func tell(_ texts: [String]) async throws {
            for (topic, text) in zip(["caf\u{E9}", "cafe\u{301}"], texts) {
                _ = try await bridge.callHandler("tell", with: [topic, text], returning: Bool.self)
            }
        }
        try await tell(["1", "2"])
        composed.cancel()
        try await tell(["3", "4"])
        decomposed.cancel()
        #expect(received.elements == ["composed 1", "decomposed 2", "decomposed 4"])
    }
}
