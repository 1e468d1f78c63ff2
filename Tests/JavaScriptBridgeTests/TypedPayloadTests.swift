import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// Payloads that cross as Swift types in the direct transport, without data in between.
@Suite(.noLeaks) struct TypedPayloadTests {
    private func makeBridge(_ log: Recorder<String> = Recorder<String>()) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.logSink = { log.add($0.text) }
        let bridge = try Bridge(configuration: configuration)
        // Until a script was loaded all messages wait (P25).
        try await bridge.load(.text("", name: "first.js"))
        return bridge
    }

    @Test("P40 a request is read when it is made: later changes are not seen, and getters run once")
    func snapshot() async throws {
        let bridge = try await makeBridge()
        let seen = Recorder<Int>()
        try bridge.registerHandler("take") { (query: Query) in seen.add(query.id) }
        let reads = try await bridge.runtime.evaluate(
            """
            let reads = 0;
            for (let index = 0; index < 3; index++) {
                const query = { get id() { reads++; return index; } };
                bridge.notify("take", query);
                Object.defineProperty(query, "id", { value: 99 });
            }
            const plain = { id: 7 };
            bridge.notify("take", plain);
            plain.id = 8;
            reads
            """
        )
        #expect(reads == 3)
        #expect(seen.elements == [0, 1, 2, 7])
    }

    @Test("P52 P53 a handler that is replaced by one of another type, or removed, gets nothing of the first")
    func replacement() async throws {
        let bridge = try await makeBridge()
        try bridge.registerHandler("h") { (query: Query) in query.id }
        let ask = "await bridge.callHandler('h', { id: 1, name: 'n' })"
        func answer() async throws -> Value {
            let value = try await bridge.runtime.evaluate(
                "globalThis.answer = 'none'; (async () => { try { answer = \(ask) } catch (e) { answer = e.code } })()"
            )
            _ = value
            return try await bridge.runtime.evaluate("answer")
        }
        for _ in 0..<3 { #expect(try await answer() == 1) }
        try bridge.registerHandler("h") { (user: User) in user.name }
        for _ in 0..<3 { #expect(try await answer() == "n") }
        bridge.removeHandler("h")
        for _ in 0..<2 { #expect(try await answer() == "handlerNotFound") }
        try bridge.registerHandler("h") { (value: Value) in value }
        for _ in 0..<2 { #expect(try await answer() == ["id": 1, "name": "n"]) }
    }

    @Test("a payload that does not match the handler's type has the same error the first time and later")
    func decodeErrors() async throws {
        let bridge = try await makeBridge()
        try bridge.registerHandler("h") { (query: Query) in query.id }
        for data in ["{ id: 'x' }", "{}", "7", "undefined", "{ id: 1, tags: ['a', 7] }", "{ id: 1e300 }"] {
            let texts = Recorder<String>()
            try bridge.registerHandler("text") { (text: String) in texts.add(text) }
            try await bridge.runtime.evaluate(
                """
                (async () => {
                    for (let index = 0; index < 3; index++) {
                        try { await bridge.callHandler("h", \(data)); } catch (error) {
                            bridge.notify("text", error.code + ": " + error.message);
                        }
                    }
                })()
                """
            )
            #expect(texts.elements.count == 3 && Set(texts.elements).count == 1, "\(data): \(texts.elements)")
            #expect(
                texts.elements.first?.hasPrefix("decodeFailed: data") == true,
                "\(data): \(texts.elements)"
            )
        }
    }

    @Test(
        "R38 a payload whose getter throws is an error only for its caller, with the exception as its cause"
    )
    func throwingGetter() async throws {
        let bridge = try await makeBridge()
        try bridge.registerHandler("h") { (query: Query) in query.id }
        for _ in 0..<3 {
            let seen = try await bridge.runtime.evaluate(
                """
                try { bridge.notify("h", { get id() { throw new Error("mine"); } }); "nothing" } catch (error) {
                    error.code + " " + error.cause.message
                }
                """
            )
            #expect(seen == "encodeFailed mine")
        }
    }

    @Test("P71 while traffic is logged payloads are shown, and afterwards handlers still get them")
    func logging() async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(log)
        let seen = Recorder<Int>()
        try bridge.registerHandler("take") { (query: Query) in seen.add(query.id) }
        try await bridge.runtime.evaluate(
            "bridge.notify('take', { id: 1 }); bridge.notify('take', { id: 2 })"
        )
        bridge.enableLogging()
        try await bridge.runtime.evaluate(
            "bridge.notify('take', { id: 3 }); bridge.notify('take', { id: 4 })"
        )
        #expect(seen.elements == [1, 2, 3, 4])
        #expect(log.elements.filter { $0.hasPrefix("WVJB RCVD") }.count == 2)
    }

    private final class Counter: Encodable, @unchecked Sendable {
        // @unchecked Sendable because only one test uses it.
        var count = 1
    }

    @Test("P40 an object is encoded when it is sent, whatever happens to it before delivery")
    func references() async throws {
        let bridge = try await makeBridge()
        try await bridge.runtime.evaluate("bridge.registerHandler('h', data => data.count)")
        let counter = Counter()
        let answer = try await bridge.runtime.withContext { context in
            let first = try bridge.callHandler("h", with: counter, returning: Int.self, in: context)
            try bridge.notify("h", with: counter)
            counter.count = 2
            return try first + bridge.callHandler("h", with: counter, returning: Int.self, in: context)
        }
        #expect(answer == 3)
    }

    @Test("a call inside a turn returns its reply there, behind earlier messages, or wouldDeadlock")
    func callInTurn() async throws {
        let bridge = try await makeBridge()
        try await bridge.runtime.evaluate(
            """
            let last = 0;
            bridge.registerHandler("note", number => { last = number; });
            bridge.registerHandler("sum", ({ id }) => ({ id: id + last, name: "n" }));
            bridge.registerHandler("later", async ({ id }) => ({ id: (await id) + 1, name: "p" }));
            bridge.registerHandler("never", () => new Promise(() => {}));
            bridge.registerHandler("throws", () => { throw new BridgeError("shop.closed", "come back"); });
            """
        )
        let query = Query(id: 1)
        try await bridge.runtime.withContext { context in
            try bridge.notify("note", with: 41)
            let sum = try bridge.callHandler("sum", with: query, returning: User.self, in: context)
            #expect(sum == User(id: 42, name: "n"))
            let later = try bridge.callHandler("later", with: query, returning: User.self, in: context)
            #expect(later == User(id: 2, name: "p"))
            let never = #expect(throws: BridgeError.self) {
                try bridge.callHandler("never", with: query, returning: User.self, in: context)
            }
            #expect(never?.code == .wouldDeadlock)
            let thrown = #expect(throws: BridgeError.self) {
                try bridge.callHandler("throws", with: query, returning: User.self, in: context)
            }
            #expect(thrown?.code == "shop.closed")
            let wrong = #expect(throws: BridgeError.self) {
                try bridge.callHandler("sum", with: query, returning: [Int].self, in: context)
            }
            #expect(wrong?.code == .decodeFailed)
        }
        #expect(bridge.pendingCallCount == 0)
    }
}
