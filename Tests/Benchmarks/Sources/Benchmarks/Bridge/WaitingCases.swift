import BenchmarkHarness
import CBenchJavaScriptCore
import JavaScriptBridge

/// Messages of five fields that tasks wait for: asynchronous handlers and streams.
@MainActor let waitingCases = [
    awaitCase("bridge.request.await", "ours is one nonisolated task that awaits it, one call after another") {
        bridge,
        operations in
        let task = Task.detached { try await bridge.sumOfAwaits(operations) }
        return try await task.value
    },
    awaitCase("bridge.request.await.main", "ours is the main actor, one call after another") {
        try await sumOfMainAwaits($0, $1)
    },
    BenchmarkCase(
        "bridge.stream",
        baseline:
            "a C callback with JSValueCreateJSONString and JSONDecoder; ours reads a stream of a script's "
            + "generator with 256 items ahead",
        timeSource: .wall,
        granularity: callsPerTurn
    ) {
        let bridge = try Bridge()
        try await bridge.load(.text(MessageScript.handlers, name: "benchmark.js"))
        return Contest(
            plain: try PlainHandler().posts,
            ours: .asynchronous { operations in
                let task = Task.detached {
                    var sum = 0.0
                    let items = try await bridge.openStream(
                        "items",
                        with: operations,
                        of: Message.self,
                        window: 256
                    )
                    for try await message in items { sum += message.checksum }
                    return sum
                }
                return Outcome(try await task.value)
            },
            expected: { count in (0..<count).reduce(0) { $0 + Message(index: $1).checksum } }
        )
    },
]

@MainActor
private func awaitCase(
    _ name: String,
    _ ours: String,
    _ body: @escaping @Sendable (Bridge, Int) async throws -> Double
) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline:
            "an async function with JSON both ways by Foundation's coders, and `then` of its promise with two C "
            + "callbacks; " + ours,
        timeSource: .wall
    ) {
        let plain = try PlainAnswers()
        let bridge = try Bridge()
        try await bridge.load(.text(MessageScript.handlers, name: "benchmark.js"))
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for index in 0..<operations { sum += try plain.answer(Message(index: index)).checksum }
                return Outcome(sum)
            },
            ours: .asynchronous { Outcome(try await body(bridge, $0)) },
            expected: Message.answerChecksum
        )
    }
}

extension Bridge {
    fileprivate func sumOfAwaits(_ operations: Int) async throws -> Double {
        var sum = 0.0
        for index in 0..<operations {
            let answer = try await callHandler(
                "answerLater",
                with: Message(index: index),
                returning: Message.self
            )
            sum += answer.checksum
        }
        return sum
    }
}

@MainActor
private func sumOfMainAwaits(_ bridge: Bridge, _ operations: Int) async throws -> Double {
    var sum = 0.0
    for index in 0..<operations {
        let answer = try await bridge.callHandler(
            "answerLater",
            with: Message(index: index),
            returning: Message.self
        )
        sum += answer.checksum
    }
    return sum
}

/// An asynchronous answer in plain calls of the C API.
///
/// Each has callbacks of its own, as a program needs that waits for more than one promise.
private final class PlainAnswers {
    /// The result that the callbacks store.
    private struct Slot {
        var answer: Message?
    }

    private let context: PlainContext
    private let answer: JSObjectRef
    private let then: JSStringRef
    private let onFulfilled: JSClassRef
    private let onRejected: JSClassRef

    init() throws {
        context = try PlainContext()
        answer = try context.function(
            "{ const answer = \(Message.answerScript); (async message => answer(await message)) }"
        )
        then = JSStringCreateWithUTF8CString("then")
        onFulfilled = Self.makeClass { context, function, _, _, arguments, _ in
            let slot = JSObjectGetPrivate(function)?.assumingMemoryBound(to: Slot.self)
            slot?.pointee.answer = try? PlainJSON.read(Message.self, from: arguments?[0], in: context)
            return JSValueMakeUndefined(context)
        }
        onRejected = Self.makeClass { context, _, _, _, _, _ in JSValueMakeUndefined(context) }
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

    func answer(_ message: Message) throws -> Message {
        var slot = Slot()
        try withUnsafeMutablePointer(to: &slot) { slot in
            var exception: JSValueRef?
            var argument = try PlainJSON.make(message, in: context.ref)
            let promise = JSObjectCallAsFunction(context.ref, answer, nil, 1, &argument, &exception)
            let function = JSObjectGetProperty(context.ref, promise, then, &exception)
            let reactions: [JSValueRef?] = [
                JSObjectMake(context.ref, onFulfilled, slot), JSObjectMake(context.ref, onRejected, slot),
            ]
            // The microtasks run when this call leaves the engine.
            let derived = JSObjectCallAsFunction(context.ref, function, promise, 2, reactions, &exception)
            guard derived != nil, exception == nil else { throw PlainError("a plain promise has no 'then'") }
        }
        guard let answer = slot.answer else { throw PlainError("a plain promise was not fulfilled") }
        return answer
    }
}
