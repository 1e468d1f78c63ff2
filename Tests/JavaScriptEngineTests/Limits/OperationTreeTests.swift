import BridgeTesting
import BridgeValues
import JavaScriptEngine
import Testing

/// Budgets over everything that a call of a runtime causes: timers, promises, Swift functions and their calls.
@Suite struct OperationTreeTests {
    typealias Isolation = JavaScriptRuntime.Isolation

    /// Creates a runtime whose scripts can use time, wait, and call Swift functions that call them.
    private func makeRuntime(
        _ isolation: Isolation,
        clock: any MonotonicClock = SystemClock(),
        begun: Recorder<ExecutionBudget?> = Recorder()
    ) async throws -> JavaScriptRuntime {
        let runtime = try JavaScriptRuntime(
            isolation: isolation,
            limits: ExecutionLimits(processorTime: .seconds(60)),
            clock: clock
        )
        try await runtime.withContext { context in
            let functions = [
                try context.makeFunction(named: "host", parameterCount: 1) { try $0[0].call() },
                try context.makeFunction(named: "begun") { _ in
                    begun.add(.current)
                    return nil
                },
                // A Swift handler that calls the runtime again.
                try context.makeAsyncFunction(named: "reenter", parameterCount: 1) {
                    [weak runtime] arguments in
                    begun.add(.current)
                    guard case .string(let name)? = arguments.first else { return .undefined }
                    return try await runtime?.callAsync(name) ?? .undefined
                },
            ]
            for (name, function) in zip(["host", "begun", "reenter"], functions) {
                try context.globalObject.setValue(function, forProperty: name)
            }
            try context.evaluate(
                """
                var rounds = 0;
                const spin = n => { const end = Date.now() + n; while (Date.now() < end) {} rounds++ };
                const soon = () => new Promise(resolve => setTimeout(resolve, 0));
                globalThis.timers = async () => { for (;;) { spin(3); await soon() } };
                globalThis.interval = () => new Promise(() => setInterval(() => spin(3), 0));
                globalThis.awaits = async () => { for (;;) { await soon(); await null; spin(3); await null } };
                globalThis.hosts = async () => { for (;;) { host(() => spin(3)); await soon() } };
                globalThis.leaf = async () => { await soon(); spin(3); return 1 };
                globalThis.leaves = async () => { for (;;) await reenter("leaf") };
                globalThis.deep = async () => { spin(3); return reenter("deep") };
                globalThis.wide = () => Promise.all([timers(), awaits(), leaves(), deep()]);
                globalThis.never = () => { begun(); return new Promise(() => {}) };
                globalThis.held = () => { begun(); return new Promise(resolve => globalThis.release = resolve) };
                """
            )
        }
        return runtime
    }

    private static let trees = ["timers", "interval", "awaits", "hosts", "leaves", "deep", "wide"]

