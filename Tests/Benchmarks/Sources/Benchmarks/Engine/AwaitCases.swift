import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// The number of tasks that wait at a time in the `.many` case.
private let tasksInFlight = 100

/// Swift awaits an asynchronous function of a script, with a number each way.
@MainActor let awaitCases = [
    awaitCase(
        "engine.await",
        "an async function called by JSObjectCallAsFunction, and `then` of its promise with two C callbacks that know "
            + "whom they are for; "
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
    awaitCase(
        "engine.await.thread",
        "as engine.await; ours is a runtime with a thread of its own",
        isolation: .thread
    ) {
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
///
/// Each await has callbacks of its own, as a program needs that waits for more than one promise.
private final class PlainPromises {
    private let context: PlainContext
    private let increment: JSObjectRef
    private let then: JSStringRef
    private let onFulfilled: JSClassRef
    private let onRejected: JSClassRef

    init() throws {
        context = try PlainContext()
        increment = try context.function("(\(source))")
        then = JSStringCreateWithUTF8CString("then")
        onFulfilled = Self.makeClass { context, function, _, _, arguments, _ in
            let outcome = JSObjectGetPrivate(function)?.assumingMemoryBound(to: Double.self)
            outcome?.pointee = JSValueToNumber(context, arguments?[0], nil)
            return JSValueMakeUndefined(context)
        }
        onRejected = Self.makeClass { context, function, _, _, _, _ in
            let outcome = JSObjectGetPrivate(function)?.assumingMemoryBound(to: Double.self)
            outcome?.pointee = -1
            return JSValueMakeUndefined(context)
        }
    }

    deinit {
        JSStringRelease(then)
        JSClassRelease(onFulfilled)
        JSClassRelease(onRejected)
    }

    private static func makeClass(_ callback: @escaping JSObjectCallAsFunctionCallback) -> JSClassRef {
        var definition = kJSClassDefinitionEmpty
        definition.callAsFunction = callback
        return JSClassCreate(&definition)
    }

    func `await`(_ number: Double) throws -> Double {
        var outcome = Double.nan
        var argument = JSValueMakeNumber(context.ref, number)
        try withUnsafeMutablePointer(to: &outcome) { outcome in
            var exception: JSValueRef?
            let promise = JSObjectCallAsFunction(context.ref, increment, nil, 1, &argument, &exception)
            let function = JSObjectGetProperty(context.ref, promise, then, &exception)
            let reactions: [JSValueRef?] = [
                JSObjectMake(context.ref, onFulfilled, outcome),
                JSObjectMake(context.ref, onRejected, outcome),
            ]
            // The microtasks run when this call leaves the engine.
            let derived = JSObjectCallAsFunction(context.ref, function, promise, 2, reactions, &exception)
            guard derived != nil, exception == nil else { throw PlainError("a plain promise has no 'then'") }
        }
        return outcome
    }
}
