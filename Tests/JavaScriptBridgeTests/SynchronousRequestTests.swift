import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// Requests for which a script blocks, in the same turn.
@Suite(.noLeaks) struct SynchronousRequestTests {
    private func makeBridge(_ log: Recorder<String> = Recorder<String>()) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.logSink = { log.add($0.text) }
        return try Bridge(configuration: configuration)
    }

    private static let probe = """
        globalThis.codeOf = body => {
            try { body(); return "nothing"; } catch (error) {
                return (error instanceof BridgeError) + " " + error.code + ": " + error.message;
            }
        };
        """

    @Test(
        "decision 15: the result of a synchronous handler is returned by the call itself, also the second time"
    )
    func result() async throws {
        let bridge = try makeBridge()
        try bridge.registerHandler("user") { (query: Query) in User(id: query.id, name: "n") }
        try bridge.registerHandler("double") { (number: Int) in number * 2 }
        try bridge.registerHandler("none") { (_: Value) in }
        let seen = try await bridge.runtime.evaluate(
            """
            const seen = [];
            for (let index = 0; index < 3; index++) {
                seen.push(bridge.callHandlerSync("user", { id: index, tags: ["a"] }));
                seen.push(bridge.callHandlerSync("double", index));
                seen.push(bridge.callHandlerSync("none", index) === undefined);
            }
            seen
            """
        )
        var expected: [Value] = []
        for index in 0..<3 {
            expected += [["id": .integer(Int64(index)), "name": "n"], .integer(Int64(index * 2)), true]
        }
        #expect(seen == .array(expected))
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("decision 15: asynchronous, unknown and failing handlers are separate errors")
    func errors() async throws {
        let bridge = try makeBridge()
        try bridge.registerHandler("later") { (number: Int) async throws -> Int in number }
        try bridge.registerHandler("fails") { (_: Int) throws -> Int in
            throw BridgeError("shop.outOfStock", "nothing left")
        }
        try await bridge.runtime.evaluate(Self.probe)
        func code(_ call: String) async throws -> String? {
            try await bridge.runtime.evaluate("codeOf(() => bridge.callHandlerSync(\(call)))").stringValue
        }
        let later = try await code("'later', 1")
        #expect(later?.hasPrefix("true wouldDeadlock: The handler \"later\" is asynchronous") == true)
        let unknown = try await code("'latex', 1")
        #expect(unknown?.hasPrefix("true handlerNotFound: ") == true)
        for _ in 0..<2 {
            #expect(try await code("'fails', 1") == "true shop.outOfStock: nothing left")
            let wrong = try await code("'fails', 'text'")
            #expect(wrong?.hasPrefix("true decodeFailed: data") == true, "\(wrong ?? "")")
        }
        // In one turn, because the runtime is closed with the bridge.
        let closed = try await bridge.runtime.withContext { context in
            bridge.close()
            return try context.evaluate("codeOf(() => bridge.callHandlerSync('fails', 1))").toValue()
                .stringValue
        }
        #expect(closed?.hasPrefix("true disconnected: ") == true)
    }

    @Test("decision 15: the text transport has no synchronous requests")
    func wire() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("double") { (number: Int) in number * 2 }
        try await bridge.runtime.evaluate(Self.probe)
        let code = try await bridge.runtime.evaluate("codeOf(() => bridge.callHandlerSync('double', 1))")
        #expect(code.stringValue?.hasPrefix("true unsupported: ") == true)
    }

    @Test("P71 decision 15: a synchronous request is logged as traffic")
    func log() async throws {
        let log = Recorder<String>()
        let bridge = try makeBridge(log)
        try bridge.registerHandler("double") { (number: Int) in number * 2 }
        _ = try await bridge.runtime.evaluate("bridge.callHandlerSync('double', 1)")
        bridge.enableLogging()
        _ = try await bridge.runtime.evaluate("bridge.callHandlerSync('double', 21)")
        let lines = log.elements.filter { $0.hasPrefix("WVJB") }
        #expect(lines.count == 2)
        #expect(lines.first?.contains("21") == true && lines.last?.contains("42") == true, "\(lines)")
    }

    @Test("decision 15: nested synchronous requests end at the limit of nested calls")
    func nesting() async throws {
        let bridge = try makeBridge()
        let runtime = bridge.runtime
        try bridge.registerHandler("down") { (depth: Int) throws -> Int in
            try runtime.withContextAndWait { context in
                let value = try context.globalObject.forProperty("down").call(
                    with: .integer(Int64(depth + 1))
                )
                return try ValueDecoder().decode(Int.self, from: value)
            }
        }
        try await runtime.evaluate(
            """
            globalThis.limit = 5;
            globalThis.down = depth => depth < limit ? bridge.callHandlerSync("down", depth) : depth;
            """
        )
        #expect(try await runtime.evaluate("down(0)") == 5)
        try await runtime.evaluate("limit = 1e9")
        await #expect(throws: (any Error).self) { try await runtime.evaluate("down(0)") }
        try await runtime.evaluate("limit = 5")
        #expect(try await runtime.evaluate("down(0)") == 5)
    }
}
