import BridgeTesting
import Foundation
import TestSupport
import Testing

@testable import JavaScriptBridge

/// Calls that end while their asynchronous handlers hold the engine, before the first suspension.
@Suite(.noLeaks, .timeLimit(.minutes(1))) struct HandlerCancellationTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    /// A handler that holds the engine until the test continues, and a bridge whose engine has a thread of its own.
    private struct Hold {
        let bridge: Bridge
        let entered = Recorder<Void>()
        let cancelled = Recorder<Void>()
        let ended = Recorder<Void>()
        private let end = DispatchSemaphore(value: 0)

        init(
            _ transport: BridgeConfiguration.Transport,
            timeout: Duration? = nil,
            suspendingOn stream: AsyncStream<Void>? = nil,
            clock: ManualClock? = nil
        ) async throws {
            bridge = try await Bridge.patient(transport, running: synchronousMode) {
                $0.isolation = .thread
                if let clock { $0.clock = clock }
            }
            try bridge.registerHandler("hold", timeout: timeout) {
                [entered, cancelled, ended, end] (number: Int) async in
                await withTaskCancellationHandler {
                    entered.add(())
                    Self.wait(for: end)
                    if let stream, number > 0 { for await _ in stream { return } }
                } onCancel: {
                    cancelled.add(())
                }
                ended.add(())
                return number
            }
            try await bridge.runtime.evaluate(
                """
                function begin(number, options) {
                  globalThis.end = undefined;
                  bridge.callHandler("hold", number, options).then(
                    value => { end = String(value); },
                    error => { end = error.code; });
                }
                """
            )
            // The transport resolves a handler at its first call, which the machine takes.
            release()
            try await bridge.runtime.evaluate("begin(0); 0")
            while try await bridge.runtime.evaluate("end === undefined") == true { clock?.advance(by: .zero) }
        }

        /// Starts a call; returns once its handler holds the engine.
        func begin(_ options: String = "{}") async -> Task<Void, any Error> {
            let count = entered.elements.count
            let task = Task { [bridge] in _ = try await bridge.runtime.evaluate("begin(1, \(options)); 0") }
            await entered.wait(for: count + 1)
            return task
        }

        func release() { end.signal() }

        private static func wait(for end: DispatchSemaphore) { end.wait() }
    }

    @Test("R6 closing the bridge cancels a handler before its first suspension", arguments: transports)
    func closing(transport: BridgeConfiguration.Transport) async throws {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let hold = try await Hold(transport, suspendingOn: stream)
        let task = await hold.begin()
        hold.bridge.close()
        #expect(hold.cancelled.elements.count == 1)
        hold.release()
        _ = await task.result
        // The first call was that of the preparation.
        await hold.ended.wait(for: 2)
        end.finish()
        #expect(hold.bridge.hasNoCalls)
    }

    @Test("R6 a reload cancels a handler before its first suspension", arguments: transports)
    func reloading(transport: BridgeConfiguration.Transport) async throws {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let hold = try await Hold(transport, suspendingOn: stream)
        let task = await hold.begin()
        let reload = Task { try await hold.bridge.reload() }
        await hold.cancelled.wait(for: 1)
        hold.release()
        _ = await task.result
        try await reload.value
        await hold.ended.wait(for: 2)
        end.finish()
        await hold.bridge.waitUntilIdle()
        #expect(hold.bridge.hasNoCalls)
    }

    @Test(
        "R23 a handler's timeout and its caller's end a call before the first suspension",
        arguments: transports,
        [nil, Duration.seconds(5)]
    )
    func deadline(transport: BridgeConfiguration.Transport, timeout: Duration?) async throws {
        let clock = ManualClock()
        let hold = try await Hold(transport, timeout: timeout, clock: clock)
        let task = await hold.begin(timeout == nil ? "{ timeout: 5000 }" : "{}")
        await clock.waitForWakeUps()
        clock.advance(by: .seconds(6))
        await hold.cancelled.wait(for: 1)
        hold.release()
        try await task.value
        #expect(try await hold.bridge.defined("end") == "deadlineExceeded")
    }

    @Test(
        "R6 the end of a budget cancels a handler that held the engine, once it suspends",
        arguments: transports
    )
    func budget(transport: BridgeConfiguration.Transport) async throws {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let hold = try await Hold(transport, suspendingOn: stream)
        let budget = ExecutionBudget()
        let task = await budget.run { await hold.begin() }
        budget.interrupt(reason: "enough")
        hold.release()
        await hold.cancelled.wait(for: 1)
        _ = await task.result
        end.finish()
        await hold.bridge.waitUntilIdle()
        #expect(hold.bridge.hasNoCalls)
    }

    @Test("R6 a caller that gives up in a turn inside the handler's cancels it", arguments: transports)
    func nestedAbort(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode)
        let (stream, end) = AsyncStream<Void>.makeStream()
        let isCancelled = Recorder<Bool>()
        try bridge.registerHandler("abort") { [weak bridge] (_: Int) async throws in
            if let bridge { try Self.evaluate("controller.abort()", in: bridge) }
            for await _ in stream { return }
            isCancelled.add(Task.isCancelled)
        }
        try bridge.registerHandler("ping") { (number: Int) in number }
        // A script notifies a side that it knows to be extended, from a call of it.
        try await bridge.runtime.evaluate("bridge.registerHandler('greeting', name => name); 0")
        #expect(try await bridge.callHandler("greeting", with: "ada") == "ada")
        let code = try await bridge.run(
            """
            globalThis.controller = new AbortController();
            try { await bridge.callHandler("abort", 1, { signal: controller.signal }); } catch (error) { return error.name; }
            """
        )
        #expect(code == "AbortError")
        // Its answer comes after the cancellation has arrived, and after the turn in which the handler has suspended.
        #expect(try await bridge.run("return await bridge.callHandler('ping', 2)") == 2)
        end.finish()
        await isCancelled.wait(for: 1)
        #expect(isCancelled.elements == [true])
        await bridge.waitUntilIdle()
        #expect(bridge.hasNoCalls)
    }

    /// Evaluates in a turn inside the caller's.
    private static func evaluate(_ script: String, in bridge: Bridge) throws {
        try bridge.runtime.withContextAndWait { context in _ = try context.evaluate(script) }
    }

    @Test("R22 a limit of calls in progress that begins later counts calls that have suspended")
    func concurrencyLimit() async throws {
        var grants = BridgeGrants.denyAll
        grants.allow("work")
        let bridge = try await Bridge.patient { [grants] in $0.grants = grants }
        let (stream, end) = AsyncStream<Void>.makeStream()
        try bridge.registerHandler("work") { (_: Int) async in
            for await _ in stream { return }
        }
        try await bridge.runtime.evaluate(
            "globalThis.first = bridge.callHandler('work', 1).then(() => 'done'); 0"
        )
        try await bridge.runtime.evaluate(
            "globalThis.second = bridge.callHandler('work', 1).then(() => 'done'); 0"
        )
        try bridge.grants.allow("work", limits: GrantLimits(maximumConcurrentCalls: 2))
        try await bridge.runtime.evaluate(
            "globalThis.third = bridge.callHandler('work', 1).catch(error => error.code); 0"
        )
        end.finish()
        #expect(try await bridge.run("return await first + await second") == "donedone")
        #expect(try await bridge.run("return await third") == "overloaded")
        #expect(
            try await bridge.run("return await bridge.callHandler('work', 1).then(() => 'done')") == "done"
        )
    }

    @Test(
        "R22 calls whose handlers have suspended count for the limit of pending calls",
        arguments: transports
    )
    func pendingLimit(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode) {
            $0.limits.maximumPendingCalls = 4
        }
        let (stream, end) = AsyncStream<Void>.makeStream()
        let begun = Recorder<Int>()
        try bridge.registerHandler("work") { [weak bridge] (number: Int) async throws in
            begun.add(number)
            // The script answers with more calls, while the second one still waits for its handler.
            if number == 1 { try bridge?.notify("more") }
            for await _ in stream { return }
        }
        try await bridge.runtime.evaluate("bridge.callHandler('work', 0).catch(() => {}); 0")
        try await bridge.runtime.evaluate(
            """
            globalThis.codes = [];
            const call = number => bridge.callHandler("work", number).catch(error => { codes.push(number + error.code); });
            bridge.registerHandler("more", () => { [3, 4, 5].forEach(call); });
            call(1);
            call(2);
            0
            """
        )
        while try await bridge.runtime.evaluate("codes.length + \(begun.elements.count) < 6") == true {
            await Task.yield()
        }
        #expect(try await bridge.runtime.evaluate("codes.join()") == "4overloaded,5overloaded")
        end.finish()
        await bridge.waitUntilIdle()
        #expect(begun.elements == [0, 1, 2, 3])
    }
}
