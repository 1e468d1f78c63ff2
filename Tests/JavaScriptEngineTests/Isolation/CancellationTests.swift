import BridgeValues
import Foundation
import JavaScriptEngine
import Synchronization
import TestSupport
import Testing

/// R23 at the engine's boundary: a cancelled task ends its own script, and nothing else.
@Suite struct CancellationTests {
    typealias Isolation = JavaScriptRuntime.Isolation

    /// Creates a runtime without a limit, whose scripts report their start by calling `started`.
    private func makeRuntime(_ isolation: Isolation, _ starter: Starter) async throws -> JavaScriptRuntime {
        let runtime = try JavaScriptRuntime(
            isolation: isolation,
            limits: ExecutionLimits(processorTime: nil)
        )
        try await runtime.withContext { context in
            let function = try context.makeFunction(named: "started") { _ in
                starter.start()
                return nil
            }
            try context.globalObject.setValue(function, forProperty: "started")
        }
        return runtime
    }

    @Test(
        "R23 a cancelled task ends its endless script and gets CancellationError",
        arguments: Isolation.allCases
    )
    func running(isolation: Isolation) async throws {
        try await cancel("started(); for (;;) {}", isolation)
    }

    @Test(
        "R23 a cancelled task ends its chain of promises that never ends and gets CancellationError",
        .needs(.drainMicrotasks),
        arguments: Isolation.allCases
    )
    func flooding(isolation: Isolation) async throws {
        try await cancel("started(); (async () => { for (;;) await 0 })()", isolation)
    }

    private func cancel(_ script: String, _ isolation: Isolation) async throws {
        let starter = Starter()
        let runtime = try await makeRuntime(isolation, starter)
        for round in 0..<20 {
            let task: Task<Void, any Error> =
                round % 4 < 2
                ? Task { try await runtime.evaluate(script) }
                : Task { _ = try await runtime.awaitPromise { try $0.evaluate(script) } }
            starter.onStart { task.cancel() }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await runtime.evaluate("1 + 1") == 2)
        }
    }

    @Test("R23 a task that was cancelled before its turn never enters", arguments: Isolation.allCases)
    func beforehand(isolation: Isolation) async throws {
        let starter = Starter()
        let runtime = try await makeRuntime(isolation, starter)
        let endless = Task { try await runtime.evaluate("started(); for (;;) {}") }
        let waiting = (0..<50).map { _ in
            // They request it while the script runs.
            Task {
                await starter.wait()
                try await runtime.evaluate("globalThis.entered = true; 1")
            }
        }
        starter.onStart {
            for task in waiting { task.cancel() }
            endless.cancel()
        }
        await #expect(throws: CancellationError.self) { try await endless.value }
        for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(try await runtime.evaluate("typeof entered") == "undefined")
    }

    @Test(
        "R23 a cancelled task that waits resumes immediately, and the promise continues without it",
        arguments: Isolation.allCases
    )
    func waiting(isolation: Isolation) async throws {
        let starter = Starter()
        let runtime = try await makeRuntime(isolation, starter)
        let task = Task {
            try await runtime.awaitPromise {
                try $0.evaluate(
                    """
                    started();
                    new Promise(resolve => { globalThis.settle = resolve }).then(x => { globalThis.result = x })
                    """
                )
            }
        }
        await starter.wait()
        // The turn in which it began is over after this one.
        try await runtime.evaluate("0")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await runtime.evaluate("settle(7)")
        #expect(try await runtime.evaluate("result") == 7)
    }

    @Test("R23 cancellations at any moment end only turns of their own tasks", arguments: Isolation.allCases)
    func races(isolation: Isolation) async throws {
        let runtime = try await makeRuntime(isolation, Starter())
        try await runtime.evaluate(
            """
            globalThis.work = n => { let sum = 0; for (let i = 0; i < n; i++) sum += i % 3; return sum };
            globalThis.same = x => { work(300); return Promise.resolve(x) };
            """
        )
        let isDone = Atomic(false)
        async let innocent: Int = {
            // These are not cancelled: each must end by itself.
            var count = 0
            while count < 300 || !isDone.load(ordering: .relaxed) {
                let expected = Value.integer(Int64(count))
                let value = try await runtime.callAsync("same", with: [expected])
                #expect(value == expected)
                count += 1
                // A free actor is entered without releasing the thread, which other tasks need too.
                await Task.yield()
            }
            return count
        }()
        for _ in 0..<1_000 {
            let task = Task { try await runtime.callAsync("work", with: [20_000]) }
            await Task.yield()
            task.cancel()
            switch await task.result {
            case .success, .failure(is CancellationError): break
            case .failure(let error): Issue.record("\(error)")
            }
        }
        isDone.store(true, ordering: .relaxed)
        #expect(try await innocent >= 300)
    }

    @Test(
        "interrupt ends the running script, from any thread, and reports whether one was running",
        arguments: Isolation.allCases
    )
    func interrupt(isolation: Isolation) async throws {
        let starter = Starter()
        let runtime = try await makeRuntime(isolation, starter)
        #expect(!runtime.interrupt(reason: "too early"))
        for _ in 0..<20 {
            let task = Task { try await runtime.evaluate("started(); for (;;) {}", sourceURL: "loop.js") }
            starter.onStart { #expect(runtime.interrupt(reason: "the user pressed stop")) }
            let error = try await #require(throws: JSException.self) { try await task.value }
            #expect(error.termination == .interrupted("the user pressed stop"))
            #expect(error.sourceURL == "loop.js")
            #expect(try await runtime.evaluate("1 + 1") == 2)
        }
    }

    @Test("close ends the running script, also an endless one", arguments: Isolation.allCases)
    func close(isolation: Isolation) async throws {
        let starter = Starter()
        let runtime = try await makeRuntime(isolation, starter)
        let task = Task { try await runtime.evaluate("started(); for (;;) {}") }
        starter.onStart { runtime.close() }
        await #expect(throws: JSException.self) { try await task.value }
        await #expect(throws: BridgeError.self) { try await runtime.evaluate("1") }
    }
}

/// An action of a test after a script has begun, on a thread that no endless script can occupy.
///
/// The cooperative threads may all be busy with scripts.
final class Starter: Sendable {
    private struct State {
        /// A Boolean value that indicates whether a start waits for its action.
        var isStarted = false
        var hasEverStarted = false
        var action: (@Sendable () -> Void)?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Records the start; the script calls it.
    func start() {
        let (action, waiters) = state.withLock { state in
            defer { state = State(isStarted: state.action == nil, hasEverStarted: true) }
            return (state.action, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        if let action { Thread.detachNewThread(action) }
    }

    /// Runs an action once when the script has begun, or immediately if it has.
    func onStart(_ action: @escaping @Sendable () -> Void) {
        let isStarted = state.withLock { state in
            defer { state.isStarted = false }
            if !state.isStarted { state.action = action }
            return state.isStarted
        }
        if isStarted { Thread.detachNewThread(action) }
    }

    /// Waits until a script has begun.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isStarted = state.withLock { state in
                if !state.hasEverStarted { state.waiters.append(continuation) }
                return state.hasEverStarted
            }
            if isStarted { continuation.resume() }
        }
    }
}
