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
        let heard = Recorder<Int>()
        try bridge.registerHandler("heard") { (number: Int) in heard.add(number) }
        for round in 1...10 {
            let script = "(() => { for (let n = 0; n < 5; n++) bridge.notify('heard', n); return 1; })()"
            try await bridge.callHandler(round % 2 == 0 ? "give" : "giveNow", with: script)
            #expect(heard.elements.count == round * 5)
        }
    }
}
