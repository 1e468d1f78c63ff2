import BridgeTesting
import Foundation
import JavaScriptBridge
import TestSupport
import Testing

struct Query: Codable, Equatable {
    var id: Int
    var tags: [String]?
}
struct User: Codable, Equatable {
    var id: Int
    var name: String
    var note: String?
}

@Suite(.noLeaks) struct BridgeCallTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ log: Recorder<String> = Recorder<String>()
    ) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.logSink = { log.add($0.text) }
        configuration.consoleSink = { log.add($0.text) }
        configuration.uncaughtErrorHandler = { log.add("uncaught \($0.message)") }
        return try Bridge(configuration: configuration)
    }

    @Test(
        "Swift calls a handler of a script that returns a value, a promise, or replies through a callback",
        arguments: transports
    )
    func swiftCallsScript(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try makeBridge(transport)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("value", q => ({ id: q.id, name: "n" + q.tags[0] }));
                bridge.registerHandler("promise", async q => ({ id: q.id, name: await Promise.resolve("p") }));
                bridge.registerHandler("callback", (q, reply) => { setTimeout(() => reply({ id: q.id, name: "c" }), 1); });
                WebViewJavascriptBridge.registerHandler("legacy", (q, reply) => reply({ id: q.id, name: "l", note: null }));
                """,
                name: "handlers.js"
            )
        )
        let query = Query(id: 7, tags: ["x"])
        for (name, expected) in [("value", "nx"), ("promise", "p"), ("callback", "c"), ("legacy", "l")] {
            #expect(
                try await bridge.callHandler(name, with: query, returning: User.self)
                    == User(id: 7, name: expected)
            )
        }
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("a script calls sync, async and legacy handlers of Swift", arguments: transports)
    func scriptCallsSwift(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try makeBridge(transport)
        try bridge.registerHandler("sync") { (query: Query) in User(id: query.id, name: "sync") }
        try bridge.registerHandler("async") { (query: Query) async throws -> User in
            await Task.yield()
            return User(id: query.id, name: "async")
        }
        try bridge.legacy.registerHandler("legacy") { data, responseCallback in
            responseCallback(["got": data])
        }
        try bridge.registerHandler("done") { (_: Value) in }
        let result = Recorder<Value>()
        try bridge.registerHandler("result") { (value: Value) in result.add(value) }
        try await bridge.load(
            .text(
                """
                (async () => {
                    const a = await bridge.callHandler("sync", { id: 1 });
                    const b = await bridge.callHandler("async", { id: 2 });
                    const c = await bridge.callHandler("legacy", [3]);
                    const d = await bridge.callHandler("done");
                    bridge.notify("result", [a.name, b.name, c.got[0], d === undefined || d === null]);
                    WebViewJavascriptBridge.callHandler("sync", { id: 4 }, user => bridge.notify("result", user.id));
                })();
                """,
                name: "calls.js"
            )
        )
        await bridge.waitUntilIdle()
        #expect(result.elements == [["sync", "async", 3, true], 4])
    }

    @Test("errors cross in both directions with code, message, data and stack", arguments: transports)
    func errors(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try makeBridge(transport)
        try bridge.registerHandler("fail") { (_: Value) -> Value in
            throw BridgeError(BridgeErrorCode(rawValue: "shop.outOfStock"), "none left", data: ["id": 7])
        }
        let result = Recorder<Value>()
        try bridge.registerHandler("result") { (value: Value) in result.add(value) }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("broken", function broken() { throw new TypeError("not today") });
                bridge.registerHandler("coded", async () => { const e = new BridgeError("shop.closed", "come back", { data: [1] }); throw e; });
                (async () => {
                    for (const name of ["fail", "nothere", "resolt"]) {
                        try { await bridge.callHandler(name, 1) }
                        catch (e) { bridge.notify("result", [e instanceof BridgeError, e.code, e.message, e.data]) }
                    }
                })();
                """,
                name: "errors.js"
            )
        )
        await bridge.waitUntilIdle()
        #expect(result.elements.first == [true, "shop.outOfStock", "none left", ["id": 7]])
        #expect(result.elements.dropFirst().map { $0[1] } == ["handlerNotFound", "handlerNotFound"])
        #expect(result.elements.last?[2].stringValue?.contains("result") == true)

        let broken = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("broken", with: 1)
        }
        #expect(broken.code == .handlerFailed)
        #expect(broken.message == "TypeError: not today")
        #expect(broken.frames.first?.function == "broken")
        #expect(broken.frames.first?.sourceURL == "errors.js")
        let coded = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("coded", with: 1)
        }
        #expect(coded.code.rawValue == "shop.closed")
        #expect(coded.data == [1])
        let missing = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("codet", with: 1)
        }
        #expect(missing.code == .handlerNotFound)
        #expect(missing.message.contains("coded"))
    }

    @Test("R8 values arrive equal through the direct transport: echo in both languages")
    func echo() async throws {
        let bridge = try makeBridge(.direct)
        try bridge.registerHandler("echo") { (value: Value) in value }
        try await bridge.load(
            .text(
                "bridge.registerHandler('there', x => x); bridge.registerHandler('back', x => bridge.callHandler('echo', x));",
                name: "e.js"
            )
        )
        let values: [Value] = [
            .null, true, 1, 1.5, .integer(9_007_199_254_740_993), "a\0b\u{2028}😀", .illFormedString([0xD800]),
            [], [:],
            ["x": [[:], [[]]]], .bytes(.init([1, 2, 3])), .string(String(repeating: "é", count: 1 << 20)),
            .double(.infinity),
        ]
        for value in values {
            #expect(try await bridge.callHandler("there", with: value, returning: Value.self) == value)
            #expect(try await bridge.callHandler("back", with: value, returning: Value.self) == value)
        }
    }

    @Test("calls before the first script wait for it, in order", arguments: transports)
    func startUpQueue(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try makeBridge(transport)
        let log = Recorder<Value>()
        try bridge.registerHandler("seen") { (value: Value) in log.add(value) }
        for index in 0..<5 { bridge.legacy.callHandler("note", data: .integer(Int64(index))) }
        let early = Task { try await bridge.callHandler("sum", with: [1, 2], returning: Int.self) }
        await Task.yield()
        #expect(log.elements.isEmpty)
        try await bridge.load(
            .text(
                "bridge.registerHandler('note', x => bridge.notify('seen', x)); bridge.registerHandler('sum', a => a[0] + a[1])",
                name: "s.js"
            )
        )
        #expect(try await early.value == 3)
        await bridge.waitUntilIdle()
        #expect(log.elements == [0, 1, 2, 3, 4])
    }

    @Test("a call settles at its deadline, by cancellation, and when the bridge closes, once each")
    func settles() async throws {
        let clock = ManualClock()
        var configuration = BridgeConfiguration.patient
        configuration.clock = clock
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text("bridge.registerHandler('never', () => new Promise(() => {}))", name: "n.js")
        )
        let late = Task { try await bridge.callHandler("never", with: 1, timeout: .seconds(5)) }
        await clock.waitForWakeUps()
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: BridgeError.self) { try await late.value }
        #expect(error?.code == .deadlineExceeded)
        let cancelled = Task { try await bridge.callHandler("never", with: 1) }
        cancelled.cancel()
        #expect(await #expect(throws: BridgeError.self) { try await cancelled.value }?.code == .cancelled)
        let pending = (0..<100).map { _ in Task { try await bridge.callHandler("never", with: 1) } }
        while bridge.pendingCallCount < 100 { await Task.yield() }
        bridge.close()
        for task in pending {
            #expect(await #expect(throws: BridgeError.self) { try await task.value }?.code == .disconnected)
        }
        #expect(bridge.pendingCallCount == 0)
        #expect(
            await #expect(throws: BridgeError.self) { try await bridge.callHandler("x", with: 1) }?.code
                == .disconnected
        )
    }

    @Test("a script's call settles at its deadline")
    func scriptDeadline() async throws {
        let clock = ManualClock()
        var configuration = BridgeConfiguration.patient
        configuration.clock = clock
        let bridge = try Bridge(configuration: configuration)
        let result = Recorder<Value>()
        try bridge.registerHandler("result") { (value: Value) in result.add(value) }
        try bridge.legacy.registerHandler("slow") { (_: Value, _: @escaping @Sendable (Value) -> Void) in }
        try await bridge.load(
            .text(
                "bridge.callHandler('slow', 1, { timeout: 2000 }).catch(e => bridge.notify('result', e.code))",
                name: "d.js"
            )
        )
        await clock.waitForWakeUps()
        clock.advance(by: .seconds(2))
        await result.wait(for: 1)
        #expect(result.elements == ["deadlineExceeded"])
    }

    @Test(
        "an endless handler is stopped each time; its caller and all others get `terminated`, and the bridge continues"
    )
    func termination() async throws { try await stop(["spin", "getter"]) }

    @Test(
        "a handler that leaves an endless chain of promises is stopped each time in the same way",
        .needs(.drainMicrotasks)
    )
    func terminationOfFloods() async throws { try await stop(["flood"]) }

    private func stop(_ handlers: [String]) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.processorTime = .milliseconds(150)
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("spin", () => { for (;;) {} });
                bridge.registerHandler("flood", () => { (async () => { for (;;) await 0 })(); return new Promise(() => {}) });
                bridge.registerHandler("getter", () => ({ get x() { for (;;) {} } }));
                bridge.registerHandler("wait", () => new Promise(() => {}));
                bridge.registerHandler("ok", x => x + 1);
                """,
                name: "t.js"
            )
        )
        for _ in 0..<repetitions(5, underStress: 20) {
            for name in handlers {
                let waiting = Task { try await bridge.callHandler("wait", with: 1) }
                while bridge.pendingCallCount < 1 { await Task.yield() }
                // Messages keep their order, so the call before this one has arrived.
                #expect(try await bridge.callHandler("ok", with: 0, returning: Int.self) == 1)
                // A result that nothing reads would not run the getter.
                let error = await #expect(throws: BridgeError.self) {
                    try await bridge.callHandler(name, with: 1, returning: Value.self)
                }
                #expect(error?.code == .terminated)
                #expect(try await bridge.callHandler("ok", with: 1, returning: Int.self) == 2)
                #expect(
                    await #expect(throws: BridgeError.self) { try await waiting.value }?.code == .terminated
                )
            }
        }
    }

    @Test(
        "P11 P12 P40 P44 P45: the calls of WebViewJavascriptBridge keep their meaning in the direct transport"
    )
    func legacyForms() async throws {
        let log = Recorder<String>()
        let bridge = try makeBridge(.direct, log)
        let result = Recorder<Value>()
        try bridge.legacy.registerHandler("echo") {
            (data: Value, reply: @escaping @Sendable (Value) -> Void) in
            reply(data)
            reply("twice")
        }
        try bridge.registerHandler("result") { (value: Value) in result.add(value) }
        try await bridge.load(
            .text(
                """
                const object = { n: 1 };
                WebViewJavascriptBridge.callHandler("echo", object, x => bridge.notify("result", x));
                object.n = 2;
                WebViewJavascriptBridge.callHandler("echo", x => bridge.notify("result", x === null ? "null" : typeof x));
                """,
                name: "l.js"
            )
        )
        await bridge.waitUntilIdle()
        #expect(result.elements == [["n": 1], "null"])
    }
}
