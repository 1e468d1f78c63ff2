import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// Errors that scripts throw and Swift catches.
@MainActor let throwCases = [
    BenchmarkCase(
        "engine.throw.js",
        baseline:
            "an exception through JSObjectCallAsFunction as it comes, its message read with JSValueToStringCopy",
        granularity: callsPerTurn
    ) {
        let script = "(function fail(index) { throw new Error('no item'); })"
        let context = try JSContext()
        let fail = try context.evaluate(script, sourceURL: "fail.js")
        let plain = try PlainContext()
        let plainFail = try plain.function(script)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                var arguments: [JSValueRef?] = [nil]
                for index in 0..<operations {
                    var exception: JSValueRef?
                    arguments[0] = JSValueMakeNumber(plain.ref, Double(index))
                    JSObjectCallAsFunction(plain.ref, plainFail, nil, 1, &arguments, &exception)
                    guard let text = JSValueToStringCopy(plain.ref, exception, nil) else {
                        throw PlainError("the function threw nothing")
                    }
                    // "Error: no item"
                    sum += Double(JSStringGetLength(text) - 7)
                    JSStringRelease(text)
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                Outcome(
                    try context.sumInTurns(operations) { index in
                        do {
                            try fail.call(with: .integer(Int64(index)))
                            return .nan
                        } catch let error as JSException {
                            return Double(error.message.utf8.count)
                        }
                    }
                )
            },
            expected: { 7 * Double($0) }
        )
    },
    BenchmarkCase(
        "engine.throw.swift",
        baseline: "a C callback that sets *exception to JSObjectMakeError, caught by the same script",
        granularity: callsPerTurn
    ) {
        let script = """
            (function (fail, from, to) {
                let sum = 0;
                for (let index = from; index < to; index++) {
                    try { fail(index); } catch (error) { sum += error.message.length; }
                }
                return sum;
            })
            """
        let context = try JSContext()
        let loop = try context.evaluate(script)
        let fail = try context.makeFunction(named: "fail", parameterCount: 1) { _ in
            throw BridgeError(.denied, "no item")
        }
        let plain = try PlainContext()
        let plainLoop = try plain.function(script)
        let plainFail = try plain.function { context, _, _, _, _, exception in
            let text = JSStringCreateWithUTF8CString("no item")
            var message = [JSValueMakeString(context, text)]
            JSStringRelease(text)
            exception?.pointee = JSObjectMakeError(context, 1, &message, nil)
            return JSValueMakeUndefined(context)
        }
        return Contest(
            plain: .synchronous { Outcome(try plain.sumOfLoops(plainLoop, over: plainFail, $0)) },
            ours: .synchronous { Outcome(try context.sumOfLoops(loop, over: fail, $0)) },
            expected: { 7 * Double($0) }
        )
    },
]
