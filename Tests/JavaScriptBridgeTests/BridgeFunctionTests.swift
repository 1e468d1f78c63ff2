import BridgeJSON
import BridgeTesting
import JavaScriptBridge
import Testing

/// Functions that cross by reference.
@Suite(.noLeaks) struct BridgeFunctionTests {
    struct Task: Codable {
        var name: String
        var onDone: BridgeFunction
        var onFailure: BridgeFunction?
    }

    @Test("a Swift function is a function in a script, as an argument, a property, an element and a result")
    func swiftToScript() async throws {
        let runtime = try JavaScriptRuntime()
        let seen = Recorder<String>()
        try await runtime.withContext { context in
            try context.evaluate(
                """
                var results = [];
                function run(task, list, plain) {
                    results.push(typeof task.onDone, task.onDone.length, task.onFailure === undefined);
                    task.onDone("a", 1).then(value => results.push(value));
                    list[1]({ no: "number" }).catch(error => results.push(error.code));
                    plain();
                    return task.onDone;
                }
                """
            )
            let run: (Task, [BridgeFunction], BridgeFunction) throws -> BridgeFunction =
                try context.function("run")
            let double = BridgeFunction(named: "double") { (text: String, number: Int) in
                seen.add("\(text)\(number)")
                return number * 2
            }
            let same = try run(
                Task(name: "t", onDone: double),
                [double, BridgeFunction { (number: Int) in number }],
                BridgeFunction { seen.add("plain") }
            )
            // It comes back as the same function of the script, which Swift may call through the bridge.
            withExtendedLifetime(same) {}
        }
        await seen.wait(for: 2)
        #expect(Set(seen.elements) == ["a1", "plain"])
        try await runtime.evaluate("new Promise(resolve => setTimeout(resolve, 0))")
        while try await runtime.evaluate("results.length") != 5 { await _Concurrency.Task.yield() }
        let results = try await runtime.evaluate("results.sort((a, b) => String(a) < String(b) ? -1 : 1)")
        #expect(results == [2, 2, "decodeFailed", "function", true])
    }

    @Test("a script's function is called from Swift, from any task, and its promise is awaited")
    func scriptToSwift() async throws {
        let runtime = try JavaScriptRuntime()
        try await runtime.evaluate(
            """
            const task = {
                name: "t",
                onDone: async (a, b) => { await null; return a + b; },
                onFailure(text) { throw Object.assign(new Error(text), { code: "shop.closed" }); },
            };
            function get() { return task; }
            """
        )
        let task = try await runtime.withContext { context -> Task in
            let get: () throws -> Task = try context.function("get")
            return try get()
        }
        #expect(try await task.onDone(1, 2, returning: Int.self) == 3)
        #expect(try await task.onDone("a", "b", returning: String.self) == "ab")
        let onFailure = try #require(task.onFailure)
        let error = await #expect(throws: BridgeError.self) { try await onFailure("no") }
        #expect(error?.code == "shop.closed")
        await #expect(throws: BridgeError.self) { _ = try await task.onDone(1, 2, returning: Bool.self) }
        runtime.close()
        let gone = await #expect(throws: BridgeError.self) { try await task.onDone(1, 2) }
        #expect(gone?.code == .disconnected)
    }

    @Test("a function without its runtime fails by name, and another value is refused with its key path")
    func gone() async throws {
        var runtime: JavaScriptRuntime? = try JavaScriptRuntime()
        let function = try await runtime?.withContext { context -> BridgeFunction in
            try context.evaluate("function get() { return () => 1; }")
            let get: () throws -> BridgeFunction = try context.function("get")
            return try get()
        }
        runtime = nil
        let function2 = try #require(function)
        let error = await #expect(throws: BridgeError.self) { try await function2() }
        #expect(error?.code == .disconnected)
        let other = try JavaScriptRuntime()
        try await other.withContext { context in
            try context.evaluate("function get(n) { return { name: 't', onDone: n }; }")
            let get: (Int) throws -> Task = try context.function("get")
            let error = #expect(throws: BridgeError.self) { _ = try get(1) }
            let reason = "onDone: a value of the kind number is not a function"
            #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test("encoding a function as JSON fails with a message")
    func unsupported() {
        let error = #expect(throws: BridgeError.self) {
            _ = try JSONTextEncoder().encode(["f": BridgeFunction { 1 }])
        }
        #expect(error?.code == .unsupported)
    }

    @Test("R29 R30 functions without references are freed by the collector, on both sides")
    func lifetimes() async throws {
        let runtime = try JavaScriptRuntime()
        let gone = Recorder<Int>()
        final class Token: Sendable {
            let gone: Recorder<Int>
            init(_ gone: Recorder<Int>) { self.gone = gone }
            deinit { gone.add(1) }
        }
        try await runtime.withContext { context in
            try context.evaluate("function keep(f) { f.length; }")
            let keep: (BridgeFunction) throws -> Void = try context.function("keep")
            for _ in 0..<200 {
                let token = Token(gone)
                try keep(BridgeFunction { (_: Int) in _ = token })
            }
        }
        for _ in 0..<20 where gone.elements.count < 150 {
            try await runtime.collectGarbage()
            try await runtime.evaluate("0")
        }
        #expect(gone.elements.count >= 150)
    }

    @Test("an error of a Swift function names the function and its place, and nothing of this package")
    func place() async throws {
        struct Refusal: Error {}
        struct Given: Encodable, Sendable {
            let f: BridgeFunction
            let o: BridgeObject
        }
        let log = Recorder<String>()
        let bridge = try await Bridge.patient(
            running: """
                bridge.registerHandler("call", async ({ f }) => { await f(); });
                bridge.registerHandler("open", async ({ o }) => { await o.open(); });
                """,
            log: log
        )
        let line = #line + 1
        let function = BridgeFunction(named: "opener") { throw BridgeError("shop.closed", "Closed.") }
        let object = BridgeObject(["open": BridgeFunction { throw Refusal() }])
        for (index, name) in ["call", "open"].enumerated() {
            let error = await #expect(throws: BridgeError.self) {
                try await bridge.callHandler(name, with: Given(f: function, o: object))
            }
            let frames = (error?.frames ?? []).map(\.description)
            let place = "JavaScriptBridgeTests/BridgeFunctionTests.swift:\(line + index)"
            #expect(
                frames.first?.contains(index == 0 ? "function \"opener\"" : "function") == true,
                "\(frames)"
            )
            #expect(frames.first?.contains(place) == true, "\(frames)")
            #expect(
                !frames.contains { $0.contains("BridgeSession") },
                "\(frames)"
            )
        }
        // Scripts do not get the text of an error that was not made for them; the log does.
        let reasons = log.elements.filter { $0.contains("Refusal()") }
        #expect(reasons.count == 1 && reasons[0].contains("function"), "\(log.elements)")
    }
}
