import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// How many tasks wait at a time in the case of many.
private let tasksInFlight = 100

/// Swift awaits an asynchronous function of a script, a number each way.
@MainActor let awaitCases = [
    awaitCase(
        "engine.await",
        "an async function called by JSObjectCallAsFunction, and `then` of its promise with a C callback; "
            + "ours is one nonisolated task that awaits it, one call after another"
    ) { runtime, operations in
        let task = Task.detached { try await sumOfAwaits(runtime, from: 0, to: operations, by: 1) }
        return try await task.value
    },
    awaitCase(
        "engine.await.many",
        "the same; ours are \(tasksInFlight) tasks at a time",
        granularity: tasksInFlight
    ) { runtime, operations in
        try await withThrowingTaskGroup(of: Double.self) { group in
            for first in 0..<tasksInFlight {
                group.addTask {
                    try await sumOfAwaits(runtime, from: first, to: operations, by: tasksInFlight)
                }
            }
            return try await group.reduce(0, +)
        }
    },
    awaitCase("engine.await.main", "the same; ours is the main actor, one call after another") {
        runtime,
        operations in
        try await sumOfMainAwaits(runtime, operations)
    },
    awaitCase("engine.await.thread", "as engine.await; ours is a runtime with a thread of its own", isolation: .thread) {
        runtime,
        operations in
        let task = Task.detached { try await sumOfAwaits(runtime, from: 0, to: operations, by: 1) }
        return try await task.value
    },
]

private let source = "async number => (await number) + 1"

@MainActor
private func awaitCase(
    _ name: String,
    _ baseline: String,
    granularity: Int = 1,
    isolation: JavaScriptRuntime.Isolation = .actor,
    _ ours: @escaping @Sendable (JavaScriptRuntime, Int) async throws -> Double
) -> BenchmarkCase {
    BenchmarkCase(name, baseline: baseline, timeSource: .wall, granularity: granularity) {
        let plain = try PlainPromises()
        let runtime = try JavaScriptRuntime(isolation: isolation)
        try await runtime.evaluate("globalThis.increment = \(source)")
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for index in 0..<operations { sum += try plain.await(Double(index)) }
                return Outcome(sum)
            },
            ours: .asynchronous { operations in Outcome(try await ours(runtime, operations)) },
            expected: { sumOfIndices($0) + Double($0) }
        )
    }
}

private func sumOfAwaits(
    _ runtime: JavaScriptRuntime,
    from first: Int,
    to last: Int,
    by step: Int
) async throws -> Double {
    var sum = 0.0
    for index in stride(from: first, to: last, by: step) {
        sum += try await runtime.callAsync("increment", with: [.double(Double(index))]).doubleValue ?? .nan
    }
    return sum
}

@MainActor
private func sumOfMainAwaits(_ runtime: JavaScriptRuntime, _ operations: Int) async throws -> Double {
    var sum = 0.0
    for index in 0..<operations {
        sum += try await runtime.callAsync("increment", with: [.double(Double(index))]).doubleValue ?? .nan
    }
    return sum
}

/// The round trip of a promise in plain calls of the C API.
private final class PlainPromises {
    private let context: PlainContext
    private let increment: JSObjectRef
    private let callback: JSObjectRef
    private let then: JSStringRef

    // nonisolated(unsafe) because the engine's callbacks run on the thread that calls.
    nonisolated(unsafe) private static var result = Double.nan

    init() throws {
        context = try PlainContext()
        increment = try context.function("(\(source))")
        callback = try context.function { context, _, _, _, arguments, _ in
            PlainPromises.result = JSValueToNumber(context, arguments?[0], nil)
            return JSValueMakeUndefined(context)
        }
        then = JSStringCreateWithUTF8CString("then")
    }

    deinit { JSStringRelease(then) }

    func `await`(_ number: Double) throws -> Double {
        var argument = JSValueMakeNumber(context.ref, number)
        let promise = JSObjectCallAsFunction(context.ref, increment, nil, 1, &argument, nil)
        let function = JSObjectGetProperty(context.ref, promise, then, nil)
        var reaction: JSValueRef? = callback
        Self.result = .nan
        // The microtasks run when this leaves the engine.
        guard JSObjectCallAsFunction(context.ref, function, promise, 1, &reaction, nil) != nil else {
            throw PlainError("a plain promise has no 'then'")
        }
        return Self.result
    }
}
