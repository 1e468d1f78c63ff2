import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// Requests that refer to pending results, in the text transport; the direct transport would save nothing.
@Suite(.noLeaks) struct PipeliningTests {
    struct User: Codable, Sendable, Equatable {
        var id: Int
        var tags: [String]
    }

    @Test(
        "2.3 a script's request waits on Swift's side for the result of its earlier one, which is inserted"
    )
    func fromScript() async throws {
        let bridge = try await Bridge.patient(.text, running: "var last;")
        let gate = Recorder<Int>()
        try bridge.registerHandler("user") { (id: Int) async throws -> User in
            await gate.wait(for: 1)
            return User(id: id, tags: ["a", "b"])
        }
        try bridge.registerHandler("orders") { (query: [String: Value]) -> Value in
            gate.add(2)
            return [
                "owner": query["owner"] ?? .null, "tag": query["tag"] ?? .null, "all": query["all"] ?? .null,
            ]
        }
        try bridge.registerHandler("now") { (_: Value) in gate.add(1) }
        try await bridge.runtime.evaluate(
            """
            const user = bridge.pipeline("user", 7);
            bridge.callHandler("orders", { owner: user.get("id"), tag: user.get("tags", 1), all: user })
                .then(value => { last = value; }, error => { last = error.code; });
            bridge.callHandler("now"); 0
            """
        )
        let answer = try await bridge.defined("last")
        #expect(answer["owner"] == 7)
        #expect(answer["tag"] == "b")
        #expect(answer["all"] == ["id": 7, "tags": ["a", "b"]])
        // It arrived before the result to which it refers, and did not delay later requests.
        #expect(gate.elements == [1, 2])
    }

    @Test("2.3 a function in Swift's answer is called before the script has it")
    func functions() async throws {
        let bridge = try await Bridge.patient(.text, running: "var last;")
        try bridge.registerHandler("shop") { (_: Value) async throws in
            ["buy": BridgeFunction { (count: Int) in User(id: count, tags: []) }]
        }
        try await bridge.runtime.evaluate(
            "bridge.pipeline('shop').get('buy').call(4).get('id').then(id => { last = id; }, error => { last = error.code + error.message; }); 0"
        )
        #expect(try await bridge.defined("last") == 4)
        for _ in 0..<1000 where bridge.exportedReferenceCount > 0 {
            try await bridge.runtime.collectGarbage()
            try await bridge.runtime.evaluate("0")
            await Task.yield()
        }
        #expect(bridge.exportedReferenceCount == 0)
    }

