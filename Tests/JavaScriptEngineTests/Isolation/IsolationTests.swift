import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Synchronization
import Testing

/// Behavior that both isolations share, and the differences of each.
@Suite struct IsolationTests {
    typealias Isolation = JavaScriptRuntime.Isolation

    @Test("a runtime evaluates, throws and continues", arguments: Isolation.allCases)
    func evaluates(isolation: Isolation) async throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        #expect(runtime.isolation == isolation)
        #expect(try await runtime.evaluate("[1, 2].map(x => x * 2)") == [2, 4])
        let error = try await #require(throws: JSException.self) {
            try await runtime.evaluate("null.x", sourceURL: "a.js")
        }
        #expect(error.name == "TypeError")
        #expect(error.sourceURL == "a.js")
        #expect(try await runtime.evaluate("globalThis.x = 1; x + 1") == 2)
    }

    @Test("timers and jobs return to the runtime", arguments: Isolation.allCases)
    func timers(isolation: Isolation) async throws {
        let clock = ManualClock()
        let lines = Recorder<String>()
        let runtime = try JavaScriptRuntime(isolation: isolation, clock: clock) { lines.add($0.text) }
        try await runtime.evaluate(
            "setTimeout(() => console.log('late'), 20); setTimeout(() => console.log('soon'), 10)"
        )
        clock.advance(by: .milliseconds(10))
        await lines.wait(for: 1)
        clock.advance(by: .milliseconds(10))
        await lines.wait(for: 2)
        #expect(lines.elements == ["soon", "late"])
    }

    @Test("every turn of a runtime with a thread runs on that thread, whichever thread calls")
    func ownThread() async throws {
        let runtime = try JavaScriptRuntime(isolation: .thread)
        let threads = try await withThrowingTaskGroup(of: UInt.self) { group in
            for _ in 0..<50 {
                group.addTask { try await runtime.withContext { _ in UInt(pthread_self()) } }
            }
            var threads: Set<UInt> = []
            for try await thread in group { threads.insert(thread) }
            return threads
        }
        #expect(threads.count == 1)
        #expect(!threads.contains(UInt(pthread_self())))
    }

    @Test("with a thread the engine delivers its own work: a FinalizationRegistry calls back, inside a turn")
    func finalizationRegistry() async throws {
        let lines = Recorder<String>()
        let runtime = try JavaScriptRuntime(isolation: .thread) { lines.add($0.text) }
        try await runtime.evaluate(
            """
            globalThis.registry = new FinalizationRegistry(name => {
                console.log("gone " + name);
                Promise.resolve().then(() => console.log("then"));
            });
            (() => { for (let index = 0; index < 200; index++) registry.register({}, index) })();
            """
        )
        // The collector also looks for values on the stack, where a few may be left.
        try await runtime.collectGarbage()
        await lines.wait(for: 2)
        #expect(lines.elements.contains { $0.hasPrefix("gone") })
        // The turn after the one in which they came.
        #expect(try await runtime.evaluate("1 + 1") == 2)
        #expect(lines.elements.contains("then"))
    }

    @Test("a FinalizationRegistry whose callback never ends is stopped like any script")
    func endlessFinalizer() async throws {
        let errors = Recorder<JSException>()
        let runtime = try JavaScriptRuntime(
            isolation: .thread,
            limits: ExecutionLimits(processorTime: .milliseconds(50))
        )
        try await runtime.withContext { context in
            context.uncaughtErrorHandler = { errors.add($0) }
            try context.evaluate(
                """
                globalThis.registry = new FinalizationRegistry(() => { for (;;) {} });
                (() => { for (let index = 0; index < 200; index++) registry.register({}, index) })();
                """
            )
        }
        try await runtime.collectGarbage()
        await errors.wait(for: 1)
        #expect(errors.elements[0].isTermination)
        #expect(try await runtime.evaluate("1 + 1") == 2)
    }

    @Test("deep recursion is a RangeError on a dedicated thread as elsewhere", arguments: Isolation.allCases)
    func recursion(isolation: Isolation) async throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        let depth = try await runtime.evaluate(
            "let d = 0; function f() { d++; f() } try { f() } catch (error) { error.name === 'RangeError' ? d : 0 }"
        )
        #expect((depth.integerValue ?? 0) > 10_000)
    }

    @Test("a hundred runtimes that are created and released on changing threads leave no thread behind")
    func noThreadsLeft() async throws {
        let before = RuntimeThreads.count
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let runtime = try JavaScriptRuntime(isolation: .thread)
                    #expect(try await runtime.evaluate("\(index) + 1") == .integer(Int64(index + 1)))
                    try await runtime.evaluate("setTimeout(() => {}, 1e6); new Promise(() => {})")
                }
            }
            try await group.waitForAll()
        }
        // Other tests have runtimes meanwhile, which are released too.
        while RuntimeThreads.count > max(before, 20) { await Task.yield() }
    }

    @Test("a name that is not an isolation ends the process with a message")
    func badEnvironment() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("JSBRIDGE_ISOLATION", "fibre", 1)
            _ = try JavaScriptRuntime()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("JSBRIDGE_ISOLATION is \"fibre\""))
    }

    @Test("the environment sets the default isolation")
    func environment() async {
        await #expect(processExitsWith: .success) {
            setenv("JSBRIDGE_ISOLATION", "thread", 1)
            let runtime = try JavaScriptRuntime()
            #expect(runtime.isolation == .thread)
            exit(runtime.isolation == .thread ? 0 : 1)
        }
    }
}

/// The threads of this process that belong to runtimes, by their name.
enum RuntimeThreads {
    static var count: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.filter { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name == "JavaScript\n"
        }.count
    }
}
