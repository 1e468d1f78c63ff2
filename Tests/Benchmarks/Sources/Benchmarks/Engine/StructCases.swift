import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// Calls with a structure of five fields each way: a type that declares its shape, and a plain `Codable` type.
@MainActor let structCases = [
    callCase("engine.call.struct.declared", DeclaredMessage.self),
    callCase("engine.call.struct.codable", Message.self),
    handlerCase("engine.handler.struct.declared", DeclaredMessage.self),
    handlerCase("engine.handler.struct.codable", Message.self),
    postCase("engine.post.struct.declared", DeclaredMessage.self),
    postCase("engine.post.struct.codable", Message.self),
    pushCase,
]

@MainActor
private func callCase<Subject: MessageFields>(_ name: String, _ type: Subject.Type) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline:
            "JSONEncoder, JSValueMakeFromJSONString, the call, JSValueCreateJSONString, JSONDecoder",
        granularity: callsPerTurn
    ) {
        let context = try JSContext()
        let answer: (Subject) throws -> Subject =
            try JSFunction(context.evaluate(Message.answerScript)).typed()
        let plain = try PlainContext()
        let plainAnswer = try plain.function(Message.answerScript)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for index in 0..<operations {
                    var exception: JSValueRef?
                    var argument = try PlainJSON.make(Message(index: index), in: plain.ref)
                    let result = JSObjectCallAsFunction(plain.ref, plainAnswer, nil, 1, &argument, &exception)
                    guard exception == nil else { throw PlainError("the function threw") }
                    sum += try PlainJSON.read(Message.self, from: result, in: plain.ref).checksum
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                Outcome(try context.sumInTurns(operations) { try answer(Subject(index: $0)).checksum })
            },
            expected: Message.answerChecksum
        )
    }
}

@MainActor
private func handlerCase<Subject: MessageFields>(_ name: String, _ type: Subject.Type) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline:
            "a C callback with JSValueCreateJSONString, JSONDecoder, JSONEncoder, JSValueMakeFromJSONString",
        granularity: callsPerTurn
    ) {
        let context = try JSContext()
        let loop = try context.evaluate(Message.loopScript)
        let handler = try context.makeFunction("handler") { (message: Subject) in message.answer }
        let plain = try PlainContext()
        let plainLoop = try plain.function(Message.loopScript)
        let plainHandler = try plain.function { context, _, _, count, arguments, exception in
            do {
                guard count == 1, let arguments else { throw PlainError("the handler takes one message") }
                let message = try PlainJSON.read(Message.self, from: arguments[0], in: context)
                return try PlainJSON.make(message.answer, in: context)
            } catch {
                exception?.pointee = PlainContext.text("\(error)", in: context)
                return nil
            }
        }
        return Contest(
            plain: .synchronous { operations in
                Outcome(try plain.sumOfLoops(plainLoop, over: plainHandler, operations))
            },
            ours: .synchronous { operations in
                Outcome(try context.sumOfLoops(loop, over: handler.value, operations))
            },
            expected: Message.answerChecksum
        )
    }
}

/// The sum of the messages to handlers without a reply, plain or ours.
@MainActor private var posted = 0.0

@MainActor
private func postCase<Subject: MessageFields>(_ name: String, _ type: Subject.Type) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "a C callback with JSValueCreateJSONString and JSONDecoder",
        granularity: callsPerTurn
    ) {
        let context = try JSContext()
        let loop = try context.evaluate(Message.postScript)
        let sink = Sink()
        let handler = try context.makeFunction("handler") { (message: Subject) in sink.sum += message.checksum
        }
        let plain = try PlainContext()
        let plainLoop = try plain.function(Message.postScript)
        let plainHandler = try plain.function { context, _, _, count, arguments, exception in
            do {
                guard count == 1, let arguments else { throw PlainError("the handler takes one message") }
                let message = try PlainJSON.read(Message.self, from: arguments[0], in: context)
                MainActor.assumeIsolated { posted += message.checksum }
            } catch {
                exception?.pointee = PlainContext.text("\(error)", in: context)
            }
            return JSValueMakeUndefined(context)
        }
        return Contest(
            plain: .synchronous { operations in
                MainActor.assumeIsolated { posted = 0 }
                _ = try plain.sumOfLoops(plainLoop, over: plainHandler, operations)
                return Outcome(MainActor.assumeIsolated { posted })
            },
            ours: .synchronous { operations in
                sink.sum = 0
                _ = try context.sumOfLoops(loop, over: handler.value, operations)
                return Outcome(sink.sum)
            },
            expected: { count in (0..<count).reduce(0) { $0 + Message(index: $1).checksum } }
        )
    }
}

/// A sum of the messages that arrive.
private final class Sink {
    var sum = 0.0
}

@MainActor private let pushCase = BenchmarkCase(
    "engine.push.struct.declared",
    baseline: "for each of 1,000 messages JSONEncoder, JSValueMakeFromJSONString and the call",
    granularity: callsPerTurn
) {
    let context = try JSContext()
    let take: ([DeclaredMessage]) throws -> Double =
        try JSFunction(context.evaluate(Message.takeManyScript)).typed()
    let plain = try PlainContext()
    let plainTake = try plain.function(Message.takeOneScript)
    return Contest(
        plain: .synchronous { operations in
            var sum = 0.0
            for index in 0..<operations {
                var exception: JSValueRef?
                var argument = try PlainJSON.make(Message(index: index), in: plain.ref)
                let result = JSObjectCallAsFunction(plain.ref, plainTake, nil, 1, &argument, &exception)
                sum += JSValueToNumber(plain.ref, result, &exception)
                guard exception == nil else { throw PlainError("the function threw") }
            }
            return Outcome(sum)
        },
        ours: .synchronous { operations in
            var sum = 0.0
            for start in stride(from: 0, to: operations, by: callsPerTurn) {
                sum += try take((start..<start + callsPerTurn).map(DeclaredMessage.init(index:)))
            }
            return Outcome(sum)
        },
        expected: { count in (0..<count).reduce(0) { $0 + Message(index: $1).characterChecksum } }
    )
}
