import BridgeTesting
import Foundation
import JavaScriptBridge
import TestSupport
import Testing

/// Payloads that are decoded as a Swift type on arrival, from a script that runs code meanwhile.
@Suite(.noLeaks) struct TypedRequestTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    struct Order: Codable, Equatable {
        struct Line: Codable, Equatable {
            var name: String?
        }

        var items: [String]?
        var line: Line?
        var lines: [Line]?
    }

    private static func makeBridge(
        _ transport: BridgeConfiguration.Transport = .direct,
        log: Recorder<String> = Recorder(),
        handlers: [String] = ["order"]
    ) async throws -> Bridge {
        let bridge = try await Bridge.patient(transport, log: log)
        for name in handlers { try bridge.registerHandler(name) { (order: Order) in order } }
        try bridge.registerHandler("later") { (order: Order) async in order }
        try bridge.registerHandler("info") { (_: Value) -> Value in ["name": "pen", "list": ["a"]] }
        return bridge
    }

    @Test(
        "R1 a getter in an array that calls the same handler keeps both requests intact",
        arguments: transports
    )
    func nestedRequests(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(transport)
        let outcomes = try await bridge.run(
            """
            const outcomes = [];
            for (const name of ["order", "later"]) {
                for (let round = 0; round < 20; round++) {
                    const inner = [];
                    const list = ["outer", "x", "end"];
                    Object.defineProperty(list, 1, { enumerable: true, get() {
                        for (let n = 0; n < round; n++) inner.push(bridge.callHandler(name, { items: ["inner" + n] }));
                        if (round % 3 === 0) bridge.notify("nobody", 1);
                        return "mid";
                    } });
                    const outer = await bridge.callHandler(name, { items: list });
                    const all = (await Promise.all(inner)).map(each => each.items[0]).join();
                    const expected = Array.from({ length: round }, (_, n) => "inner" + n).join();
                    outcomes.push(outer.items.join() === "outer,mid,end" && all === expected);
                }
            }
            return outcomes.every(Boolean) && outcomes.length;
            """
        )
        #expect(outcomes == 40)
    }

    @Test("R1 W2 a getter in an item that sends something: no item is lost, doubled or read from elsewhere")
    func sendingItem() async throws {
        let bridge = try await Self.makeBridge()
        let notes = Recorder<Int>()
        try bridge.registerHandler("note") { (number: Int) in notes.add(number) }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("rows", async function* () {
                    for (let index = 0; index < 200; index++) {
                        const items = ["item " + index + " with a long text", ""];
                        Object.defineProperty(items, 1, { enumerable: true, get() {
                            bridge.emit("topic", index);
                            bridge.notify("unknown", index);
                            bridge.notify("note", index);
                            return "second of " + index + " with a long text";
                        } });
                        yield { items };
                    }
                });
                """,
                name: "items.js"
            )
        )
        var items: [Order] = []
        for try await item in try await bridge.openStream("rows", of: Order.self) { items.append(item) }
        let expected = (0..<200).map {
            Order(items: ["item \($0) with a long text", "second of \($0) with a long text"])
        }
        #expect(items == expected)
        // A reader is notified of the end when it arrives; handlers run when the script has returned.
        #expect(await waitUntil { notes.elements.count >= 200 })
        #expect(notes.elements == Array(0..<200))
    }

    @Test(
        "results of other calls, and references, work in a typed request as in any other",
        arguments: transports
    )
    func results(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(transport)
        let outcomes = try await bridge.run(
            """
            const outcome = async data => {
                try { return await bridge.callHandler("order", data); } catch (error) { return error.code; }
            };
            await outcome({ items: ["first"] });
            const known = bridge.pipeline("info", 1);
            await known;
            return [
                await outcome({ items: [known.get("name")] }), await outcome({ items: known.get("list") }),
                await outcome(known.get("list")), await outcome({ items: bridge.reference([]) }),
                await outcome({ items: ["last"] }),
            ];
            """
        )
        #expect(
            outcomes == [
                ["items": ["pen"]], ["items": ["a"]], "decodeFailed", "decodeFailed", ["items": ["last"]],
            ]
        )
    }

    @Test(
        "P65 an exception of a getter is thrown to the sender, whatever the handler takes",
        arguments: transports
    )
    func throwingGetters(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await Self.makeBridge(transport, log: log)
        let outcomes = try await bridge.run(
            """
            await bridge.callHandler("order", {});
            const outcomes = [];
            let count = 0;
            const element = ["x"];
            Object.defineProperty(element, 0, { enumerable: true, get() { count++; throw new Error("boom"); } });
            for (const bad of [{ get items() { throw new Error("boom"); } }, { items: element }]) {
                try { await bridge.callHandler("order", bad); } catch (error) { outcomes.push(error.code); }
                for (const send of [
                    () => bridge.notify("order", bad),
                    () => WebViewJavascriptBridge.callHandler("order", bad, () => outcomes.push("called")),
                    \(transport == .direct ? "() => bridge.callHandlerSync('order', bad)," : "")
                ]) {
                    try { send(); outcomes.push("sent"); } catch (error) { outcomes.push(error.code); }
                }
            }
            return [outcomes, count];
            """
        )
        // The text transport has no blocking calls.
        let ways = transport == .direct ? 4 : 3
        #expect(
            outcomes == [.array(Array(repeating: "encodeFailed", count: 2 * ways)), .integer(Int64(ways))]
        )
        #expect(!log.elements.contains { $0.contains("dropped") }, "\(log.elements)")
    }

    static let payloads = [
        "new Map([['items', ['a']]])", "{ items: () => {} }", "new Date(0)",
        "{ toJSON() { return new Date(0); } }", "{ toJSON() { return { items: ['b'] }; } }",
        "new Uint8Array(4)",
        "new Set(['a'])", "new String('a')", "['a']", "{ items: new Set(['a']) }",
        "{ items: [new String('a')] }",
        "{ items: { 0: 'a' } }", "new (class { items = ['c'] })", "null", "1", "{ items: [1] }",
        "{ items: { toJSON() { return ['d']; } } }",
        "{ items: Symbol() }", "{ items: [Symbol()] }",
        "Object.defineProperty({}, 'items', { value: ['h'] })",
        "Object.create({ items: ['i'] })", "(Object.prototype.items = ['p'], {})",
        "{ line: { name: Symbol() } }", "{ line: Object.defineProperty({}, 'name', { value: 'h' }) }",
        "{ line: Object.create({ name: 'i' }) }",
        "{ line: new (class { name = 'n'; get more() { return 1; } }) }",
        "{ line: new (class { get name() { return 'g'; } }) }", "{ line: ['n'] }", "{ line: new Date(0) }",
        "{ line: new Map([['name', 'm']]) }", "{ line: new Set(['n']) }", "{ line: () => {} }",
        "{ line: { toJSON() { return new Date(0); } } }", "{ line: { toJSON() { return { name: 'j' }; } } }",
        "{ lines: [new Map([['name', 'm']]), { name: 'n' }] }", "{ lines: [['n']] }",
        "{ lines: [Object.defineProperty({}, 'name', { get() { return 'g'; }, enumerable: true })] }",
        "{ lines: [Object.create({ name: 'i' }), new (class { get name() { return 'g'; } })] }",
        "Object.setPrototypeOf(['a'], null)", "Object.setPrototypeOf(['a'], Object.prototype)",
        "{ line: Object.setPrototypeOf(['n'], null) }",
        "{ items: Object.setPrototypeOf(['a'], null) }",
        "{ lines: [Object.setPrototypeOf([], null), { name: 'n' }] }",
        "{ lines: Object.setPrototypeOf([{ name: 'n' }], null) }", "{ items: new Map([[1, 2]]) }",
        "bridge.reference({ items: ['a'] })", "{ items: bridge.reference([]) }",
        "{ items: [bridge.reference({})] }",
    ]

    @Test(
        "the first request for a handler and later ones are decoded alike, and as they are as data",
        arguments: payloads
    )
    func firstAndLater(payload: String) async throws {
        let bridge = try await Self.makeBridge(handlers: ["first", "later", "sync"])
        let outcomes = try await bridge.run(
            """
            const outcome = async call => {
                try { return JSON.stringify(await call()); } catch (error) { return error.code + ": " + error.message; }
            };
            const first = await outcome(() => bridge.callHandler("first", \(payload)));
            await bridge.callHandler("later", { items: ["x"] });
            const later = await outcome(() => bridge.callHandler("later", \(payload)));
            const again = await outcome(() => bridge.callHandler("later", \(payload)));
            bridge.callHandlerSync("sync", { items: ["x"] });
            const sync = await outcome(() => bridge.callHandlerSync("sync", \(payload)));
            const { signal } = new AbortController();
            const cancellable = await outcome(() => bridge.callHandler("later", \(payload), { signal }));
            return [first, later, again, sync, cancellable];
            """
        )
        // An observed payload is data.
        let watched = try await Self.makeBridge(handlers: ["order"])
        watched.enableLogging()
        let asData = try await watched.run(
            """
            try { return JSON.stringify(await bridge.callHandler("order", \(payload))); }
            catch (error) { return error.code + ": " + error.message; }
            """
        )
        guard case .array(let all) = outcomes else { return #expect(Bool(false), "\(outcomes)") }
        #expect(Set(all + [asData]).count == 1, "\(all) \(asData)")
    }

    @Test(
        "a key that is not valid text, and that no type reads, disturbs no call of a handler, first or later"
    )
    func unaskedSurrogates() async throws {
        let bridge = try await Self.makeBridge(handlers: ["first", "later", "sync", "signal"])
        let outcomes = try await bridge.run(
            """
            const outcomes = [], { signal } = new AbortController();
            const payload = { items: ["a"], "\\ud800": 1, line: { name: "n", "\\udc00": 2 } };
            const note = async call => {
                try { outcomes.push(JSON.stringify(await call())); } catch (error) { outcomes.push(error.code); }
            };
            await note(() => bridge.callHandler("first", payload));
            await note(() => bridge.callHandler("first", payload));
            await note(() => bridge.callHandlerSync("sync", payload));
            await note(() => bridge.callHandlerSync("sync", payload));
            await note(() => bridge.callHandler("signal", payload, { signal }));
            return outcomes;
            """
        )
        let read: Value = #"{"items":["a"],"line":{"name":"n"}}"#
        #expect(outcomes == .array(Array(repeating: read, count: 5)))
    }

    /// The observers of the messages.
    enum Observer: CaseIterable { case none, log, trace, messageTrace, journal, interceptor }

    @Test(
        "extra data in a payload changes no call, with any observer",
        arguments: Observer.allCases
    )
    func watched(observer: Observer) async throws {
        let log = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.logSink = { log.add($0.text) }
        configuration.traceSink = { log.add($0.text ?? "") }
        configuration.traceLevel =
            observer == .trace ? .calls : observer == .messageTrace ? .messages : .off
        if observer == .journal { configuration.journal = BridgeJournal { log.add("\($0)") } }
        let bridge = try Bridge(configuration: configuration)
        if observer == .log { bridge.enableLogging() }
        let token = observer == .interceptor ? bridge.addInterceptor { try await $1($0) } : nil
        for name in ["sync", "later"] {
            try bridge.registerHandler(name) { (order: Order) in order }
        }
        try bridge.registerHandler("async") { (order: Order) async in order }
        try bridge.registerHandler("data") { (value: Value) in value }
        try bridge.registerHandler("keys") { (value: [String: Value]) in value }
        try await bridge.load(
            .text(
                """
                globalThis.odd = { items: ["a\\ud800"], "\\ud800": "\\udc00", line: { name: "n", "\\udc00": 2 } };
                bridge.registerHandler("give", () => odd);
                bridge.registerHandler("items", async function* () { yield odd; yield odd; });
                bridge.registerHandler("ask", async () => {
                    const outcomes = [];
                    for (const name of ["sync", "async", "later", "data", "keys"]) {
                        for (let round = 0; round < 2; round++) {
                            await bridge.callHandler(name, odd).then(
                                reply => outcomes.push(name + " " + JSON.stringify(reply)),
                                error => outcomes.push(name + " " + error.code));
                        }
                    }
                    try { outcomes.push(JSON.stringify(bridge.callHandlerSync("sync", odd))); }
                    catch (error) { outcomes.push(error.code); }
                    return outcomes;
                });
                """,
                name: "odd.js"
            )
        )
        let read = #"{"items":["a\#u{FFFD}"],"line":{"name":"n"}}"#
        let expected =
            ["sync", "async", "later"].flatMap { ["\($0) \(read)", "\($0) \(read)"] }
            + ["data encodeFailed", "data encodeFailed", "keys encodeFailed", "keys encodeFailed", read]
        let outcomes = try await bridge.callHandler("ask", returning: [String].self)
        #expect(outcomes == expected)
        // Interceptors and journals receive data, and the handler decodes what they return.
        if observer != .interceptor, observer != .journal {
            for _ in 0..<2 {
                #expect(try await bridge.callHandler("give", returning: Order.self).items == ["a\u{FFFD}"])
                let error = await #expect(throws: BridgeError.self) {
                    try await bridge.callHandler("give", returning: Value.self)
                }
                #expect(error?.code == .encodeFailed)
                var items: [[String]?] = []
                for try await item in try await bridge.openStream("items", of: Order.self) {
                    items.append(item.items)
                }
                #expect(items == [["a\u{FFFD}"], ["a\u{FFFD}"]])
            }
        }
        if observer == .log || observer == .messageTrace {
            #expect(log.elements.contains { $0.contains("\u{FFFD}") && $0.contains("items") })
        }
        token?.remove()
    }

    @Test("a name that was called before it had a handler is decoded as its type once there is one")
    func lateHandler() async throws {
        let bridge = try await Self.makeBridge()
        try await bridge.runtime.evaluate("bridge.notify('late', 1); bridge.notify('late', 1); 0")
        try bridge.registerHandler("late") { (order: Order) in order }
        let call = #"return JSON.stringify(await bridge.callHandler("late", { items: ["a"], "\ud800": 1 }));"#
        #expect(try await bridge.run(call) == #"{"items":["a"]}"#)
        bridge.removeHandler("late")
        try bridge.registerHandler("late") { (value: Value) in value }
        let asData = #"return await bridge.callHandler("late", { extra: 1 });"#
        #expect(try await bridge.run(asData) == ["extra": 1])
    }

    @Test(
        "R23 when a getter aborts its own call, the request is not sent, but the getter's own messages are",
        arguments: transports,
        [false, true]
    )
    func abortInGetter(transport: BridgeConfiguration.Transport, isAsync: Bool) async throws {
        let bridge = try await Self.makeBridge(transport, handlers: [])
        let seen = Recorder<String>()
        if isAsync {
            try bridge.registerHandler("h") { (order: Order) async in seen.add(order.items?.joined() ?? "") }
        } else {
            try bridge.registerHandler("h") { (order: Order) in seen.add(order.items?.joined() ?? "") }
        }
        let outcomes = try await bridge.run(
            """
            const outcomes = [];
            const note = async promise => {
                await promise.then(() => outcomes.push("answered"), error => outcomes.push(error.name));
            };
            for (let round = 0; round < 3; round++) {
                const outer = new AbortController(), inner = new AbortController(), other = new AbortController();
                const list = ["a", "b"];
                let sent;
                Object.defineProperty(list, 1, { enumerable: true, get() {
                    outer.abort();
                    sent = bridge.callHandler("h", { items: ["inner", String(round)] }, { signal: inner.signal });
                    return "c";
                } });
                await note(bridge.callHandler("h", { items: list }, { signal: outer.signal }));
                await note(sent);
                await note(bridge.callHandler("h", { get line() { other.abort(); return 5; } }, { signal: other.signal }));
                await note(bridge.callHandler("h", { items: ["plain"] }, { signal: inner.signal }));
            }
            return outcomes.join();
            """
        )
        let round = "AbortError,answered,AbortError,answered"
        #expect(outcomes == .string([round, round, round].joined(separator: ",")))
        #expect(seen.elements == ["inner0", "plain", "inner1", "plain", "inner2", "plain"])
        await bridge.waitUntilIdle()
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("P65 a key with a lone surrogate is thrown to the sender, by name", arguments: transports)
    func loneSurrogates(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await Self.makeBridge(transport, log: log)
        let outcomes = try await bridge.run(
            """
            const bad = { list: [{ "\\ud800": 1 }] }, texts = [];
            const note = error => { texts.push(error.code + ": " + error.message); };
            for (const send of [
                () => bridge.notify("nope", bad), () => bridge.emit("nope", bad),
                () => WebViewJavascriptBridge.callHandler("nope", bad, () => texts.push("called")),
            ]) {
                try { send(); texts.push("sent"); } catch (error) { note(error); }
            }
            await bridge.callHandler("nope", bad).catch(note);
            return texts;
            """
        )
        let text =
            #"encodeFailed: The payload for "nope" cannot be sent: a key with a lone surrogate cannot cross"#
        let all = outcomes.arrayValue?.compactMap(\.stringValue) ?? []
        // The direct transport knows that the event has no listener.
        let failed = transport == .direct ? 3 : 4
        #expect(all.count == 4 && all.count { $0.hasPrefix(text) } == failed, "\(outcomes)")
        #expect(!log.elements.contains { $0.contains("dropped") }, "\(log.elements)")
    }

    @Test("P45 P49 a reply that arrives in the middle of another call settles its own call")
    func outerReplies() async throws {
        let bridge = try await Self.makeBridge()
        try await bridge.runtime.evaluate(
            """
            var reply;
            bridge.registerHandler("outer", (data, responseCallback) => { reply = responseCallback; nested(); });
            bridge.registerHandler("inner", number => { reply(number); return number + 1; }); 0
            """
        )
        let inner = Recorder<Int>()
        try await bridge.withContext { context in
            let nested = try context.makeFunction(named: "nested") { [weak bridge] _ in
                guard let bridge else { return nil }
                inner.add(try bridge.callHandler("inner", with: 1, in: context))
                return nil
            }
            try context.globalObject.setValue(nested, forProperty: "nested")
        }
        let outer = try await bridge.withContext {
            try bridge.callHandler("outer", with: 0, returning: Int.self, in: $0)
        }
        #expect(outer == 1 && inner.elements == [2])
        #expect(try await bridge.callHandler("outer", with: 0, returning: Int.self) == 1)
    }
}
