import BridgeTesting
import BridgeValues
import Dispatch
import JavaScriptEngine
import Testing

/// Tasks that wait for promises: they resume once, whatever happens.
@Suite struct AwaitTests {
    typealias Isolation = JavaScriptRuntime.Isolation

    @Test("a task awaits promises, thenables and plain values", arguments: Isolation.allCases)
    func outcomes(isolation: Isolation) async throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        try await runtime.evaluate(
            """
            globalThis.now = x => x * 2;
            globalThis.soon = async x => { await 0; return { x } };
            globalThis.later = x => new Promise(resolve => setTimeout(() => resolve(x), 1));
            globalThis.like = x => ({ then(resolve) { resolve(x) } });
            globalThis.own = x => new (class Own extends Promise {})(resolve => resolve(x));
            """
        )
        #expect(try await runtime.callAsync("now", with: [2]) == 4)
        #expect(try await runtime.callAsync("soon", with: ["a"]) == ["x": "a"])
        #expect(try await runtime.callAsync("later", with: ["b"]) == "b")
        #expect(try await runtime.callAsync("like", with: ["c"]) == "c")
        #expect(try await runtime.callAsync("own", with: ["d"]) == "d")
        let length = try await runtime.awaitPromise {
            try $0.evaluate("Promise.resolve([1, 2, 3])")
        } reading: {
            try $0.forProperty("length").decode(Int.self)
        }
        #expect(length == 3)
        let error = try await #require(throws: JSException.self) { try await runtime.callAsync("none") }
        #expect(error.message.contains("'none'"))
    }

    @Test(
        "R24 whatever a function throws or rejects with, its caller gets one error, none is unhandled",
        arguments: Isolation.allCases
    )
    func rejections(isolation: Isolation) async throws {
        let errors = Recorder<String>()
        let runtime = try JavaScriptRuntime(isolation: isolation)
        try await runtime.withContext { $0.uncaughtErrorHandler = { errors.add($0.message) } }
        let thrown = [
            "undefined", "null", "Symbol('s')", "Object.freeze(new Error('frozen'))", "new Proxy({}, {})",
            "new Proxy(new Error('p'), { get() { throw new Error('trap') }, getOwnPropertyDescriptor() { throw 1 }, getPrototypeOf() { throw 2 } })",
            "Object.defineProperty(new Error('e'), 'message', { get() { throw new Error('message') } })",
            "Object.defineProperty(new Error('e'), 'stack', { get() { throw new Error('stack') } })",
            "1", "'text'", "{ code: 42 }", "new RangeError('range')",
        ]
        for value in thrown {
            for form in [
                "() => { throw V }", "async () => { throw V }", "async () => { await 0; throw V }",
                "() => Promise.reject(V)", "() => ({ then(_, reject) { reject(V) } })",
            ] {
                let source = form.replacing("V", with: "(\(value))")
                try await runtime.evaluate("globalThis.f = \(source)")
                await #expect(throws: JSException.self, "\(source)") { try await runtime.callAsync("f") }
            }
        }
        #expect(try await runtime.evaluate("1 + 1") == 2)
        #expect(errors.elements == [])
        try await runtime.evaluate("Promise.reject(new Error('once')); 0")
        #expect(errors.elements == ["once"])
    }

    @Test(
        "R6 10,000 tasks wait when the runtime is closed: each gets an error",
        arguments: Isolation.allCases
    )
    func close(isolation: Isolation) async throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        let started = Recorder<Int>()
        try await runtime.withContext { context in
            let function = try context.makeFunction(named: "started") { _ in
                started.add(1)
                return nil
            }
            try context.globalObject.setValue(function, forProperty: "started")
            try context.evaluate("globalThis.never = () => { started(); return new Promise(() => {}) }")
        }
        let codes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<10_000 {
                group.addTask {
                    do {
                        _ = try await runtime.callAsync("never")
                        return "value"
                    } catch {
                        return (error as? BridgeError)?.code.rawValue ?? "\(error)"
                    }
                }
            }
            await started.wait(for: 10_000)
            runtime.close()
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["disconnected": 10_000])
        #expect(runtime.isClosed)
        runtime.close()
        let error = try await #require(throws: BridgeError.self) { try await runtime.evaluate("1") }
        #expect(error.code == .disconnected)
        await runtime.waitUntilIdle()
    }

    @Test(
        "a stopped script ends the waiting for promises that may depend on it",
        arguments: Isolation.allCases
    )
    func termination(isolation: Isolation) async throws {
        let runtime = try JavaScriptRuntime(
            isolation: isolation,
            limits: ExecutionLimits(processorTime: .milliseconds(50))
        )
        let started = Recorder<Int>()
        try await runtime.withContext { context in
            let function = try context.makeFunction(named: "started") { _ in
                started.add(1)
                return nil
            }
            try context.globalObject.setValue(function, forProperty: "started")
        }
        let waiting = Task {
            try await runtime.awaitPromise {
                try $0.evaluate("started(); new Promise(resolve => { globalThis.settle = resolve })")
            }
        }
        await started.wait(for: 1)
        let error = try await #require(throws: JSException.self) {
            try await runtime.evaluate("settle(1); for (;;) {}")
        }
        #expect(error.isTermination)
        let other = try await #require(throws: JSException.self) { try await waiting.value }
        #expect(other.isTermination)
        #expect(try await runtime.evaluate("1 + 1") == 2)
        #expect(try await runtime.awaitPromise { try $0.evaluate("Promise.resolve(3)") } == 3)
    }

    @Test(
        "R5 a waiting task resumes once: settling, cancellation and closing race 2,000 times",
        arguments: Isolation.allCases
    )
    func races(isolation: Isolation) async throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        try await runtime.evaluate(
            """
            globalThis.settlers = [];
            globalThis.wait = () => new Promise((resolve, reject) => { settlers.push({ resolve, reject }) });
            globalThis.settle = x => { const all = settlers; settlers = []; for (const one of all) { one.resolve(x); one.reject(x); one.resolve(x) } };
            """
        )
        var outcomes: [String: Int] = [:]
        for round in 0..<2_000 {
            let task = Task { try await runtime.callAsync("wait") }
            async let settled = runtime.callAsync("settle", with: [.integer(Int64(round))])
            if round % 2 == 0 { task.cancel() }
            _ = try await settled
            // The wait may come after the settling.
            if round % 2 == 1 { _ = try await runtime.callAsync("settle", with: [.integer(Int64(round))]) }
            if round % 4 == 1 { task.cancel() }
            if round % 4 == 3 { Task { _ = try? await runtime.callAsync("settle", with: [0]) } }
            let settling = Task {
                while !Task.isCancelled {
                    _ = try? await runtime.callAsync("settle", with: [0])
                    // A free actor is entered without releasing the thread, which other tasks need too.
                    await Task.yield()
                }
            }
            switch await task.result {
            case .success: outcomes["value", default: 0] += 1
            case .failure(is CancellationError): outcomes["cancelled", default: 0] += 1
            case .failure(let error): Issue.record("\(error)")
            }
            settling.cancel()
            await settling.value
        }
        #expect(outcomes["value", default: 0] + outcomes["cancelled", default: 0] == 2_000)
        #expect(outcomes.count == 2)
    }

    @Test(
        "an asynchronous Swift function returns to scripts a promise of its result or error",
        arguments: Isolation.allCases
    )
    func asyncFunctions(isolation: Isolation) async throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        try await runtime.withContext { context in
            let double = try context.makeAsyncFunction(named: "double", parameterCount: 1) { arguments in
                await Task.yield()
                guard let number = arguments.first?.integerValue else {
                    throw BridgeError(
                        BridgeErrorCode(rawValue: "test.noNumber"),
                        "no number",
                        data: ["arguments": .array(Array(arguments))]
                    )
                }
                return .integer(number * 2)
            }
            try context.globalObject.setValue(double, forProperty: "double")
            try context.evaluate(
                """
                globalThis.all = async n => (await Promise.all(Array.from({ length: n }, (_, i) => double(i)))).reduce((a, b) => a + b, 0);
                globalThis.fail = async () => { try { await double("x") } catch (error) { return [error.code, error.message, error.data, error instanceof Error] } };
                globalThis.cyclic = async () => { const o = {}; o.o = o; try { await double(o) } catch (error) { return error.code } };
                globalThis.shape = () => [double.name, double.length, double instanceof Function, double(1) instanceof Promise];
                """
            )
        }
        #expect(try await runtime.callAsync("shape") == ["double", 1, true, true])
        #expect(try await runtime.callAsync("all", with: [1000]) == 999_000)
        #expect(
            try await runtime.callAsync("fail") == ["test.noNumber", "no number", ["arguments": ["x"]], true]
        )
        #expect(try await runtime.callAsync("cyclic") == "encodeFailed")
        await runtime.waitUntilIdle()
    }

    @Test(
        "the tasks of asynchronous functions are cancelled when the runtime is closed or released",
        arguments: Isolation.allCases
    )
    func asyncFunctionsEnd(isolation: Isolation) async throws {
        for closes in [true, false] {
            let ends = Recorder<Bool>()
            let starts = Recorder<Bool>()
            var runtime: JavaScriptRuntime? = try JavaScriptRuntime(isolation: isolation)
            try await runtime?.withContext { context in
                let wait = try context.makeAsyncFunction(named: "wait") { _ in
                    starts.add(true)
                    let clock = ManualClock()
                    try? await withTaskCancellationHandler {
                        await clock.waitForWakeUps()
                        try Task.checkCancellation()
                    } onCancel: {
                        clock.schedule(at: .zero) {}
                    }
                    ends.add(Task.isCancelled)
                    return .undefined
                }
                try context.globalObject.setValue(wait, forProperty: "wait")
                try context.evaluate("wait(); 0")
            }
            await starts.wait(for: 1)
            if closes { runtime?.close() }
            runtime = nil
            await ends.wait(for: 1)
            #expect(ends.elements == [true])
        }
    }

    @Test("an asynchronous function needs a runtime to return to")
    func noRuntime() throws {
        let context = try JSContext()
        let error = try #require(throws: BridgeError.self) {
            try context.makeAsyncFunction(named: "f") { _ in .null }
        }
        #expect(error.code == .unsupported)
    }
}
