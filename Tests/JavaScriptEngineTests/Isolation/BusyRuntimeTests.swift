import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Tasks that need a runtime while a thread is in a long turn of it.
@Suite struct BusyRuntimeTests {
    /// A runtime with an open turn, which ends when ``endTurn()`` is called.
    private final class BusyRuntime: Sendable {
        let runtime: JavaScriptRuntime
        private let end = DispatchSemaphore(value: 0)

        init() async throws {
            let runtime = try JavaScriptRuntime(isolation: .actor)
            self.runtime = runtime
            try await runtime.evaluate("globalThis.answer = () => 42; 0")
            let isOpen = Recorder<Void>()
            Thread.detachNewThread { [end] in
                try? runtime.withContextAndWait { _ in
                    isOpen.add(())
                    end.wait()
                }
            }
            await isOpen.wait(for: 1)
        }

        func endTurn() { end.signal() }
    }

    @Test("R18 tasks that wait for busy runtimes do not block a shared thread")
    func threads() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            var busy: [BusyRuntime] = []
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount + 4 {
                busy.append(try await BusyRuntime())
            }
            let begun = Recorder<Void>()
            let tasks = busy.flatMap { busy in
                [
                    Task {
                        begun.add(())
                        return try await busy.runtime.evaluate("answer()")
                    },
                    Task {
                        begun.add(())
                        return try await busy.runtime.callAsync("answer")
                    },
                    Task {
                        begun.add(())
                        await busy.runtime.waitUntilIdle()
                        return 42
                    },
                ]
            }
            // The first one that blocked a thread would keep the last from starting, and this task from continuing.
            await begun.wait(for: tasks.count)
            for _ in 0..<100 { await Task.detached {}.value }
            for busy in busy { busy.endTurn() }
            for task in tasks { try #require(await task.value == 42) }
        }
    }

    @Test("R5 a task that waits for a busy runtime is cancelled immediately, and enters no script")
    func cancellation() async throws {
        let busy = try await BusyRuntime()
        let entered = Recorder<Void>()
        let tasks = [
            Task { try await busy.runtime.withContext { _ in entered.add(()) } },
            Task {
                _ = try await busy.runtime.awaitPromise { context in
                    entered.add(())
                    return context.globalObject
                }
            },
        ]
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        busy.endTurn()
        #expect(try await busy.runtime.evaluate("answer()") == 42)
        #expect(entered.elements.isEmpty)
    }

    @Test("tasks that were suspended for a busy runtime all get their turn", arguments: [1, 50])
    func order(turns: Int) async throws {
        let busy = try await BusyRuntime()
        let runtime = busy.runtime
        try await withThrowingTaskGroup(of: Value.self) { group in
            for index in 0..<200 { group.addTask { try await runtime.evaluate("\(index)") } }
            for _ in 0..<turns {
                Thread.detachNewThread {
                    _ = try? runtime.withContextAndWait { try $0.evaluate("1").toValue() }
                }
            }
            busy.endTurn()
            var values: Set<Value> = []
            for try await value in group { values.insert(value) }
            #expect(values.count == 200)
        }
    }
}
