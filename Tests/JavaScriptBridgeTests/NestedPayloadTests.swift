import BridgeTesting
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

/// Payloads that run scripts while they are read, and those that are no plain objects.
@Suite(.noLeaks) struct NestedPayloadTests {
    private struct Tagged: Codable, Sendable, Equatable {
        var tags: [String]
    }

    private func makeBridge() async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.logSink = { _ in }
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text("", name: "first.js"))
        return bridge
    }

    /// What a script makes of one payload, called again and again under one name.
    private func outcomes(of payload: String, in bridge: Bridge, calls: Int = 3) async throws -> [String] {
        let texts = Recorder<String>()
        try bridge.registerHandler("outcome") { (text: String) in texts.add(text) }
        try await bridge.runtime.evaluate(
            """
            (async () => {
                for (let index = 0; index < \(calls); index++) {
                    try { bridge.notify("outcome", JSON.stringify(await bridge.callHandler("h", \(payload)))); }
                    catch (error) { bridge.notify("outcome", error.code + ": " + error.message); }
                }
            })()
            """
        )
        await texts.wait(for: calls)
        return texts.elements
    }

    @Test("R1 P40 a getter in a list that calls the same handler: each request has memory of its own")
    func sameHandler() async throws {
        let bridge = try await makeBridge()
        try bridge.registerHandler("h") { (tagged: Tagged) in tagged.tags }
        let texts = try await outcomes(
            of: """
                (() => {
                    const tags = ["outer", ""];
                    Object.defineProperty(tags, 1, { enumerable: true, get() {
                        bridge.callHandler("h", { tags: ["inner", "a text that is longer than sixteen bytes"] })
                            .then(answer => bridge.notify("outcome", JSON.stringify(answer)));
                        return "and a long text after it, too";
                    } });
                    return { tags };
                })()
                """,
            in: bridge,
            calls: 2
        )
        let inner = #"["inner","a text that is longer than sixteen bytes"]"#
        let outer = #"["outer","and a long text after it, too"]"#
        #expect(Set(texts) == [inner, outer])
    }

    @Test("R1 W2 a getter in an item that sends something: no item is lost, doubled or read from elsewhere")
    func sendingItem() async throws {
        let bridge = try await makeBridge()
        let notes = Recorder<Int>()
        try bridge.registerHandler("note") { (number: Int) in notes.add(number) }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("items", async function* () {
                    for (let index = 0; index < 200; index++) {
                        const tags = ["item " + index + " with a long text", ""];
                        Object.defineProperty(tags, 1, { enumerable: true, get() {
                            bridge.emit("topic", index);
                            bridge.notify("unknown", index);
                            bridge.notify("note", index);
                            return "second of " + index + " with a long text";
                        } });
                        yield { tags };
                    }
                });
                """,
                name: "items.js"
            )
        )
        var items: [Tagged] = []
        for try await item in try await bridge.openStream("items", of: Tagged.self) { items.append(item) }
        let expected = (0..<200).map {
            Tagged(tags: ["item \($0) with a long text", "second of \($0) with a long text"])
        }
        #expect(items == expected)
        #expect(notes.elements == Array(0..<200))
    }

    @Test("P45 P49 a reply that comes in the middle of a call inside is that of its own call")
    func replyInside() async throws {
        let bridge = try await makeBridge()
        try await bridge.runtime.evaluate(
            """
            let reply;
            WebViewJavascriptBridge.registerHandler("outer", (data, callback) => { reply = callback; middle(); });
            bridge.registerHandler("inner", number => { reply({ tags: ["of the outer"] }); return { tags: ["of the inner"] }; });
            """
        )
        let inner = Recorder<Tagged>()
        try await bridge.runtime.withContext { context in
            // The context holds the function: it must hold neither the bridge nor the context.
            let middle = try context.makeFunction(named: "middle") { [weak bridge, unowned context] _ in
                guard let bridge else { return try JSValue(.undefined, in: context) }
                inner.add(try bridge.callHandler("inner", with: 1, returning: Tagged.self, in: context))
                return try JSValue(.undefined, in: context)
            }
            try context.globalObject.setValue(middle, forProperty: "middle")
            let outer = try bridge.callHandler("outer", with: 1, returning: Tagged.self, in: context)
            #expect(outer == Tagged(tags: ["of the outer"]))
            try context.globalObject.setValue(.undefined, forProperty: "middle")
        }
        #expect(inner.elements == [Tagged(tags: ["of the inner"])])
        #expect(bridge.pendingCallCount == 0)
    }

    @Test(
        "W2 what is no plain object is the same data at the first call of a handler and at every later one",
        arguments: [
            "new Map([['tags', ['a']]])", "new Set(['a'])", "new Date(0)", "new Uint8Array(4)",
            "new String('a')",
            "['a']", "{ toJSON() { return new Date(0); } }", "{ toJSON() { return { tags: ['a'] }; } }",
            "{ tags: new Set(['a']) }", "{ tags: new Map([[1, 2]]) }", "{ tags: () => 1 }",
            "bridge.reference({ tags: ['a'] })", "{ tags: bridge.reference([]) }",
            "{ tags: [bridge.reference({})] }",
            "{ tags: [new String('boxed')] }",
        ]
    )
    func kinds(payload: String) async throws {
        let bridge = try await makeBridge()
        try bridge.registerHandler("h") { (tagged: Tagged) in tagged.tags }
        let texts = try await outcomes(of: payload, in: bridge)
        #expect(Set(texts).count == 1, "\(payload): \(texts)")
    }

    @Test(
        "W2 the result of an earlier call in a payload is sent as itself, at any depth, to a handler that takes a type"
    )
    func result() async throws {
        let bridge = try await makeBridge()
        try bridge.registerHandler("h") { (tagged: Tagged) in tagged.tags }
        try bridge.registerHandler("make") { (_: Value) in Tagged(tags: ["x", "y"]) }
        try await bridge.runtime.evaluate(
            "globalThis.made = bridge.pipeline('make', 1); made.then(() => {})"
        )
        #expect(try await outcomes(of: "made", in: bridge) == Array(repeating: #"["x","y"]"#, count: 3))
        let nested = try await outcomes(of: "{ tags: [made.get('tags').get(1), 'z'] }", in: bridge)
        #expect(nested == Array(repeating: #"["y","z"]"#, count: 3))
    }

    @Test(
        "P65 a getter that throws inside a payload is an error of its sender, whatever the handler's type is known by"
    )
    func throwingElement() async throws {
        let bridge = try await makeBridge()
        try bridge.registerHandler("h") { (tagged: Tagged) in tagged.tags }
        let bad =
            "{ tags: Object.defineProperty(['a'], 1, { enumerable: true, get() { reads++; throw new Error('mine'); } }) }"
        for round in 0..<3 {
            let seen = try await bridge.runtime.evaluate(
                """
                globalThis.reads = 0;
                const seen\(round) = [];
                try { bridge.notify("h", \(bad)); } catch (error) { seen\(round).push(error.code); }
                try { bridge.callHandlerSync("h", \(bad)); } catch (error) { seen\(round).push(error.code); }
                try { WebViewJavascriptBridge.callHandler("h", \(bad), () => {}); } catch (error) { seen\(round).push(error.code); }
                bridge.callHandler("h", \(bad)).catch(error => { globalThis.last = error.code; });
                seen\(round).join() + " " + reads
                """
            )
            #expect(seen == "encodeFailed,encodeFailed,encodeFailed 4", "round \(round)")
            #expect(try await bridge.runtime.evaluate("last") == "encodeFailed")
        }
    }
}
