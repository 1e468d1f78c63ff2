import BridgeTesting
import JavaScriptBridge
import Testing

/// The descriptions of handlers that each side sends.
@Suite(.noLeaks) struct DiscoveryTests {
    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ change: (inout BridgeConfiguration) -> Void = { _ in }
    ) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        change(&configuration)
        return try Bridge(configuration: configuration)
    }

    @Test("R31 a script lists the handlers that it may call, with their authors' descriptions")
    func script() async throws {
        var grants = BridgeGrants.denyAll
        grants.allow("shop.*")
        let bridge = try makeBridge(.direct) {
            $0.grants = grants
            $0.describesTypes = true
        }
        let shop = try bridge.register(
            HandlerGroup("shop") {
                BridgeHandler(
                    "buy",
                    description: HandlerDescription("Buys.", since: "1.2", deprecation: "Use order.")
                ) {
                    (_: Int) in 1
                }
                BridgeHandler("prices", description: "Tells prices.") { (_: Value) in
                    AsyncStream<Int> { $0.finish() }
                }
            }
        )
        try bridge.registerHandler("shop.plain") { (_: Value) async throws -> Int in 1 }
        try bridge.registerHandler("hidden") { (_: Value) in 1 }
        #expect(bridge.describeHandler("shop.plain", as: "Is plain."))
        #expect(!bridge.describeHandler("missing", as: "Is missing."))
        #expect(!bridge.describeHandler("_wvjb.describe", as: "Is ours."))
        try await bridge.load(
            .text("bridge.describe().then(list => { globalThis.list = list })", name: "d.js")
        )
        let expected: Value = [
            [
                "name": "shop.buy", "kind": "sync", "takesCallback": false, "summary": "Buys.",
                "since": "1.2",
                "deprecated": "Use order.", "request": ["type": "integer"], "response": ["type": "integer"],
            ],
            [
                "name": "shop.plain", "kind": "value", "takesCallback": false, "summary": "Is plain.",
                "response": ["type": "integer"],
            ],
            [
                "name": "shop.prices", "kind": "stream", "takesCallback": false, "summary": "Tells prices.",
                "response": ["type": "integer"],
            ],
        ]
        var list = Value.undefined
        while list == .undefined { list = try await bridge.runtime.evaluate("globalThis.list") }
        #expect(list == expected)
        try bridge.registerHandler("shop.plain") { (_: Value) in 2 }
        bridge.grants.revoke("shop.*")
        bridge.grants.deny("_wvjb.describe")
        let code = try await bridge.runtime.evaluate(
            "bridge.describe().catch(error => { globalThis.code = error.code }); 1"
        )
        #expect(code == 1)
        var denied = Value.undefined
        while denied == .undefined { denied = try await bridge.runtime.evaluate("globalThis.code") }
        #expect(denied == "denied")
        shop.remove()
    }

    @Test("a script sees which handlers answer a synchronous call, and which reply through a callback")
    func kinds() async throws {
        let bridge = try makeBridge(.direct)
        try bridge.registerHandler("now") { (_: Int) in 1 }
        try bridge.registerHandler("later") { (_: Int) async in 1 }
        try bridge.legacy.registerHandler("reply") { data, reply in reply(data) }
        try await bridge.load(
            .text("bridge.describe().then(list => { globalThis.list = list })", name: "d.js")
        )
        await bridge.waitUntilIdle()
        let list = try await bridge.runtime.evaluate("globalThis.list")
        #expect(list.arrayValue?.map { $0["name"] } == ["later", "now", "reply"])
        #expect(list.arrayValue?.map { $0["kind"] } == ["value", "sync", "value"])
        #expect(list.arrayValue?.map { $0["takesCallback"] } == [false, false, true])
    }

    @Test("Swift lists the handlers of the script")
    func swift() async throws {
        let bridge = try makeBridge(.direct)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("value", data => data);
                bridge.registerHandler("callback", (data, reply) => reply(data));
                WebViewJavascriptBridge.registerHandler("original", (data, reply) => reply(data));
                Array.prototype.toJSON = () => { throw new Error("tampered") };
                Object.defineProperty(Array.prototype, "0", { set() { throw new Error("tampered") } });
                """,
                name: "h.js"
            )
        )
        let handlers = try await bridge.describe()
        #expect(handlers.map(\.name) == ["callback", "original", "value"])
        #expect(handlers.map(\.takesCallback) == [true, true, false])
        #expect(handlers.allSatisfy { $0.kind == nil && $0.summary == nil })
    }

    @Test("I3 a peer that has shown no extension is not asked to describe, by either side; one that has is")
    func text() async throws {
        let bridge = try makeBridge(.text)
        try bridge.registerHandler("swift") { (_: Value) in 1 }
        try await bridge.load(
            .text(
                """
                WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
                bridge.registerHandler("echo", data => data);
                bridge.registerHandler("list", () => bridge.describe());
                bridge.describe().catch(error => { globalThis.code = error.code });
                """,
                name: "t.js"
            )
        )
        let error = await #expect(throws: BridgeError.self) { _ = try await bridge.describe() }
        #expect(error?.code == .unsupported)
        var code = Value.undefined
        while code == .undefined { code = try await bridge.runtime.evaluate("globalThis.code") }
        #expect(code == "unsupported")
        // A call that supports errors announces it in `x`, and its answer shows that the other side understood.
        let list = try await bridge.callHandler("list", returning: [DescribedHandler].self)
        #expect(list.map(\.name) == ["swift"])
        #expect(try await bridge.describe().map(\.name) == ["echo", "list"])
    }

    @Test("I3 the side of WebViewJavascriptBridge itself is never asked to describe")
    func plain() async throws {
        let bridge = try makeBridge(.text) { $0.injectsScript = false }
        let error = await #expect(throws: BridgeError.self) { _ = try await bridge.describe() }
        #expect(error?.code == .unsupported)
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("W5 neither side registers or removes reserved names")
    func reserved() async throws {
        let bridge = try makeBridge(.direct)
        #expect(throws: BridgeError.self) { try bridge.registerHandler("_wvjb.describe") { (_: Value) in 1 } }
        bridge.removeHandler("_wvjb.describe")
        try await bridge.load(.text("bridge.registerHandler('h', () => bridge.describe())", name: "r.js"))
        #expect(try await bridge.callHandler("h", returning: [DescribedHandler].self).isEmpty)
    }
}
