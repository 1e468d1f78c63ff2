import BenchmarkHarness
import CBenchJavaScriptCore
import JavaScriptBridge
import JavaScriptEngine
import Synchronization

/// Messages of five fields through the bridge, compared with the same work in plain calls of the C API with JSON and
/// Foundation, without names, ids, deadlines or errors.
///
/// Each case exists for a plain Codable type, and as `.declared` for one that declares its shape.
@MainActor let messageCases = cases("", Message.self) + cases(".declared", DeclaredMessage.self)

@MainActor
private func cases<M: MessageFields & SendableMetatype>(_ suffix: String, _ type: M.Type) -> [BenchmarkCase] {
    [
        requestCase(suffix, type), synchronousRequestCase(suffix, type), nativeRequestCase(suffix, type),
        notifyCase(suffix, type), nativeNotifyCase(suffix, type),
    ]
}

@MainActor
private func requestCase<M: MessageFields & SendableMetatype>(_ suffix: String, _ type: M.Type)
    -> BenchmarkCase
{
    BenchmarkCase(
        "bridge.request.js" + suffix,
        baseline:
            "a C callback with JSValueCreateJSONString, JSONDecoder, JSONEncoder, JSValueMakeFromJSONString; ours is "
            + "a promise for each of 100 requests in flight",
        granularity: callsPerTurn
    ) {
        let bridge = try await makeAnsweringBridge(type, MessageScript.requests(inFlight: 100))
        return Contest(
            plain: try PlainHandler().answers,
            ours: .synchronous { Outcome(try bridge.sumOfTurns($0)) },
            expected: Message.answerChecksum
        )
    }
}

@MainActor
private func synchronousRequestCase<M: MessageFields & SendableMetatype>(_ suffix: String, _ type: M.Type)
    -> BenchmarkCase
{
    BenchmarkCase(
        "bridge.request.js.sync" + suffix,
        baseline: "as bridge.request.js; ours is a synchronous request",
        granularity: callsPerTurn
    ) {
        let bridge = try await makeAnsweringBridge(type, MessageScript.synchronousRequests)
        return Contest(
            plain: try PlainHandler().answers,
            ours: .synchronous { Outcome(try bridge.sumOfTurns($0)) },
            expected: Message.answerChecksum
        )
    }
}

@MainActor
private func notifyCase<M: MessageFields & SendableMetatype>(_ suffix: String, _ type: M.Type)
    -> BenchmarkCase
{
    BenchmarkCase(
        "bridge.notify.js" + suffix,
        baseline: "a C callback with JSValueCreateJSONString and JSONDecoder",
        granularity: callsPerTurn
    ) {
        let sink = MessageSink()
        let bridge = try Bridge()
        let post: @Sendable (M) throws -> Void = { sink.add($0.checksum) }
        try bridge.registerHandler("post", post)
        try await bridge.load(.text(MessageScript.notifications, name: "benchmark.js"))
        let plain = try PlainHandler()
        return Contest(
            plain: plain.posts,
            ours: .synchronous { operations in
                sink.sum = 0
                _ = try bridge.sumOfTurns(operations)
                return Outcome(sink.sum)
            },
            expected: { count in (0..<count).reduce(0) { $0 + Message(index: $1).checksum } }
        )
    }
}

@MainActor
private func nativeRequestCase<M: MessageFields & SendableMetatype>(_ suffix: String, _ type: M.Type)
    -> BenchmarkCase
{
    BenchmarkCase(
        "bridge.request.native" + suffix,
        baseline:
            "JSONEncoder, JSValueMakeFromJSONString, the call, JSValueCreateJSONString, JSONDecoder; ours calls a "
            + "script's handler inside an open turn",
        granularity: callsPerTurn
    ) {
        let bridge = try Bridge()
        try await bridge.load(.text(MessageScript.handlers, name: "benchmark.js"))
        let plain = try PlainContext()
        let answer = try plain.function(Message.answerScript)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for index in 0..<operations {
                    var exception: JSValueRef?
                    var argument = try PlainJSON.make(Message(index: index), in: plain.ref)
                    let result = JSObjectCallAsFunction(plain.ref, answer, nil, 1, &argument, &exception)
                    guard exception == nil else { throw PlainError("the function threw") }
                    sum += try PlainJSON.read(Message.self, from: result, in: plain.ref).checksum
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for start in stride(from: 0, to: operations, by: callsPerTurn) {
                    sum += try bridge.runtime.withContextAndWait { context in
                        var sum = 0.0
                        for index in start..<start + callsPerTurn {
                            sum += try bridge.callHandler(
                                "answer",
                                with: M(index: index),
                                returning: M.self,
                                in: context
                            ).checksum
                        }
                        return sum
                    }
                }
                return Outcome(sum)
            },
            expected: Message.answerChecksum
        )
    }
}

