import BridgeTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import JavaScriptBridge

/// Asynchronous handlers that return without suspending, or suspend, in the turn of their request.
@Suite(.noLeaks) struct HandlerRunTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    @TaskLocal private static var user = "none"

    /// A point at which handlers suspend until the test continues.
    private final class Gate: Sendable {
        private let (stream, open) = AsyncStream<Void>.makeStream()
        let entered = Recorder<Void>()

        func pass() async {
            entered.add(())
            for await _ in stream { return }
        }

        func release() { open.finish() }
    }

    @Test("a handler that does not suspend answers in the turn of its request", arguments: transports)
    func answersInTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode)
        try bridge.registerHandler("double") { (number: Int) async in number * 2 }
        try await bridge.runtime.evaluate("globalThis.seen = []; bridge.callHandler('double', 1)")
        await bridge.waitUntilIdle()
        try await bridge.withContext { context in
            _ = try context.evaluate("bridge.callHandler('double', 4).then(number => { seen.push(number); })")
        }
        // The turn above had to deliver it: this one reads before any work of its own.
        #expect(try await bridge.runtime.evaluate("seen.join()") == "8")
    }

    @Test("a handler that suspends leaves the turn of its request", arguments: transports)
    func suspends(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode)
        let (inTurn, gate) = (Recorder<Bool>(), Gate())
        try bridge.registerHandler("work") { [weak session = bridge.session] (number: Int) async in
            inTurn.add(session?.hasOpenTurn ?? false)
            // A yield may return without suspending, if another thread runs its job before this one has left.
            await gate.pass()
            inTurn.add(session?.hasOpenTurn ?? false)
            return number
        }
        let answer = Task { try await bridge.run("return await bridge.callHandler('work', 5)") }
        await gate.entered.wait(for: 1)
        // After the turn of the request.
        try await bridge.withContext { _ in }
        gate.release()
        #expect(try await answer.value == 5)
        #expect(inTurn.elements == [true, false])
    }

    @Test("P39 handlers of all kinds begin in the order of their requests", arguments: transports)
    func order(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode)
        let (order, gate) = (Recorder<Int>(), Gate())
        try bridge.registerHandler("sync") { (number: Int) in order.add(number) }
        try bridge.registerHandler("quick") { (number: Int) async in order.add(number) }
        try bridge.registerHandler("slow") { (number: Int) async in
            order.add(number)
            await gate.pass()
        }
        try bridge.registerHandler("data") { (number: Value) async in
            order.add(Int(number.integerValue ?? -1))
        }
        try await bridge.runtime.evaluate(
            """
            globalThis.replies = [];
            const names = ["sync", "quick", "slow", "data"];
            for (let index = 0; index < 40; index++) {
                const name = names[index % 4];
                bridge.callHandler(name, index).then(() => { replies.push(index); });
                if (index % 3 === 0) bridge.notify(name, index + 100);
            }
            0
            """
        )
        gate.release()
        await bridge.waitUntilIdle()
        let expected = (0..<40).flatMap { (number: Int) -> [Int] in
            number % 3 == 0 ? [number, number + 100] : [number]
        }
        #expect(order.elements == expected)
        #expect(try await bridge.runtime.evaluate("replies.length") == 40)
    }

    @Test("a handler does not see the task-local values of a caller whose turn it runs in")
    func taskLocalValues() async throws {
        let bridge = try await Bridge.patient()
        try bridge.registerHandler("user") { (_: Value) async in
            "\(Self.user) \(BridgeCall.current?.handlerName ?? "")"
        }
        try await bridge.load(
            .text("bridge.registerHandler('ask', () => bridge.callHandler('user', 1))", name: "ask.js")
        )
        let answer = try await Self.$user.withValue("ada") {
            try await bridge.callHandler("ask", returning: String.self)
        }
        #expect(answer == "none user")
    }

    @Test("progress before the first suspension comes before the reply", arguments: transports)
    func progress(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: synchronousMode)
        try bridge.registerHandler("work") { (count: Int) async throws -> String in
            let call = try #require(BridgeCall.current)
            for step in 0..<count { try call.reportProgress(step) }
            return "done"
        }
        let text = try await bridge.run(
            """
            const seen = [];
            const reply = await bridge.callHandler("work", 3, { onProgress: step => seen.push(step) });
            return [...seen, reply].join();
            """
        )
        #expect(text == "0,1,2,done")
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("a suspended handler is cancelled when its caller gives up, and its place is free again")
    func givenUp() async throws {
        let bridge = try await Bridge.patient { $0.limits.maximumPendingCalls = 3 }
        let cancelled = Recorder<Int>()
        let entered = Recorder<Int>()
        try bridge.registerHandler("wait") { (number: Int) async throws -> Int in
            entered.add(number)
            try await withTaskCancellationHandler {
                try await Task.sleep(for: .seconds(3600))
            } onCancel: {
                cancelled.add(number)
            }
            return number
        }
        let script = """
            const controller = new AbortController();
            const options = { signal: controller.signal };
            const calls = [1, 2, 3, 4].map(number => bridge.callHandler("wait", number, options));
            const codes = Promise.all(calls.map(call => call.catch(error => error.name === "AbortError" ? "aborted" : error.code)));
            await Promise.race(calls).catch(() => {});
            controller.abort();
            return (await codes).join();
            """
        for _ in 0..<2 {
            let codes = try await bridge.run(script)
            #expect(codes == "aborted,aborted,aborted,overloaded")
            // A cancelled call keeps its place until its handler has returned.
            await bridge.waitUntilIdle()
        }
        await cancelled.wait(for: 6)
        #expect(entered.elements == [1, 2, 3, 1, 2, 3])
    }

    @Test(
        "R6 a handler that closes its bridge before it suspends, or before it returns, leaves nothing pending"
    )
    func closing() async throws {
        for suspends in [false, true] {
            let bridge = try await Bridge.patient()
            let (gate, ended) = (Gate(), Recorder<Bool>())
            try bridge.registerHandler("close") { [weak bridge] (_: Int) async in
                bridge?.close()
                if suspends { await gate.pass() }
                ended.add(gate.entered.elements.count == 1 && Task.isCancelled)
            }
            try await bridge.runtime.evaluate("bridge.callHandler('close', 1).catch(() => {}); 0")
            #expect(bridge.state == .dead)
            await ended.wait(for: 1)
            // The gate was not opened: its task was cancelled.
            #expect(ended.elements == [suspends])
            await bridge.waitUntilIdle()
            #expect(bridge.hasNoCalls)
        }
    }

    @Test("R23 the deadline of a handler counts from its begin, also after it has suspended")
    func deadline() async throws {
        let clock = ManualClock()
        let bridge = try await Bridge.patient { $0.clock = clock }
        let (gate, isCancelled) = (Gate(), Recorder<Bool>())
        try bridge.registerHandler("late", timeout: .seconds(5)) { (_: Int) async in
            clock.advance(by: .seconds(3))
            await gate.pass()
            isCancelled.add(Task.isCancelled)
        }
        try await bridge.runtime.evaluate(
            "globalThis.end = undefined; bridge.callHandler('late', 1).catch(error => { end = error.code; }); 0"
        )
        await gate.entered.wait(for: 1)
        clock.advance(by: .seconds(3))
        #expect(try await bridge.defined("globalThis.end") == "deadlineExceeded")
        gate.release()
        await isCancelled.wait(for: 1)
        #expect(isCancelled.elements == [true])
    }
}

extension Bridge {
    /// A Boolean value that indicates whether no handler runs, and no call of a script waits for its answer.
    var hasNoCalls: Bool {
        session.state.withLock { $0.runs.isEmpty && $0.machine.incomingCallCount == 0 }
    }
}