    @Test(
        "a script of many short turns is stopped at the budget of its tree, and other calls continue",
        arguments: trees,
        Isolation.allCases
    )
    func processorTime(tree: String, isolation: Isolation) async throws {
        let begun = Recorder<ExecutionBudget?>()
        let runtime = try await makeRuntime(isolation, begun: begun)
        async let sibling = runtime.callAsync("held")
        await begun.wait(for: 1)
        let operation = ExecutionBudget(processorTime: .milliseconds(30))
        let error = try await #require(throws: JSException.self) {
            try await operation.run { try await runtime.callAsync(tree) }
        }
        #expect(error.termination == .processorTime(limit: .milliseconds(30)))
        #expect(operation.termination == error.termination)
        #expect(operation.usedProcessorTime >= .milliseconds(30))
        #expect(ExecutionBudget.current == nil)
        // Callers outside have lost nothing, and nothing of the tree runs any more.
        let rounds = try #require(await runtime.evaluate("rounds").integerValue)
        _ = try await runtime.callAsync("leaf")
        try await runtime.evaluate("release('others go on')")
        #expect(try await sibling == "others go on")
        await runtime.waitUntilIdle()
        #expect(try await runtime.evaluate("rounds").integerValue == rounds + 1)
        // Swift functions were inside it, on whatever thread they ran.
        #expect(begun.elements.dropFirst().allSatisfy { $0 === operation })
        let later = try await #require(throws: JSException.self) {
            try await operation.run { try await runtime.evaluate("1") }
        }
        #expect(later.termination == error.termination)
    }

    @Test("calls that share turns are charged to their own operations", arguments: Isolation.allCases)
    func sharedTurns(isolation: Isolation) async throws {
        let runtime = try await makeRuntime(isolation)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                let operation = index % 4 == 0 ? nil : ExecutionBudget(processorTime: .milliseconds(20))
                let name = index % 40 == 1 ? "timers" : "leaf"
                group.addTask {
                    guard let operation else { return try await runtime.callAsync(name) == 1 }
                    do {
                        return try await operation.run { try await runtime.callAsync(name) } == 1
                    } catch let error as JSException where name == "timers" {
                        return error.termination == .processorTime(limit: .milliseconds(20))
                    }
                }
            }
            for try await isExpected in group { #expect(isExpected) }
        }
    }

    @Test(
        "interrupting an operation ends the waits inside it, and no others",
        arguments: Isolation.allCases
    )
    func interrupt(isolation: Isolation) async throws {
        let begun = Recorder<ExecutionBudget?>()
        let runtime = try await makeRuntime(isolation, begun: begun)
        let operation = ExecutionBudget()
        async let sibling = runtime.callAsync("held")
        await begun.wait(for: 1)
        let waiting = (0..<3).map { _ in
            Task { try await operation.run { try await runtime.callAsync("never") } }
        }
        await begun.wait(for: 4)
        // It is reported once, whether the last turn is still open or not.
        operation.interrupt(reason: "enough")
        for task in waiting {
            let error = try await #require(throws: JSException.self) { try await task.value }
            #expect(error.termination == .interrupted("enough"))
        }
        try await runtime.evaluate("release(1)")
        #expect(try await sibling == 1)
    }

    @Test("a cancelled task ends its own script, not the operation", arguments: Isolation.allCases)
    func cancellation(isolation: Isolation) async throws {
        let begun = Recorder<ExecutionBudget?>()
        let runtime = try await makeRuntime(isolation, begun: begun)
        let operation = ExecutionBudget(processorTime: .seconds(30))
        let other = Task { try await operation.run { try await runtime.callAsync("leaf") } }
        #expect(try await other.value == 1)
        let waiting = Task { try await operation.run { try await runtime.callAsync("never") } }
        await begun.wait(for: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let starter = Starter()
        try await runtime.withContext { context in
            let function = try context.makeFunction(named: "started") { _ in
                starter.start()
                return nil
            }
            try context.globalObject.setValue(function, forProperty: "started")
        }
        let cancelled = Task {
            try await operation.run { try await runtime.evaluate("started(); for (;;) {}") }
        }
        starter.onStart { cancelled.cancel() }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(operation.termination == nil)
        #expect(try await operation.run { try await runtime.callAsync("leaf") } == 1)
    }

    @Test(
        "a deadline ends an operation that only waits, with its timers",
        arguments: Isolation.allCases
    )
    func deadline(isolation: Isolation) async throws {
        let clock = ManualClock()
        let begun = Recorder<ExecutionBudget?>()
        let runtime = try await makeRuntime(isolation, clock: clock, begun: begun)
        let operation = ExecutionBudget(wallTime: .milliseconds(50))
        let waiting = Task { try await operation.run { try await runtime.callAsync("never") } }
        await begun.wait(for: 1)
        try await operation.run {
            try await runtime.evaluate("var fired = []; setTimeout(() => fired.push('inside'), 60); 0")
        }
        try await runtime.evaluate("setTimeout(() => fired.push('outside'), 60); 0")
        clock.advance(by: .milliseconds(49))
        #expect(operation.termination == nil)
        clock.advance(by: .milliseconds(1))
        let error = try await #require(throws: JSException.self) { try await waiting.value }
        #expect(error.termination == .wallTime(limit: .milliseconds(50)))
        clock.advance(by: .milliseconds(10))
        await runtime.waitUntilIdle()
        #expect(try await runtime.evaluate("fired") == ["outside"])
        #expect(clock.pendingCount == 0)
    }

    @Test(
        "the end of an operation in one machine ends its open turns in all others",
        arguments: Isolation.allCases
    )
    func machines(isolation: Isolation) async throws {
        // The only limit of the other machine, so that this test fails rather than hangs.
        var limits = ExecutionLimits(processorTime: nil)
        limits.wallTime = .seconds(300)
        // Its endless script must not use one of the threads that all tasks share.
        let other = try JavaScriptRuntime(isolation: .thread, limits: limits)
        let begun = Recorder<Bool>()
        try await other.withContext { context in
            let function = try context.makeFunction(named: "begun") { _ in
                begun.add(true)
                return nil
            }
            try context.globalObject.setValue(function, forProperty: "begun")
        }
        let runtime = try JavaScriptRuntime(
            isolation: isolation,
            limits: ExecutionLimits(processorTime: .milliseconds(20))
        )
        let operation = ExecutionBudget()
        let endless = Task { try await operation.run { try await other.evaluate("begun(); for (;;) {}") } }
        await begun.wait(for: 1)
        let error = try await #require(throws: JSException.self) {
            try await operation.run { try await runtime.evaluate("for (;;) {}") }
        }
        #expect(error.termination == .processorTime(limit: .milliseconds(20)))
        let theirs = try await #require(throws: JSException.self) { try await endless.value }
        #expect(theirs.termination == error.termination)
        #expect(try await other.evaluate("1 + 1") == 2)
    }

    @Test("timers of an operation that has ended retain nothing", arguments: Isolation.allCases)
    func endedTimers(isolation: Isolation) async throws {
        let clock = ManualClock()
        let runtime = try await makeRuntime(isolation, clock: clock)
        let operation = ExecutionBudget()
        try await operation.run {
            try await runtime.evaluate(
                """
                var callbacks = [];
                for (let index = 0; index < 200; index++) {
                    const callback = () => index;
                    callbacks.push(new WeakRef(callback));
                    setTimeout(callback, 10);
                }
                """
            )
        }
        operation.interrupt(reason: "enough")
        clock.advance(by: .milliseconds(10))
        await runtime.waitUntilIdle()
        try await runtime.collectGarbage()
        // The collector may find remains on a stack, and keeps those objects alive.
        let left = try await runtime.evaluate("callbacks.filter(each => each.deref()).length").integerValue
        #expect(try #require(left) < 20)
    }

    @Test("jobs that are queued together each run inside their own operation", arguments: Isolation.allCases)
    func jobs(isolation: Isolation) async throws {
        let runtime = try await makeRuntime(isolation)
        let (endless, other) = (ExecutionBudget(processorTime: .milliseconds(20)), ExecutionBudget())
        let log = Recorder<String>()
        // All are queued while a turn is open, so that one drain runs them.
        try await runtime.withContext { _ in
            for (index, operation) in [nil, endless, endless, other, nil, endless].enumerated() {
                runtime.enqueue(joining: operation) { context in
                    log.add("\(index) \(ExecutionBudget.current === operation)")
                    if index == 1 { _ = try? context.evaluate("for (;;) {}") }
                } otherwise: { _ in
                    log.add("\(index) ended")
                }
            }
        }
        await log.wait(for: 6)
        #expect(log.elements == ["0 true", "1 true", "2 ended", "3 true", "4 true", "5 ended"])
        #expect(endless.termination == .processorTime(limit: .milliseconds(20)))
        #expect(other.termination == nil)
    }

    @Test("callers that are not asynchronous join too", arguments: Isolation.allCases)
    func synchronous(isolation: Isolation) throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        let operation = ExecutionBudget(processorTime: .milliseconds(20))
        let error = try #require(throws: JSException.self) {
            try operation.run { for _ in 0..<100_000 { try Self.spin(runtime) } }
        }
        #expect(error.termination == .processorTime(limit: .milliseconds(20)))
        try Self.spin(runtime)
    }

    private static func spin(_ runtime: JavaScriptRuntime) throws {
        try runtime.withContextAndWait { context in
            _ = try context.evaluate("for (let i = 0; i < 10000; i++);")
            #expect(ExecutionBudget.current == nil || ExecutionBudget.current?.termination == nil)
        }
    }
}
