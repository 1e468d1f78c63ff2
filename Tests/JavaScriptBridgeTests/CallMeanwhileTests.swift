import BridgeTesting
import Dispatch
import Foundation
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

/// Calls in a turn while another thread executes the session's actions.
@Suite struct CallMeanwhileTests {
    /// A thread that moves the clock, and is blocked in the bridge's log by a line that this causes: a call without a
    /// reply.
    private final class HeldThread: Sendable {
        let clock = ManualClock()
        let isHeld = DispatchSemaphore(value: 0)
        private let isUsed = Atomic(false)
        private let body = Mutex<@Sendable () -> Void>({})

        func makeBridge(_ transport: BridgeConfiguration.Transport, _ body: @escaping @Sendable () -> Void)
            async throws -> Bridge
        {
            self.body.withLock { $0 = body }
            let bridge = try await Bridge.patient(
                transport,
                running: """
                    bridge.registerHandler("echo", data => data);
                    bridge.registerHandler("never", () => new Promise(() => {}));
                    """
            ) { configuration in
                configuration.clock = clock
                configuration.defaultTimeout = .seconds(1)
                configuration.logSink = { line in
                    guard line.text.contains("never"), !self.isUsed.exchange(true, ordering: .relaxed) else {
                        return
                    }
                    self.isHeld.signal()
                    self.body.withLock { $0 }()
                }
            }
            // Otherwise a script handles messages in text in separate turns.
            if transport == .text { bridge.legacy.disableJavscriptAlertBoxSafetyTimeout() }
            bridge.legacy.callHandler("never", data: 1) { _ in }
            try await bridge.runtime.withContext { _ in }
            return bridge
        }

        /// Moves the clock past the deadline, and returns when the thread is blocked.
        func begin() async -> Bool {
            Thread.detachNewThread { self.clock.advance(by: .milliseconds(1_500)) }
            return await waitUntil { self.isHeld.wait(timeout: .now()) == .success }
        }
    }

    /// Runs a body on a new thread.
    ///
    /// - Returns: A function that returns whether it has ended.
    private func start(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            end.signal()
        }
        return end
    }

    @Test(
        "R6 a call in a turn waits for the thread that is about to send it, and settles",
        arguments: StreamTests.transports
    )
    func waits(transport: BridgeConfiguration.Transport) async throws {
        let gate = DispatchSemaphore(value: 0)
        let held = HeldThread()
        let bridge = try await held.makeBridge(transport) { gate.wait() }
        #expect(await held.begin())
        let result = Recorder<Result<Int, any Error>>()
        let end = start {
            result.add(
                Result {
                    try bridge.runtime.withContextAndWait { context in
                        try bridge.callHandler("echo", with: 5, returning: Int.self, in: context)
                    }
                }
            )
        }
        // The call has begun, and only the thread at the gate may send it. It runs on a new thread: jobs that wait for
        // the call's turn may occupy those that tasks share.
        Thread.detachNewThread {
            while bridge.pendingCallCount == 0 { sched_yield() }
            gate.signal()
        }
        #expect(await waitUntil { end.wait(timeout: .now()) == .success })
        do {
            #expect(try result.elements.map { try $0.get() } == [5])
        } catch let error as BridgeError where transport == .text {
            // Messages that the thread sends as text enter the script in a later turn, for which this one cannot wait.
            #expect(error.code == .wouldDeadlock)
        }
        bridge.close()
    }

    @Test(
        "R6 a call in a turn whose sender waits for that turn fails by name, without a deadlock",
        arguments: StreamTests.transports
    )
    func circle(transport: BridgeConfiguration.Transport) async throws {
        let isOpen = DispatchSemaphore(value: 0)
        let runtime = Recorder<JavaScriptRuntime>()
        let held = HeldThread()
        let bridge = try await held.makeBridge(transport) {
            isOpen.wait()
            // The engine is in the turn that waits for this thread.
            _ = try? runtime.elements.first?.withContextAndWait { _ in 0 }
        }
        runtime.add(bridge.runtime)
        #expect(await held.begin())
        let code = Recorder<BridgeErrorCode>()
        let end = start {
            do {
                _ = try bridge.runtime.withContextAndWait { context in
                    isOpen.signal()
                    return try bridge.callHandler("never", with: 5, returning: Int.self, in: context)
                }
            } catch let error as BridgeError { code.add(error.code) } catch {}
        }
        #expect(await waitUntil { end.wait(timeout: .now()) == .success })
        #expect(code.elements == [.wouldDeadlock])
        bridge.close()
    }
}
