import BridgeTesting
import Foundation
import Synchronization
import Testing

@testable import JavaScriptBridge

/// Budgets for all work that a message causes: it is handled inside its sender's operation, and so is its answer.
@Suite struct OperationMessageTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    /// Endless loops of messages in which no single turn is long.
    static let loops = [
        // A script calls Swift and continues with the answer.
        "answers", "deadlines", "items",
        // Swift calls a script.
        "timers", "produces",
    ]

    private static func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        isTimed: Bool = false,
        clock: any MonotonicClock = SystemClock(),
        log: Recorder<String> = Recorder()
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.executionLimits.processorTime = .seconds(60)
        configuration.clock = clock
        configuration.logSink = { log.add($0.text) }
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("echo") { (number: Int) async throws -> Int in
            await Task.yield()
            return number
        }
        try bridge.legacy.registerHandler("never") { (_: Value, _: @escaping @Sendable (Value) -> Void) in }
        try bridge.registerHandler("ticks") { (_: Int) in
            AsyncStream<Int>(unfolding: { 1 })
        }
        let setUp = isTimed ? "" : "WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();"
        try await bridge.load(
            .text(
                """
                \(setUp)
                var rounds = 0, held;
                const spin = n => { const end = Date.now() + n; while (Date.now() < end) {} rounds++ };
                const soon = () => new Promise(resolve => setTimeout(resolve, 0));
                const loops = {
                    async answers() { for (;;) { await bridge.callHandler("echo", 1); spin(3); } },
                    async deadlines() {
                        for (;;) {
                            try { await bridge.callHandler("never", 1, { timeout: 1 }); } catch { }
                            spin(3);
                        }
                    },
                    async items() { for await (const item of bridge.openStream("ticks", 1)) spin(3); },
                    async timers() { for (;;) { spin(3); await soon(); } },
                };
                globalThis.run = name => loops[name]();
                bridge.registerHandler("run", name => loops[name]());
                bridge.registerHandler("produces", async function* () { for (;;) { spin(3); await soon(); yield 1; } });
                bridge.registerHandler("held", () => new Promise(resolve => { held = resolve; }));
                bridge.registerHandler("spin", () => spin(3));
                bridge.registerHandler("plain", number => number + 1);
                bridge.on("spins", () => spin(3));
                """,
                name: "page.js"
            )
        )
        if !isTimed, transport == .text {
            // The setup waits for a timer.
            while try await bridge.callHandler("plain", with: 1, returning: Int.self) != 2 {}
        }
        return bridge
    }

    private static func termination(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "none"
        } catch let error as BridgeError {
            return error.code.rawValue
        } catch let error as JSException {
            return error.isTermination ? "terminated" : error.message
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "the work that a message causes is stopped at the budget of its sender, and other work continues",
        arguments: transports,
        loops
    )
    func processorTime(transport: BridgeConfiguration.Transport, loop: String) async throws {
        try await stops(loop, by: Self.makeBridge(transport))
    }

    @Test(
        "the work that a message causes in timed mode is stopped at the budget of its sender",
        arguments: loops
    )
    func timed(loop: String) async throws { try await stops(loop, by: Self.makeBridge(.text, isTimed: true)) }

    private func stops(_ loop: String, by bridge: Bridge) async throws {
        let sibling = Task { try await bridge.callHandler("held", returning: Int.self) }
        while try await bridge.runtime.evaluate("typeof held") != "function" { await Task.yield() }
        for entry in ["run", "runtime"] where loop != "produces" || entry == "run" {
            let operation = ExecutionBudget(processorTime: .milliseconds(30))
            let outcome = await operation.run {
                await Self.termination {
                    if loop == "produces" {
                        for try await _ in try await bridge.openStream("produces", of: Int.self) {}
                    } else if entry == "run" {
                        try await bridge.callHandler("run", with: loop)
                    } else {
                        _ = try await bridge.runtime.callAsync("run", with: [.string(loop)])
                    }
                }
            }
            #expect(outcome == "terminated", "\(entry)")
            #expect(operation.termination == .processorTime(limit: .milliseconds(30)))
            #expect(operation.usedProcessorTime >= .milliseconds(30))
        }
        // None of its code runs any more, and none of its state is left.
        let rounds = try await bridge.runtime.evaluate("rounds")
        #expect(try await bridge.callHandler("plain", with: 1, returning: Int.self) == 2)
        #expect(try await bridge.runtime.callAsync("eval", with: ["bridge.callHandler('echo', 7)"]) == 7)
        #expect(try await bridge.runtime.evaluate("rounds") == rounds)
        #expect(try await bridge.withContext { try $0.internals.invokeMethod("pendingCount").toValue() } == 0)
        #expect(try await bridge.withContext { try $0.internals.invokeMethod("streamCount").toValue() } == 0)
        try await bridge.runtime.evaluate("held(1); 0")
        #expect(try await sibling.value == 1)
    }

    @Test("notifications and events are handled inside their sender's operation", arguments: transports)
    func notifications(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(transport)
        for isEvent in [false, true] {
            let operation = ExecutionBudget(processorTime: .milliseconds(20))
            try operation.run {
                for _ in 0..<100 {
                    if isEvent {
                        try bridge.emit("spins", with: 1)
                    } else {
                        try bridge.notify("spin", with: 1)
                    }
                }
            }
            // Behind all messages that were sent.
            #expect(try await bridge.callHandler("plain", with: 1, returning: Int.self) == 2)
            #expect(operation.termination == .processorTime(limit: .milliseconds(20)))
            let rounds = try #require(await bridge.runtime.evaluate("rounds").integerValue)
            #expect(rounds < 60)
            #expect(throws: BridgeError.self) {
                try operation.run { try bridge.notify("spin", with: 1) }
            }
            #expect(try await bridge.callHandler("plain", with: 1, returning: Int.self) == 2)
        }
    }

    @Test("handlers of Swift, and callbacks, run inside the operation of the caller", arguments: transports)
    func handlers(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(transport)
        let seen = Recorder<(String, ExecutionBudget?)>()
        try bridge.registerHandler("sync") { (number: Int) -> Int in
            seen.add(("sync", .current))
            return number
        }
        try bridge.registerHandler("async") { (number: Int) async -> Int in
            await Task.yield()
            seen.add(("async", .current))
            return number
        }
        try bridge.legacy.registerHandler("legacy") {
            (value: Value, reply: @escaping @Sendable (Value) -> Void) in
            seen.add(("legacy", .current))
            // From a thread without an operation: the answer belongs to the operation of the caller.
            Thread.detachNewThread { reply(value) }
        }
        try bridge.registerHandler("after") { (_: Int) in seen.add(("after", .current)) }
        let operation = ExecutionBudget()
        for current in [operation, nil, operation] {
            let call = { @Sendable in
                _ = try await bridge.runtime.callAsync(
                    "eval",
                    with: [
                        .string(
                            """
                            (async () => {
                                for (const name of ["sync", "async", "legacy"]) {
                                    await bridge.callHandler(name, 1);
                                    bridge.notify("after", 1);
                                }
                            })()
                            """
                        )
                    ]
                )
                await withCheckedContinuation { continuation in
                    bridge.legacy.callHandler("plain", data: .integer(1)) { _ in
                        seen.add(("callback", .current))
                        continuation.resume()
                    }
                }
            }
            if let current { try await current.run { try await call() } } else { try await call() }
        }
        await seen.wait(for: 21)
        for (index, (name, found)) in seen.elements.enumerated() {
            #expect(found === (index / 7 == 1 ? nil : operation), "\(index) \(name)")
        }
    }

    @Test(
        "an operation's deadline ends calls that wait for messages, also if no script runs",
        arguments: transports
    )
    func wallTime(transport: BridgeConfiguration.Transport) async throws {
        let clock = ManualClock()
        let bridge = try await Self.makeBridge(transport, isTimed: transport == .text, clock: clock)
        if transport == .text {
            await clock.waitForWakeUps()
            clock.advance(by: .zero)
            try await bridge.runtime.evaluate(
                "WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout(); 0"
            )
        }
        let (begun, cancelled) = (Recorder<Int>(), Recorder<Int>())
        try bridge.registerHandler("waits") { (number: Int) async throws -> Int in
            begun.add(number)
            let gate = AsyncStream<Void> { _ in }
            for await _ in gate {}
            cancelled.add(number)
            return number
        }
        let operation = ExecutionBudget(wallTime: .seconds(1))
        let call = Task {
            await operation.run {
                await Self.termination { _ = try await bridge.callHandler("held", returning: Int.self) }
            }
        }
        let script = Task {
            await operation.run {
                await Self.termination {
                    _ = try await bridge.runtime.callAsync("eval", with: ["bridge.callHandler('waits', 1)"])
                }
            }
        }
        await begun.wait(for: 1)
        while try await bridge.runtime.evaluate("typeof held") != "function" { await Task.yield() }
        clock.advance(by: .seconds(2))
        #expect(await call.value == "terminated")
        #expect(await script.value == "terminated")
        await cancelled.wait(for: 1)
        #expect(try await bridge.callHandler("plain", with: 1, returning: Int.self) == 2)
        #expect(bridge.pendingCallCount == 0)
        #expect(try await bridge.withContext { try $0.internals.invokeMethod("pendingCount").toValue() } == 0)
        #expect(try await bridge.callHandler("plain", with: 1, returning: Int.self) == 2)
    }

    @Test("the deadlines of an operation that ended belong to no other operation")
    func deadlines() async throws {
        let clock = ManualClock()
        let bridge = try await Self.makeBridge(.direct, clock: clock)
        let codes = Recorder<Value>()
        try bridge.registerHandler("code") { (value: Value) in codes.add(value) }
        let calls = """
            bridge.callHandler("never", 1, { timeout: 100 }).catch(error => bridge.notify("code", error.code)); 0
            """
        let operation = ExecutionBudget()
        _ = try await operation.run { try await bridge.runtime.evaluate(calls) }
        try await bridge.runtime.evaluate(calls)
        operation.interrupt(reason: "enough")
        clock.advance(by: .milliseconds(100))
        await codes.wait(for: 1)
        #expect(try await bridge.callHandler("plain", with: 1, returning: Int.self) == 2)
        #expect(codes.elements == ["deadlineExceeded"])
        #expect(try await bridge.withContext { try $0.internals.invokeMethod("pendingCount").toValue() } == 0)
    }

    @Test("a call inside a turn is answered there, whatever is queued before it", arguments: transports)
    func inTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(transport)
        let operation = ExecutionBudget()
        let answers = try await bridge.withContext { context in
            try operation.run { try bridge.notify("spin", with: 1) }
            return try (0..<3).map {
                try bridge.callHandler("plain", with: $0, returning: Int.self, in: context)
            }
        }
        #expect(answers == [1, 2, 3])
        #expect(try await bridge.runtime.evaluate("rounds") == 1)
    }
}
