import BridgeTesting
import JavaScriptBridge
import Testing

/// Calls whose answers come at the edge of a turn, of a budget or of a task.
@Suite(.noLeaks) struct CallEdgeTests {
    private static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    private static func makeBridge(
        _ transport: BridgeConfiguration.Transport = .direct,
        _ script: String,
        log: Recorder<String> = Recorder<String>(),
        _ change: (inout BridgeConfiguration) -> Void = { _ in }
    ) async throws -> Bridge {
        let bridge = try await Bridge.patient(transport, running: synchronousMode + script, log: log, change)
        await bridge.waitUntilIdle()
        return bridge
    }

    @Test(
        "W2 news of a call that are of another shape are logged, and the call goes on",
        arguments: transports
    )
    func newsOfAnotherShape(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await Self.makeBridge(
            transport,
            "bridge.registerHandler('work', async (data, _, call) => { call.progress('half'); call.progress(1); return 2; })",
            log: log
        )
        let seen = Recorder<Int>()
        let result = try await bridge.callHandler("work", with: 0, returning: Int.self) { seen.add($0) }
        #expect(result == 2 && seen.elements == [1])
        #expect(log.elements.contains { $0.hasPrefix("News of the call of \"work\" cannot be read.") })
    }

    @Test("a call inside a turn gets what a promise of its handler gives in that turn", arguments: transports)
    func promiseInTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("later", async (n) => { await null; await null; return n + 1; });
            bridge.registerHandler("fails", async () => { await null; throw new BridgeError("mine.code", "no"); });
            bridge.registerHandler("wrong", async () => { await null; return "text"; });
            """
        )
        let sum = try await bridge.withContext { context in
            try bridge.callHandler("later", with: 1, returning: Int.self, in: context)
                + bridge.callHandler("later", with: 2, returning: Int.self, in: context)
        }
        #expect(sum == 5)
        for (name, code) in [("fails", "mine.code"), ("wrong", "decodeFailed")] {
            let error = await #expect(throws: BridgeError.self) {
                try await bridge.withContext { context in
                    _ = try bridge.callHandler(name, with: 0, returning: Int.self, in: context)
                }
            }
            #expect(error?.code.rawValue == code)
        }
    }

    @Test("a call that was answered before its turn was stopped has its answer")
    func answeredBeforeTheEnd() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            "bridge.registerHandler('replies', async (n, reply) => { reply(n + 1); await null; for (;;); })"
        ) { $0.executionLimits.processorTime = .milliseconds(50) }
        #expect(try await bridge.callHandler("replies", with: 1, returning: Int.self) == 2)
    }

    @Test("a task that is cancelled already calls nobody", arguments: transports)
    func cancelledBefore(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            "let count = 0; bridge.registerHandler('counts', () => ++count);"
        )
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await bridge.callHandler("counts", with: 0, returning: Int.self)
        }
        task.cancel()
        let error = await #expect(throws: BridgeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try await bridge.callHandler("counts", with: 0, returning: Int.self) == 1)
    }

    @Test("a turn that is interrupted ends its call, and the operation goes on")
    func stoppedTurn() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            """
            bridge.registerHandler("spins", () => { bridge.callHandlerSync("stop"); for (;;); });
            bridge.registerHandler("plain", (n) => n + 1);
            """
        )
        try bridge.registerHandler("stop") { [weak bridge] (_: Value) -> Bool in
            bridge?.runtime.interrupt(reason: "enough") ?? false
        }
        let operation = JSOperation()
        let code = await operation.run { await Self.code { try await bridge.callHandler("spins", with: 0) } }
        #expect(code == .terminated)
        #expect(operation.termination == nil)
        let sum = try await operation.run {
            try await bridge.callHandler("plain", with: 1, returning: Int.self)
        }
        #expect(sum == 2 && bridge.pendingCallCount == 0)
    }

    private static func code(_ body: () async throws -> Void) async -> BridgeErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? BridgeError)?.code
        }
    }

    @Test("W2 R23 who waits for the second item and is cancelled then is told so")
    func cancelledReader() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            "bridge.registerHandler('one', async function* () { yield 1; await new Promise(() => {}); })"
        )
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            var iterator = try await bridge.openStream("one", of: Int.self).makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            begin.finish()
            return try await iterator.next()
        }
        for await _ in begun {}
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: BridgeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}
