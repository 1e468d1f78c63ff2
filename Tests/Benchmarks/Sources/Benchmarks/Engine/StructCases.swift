import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// Calls with a structure of five fields each way, as plain `Codable`.
@MainActor let structCases = [
    BenchmarkCase(
        "engine.call.struct.codable",
        baseline:
            "JSONEncoder, JSValueMakeFromJSONString, the call, JSValueCreateJSONString, JSONDecoder",
        granularity: callsPerTurn
    ) {
        let context = try JSContext()
        let answer = try context.evaluate(Message.answerScript)
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
                Outcome(
                    try context.sumInTurns(operations) { index in
                        let message = try ValueEncoder().encode(Message(index: index))
                        return try ValueDecoder().decode(Message.self, from: answer.call(with: message))
                            .checksum
                    }
                )
            },
            expected: Message.answerChecksum
        )
    },
    BenchmarkCase(
        "engine.handler.struct.codable",
        baseline:
            "a C callback with JSValueCreateJSONString, JSONDecoder, JSONEncoder, JSValueMakeFromJSONString",
        granularity: callsPerTurn
    ) {
        let context = try JSContext()
        let loop = try context.evaluate(Message.loopScript)
        let handler = try context.makeFunction(named: "handler", parameterCount: 1) { arguments in
            let message = try arguments[0].decode(Message.self)
            return try JSValue(ValueEncoder().encode(message.answer), in: arguments[0].context)
        }
        let plain = try PlainContext()
        let plainLoop = try plain.function(Message.loopScript)
        let plainHandler = try plain.function { context, _, _, count, arguments, exception in
            do {
                guard count == 1, let arguments else { throw PlainError("the handler takes one message") }
                let message = try PlainJSON.read(Message.self, from: arguments[0], in: context)
                return try PlainJSON.make(message.answer, in: context)
            } catch {
                let text = JSStringCreateWithUTF8CString("\(error)")
                defer { JSStringRelease(text) }
                exception?.pointee = JSValueMakeString(context, text)
                return nil
            }
        }
        return Contest(
            plain: .synchronous { operations in
                Outcome(try plain.sumOfLoops(plainLoop, over: plainHandler, operations))
            },
            ours: .synchronous { operations in
                Outcome(try context.sumOfLoops(loop, over: handler, operations))
            },
            expected: Message.answerChecksum
        )
    },
]
