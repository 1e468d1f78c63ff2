import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// Calls of a script's handler whose result the caller ignores.
@Suite(.noLeaks) struct IgnoredResultTests {
    private static let transports = [BridgeConfiguration.Transport.direct, .text]

    private static let results = [
        "undefined", "null", "5", "'text'", "true", "[1, [2]]", "({ id: 1 })", "Promise.resolve({ id: 1 })",
        "new Uint8Array(3)", "new Date(0)", "({ f() { return 1; } })",
    ]

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ configure: (inout BridgeConfiguration) -> Void = { _ in }
    ) async throws -> Bridge {
        let script =
            synchronousMode + """
                globalThis.done = [];
                bridge.registerHandler("give", async text => { const value = await eval(text); done.push(text); return value; });
                bridge.registerHandler("giveNow", text => { done.push(text); return eval(text); });
                bridge.registerHandler("fail", text => { throw new RangeError("no " + text); });
                bridge.registerHandler("count", () => { done.push("count"); return done.length; });
                """
        return try await Bridge.patient(transport, running: script, configure)
    }

    @Test("no result of a handler disturbs its call, from a task and in a turn", arguments: transports)
    func anyResult(transport: BridgeConfiguration.Transport) async throws {
        for isObserved in [false, true] {
            let bridge = try await makeBridge(transport) { configuration in
                if isObserved { configuration.traceLevel = .messages }
            }
            for text in Self.results {
                try await bridge.callHandler("give", with: text)
                try await bridge.callHandler("giveNow", with: text)
                guard transport == .direct else { continue }
                try await bridge.runtime.withContext { context in
                    try bridge.callHandler("giveNow", with: text, in: context)
                }
            }
            try await bridge.callHandler("count")
            try await bridge.runtime.withContext { context in
                if transport == .direct { try bridge.callHandler("count", in: context) }
            }
            let done = try await bridge.runtime.evaluate("done.length").integerValue
            let rounds = transport == .direct ? 3 : 2
            #expect(done == Int64(Self.results.count * rounds + rounds - 1))
        }
    }

    @Test("an error arrives with its message and the frames of both sides", arguments: transports)
    func failure(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let error = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("fail", with: "1")
        }
        #expect(error.code == .handlerFailed && error.message.hasSuffix("no 1"))
        #expect(error.frames.contains { $0.function == "failure(transport:)" })
        let missing = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("missing")
        }
        #expect(missing.code == .handlerNotFound)
    }

    @Test("the result is not read: a getter of it does not run")
    func unread() async throws {
        let bridge = try await makeBridge(.direct)
        try await bridge.callHandler("giveNow", with: "({ get id() { done.push('read'); return 1; } })")
        try await bridge.callHandler("give", with: "({ get id() { done.push('read'); return 1; } })")
        #expect(try await bridge.runtime.evaluate("done.includes('read')") == false)
    }

    @Test(
        "P39 what a script sends before it answers has begun before the caller continues",
        arguments: transports
    )
    func order(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let received = Recorder<Int>()
        try bridge.registerHandler("received") { (number: Int) in received.add(number) }
        for round in 1...10 {
            let script = "(() => { for (let n = 0; n < 5; n++) bridge.notify('received', n); return 1; })()"
            try await bridge.callHandler(round % 2 == 0 ? "give" : "giveNow", with: script)
            #expect(received.elements.count == round * 5)
        }
    }
}

/// Calls with data and results of no Swift type, which take the same path as typed ones.
@Suite(.noLeaks) struct ValueCallTests {
    private static let script =
        synchronousMode + """
            bridge.registerHandler("echo", value => value);
            bridge.registerHandler("echoLater", async value => { await null; return value; });
            bridge.registerHandler("kind", value => value === null ? "null" : typeof value);
            """

    private static let values: [Value] = [
        .null, true, 5, 1.5, "text", [1, [2, "x"]], ["id": 1, "list": [], "nested": ["a": .null]],
    ]

