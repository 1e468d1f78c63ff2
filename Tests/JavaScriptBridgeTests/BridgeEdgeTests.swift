import BridgeTesting
import Foundation
import JavaScriptBridge
import Synchronization
import Testing

/// Edge cases: the end of a bridge, limits, and errors in the middle of other work.
@Suite(.noLeaks) struct BridgeEdgeTests {
    fileprivate func makeBridge(
        limit: Duration? = nil,
        _ transport: BridgeConfiguration.Transport = .direct,
        log: Recorder<String> = Recorder()
    ) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.executionLimits.processorTime = limit ?? .seconds(30)
        configuration.logSink = { log.add($0.text) }
        return try Bridge(configuration: configuration)
    }

    @Test("a timeout of any size is accepted", arguments: BridgeCallTests.transports)
    func hugeTimeout(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try makeBridge(transport)
        try await bridge.load(.text("bridge.registerHandler('echo', x => x)", name: "e.js"))
        for timeout in [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .seconds(86_400 * 36_500)] {
            #expect(try await bridge.callHandler("echo", with: 1, returning: Int.self, timeout: timeout) == 1)
        }
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("echo", with: 1, returning: Int.self, timeout: .seconds(-5))
        }
        #expect(error?.code == .deadlineExceeded)
    }

    private func makeBridge(_ transport: BridgeConfiguration.Transport) throws -> Bridge {
        try makeBridge(limit: nil, transport)
    }

    @Test(
        "waitUntilIdle ends when the last call was cancelled, the bridge reset or closed, an error suppressed"
    )
    func idleAfterAll() async throws {
        let bridge = try makeBridge()
        try await bridge.load(
            .text("bridge.registerHandler('never', () => new Promise(() => {}))", name: "n.js")
        )
        let call = Task { try await bridge.callHandler("never", with: 1) }
        while bridge.pendingCallCount == 0 { await Task.yield() }
        let idle = Task { await bridge.waitUntilIdle() }
        await Task.yield()
        call.cancel()
        await idle.value
        for end in [{ bridge.reset() }, { bridge.close() }] as [@Sendable () -> Void] {
            let pending = Task { try? await bridge.callHandler("never", with: 1) }
            while bridge.pendingCallCount == 0 { await Task.yield() }
            let idle = Task { await bridge.waitUntilIdle() }
            await Task.yield()
            end()
            await idle.value
            await pending.value
        }

        let other = try makeBridge()
        try other.registerHandler("fail") { (_: Value) async throws -> Value in
            await Task.yield()
            throw CancellationError()
        }
        try await other.load(.text("WebViewJavascriptBridge.callHandler('fail', 1, () => {})", name: "f.js"))
        await other.waitUntilIdle()
    }

    @Test("waitUntilIdle also waits for the handlers of notifications")
    func idleWaitsForNotifications() async throws {
        let bridge = try makeBridge()
        let done = Recorder<Bool>()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try bridge.registerHandler("slow") { (_: Value) async in
            for await _ in gate { break }
            done.add(true)
        }
        try await bridge.load(.text("bridge.notify('slow', 1)", name: "s.js"))
        let idle = Task {
            await bridge.waitUntilIdle()
            return done.elements.count
        }
        await Task.yield()
        open.yield()
        #expect(await idle.value == 1)
    }

    @Test(
        "an error with unsendable data arrives without the data, and an unsendable payload is an error for the caller"
    )
    func unsendable() async throws {
        let bridge = try makeBridge()
        let deep = (0..<600).reduce(Value.integer(1)) { value, _ in .array([value]) }
        try bridge.registerHandler("deep") { (_: Value) -> Value in
            throw BridgeError(BridgeErrorCode(rawValue: "shop.no"), "no", data: deep)
        }
        try bridge.registerHandler("bad") { (_: Value) in Value.bigInt("x1") }
        let seen = Recorder<Value>()
        try bridge.registerHandler("seen") { (value: Value) in seen.add(value) }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("echo", x => x);
                (async () => {
                    for (const name of ["deep", "bad"])
                        await bridge.callHandler(name, 1).catch(e => bridge.notify("seen", e.code));
                })();
                """,
                name: "d.js"
            )
        )
        await bridge.waitUntilIdle()
        #expect(seen.elements.count == 2)
        #expect(seen.elements.first == "shop.no")
        #expect(seen.elements.last != "deadlineExceeded")
        await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("echo", with: Value.bigInt("x1"))
        }
        await #expect(throws: BridgeError.self) { try await bridge.callHandler("echo", with: deep) }
        #expect(try await bridge.callHandler("echo", with: 5, returning: Int.self) == 5)
    }

    @Test(
        "after close() no handler begins, also of a script that ran before",
        arguments: BridgeCallTests.transports
    )
    func closeInLaterHandler(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try makeBridge(transport)
        let ran = Recorder<Int>()
        try bridge.registerHandler("first") { [weak bridge] (number: Int) in
            ran.add(number)
            if number == 1 { bridge?.close() }
        }
        // The messages of a script that ran before need not wait for the session to begin.
        try await bridge.load(.text("bridge.notify('first', 0)", name: "b.js"))
        try await bridge.load(.text("for (let n = 1; n < 5; n++) bridge.notify('first', n)", name: "c.js"))
        await bridge.waitUntilIdle()
        #expect(ran.elements == [0, 1])
    }

    @Test("after close() no handler begins")
    func closeInHandler() async throws {
        let bridge = try makeBridge()
        let ran = Recorder<Int>()
        try bridge.registerHandler("first") { [weak bridge] (number: Int) in
            ran.add(number)
            bridge?.close()
        }
        try await bridge.load(.text("for (let n = 1; n < 5; n++) bridge.notify('first', n)", name: "c.js"))
        await bridge.waitUntilIdle()
        #expect(ran.elements == [1])
    }

    @Test("a callback that blocks delays no deadline")
    func blockingCallback() async throws {
        let clock = ManualClock()
        var configuration = BridgeConfiguration.patient
        configuration.clock = clock
        // The blocked thread must not be one of the few that all tasks share.
        configuration.isolation = .thread
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text(
                "bridge.registerHandler('echo', x => x); bridge.registerHandler('never', () => new Promise(() => {}))",
                name: "b.js"
            )
        )
        let gate = DispatchSemaphore(value: 0)
        let entered = Recorder<Bool>()
        bridge.legacy.callHandler("echo", data: 1) { _ in
            entered.add(true)
            gate.wait()
        }
        await entered.wait(for: 1)
        let call = Task { try await bridge.callHandler("never", with: 1, timeout: .seconds(1)) }
        await clock.waitForWakeUps()
        clock.advance(by: .seconds(2))
        #expect(await #expect(throws: BridgeError.self) { try await call.value }?.code == .deadlineExceeded)
        gate.signal()
    }

    @Test("P62 R7 names that look the same but differ in bytes are two handlers")
    func namesByBytes() async throws {
        let bridge = try makeBridge()
        try bridge.registerHandler("\u{E9}") { (_: Value) in Value.integer(1) }
        try bridge.registerHandler("e\u{301}") { (_: Value) in Value.integer(2) }
        let seen = Recorder<Value>()
        try bridge.registerHandler("seen") { (value: Value) in seen.add(value) }
        try await bridge.load(
            .text(
                "Promise.all(['\\u00e9', 'e\\u0301'].map(n => bridge.callHandler(n))).then(x => bridge.notify('seen', x))",
                name: "n.js"
            )
        )
        await bridge.waitUntilIdle()
        #expect(seen.elements == [[1, 2]])
    }
}

/// Without the trait: such a script keeps its runtime busy, and so alive, as long as it likes.
@Suite struct EndlessScriptTests {
    @Test("a script that loops endlessly after each notice of its stop does not hold the engine")
    func endlessAfterTermination() async throws {
        let bridge = try BridgeEdgeTests().makeBridge(limit: .milliseconds(30))
        await #expect(throws: JSException.self) {
            try await bridge.load(
                .text(
                    "function again() { bridge.callHandler('never', 1).catch(() => { again(); for (;;); }) } again(); for (;;);",
                    name: "a.js"
                )
            )
        }
        // The endless code shares its context with this script, which may be stopped along with it; but this script
        // comes to an end.
        for _ in 0..<3 { _ = try? await bridge.load(.text("1 + 1", name: "b.js")) }
    }
}
