import BridgeTesting
import Foundation
import JavaScriptBridge
import TestSupport
import Testing

/// Work that begins after a turn was stopped, before the script's side is notified of it.
///
/// One at a time: while a script continues to run, a waiter for its turn blocks one of the threads that tasks share, of
/// which a small machine has two.
@Suite(.serialized) struct StoppedTurnTests {
    /// Stops a script while a stream is being opened, and lets a timer run before the script's side is notified.
    private func stop(_ kind: BridgeKind, in operation: ExecutionBudget?) async throws {
        let clock = ManualClock()
        let (console, waiting) = (Recorder<String>(), Recorder<String>())
        let bridge = try await kind.makeBridge(synchronousMode + pageScript) {
            $0.clock = clock
            $0.consoleSink = { ($0.text == "waiting" ? waiting : console).add($0.text) }
        }
        clock.advance(by: .zero)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("timer", () => { setTimeout(() => console.log("timer"), 10); return 1; });
                const wait = () => new Promise(go => { setTimeout(go, 20); console.log("waiting"); });
                bridge.registerHandler("later", async value => { await wait(); return value; });
                bridge.registerHandler("aborted", async (value, reply, call) => { await wait(); return call.signal.aborted; });
                """,
                name: "timer.js"
            )
        )
        clock.advance(by: .zero)
        let isStopped = Recorder<Void>()
        try await ExecutionBudget.$current.withValue(operation) {
            _ = try await bridge.callHandler("timer", with: 1, returning: Int.self)
        }
        Thread.detachNewThread {
            ExecutionBudget.withCurrent(operation) {
                _ = try? bridge.runtime.withContextAndWait { context in
                    try context.evaluate("console.log('running'); for (;;) {}").toValue()
                }
            }
            isStopped.add(())
        }
        await console.wait(for: 1)
        // The timer's turn comes first, then that of the opening, then that in which the script's side is notified of
        // the stop.
        clock.advance(by: .milliseconds(15))
        let opening = ExecutionBudget.withCurrent(operation) {
            Task { try await bridge.openStream("ticks", of: Int.self) }
        }
        let calls = ExecutionBudget.withCurrent(operation) {
            (
                Task { try await bridge.callHandler("later", with: 5, returning: Int.self) },
                Task { try await bridge.callHandler("aborted", with: 5, returning: Bool.self) }
            )
        }
        Thread.detachNewThread {
            while bridge.pendingCallCount < 3 { sched_yield() }
            bridge.runtime.interrupt(reason: "a test")
        }
        await isStopped.wait(for: 1)
        guard operation == nil else {
            // Work that is pending inside the operation of a stopped turn ends with it.
            #expect(await code(of: Task { _ = try await opening.value }) == .terminated)
            #expect(await code(of: Task { _ = try await calls.0.value }) == .terminated)
            #expect(await code(of: Task { _ = try await calls.1.value }) == .terminated)
            return bridge.close()
        }
        var count = 0
        for try await number in try await opening.value {
            #expect(number == count)
            count += 1
            if count == 500 { break }
        }
        #expect(count == 500)
        await waiting.wait(for: 2)
        clock.advance(by: .milliseconds(30))
        // The turn in which the timers were set may end, and request its wake-up, only now.
        while bridge.pendingCallCount > 0 {
            clock.advance(by: .zero)
            await Task.yield()
        }
        #expect(try await calls.0.value == 5)
        #expect(try await calls.1.value == false)
        bridge.close()
    }

    @Test("R5 R6 a stream that is opened after a turn was stopped continues", arguments: BridgeKind.allCases)
    func stream(kind: BridgeKind) async throws { try await stop(kind, in: nil) }

    @Test(
        "R5 R6 pending operations inside the operation of a stopped turn are terminated with it",
        arguments: BridgeKind.allCases
    )
    func operation(kind: BridgeKind) async throws { try await stop(kind, in: ExecutionBudget()) }

    /// The operation of a turn that is stopped, and what happens to it.
    enum Stopped: CaseIterable {
        case none, continued, ended
    }

    @Test(
        "R5 R6 messages that a stopped turn has sent are those of its operation, in their order",
        arguments: BridgeKind.allCases,
        Stopped.allCases
    )
    func left(kind: BridgeKind, stopped: Stopped) async throws {
        let bridge = try await kind.makeBridge(
            """
            globalThis.sendAll = () => {
                bridge.notify("data", 0);
                bridge.notify("typed", 1);
                bridge.callHandler("typed", 2).catch(() => {});
                bridge.notify("asynchronous", 3);
                bridge.callHandler("data", 4).catch(() => {});
                bridge.notify("typed", 5);
                stop();
                for (;;) {}
            };
            """
        )
        let seen = Recorder<(number: Int, operation: ExecutionBudget?)>()
        try bridge.registerHandler("typed") { (number: Int) in seen.add((number, .current)) }
        try bridge.registerHandler("data") { (value: Value) in
            seen.add((value.integerValue.map(Int.init) ?? -1, .current))
        }
        try bridge.registerHandler("asynchronous") { (number: Int) async in seen.add((number, .current)) }
        let operation = stopped == .none ? nil : ExecutionBudget()
        let other = ExecutionBudget()
        let (runtime, otherTurns) = (bridge.runtime, Recorder<Void>())
        try await runtime.withContext { context in
            let stop = try context.makeFunction(named: "stop") { [weak runtime] _ in
                // The next turn belongs to another operation.
                runtime?.enqueue(joining: other) { _ in otherTurns.add(()) }
                if stopped == .ended { operation?.interrupt(reason: "a test") }
                runtime?.interrupt(reason: "a test")
                return nil
            }
            try context.globalObject.setValue(stop, forProperty: "stop")
        }
        await ExecutionBudget.$current.withValue(operation) {
            await #expect(throws: JSException.self) { try await runtime.evaluate("sendAll()") }
        }
        await otherTurns.wait(for: 1)
        if stopped != .ended { await seen.wait(for: 6) }
        await bridge.waitUntilIdle()
        #expect(seen.elements.map(\.number) == (stopped == .ended ? [] : Array(0..<6)))
        for (number, found) in seen.elements { #expect(found === operation, "\(number)") }
        bridge.close()
    }
}