    @Test(
        "P64 a value arrives and returns unchanged, from a task, in a turn and observed",
        arguments: [BridgeConfiguration.Transport.direct, .text],
        [false, true]
    )
    func values(transport: BridgeConfiguration.Transport, isObserved: Bool) async throws {
        let bridge = try await Bridge.patient(transport, running: Self.script) { configuration in
            if isObserved { configuration.traceLevel = .messages }
        }
        for value in Self.values {
            for name in ["echo", "echoLater"] {
                #expect(try await bridge.callHandler(name, with: value, returning: Value.self) == value)
            }
            guard transport == .direct else { continue }
            let inTurn = try await bridge.runtime.withContext { context in
                try bridge.callHandler("echo", with: value, returning: Value.self, in: context)
            }
            #expect(inTurn == value)
        }
        #expect(
            try await bridge.callHandler("kind", with: Value.undefined, returning: String.self) == "undefined"
        )
        #expect(try await bridge.callHandler("echo", with: 5, returning: Value.self) == 5)
        #expect(try await bridge.callHandler("echo", with: Value.integer(5), returning: Int.self) == 5)
    }

    @Test("a script's requests of handlers of a value keep their order among typed ones, and their errors")
    func handlers() async throws {
        let bridge = try await Bridge.patient(.direct, running: Self.script)
        let order = Recorder<String>()
        try bridge.registerHandler("typed") { (number: Int) in order.add("typed \(number)") }
        try bridge.registerHandler("data") { (value: Value) -> Value in
            order.add("data \(value.integerValue ?? -1)")
            return value
        }
        try bridge.registerHandler("soon") { (value: Value) async -> Value in
            order.add("soon \(value.integerValue ?? -1)")
            return value
        }
        try bridge.registerHandler("later") { (value: Value) async -> Value in
            order.add("later \(value.integerValue ?? -1)")
            await Task.yield()
            return value
        }
        try bridge.registerHandler("fail") { (value: Value) -> Value in
            order.add("fail \(value.integerValue ?? -1)")
            throw BridgeError("test.failed", "no \(value)")
        }
        let answers = try await bridge.run(
            """
            const names = ["typed", "data", "soon", "later", "fail"];
            const calls = Array.from({ length: 50 }, (_, index) => bridge.callHandler(names[index % 5], index));
            return (await Promise.allSettled(calls)).map(({ value, reason }) => reason?.code ?? value ?? "none");
            """
        )
        let names = ["typed", "data", "soon", "later", "fail"]
        #expect(order.elements == (0..<50).map { "\(names[$0 % 5]) \($0)" })
        let expected = (0..<50).map { index -> Value in
            switch index % 5 {
            case 0: "none"
            case 4: "test.failed"
            default: .integer(Int64(index))
            }
        }
        #expect(answers == .array(expected))
    }

    /// Calls a script inside the turn that is open on this thread.
    private static func echo(_ value: Value, by bridge: Bridge?) throws {
        guard let bridge else { return }
        try bridge.runtime.withContextAndWait { try bridge.callHandler("echo", with: value, in: $0) }
    }

    @Test("R23 a call in a turn on behalf of a caller that is over its time is not made")
    func overdue() async throws {
        let clock = ManualClock()
        let bridge = try await Bridge.patient(.direct, running: Self.script) { $0.clock = clock }
        let outcomes = Recorder<String>()
        try bridge.registerHandler("outer") { [weak bridge] (value: Value) async in
            // Without suspending: the caller's deadline passes in its turn.
            clock.advance(by: .seconds(5))
            do {
                try Self.echo(value, by: bridge)
                outcomes.add("made")
            } catch {
                outcomes.add((error as? BridgeError)?.code.rawValue ?? "\(error)")
            }
        }
        let code = try await bridge.run(
            "return await bridge.callHandler('outer', 1, { timeout: 1000 }).then(() => 'ok', error => error.code)"
        )
        await outcomes.wait(for: 1)
        #expect(outcomes.elements == ["deadlineExceeded"] && code == "deadlineExceeded")
    }
}
