import BridgeTesting
import Foundation
import Synchronization
import Testing

@testable import JavaScriptBridge

/// Calls that end in the middle of another step: while their request is encoded, before they are answered with a
/// stream, when the context that they wait for is lost, at the limits of a script.
@Suite struct InterruptedCallTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    private static func code(_ body: () async throws -> Void) async -> BridgeErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? BridgeError)?.code
        }
    }

    @Test("R23 P65 when a getter in the data aborts its own call, nothing is sent", arguments: transports)
    func abortedWhileWritten(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await Bridge.patient(transport, running: synchronousMode, log: log)
        let called = Recorder<Int>()
        struct Order: Codable { var number: Int }
        try bridge.registerHandler("pay") { (order: Order) in
            called.add(order.number)
            return order
        }
        bridge.enableLogging()
        let reasons = try await bridge.runtime.callAsync(
            "eval",
            with: [
                .string(
                    """
                    (async () => {
                        const reasons = [];
                        for (const inner of [false, true]) {
                            const controller = new AbortController();
                            const aborting = { get number() { controller.abort("why"); return 1; }, done() {} };
                            const data = inner ? { list: [aborting] } : aborting;
                            try { await bridge.callHandler("pay", data, { signal: controller.signal }); }
                            catch (reason) { reasons.push(reason); }
                        }
                        return reasons;
                    })()
                    """
                )
            ]
        )
        #expect(reasons == ["why", "why"])
        #expect(
            log.elements.allSatisfy { !$0.contains("pay") && !$0.contains("_wvjb.cancel") },
            "\(log.elements)"
        )
        #expect(called.elements.isEmpty)
        // The counts of the request are released.
        let counts = try await bridge.withContext {
            try $0.internals.invokeMethod("referenceCounts").toValue()
        }
        #expect(counts == ["exported": 0, "held": 0])
        #expect(try await bridge.withContext { try $0.internals.invokeMethod("pendingCount").toValue() } == 0)
        #expect(
            try await bridge.runtime.callAsync(
                "eval",
                with: [
                    "bridge.callHandler('pay', { number: 7 }, { signal: new AbortController().signal })"
                ]
            ) == ["number": 7]
        )
        #expect(called.elements == [7])
    }

    @Test("R23 Swift opens no stream for a call that was cancelled", arguments: transports)
    func cancelledBeforeStream(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode)
        let (begun, ended) = (Recorder<Int>(), Recorder<Int>())
        let gate = AsyncStream<Void>.makeStream()
        try bridge.registerHandler("ticks") { (number: Int) async throws -> AsyncStream<Int> in
            begun.add(number)
            // A handler that ignores its cancellation.
            await Task.detached { for await _ in gate.stream { break } }.value
            ended.add(number)
            return AsyncStream { $0.yield(1) }
        }
        try await bridge.runtime.evaluate(
            """
            var controller = new AbortController();
            bridge.openStream("ticks", 1, { signal: controller.signal }).next().catch(() => {}); 0
            """
        )
        await begun.wait(for: 1)
        try await bridge.runtime.evaluate("controller.abort(); 0")
        gate.continuation.yield()
        await ended.wait(for: 1)
        await bridge.runtime.waitUntilIdle()
        let streams = try await bridge.withContext { try $0.internals.invokeMethod("streamCount").toValue() }
        #expect(streams == 0)
        #expect(bridge.session.state.withLock { $0.machine.outboundStreamCount } == 0)
    }

    @Test("R23 a script opens no stream for a call that was cancelled", arguments: transports)
    func cancelledBeforeScriptStream(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode)
        let begun = Recorder<Int>()
        try bridge.registerHandler("begun") { (number: Int) in begun.add(number) }
        try await bridge.runtime.evaluate(
            """
            var open, returned = 0;
            const items = { next: async () => ({ done: false, value: 1 }), return() { returned++; return {}; },
                [Symbol.asyncIterator]() { return this; } };
            bridge.registerHandler("ticks", async () => {
                bridge.notify("begun", 1);
                await new Promise(resolve => { open = resolve; });
                return items;
            }); 0
            """
        )
        let task = Task { try await bridge.openStream("ticks", of: Int.self) }
        await begun.wait(for: 1)
        task.cancel()
        #expect(await Self.code { _ = try await task.value } == .cancelled)
        try await bridge.runtime.evaluate("open(); 0")
        #expect(try await bridge.withContext { try $0.internals.invokeMethod("streamCount").toValue() } == 0)
        #expect(try await bridge.runtime.evaluate("returned") == 1)
    }

    @Test("`maximumStreams` counts for streams that scripts open", arguments: transports)
    func streamsOpenedByScripts(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode) {
            $0.limits.maximumStreams = 2
        }
        try bridge.registerHandler("ticks") { (_: Int) in AsyncStream<Int> { $0.yield(1) } }
        let outcomes = try await bridge.runtime.callAsync(
            "eval",
            with: [
                .string(
                    """
                    (async () => {
                        const outcomes = [], streams = [];
                        const open = async () => {
                            const stream = bridge.openStream("ticks", 1);
                            try { outcomes.push((await stream.next()).value); streams.push(stream); }
                            catch (error) { outcomes.push(error.code); }
                        };
                        await open(); await open(); await open();
                        streams.pop().close();
                        await open(); await open();
                        for (const stream of streams) stream.close();
                        return outcomes;
                    })()
                    """
                )
            ]
        )
        #expect(outcomes == [1, 1, "limitExceeded", 1, "limitExceeded"])
    }

    @Test("`maximumStreams` counts for streams that scripts answer with", arguments: transports)
    func streamsAnsweredByScripts(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode) {
            $0.limits.maximumStreams = 2
        }
        try await bridge.runtime.evaluate(
            "bridge.registerHandler('ticks', async function* () { for (;;) yield 1; }); 0"
        )
        let first = try await bridge.openStream("ticks", of: Int.self)
        let second = try await bridge.openStream("ticks", of: Int.self)
        #expect(await Self.code { _ = try await bridge.openStream("ticks", of: Int.self) } == .limitExceeded)
        second.close()
        let third = try await bridge.openStream("ticks", of: Int.self)
        #expect(await Self.code { _ = try await bridge.openStream("ticks", of: Int.self) } == .limitExceeded)
        first.close()
        third.close()
    }

    @Test("A script that has used up its timers still has deadlines", arguments: transports)
    func deadlinesBesideTimers(transport: BridgeConfiguration.Transport) async throws {
        let clock = ManualClock()
        let bridge = try await Bridge.patient(transport, running: synchronousMode) {
            $0.executionLimits.maximumTimers = 10
            $0.clock = clock
        }
        if transport == .text {
            await clock.waitForWakeUps()
            clock.advance(by: .zero)
        }
        try bridge.legacy.registerHandler("never") { (_: Value, _: @escaping @Sendable (Value) -> Void) in }
        let codes = Recorder<Value>()
        try bridge.registerHandler("code") { (value: Value) in codes.add(value) }
        try await bridge.runtime.evaluate(
            """
            try { for (;;) setTimeout(() => {}, 1e6); } catch (error) { bridge.notify("code", error.code); }
            for (let timeout = 10; timeout < 30; timeout++) {
                bridge.callHandler("never", 1, { timeout }).catch(error => bridge.notify("code", error.code));
            }
            0
            """
        )
        clock.advance(by: .seconds(1))
        await codes.wait(for: 21)
        #expect(codes.elements == ["limitExceeded"] + [Value](repeating: "deadlineExceeded", count: 20))
    }

    @Test(
        "R20 (constrained) a call made while the script was stopped permanently does not delay the next context",
        arguments: transports
    )
    func scheduledWhileRetired(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode) {
            $0.executionLimits = .constrained
            $0.executionLimits.processorTime = .milliseconds(50)
        }
        await #expect(throws: JSException.self) {
            try await bridge.runtime.withContext { context in
                // Its job is queued behind this turn, after which no other comes.
                bridge.legacy.callHandler("echo", data: .integer(1)) { _ in }
                #expect(bridge.pendingCallCount == 1)
                _ = try context.evaluate("for (;;) {}")
            }
        }
        #expect(bridge.pendingCallCount == 0)
        try await bridge.reload()
        try await bridge.load(
            .text("bridge.registerHandler('echo', async data => data);", name: "page.js")
        )
        let replies = (0..<2).map { number in
            Task { try await bridge.callHandler("echo", with: number, returning: Int.self) }
        }
        for (number, reply) in replies.enumerated() { #expect(try await reply.value == number) }
    }

    @Test("R20 (constrained) a caller that waits for a turn of a permanently stopped context gets an error")
    func jobsOfRetired() async throws {
        let bridge = try await Bridge.patient(.direct, running: synchronousMode) {
            $0.executionLimits = .constrained
            $0.executionLimits.processorTime = .milliseconds(50)
        }
        let recorded = Recorder<String>()
        let runtime = bridge.runtime
        await #expect(throws: JSException.self) {
            try await runtime.withContext { context in
                runtime.enqueue({ _ in recorded.add("run") }, otherwise: { _ in recorded.add("not run") })
                runtime.enqueueInNextTurn { _ in recorded.add("next") }
                _ = try context.evaluate("for (;;) {}")
            }
        }
        await recorded.wait(for: 2)
        #expect(recorded.elements == ["not run", "next"])
        bridge.close()
        runtime.enqueue({ _ in recorded.add("run") }, otherwise: { _ in recorded.add("closed") })
        await recorded.wait(for: 3)
        #expect(recorded.elements.last == "closed")
    }
}