@MainActor
private func nativeNotifyCase<M: MessageFields & SendableMetatype>(_ suffix: String, _ type: M.Type)
    -> BenchmarkCase
{
    BenchmarkCase(
        "bridge.notify.native" + suffix,
        baseline: "JSONEncoder, JSValueMakeFromJSONString, the call; ours sends 1,000 messages in one batch",
        granularity: callsPerTurn
    ) {
        let bridge = try Bridge()
        try await bridge.load(.text(MessageScript.handlers, name: "benchmark.js"))
        let plain = try PlainContext()
        let take = try plain.function(Message.takeOneScript)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for index in 0..<operations {
                    var exception: JSValueRef?
                    var argument = try PlainJSON.make(Message(index: index), in: plain.ref)
                    let result = JSObjectCallAsFunction(plain.ref, take, nil, 1, &argument, &exception)
                    sum += JSValueToNumber(plain.ref, result, &exception)
                    guard exception == nil else { throw PlainError("the function threw") }
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                try bridge.reset(sum: 0)
                for start in stride(from: 0, to: operations, by: callsPerTurn) {
                    try bridge.runtime.withContextAndWait { _ in
                        for index in start..<start + callsPerTurn {
                            try bridge.notify("take", with: M(index: index))
                        }
                    }
                }
                return Outcome(try bridge.sum())
            },
            expected: { count in (0..<count).reduce(0) { $0 + Message(index: $1).characterChecksum } }
        )
    }
}

@MainActor
func makeAnsweringBridge<M: MessageFields & SendableMetatype>(
    _ type: M.Type,
    _ script: String,
    configuration: BridgeConfiguration = BridgeConfiguration()
) async throws -> Bridge {
    let bridge = try Bridge(configuration: configuration)
    let answer: @Sendable (M) throws -> M = { $0.answer }
    try bridge.registerHandler("answer", answer)
    try await bridge.load(.text(script, name: "benchmark.js"))
    return bridge
}

extension Bridge {
    /// Runs operations of a script's `run(from, to)` in turns of ``callsPerTurn``, and returns its `sum`.
    func sumOfTurns(_ operations: Int) throws -> Double {
        try reset(sum: 0)
        for start in stride(from: 0, to: operations, by: callsPerTurn) {
            try runtime.withContextAndWait { context in
                let run = try context.globalObject.forProperty("run")
                try run.call(with: .integer(Int64(start)), .integer(Int64(start + callsPerTurn)))
            }
        }
        return try sum()
    }

    func reset(sum: Double) throws {
        try runtime.withContextAndWait { try $0.globalObject.setValue(.double(sum), forProperty: "sum") }
    }

    func sum() throws -> Double {
        try runtime.withContextAndWait {
            try $0.globalObject.forProperty("sum").toValue().doubleValue ?? .nan
        }
    }
}

/// A sum of the messages that arrive, on one thread.
// @unchecked Sendable because handlers of a bridge that its caller enters synchronously run on the caller's thread.
private final class MessageSink: @unchecked Sendable {
    var sum = 0.0

    func add(_ number: Double) { sum += number }
}

/// A Swift function that a script's loop calls, in plain calls of the C API.
@MainActor
final class PlainHandler {
    private static var posted = 0.0
    private let context: PlainContext
    private let loop: JSObjectRef
    private let postLoop: JSObjectRef
    private let handler: JSObjectRef
    private let post: JSObjectRef

    init() throws {
        context = try PlainContext()
        loop = try context.function(Message.loopScript)
        postLoop = try context.function(Message.postScript)
        handler = try context.function { context, _, _, count, arguments, exception in
            do {
                guard count == 1, let arguments else { throw PlainError("the handler takes one message") }
                let message = try PlainJSON.read(Message.self, from: arguments[0], in: context)
                return try PlainJSON.make(message.answer, in: context)
            } catch {
                exception?.pointee = PlainContext.text("\(error)", in: context)
                return nil
            }
        }
        post = try context.function { context, _, _, count, arguments, exception in
            do {
                guard count == 1, let arguments else { throw PlainError("the handler takes one message") }
                let message = try PlainJSON.read(Message.self, from: arguments[0], in: context)
                MainActor.assumeIsolated { PlainHandler.posted += message.checksum }
            } catch {
                exception?.pointee = PlainContext.text("\(error)", in: context)
            }
            return JSValueMakeUndefined(context)
        }
    }

    /// Messages with a reply.
    var answers: Work {
        let (context, loop, handler) = (context, loop, handler)
        return .synchronous { Outcome(try context.sumOfLoops(loop, over: handler, $0)) }
    }

    /// Messages without a reply.
    var posts: Work {
        let (context, loop, post) = (context, postLoop, post)
        return .synchronous { operations in
            MainActor.assumeIsolated { PlainHandler.posted = 0 }
            _ = try context.sumOfLoops(loop, over: post, operations)
            return Outcome(MainActor.assumeIsolated { PlainHandler.posted })
        }
    }
}
