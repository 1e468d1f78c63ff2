import BridgeTesting
import TestSupport
import Testing

@testable import JavaScriptBridge

/// Interrupts between the moment when a message is taken and the one when it is handled: they end calls, but later ones
/// are answered.
@Suite(.timeLimit(.minutes(1))) struct InterruptedTurnTests {
    /// Creates a bridge by text whose script can interrupt its own turn by `stop`, which is recorded.
    private func makeBridge(clock: ManualClock, stops: Recorder<Void> = Recorder()) async throws -> Bridge {
        let bridge = try await Bridge.patient(.text) { $0.clock = clock }
        let runtime = bridge.runtime
        try await runtime.withContext { context in
            let stop = try context.makeFunction(named: "stop") { [weak runtime] _ in
                stops.add(())
                runtime?.interrupt(reason: "a test")
                return nil
            }
            try context.globalObject.setValue(stop, forProperty: "stop")
        }
        return bridge
    }

    /// Lets timers fire until a task ends, and returns the code of its error; `nil` if it has none.
    private func end(_ task: Task<Int, any Error>, _ clock: ManualClock) async -> BridgeErrorCode? {
        let codes = Recorder<BridgeErrorCode?>()
        Task {
            do {
                _ = try await task.value
                codes.add(nil)
            } catch { codes.add((error as? BridgeError)?.code) }
        }
        await fire(clock) { !codes.elements.isEmpty }
        // Without an element the time limit has ended the test.
        return codes.elements.first ?? .cancelled
    }

    private func fire(_ clock: ManualClock, until isDone: () -> Bool) async {
        while !isDone(), !Task.isCancelled {
            clock.advance(by: .zero)
            await Task.yield()
        }
    }

    private func call(_ bridge: Bridge, _ number: Int) -> Task<Int, any Error> {
        Task { try await bridge.callHandler("echo", with: number, returning: Int.self) }
    }

    @Test("R5 R6 calls are answered after a turn was interrupted before it dispatched its message")
    func beforeDispatch() async throws {
        let clock = ManualClock()
        let bridge = try await makeBridge(clock: clock)
        try await bridge.load(.text("bridge.registerHandler('echo', data => data);", name: "page.js"))
        #expect(await end(call(bridge, 1), clock) == nil)
        try await bridge.withContext { context in
            context.hooks.observer = TimerInterrupter(in: context, count: 1)
        }
        #expect(await end(call(bridge, 2), clock) == .terminated)
        // Without its turn, the message before would be dispatched instead of each of these.
        for number in 3..<6 { #expect(await end(call(bridge, number), clock) == nil) }
        bridge.close()
    }

    @Test(
        "R5 R6 P26 calls are answered by a script that was interrupted in the turn in which it first used the bridge"
    )
    func firstUse() async throws {
        let clock = ManualClock()
        let bridge = try await makeBridge(clock: clock)
        clock.advance(by: .zero)
        await #expect(throws: JSException.self) {
            try await bridge.load(
                .text("bridge.registerHandler('echo', data => data); stop(); for (;;) {}", name: "page.js")
            )
        }
        #expect(await end(call(bridge, 1), clock) == nil)
        bridge.close()
    }

    /// Runs a set-up list, which a page does by its second request for the bridge.
    private func run(_ list: String, in bridge: Bridge) async throws {
        try await bridge.withContext { context in
            _ = try context.evaluate(
                "var window = globalThis; window.WVJBCallbacks = [\(list)];",
                sourceURL: "page.js"
            )
            try context.internals.invokeMethod("installBridge")
        }
    }

    private let registration =
        "bridge => { bridge.registerHandler('echo', (data, reply) => { reply(data); }); }"

    @Test(
        "R5 R6 P5 P6 after a set-up callback was interrupted, the rest of them runs, and calls are answered",
        arguments: ["for (;;) {}", ""]
    )
    func setUp(end: String) async throws {
        let clock = ManualClock()
        let stops = Recorder<Void>()
        let bridge = try await makeBridge(clock: clock, stops: stops)
        try await run("() => { stop(); \(end) }, \(registration)", in: bridge)
        await fire(clock) { !stops.elements.isEmpty }
        #expect(await self.end(call(bridge, 1), clock) == nil)
        bridge.close()
    }

    @Test("R5 R6 P5 set-up callbacks run although turns were interrupted before the first of them began")
    func beforeSetUp() async throws {
        let clock = ManualClock()
        let bridge = try await makeBridge(clock: clock)
        let observer = try await bridge.withContext { context in
            let observer = TimerInterrupter(in: context, count: 2)
            context.hooks.observer = observer
            return observer
        }
        try await run(registration, in: bridge)
        await fire(clock) { observer.remainingCount == 0 }
        #expect(await end(call(bridge, 1), clock) == nil)
        bridge.close()
    }

    @Test("R5 R6 P26 calls are answered although the operation in whose turn the set-up ended was stopped")
    func endOfOperation() async throws {
        let clock = ManualClock()
        let bridge = try await makeBridge(clock: clock)
        clock.advance(by: .zero)
        let earlier = call(bridge, 1)
        while bridge.pendingCallCount < 1 { await Task.yield() }
        // Its turn comes before the set-up ends.
        clock.advance(by: .zero)
        try await bridge.runtime.evaluate("0")
        let operation = ExecutionBudget(processorTime: .milliseconds(50))
        _ = try? await ExecutionBudget.$current.withValue(operation) {
            try await bridge.load(
                .text(
                    "bridge.registerHandler('echo', data => data); setTimeout(() => { for (;;) {} }, 0);",
                    name: "page.js"
                )
            )
        }
        #expect(await end(earlier, clock) == nil)
        #expect(await end(call(bridge, 2), clock) == nil)
        bridge.close()
    }

    @Test("R5 R6 P7 a set-up list without an end is given up")
    func endlessList() async throws {
        let clock = ManualClock()
        let bridge = try await Bridge.patient(.text) {
            $0.clock = clock
            $0.executionLimits.processorTime = .milliseconds(30)
        }
        try await run("", in: bridge)
        try await bridge.withContext { context in
            _ = try context.evaluate(
                "window.WVJBCallbacks = { length: Infinity }; bridge.registerHandler('echo', data => data)"
            )
            try context.internals.invokeMethod("installBridge")
        }
        // A call in the turn of the list ends with it.
        var codes: [BridgeErrorCode?] = []
        repeat {
            codes.append(await end(call(bridge, 1), clock))
        } while codes.count < 50 && codes.last != .some(nil)
        #expect(codes.last == .some(nil), "\(codes)")
        #expect(await end(call(bridge, 2), clock) == nil)
        bridge.close()
    }
}
