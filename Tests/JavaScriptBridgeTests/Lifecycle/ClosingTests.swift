import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// The end of a bridge with work in progress.
@Suite struct BridgeClosingTests {
    @Test(
        "R6 10,000 pending calls settle immediately with `disconnected`, each once",
        arguments: BridgeKind.allCases
    )
    func pendingCalls(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(pageScript) {
            $0.limits.maximumPendingCalls = 20_000
            $0.limits.maximumQueuedMessages = 20_000
            $0.executionLimits.maximumPendingPromises = 20_000
        }
        let codes = Recorder<BridgeErrorCode?>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    codes.add(await code(of: Task { try await bridge.callHandler("never", with: number) }))
                }
            }
            while bridge.pendingCallCount < 10_000 { await Task.yield() }
            bridge.close()
            await group.waitForAll()
        }
        #expect(codes.elements.count == 10_000 && codes.elements.allSatisfy { $0 == .disconnected })
    }

    @Test("R6 a script is notified of the end of all its calls, more than one turn handles")
    func callsOfScript() async throws {
        let count = 20_002
        let printed = Recorder<String>()
        let bridge = try await Bridge.patient {
            $0.executionLimits.maximumPendingPromises = 2 * count
            $0.consoleSink = { printed.add($0.text) }
        }
        let replies = Recorder<Bridge.LegacyAPI.ResponseCallback>()
        try bridge.legacy.registerHandler("never", handler: { _, reply in replies.add(reply) })
        let script = """
            let ended = 0;
            const end = error => { if (++ended === \(count)) console.log(error.code); };
            for (let n = 0; n < \(count); n++) bridge.callHandler("never", n).catch(end);
            """
        try await bridge.load(.text(script, name: "a.js"))
        await replies.wait(for: count)
        bridge.close()
        await printed.wait(for: 1)
        #expect(printed.elements == ["disconnected"])
    }

    @Test(
        "R27 a script that calls again after every error, endlessly, ends with its bridge",
        .noLeaks,
        arguments: BridgeKind.allCases
    )
    func persistentScript(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge()
        let begun = Recorder<Int>()
        try bridge.registerHandler("slow") { (_: Value) async throws -> Int in
            begun.add(1)
            try await Task.sleep(for: .seconds(3600))
            return 1
        }
        try await bridge.load(
            .text(
                "(async () => { for (;;) { try { await bridge.callHandler('slow', 1) } catch {} } })(); setInterval(() => {}, 1); 1",
                name: "a.js"
            )
        )
        await begun.wait(for: 1)
        bridge.close()
        while !bridge.runtime.isClosed { await Task.yield() }
        await bridge.waitUntilIdle()
        #expect(begun.elements.count == 1)
    }

    @Test("P39 R23 a callback that waits delays no deadline")
    func blockingCallback() async throws {
        let clock = ManualClock()
        // On a new thread: a wait on a shared one could block the test itself.
        let kind = BridgeKind(isolation: .thread, transport: .direct)
        let bridge = try await kind.makeBridge(pageScript) { $0.clock = clock }
        let waiting = Task { try await bridge.callHandler("never", with: 1, timeout: .seconds(1)) }
        while bridge.pendingCallCount < 1 { await Task.yield() }
        let (entered, release) = (Recorder<Int>(), DispatchSemaphore(value: 0))
        bridge.legacy.callHandler("echo", data: 1) { _ in
            entered.add(1)
            release.wait()
        }
        await entered.wait(for: 1)
        await clock.waitForWakeUps()
        clock.advance(by: .seconds(1))
        #expect(await code(of: waiting) == .deadlineExceeded)
        release.signal()
    }

    @Test(
        "R27 R6 create, call, reload, close from 4 tasks: every call settles",
        arguments: BridgeKind.allCases
    )
    func cycles(kind: BridgeKind) async throws { try await cycle(kind, rounds: 12) }

    @Test(
        "R27 R30 create, call, reload, close from 4 tasks leaks nothing",
        .noLeaks,
        arguments: BridgeKind.allCases
    )
    func cyclesLeaveNothing(kind: BridgeKind) async throws { try await cycle(kind, rounds: 2) }

    private func cycle(_ kind: BridgeKind, rounds: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<rounds {
                        let bridge = try await kind.makeBridge(pageScript)
                        let call = Task { try await bridge.callHandler("never", with: 1) }
                        if (round + worker) % 2 == 0 {
                            while bridge.pendingCallCount < 1 { await Task.yield() }
                        }
                        let reload = round % 3 == 1 ? Task { try await bridge.reload() } : nil
                        bridge.close()
                        #expect(await code(of: call) == .disconnected)
                        _ = await reload?.result
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