    @Test("2.3 a call that fails also fails those that refer to it, on both sides, and no handler runs")
    func failures() async throws {
        let bridge = try await Bridge.patient(
            .text,
            running: """
                var last, called = 0;
                bridge.registerHandler("none", async () => { throw Object.assign(new Error("none"), { code: "user.none" }); });
                bridge.registerHandler("use", () => { called++; });
                """
        )
        let called = Recorder<Int>()
        try bridge.registerHandler("none") { (_: Value) async throws -> Int in
            throw BridgeError("user.none", "none")
        }
        try bridge.registerHandler("use") { (_: Value) in called.add(1) }
        try await bridge.runtime.evaluate(
            """
            {
                const none = bridge.pipeline("none"), lost = bridge.pipeline("lost");
                const codes = [];
                const note = (error) => { codes.push(error.code); if (codes.length === 4) last = codes; };
                bridge.callHandler("use", none).catch(note);
                bridge.callHandler("use", [lost]).catch(note);
                none.catch(note); lost.catch(note);
            } 0
            """
        )
        let codes = try await bridge.defined("last").arrayValue?.compactMap(\.stringValue).sorted()
        #expect(codes == ["handlerNotFound", "handlerNotFound", "user.none", "user.none"])
        #expect(called.elements.isEmpty)
        let none = try bridge.pipeline("none", with: 1)
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("use", with: ["x": none])
        }
        #expect(error?.code == "user.none")
        #expect(try await bridge.runtime.evaluate("called") == 0)
    }

    @Test(
        "2.3 R31 a request that refers to the result of a denied or unreadable call gets the error of that call"
    )
    func denied() async throws {
        var grants = BridgeGrants.denyAll
        grants.allow("use")
        grants.allow("small", limits: GrantLimits(maximumPayloadBytes: 40))
        let bridge = try await Bridge.patient(.text, running: "var last;") { [grants] in $0.grants = grants
        }
        let called = Recorder<Int>()
        try bridge.registerHandler("use") { (_: Value) in called.add(1) }
        for name in ["secret", "small"] { try bridge.registerHandler(name) { (data: Value) in data } }
        try await bridge.runtime.evaluate(
            """
            {
                const codes = [];
                const note = (error) => { codes.push(error.code); if (codes.length === 4) last = codes.sort(); };
                const secret = bridge.pipeline("secret", 1), large = bridge.pipeline("small", "x".repeat(100));
                for (const result of [secret, large]) {
                    bridge.callHandler("use", { result }).catch(note);
                    result.catch(note);
                }
            } 0
            """
        )
        #expect(
            try await bridge.defined("last") == ["denied", "denied", "limitExceeded", "limitExceeded"]
        )
        #expect(called.elements.isEmpty)
    }

    @Test("2.3 a request of Swift refers to a pending result of a script, and then sends it as itself")
    func fromSwift() async throws {
        let bridge = try await Bridge.patient(
            .text,
            running: """
                let open; const gate = new Promise(resolve => { open = resolve; });
                bridge.registerHandler("user", async (id) => { await gate; return { id, tags: ["a"], go: (n) => n + id }; });
                bridge.registerHandler("echo", (data) => data);
                bridge.registerHandler("open", () => { open(); });
                """
        )
        let user = try bridge.pipeline("user", with: 7)
        async let echoed = bridge.callHandler(
            "echo",
            with: ["id": user["id"], "tag": user["tags"][0], "none": user["x"]["y"]],
            returning: Value.self
        )
        let sum = try user["go"].call(5)
        while bridge.pendingCallCount < 3 { await _Concurrency.Task.yield() }
        try await bridge.callHandler("open", with: 0)
        let answer = try await echoed
        #expect(answer["id"] == 7)
        #expect(answer["tag"] == "a")
        #expect(answer["none"].isNil)
        #expect(try await sum.value(as: Int.self) == 12)
        #expect(try await user["tags"].value(as: [String].self) == ["a"])
        #expect(try await bridge.callHandler("echo", with: [user["id"]], returning: [Int].self) == [7])
    }

    @Test(
        "I3 with the direct transport a pending result is unsupported in a payload, and an available one is sent"
    )
    func inProcess() async throws {
        let bridge = try await Bridge.patient(
            .direct,
            running: """
                let open; const gate = new Promise(resolve => { open = resolve; });
                bridge.registerHandler("user", async (id) => { await gate; return { id }; });
                bridge.registerHandler("echo", (data) => data);
                bridge.registerHandler("open", () => { open(); });
                """
        )
        let user = try bridge.pipeline("user", with: 7)
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("echo", with: [user["id"]])
        }
        #expect(error?.code == .unsupported)
        try await bridge.callHandler("open", with: 0)
        #expect(try await user["id"].value(as: Int.self) == 7)
        #expect(try await bridge.callHandler("echo", with: [user["id"]], returning: [Int].self) == [7])
        let code = try await bridge.runtime.evaluate(
            """
            (() => { try { bridge.notify("x", bridge.pipeline("never")); } catch (error) { return error.code; } })()
            """
        )
        #expect(code == "unsupported")
    }

    @Test("R22 R6 forged references, requests beyond a limit, and requests pending at a reload fail by name")
    func hostile() async throws {
        let bridge = try await Bridge.patient(.text, running: "var last;")
        let seen = Recorder<Value>()
        try bridge.registerHandler("h") { (data: Value) in seen.add(data) }
        try await bridge.runtime.evaluate(
            """
            const never = bridge.pipeline("never");
            (async () => {
                const deep = Array.from({ length: 65 }, () => "a");
                const many = Array.from({ length: 65 }, () => bridge.pipeline("h", 1));
                last = [
                    await bridge.callHandler("h", never.get(...deep)).catch(error => error.code),
                    await bridge.callHandler("h", many).catch(error => error.code),
                ];
            })(); 0
            """
        )
        let codes = try await bridge.defined("last")
        // The first fails with the result that it waits for, before its path is read.
        #expect(codes == ["handlerNotFound", "limitExceeded"])
        #expect(seen.elements.allSatisfy { $0 == 1 })
        try bridge.registerHandler("wait") { (_: Value) async throws in
            try await _Concurrency.Task.sleep(for: .seconds(3600))
        }
        try await bridge.runtime.evaluate(
            "bridge.notify('h', 2); bridge.callHandler('h', bridge.pipeline('wait')); 0"
        )
        try await bridge.reload()
        #expect(!seen.elements.contains(.null))
    }

    @Test(
        "2.3 a request gets a fast and a slow result, the fast one released meanwhile, and a chain continues"
    )
    func fanIn() async throws {
        let bridge = try await Bridge.patient(.text, running: "var last, early;")
        let gate = Recorder<Int>()
        try bridge.registerHandler("slow") { (_: Value) async throws -> Int in
            await gate.wait(for: 1)
            return 1
        }
        try bridge.registerHandler("fast") { (_: Value) in 2 }
        try bridge.registerHandler("sum") { (list: [Int]) in list.reduce(0, +) }
        try bridge.registerHandler("now") { (_: Value) in gate.add(1) }
        try await bridge.runtime.evaluate(
            """
            const slow = bridge.pipeline("slow"), fast = bridge.pipeline("fast");
            const sum = bridge.pipeline("sum", [slow, fast]);
            bridge.callHandler("sum", [sum, 10]).then(value => { last = value; }, error => { last = error.code; });
            fast.then(value => { early = value; }); 0
            """
        )
        #expect(try await bridge.defined("early") == 2)
        // Released results are reported by the time that a call made after it is answered.
        try await bridge.runtime.evaluate(
            "early = undefined; bridge.callHandler('fast').then(() => { early = 1; }); 0"
        )
        _ = try await bridge.defined("early")
        try await bridge.runtime.evaluate("bridge.callHandler('now'); 0")
        #expect(try await bridge.defined("last") == 13)
    }

    @Test(
        "R31 R22 a pending request is checked by the grants when it continues, with its size at that time"
    )
    func grants() async throws {
        var grants = BridgeGrants.denyAll
        for name in ["make", "now"] { grants.allow(NamePattern(name)) }
        grants.allow("small", limits: GrantLimits(maximumPayloadBytes: 40))
        grants.allow("one", limits: GrantLimits(maximumConcurrentCalls: 1))
        grants.allow("revoked")
        let bridge = try await Bridge.patient(.text, running: "var last, first;") { [grants] in
            $0.grants = grants
        }
        let gate = Recorder<Int>()
        let done = Recorder<Int>()
        let ran = Recorder<String>()
        try bridge.registerHandler("make") { (_: Value) async throws -> String in
            await gate.wait(for: 1)
            return String(repeating: "x", count: 1000)
        }
        try bridge.registerHandler("one") { (_: Value) async throws in
            ran.add("one")
            await done.wait(for: 1)
        }
        for name in ["small", "revoked", "secret"] {
            try bridge.registerHandler(name) { (_: Value) in ran.add(name) }
        }
        try bridge.registerHandler("now") { [grants = bridge.grants] (_: Value) in
            grants.revoke("revoked")
            gate.add(1)
        }
        try await bridge.runtime.evaluate(
            """
            const large = bridge.pipeline("make"), ends = [];
            const ask = (name, data) => {
                bridge.callHandler(name, data).then(() => "ok", error => error.code).then(end => {
                    if (name === "secret") first = end;
                    ends.push(name + " " + end);
                    if (ends.length === 5) last = ends.sort();
                });
            };
            ask("small", [large]); ask("small", large.get("none")); ask("one", large); ask("one", large);
            ask("revoked", large); ask("secret", large); 0
            """
        )
        // A caller without a grant is notified before the result arrives.
        #expect(try await bridge.defined("first") == "denied")
        #expect(ran.elements.isEmpty)
        try await bridge.runtime.evaluate("bridge.callHandler('now'); 0")
        #expect(
            try await bridge.defined("last") == [
                "one overloaded", "revoked denied", "secret denied", "small limitExceeded", "small ok",
            ]
        )
        // The refused request ends before the admitted one begins.
        await ran.wait(for: 2)
        #expect(ran.elements == ["small", "one"])
        done.add(1)
    }

    @Test(
        "R24 a failed result that is neither awaited nor passed on is an unhandled rejection, once; others are not",
        arguments: ReferenceTests.transports
    )
    func unhandled(_ transport: BridgeConfiguration.Transport) async throws {
        let uncaught = Recorder<String>()
        let bridge = try await Bridge.patient(transport) {
            $0.uncaughtErrorHandler = { uncaught.add($0.message) }
        }
        try bridge.registerHandler("fails") { (name: String) throws -> Value in
            throw BridgeError("test.failed", name)
        }
        try bridge.registerHandler("echo") { (value: Value) in value }
        // Shows that the other side supports pipelining.
        _ = try await bridge.runtime.callAsync("eval", with: ["bridge.callHandler('echo', 1)"])
        try await bridge.runtime.evaluate(
            """
            bridge.pipeline("fails", "nobody");
            bridge.pipeline("fails", "only stepped into").get("name");
            bridge.pipeline("fails", "method").get("f").call(1);
            const passedOn = bridge.pipeline("fails", "passed on");
            bridge.callHandler("echo", passedOn.get("name")).catch(() => {});
            bridge.pipeline("fails", "caught").catch(() => {});
            bridge.pipeline("fails", "awaited").get("a").then(() => {}, () => {});
            bridge.pipeline("fails", "finally").finally(() => {}).catch(() => {});
            0
            """
        )
        await bridge.waitUntilIdle()
        #expect(uncaught.elements.sorted() == ["method", "nobody", "only stepped into"])
    }

    @Test(
        "while a bridge is recorded requests do not wait: a pending result is unsupported, and an available one is sent"
    )
    func recorded() async throws {
        let bridge = try await Bridge.patient(.text, running: "var last;") { $0.inject(FaultInjector([])) }
        try bridge.registerHandler("user") { (id: Int) in User(id: id, tags: []) }
        try bridge.registerHandler("echo") { (data: Value) in data }
        try await bridge.runtime.evaluate(
            """
            (async () => {
                const user = bridge.pipeline("user", 7);
                const codes = [await bridge.callHandler("echo", user.get("id")).catch(error => error.code)];
                await user;
                last = [...codes, await bridge.callHandler("echo", user.get("id"))];
            })().catch(error => { last = String(error); }); 0
            """
        )
        #expect(try await bridge.defined("last") == ["unsupported", 7])
    }
}
