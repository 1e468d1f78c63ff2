import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// Calls with two numbers and one number as the result.
@MainActor let numberCases = [
    BenchmarkCase(
        "engine.call.number",
        baseline:
            "JSValueMakeNumber twice, a bare JSObjectCallAsFunction of the same function, JSValueToNumber",
        granularity: callsPerTurn
    ) {
        let script = "(function (left, right) { return left + right; })"
        let context = try JSContext()
        let add: (Double, Double) throws -> Double = try JSFunction(context.evaluate(script)).typed()
        let plain = try PlainContext()
        let plainAdd = try plain.function(script)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                var arguments: [JSValueRef?] = [nil, nil]
                for index in 0..<operations {
                    var exception: JSValueRef?
                    arguments[0] = JSValueMakeNumber(plain.ref, Double(index))
                    arguments[1] = JSValueMakeNumber(plain.ref, 0.5)
                    let result = JSObjectCallAsFunction(plain.ref, plainAdd, nil, 2, &arguments, &exception)
                    sum += JSValueToNumber(plain.ref, result, &exception)
                    guard exception == nil else { throw PlainError("the function threw") }
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                Outcome(
                    try context.sumInTurns(operations) { index in
                        try add(Double(index), 0.5)
                    }
                )
            },
            expected: { sumOfIndices($0) + 0.5 * Double($0) }
        )
    },
    BenchmarkCase(
        "engine.handler.number",
        baseline:
            "the same loop over a JSObjectMakeFunctionWithCallback that reads with JSValueToNumber",
        granularity: callsPerTurn
    ) {
        let script = """
            (function (add, from, to) {
                let sum = 0;
                for (let index = from; index < to; index++) sum += add(index, 0.5);
                return sum;
            })
            """
        let context = try JSContext()
        let loop = try context.evaluate(script)
        let add = try context.makeFunction("add") { (left: Double, right: Double) in left + right }.value
        let plain = try PlainContext()
        let plainLoop = try plain.function(script)
        let plainAdd = try plain.function { context, _, _, count, arguments, exception in
            guard count == 2, let arguments else { return JSValueMakeUndefined(context) }
            let left = JSValueToNumber(context, arguments[0], exception)
            let right = JSValueToNumber(context, arguments[1], exception)
            return JSValueMakeNumber(context, left + right)
        }
        return Contest(
            plain: .synchronous { operations in
                Outcome(try plain.sumOfLoops(plainLoop, over: plainAdd, operations))
            },
            ours: .synchronous { operations in
                Outcome(try context.sumOfLoops(loop, over: add, operations))
            },
            expected: { sumOfIndices($0) + 0.5 * Double($0) }
        )
    },
]

/// Returns the sum of the numbers below a count.
func sumOfIndices(_ count: Int) -> Double { Double(count * (count - 1) / 2) }

extension PlainContext {
    /// Runs a script's `loop(handler, from, to)`, which calls a handler, and adds up the results of the loops.
    func sumOfLoops(_ loop: JSObjectRef, over handler: JSObjectRef, _ operations: Int) throws -> Double {
        var sum = 0.0
        for start in stride(from: 0, to: operations, by: callsPerTurn) {
            var exception: JSValueRef?
            let arguments: [JSValueRef?] = [
                handler, JSValueMakeNumber(ref, Double(start)),
                JSValueMakeNumber(ref, Double(start + callsPerTurn)),
            ]
            let result = JSObjectCallAsFunction(ref, loop, nil, arguments.count, arguments, &exception)
            sum += JSValueToNumber(ref, result, &exception)
            guard exception == nil else { throw PlainError("the loop threw") }
        }
        return sum
    }
}

extension JSContext {
    /// Runs a script's `loop(handler, from, to)`, which calls a handler, and adds up the results of the loops.
    func sumOfLoops(_ loop: JSValue, over handler: JSValue, _ operations: Int) throws -> Double {
        var sum = 0.0
        for start in stride(from: 0, to: operations, by: callsPerTurn) {
            try withTurn {
                let from = try JSValue(.integer(Int64(start)), in: self)
                let to = try JSValue(.integer(Int64(start + callsPerTurn)), in: self)
                sum += try loop.call(withArguments: [handler, from, to]).toValue().doubleValue ?? .nan
            }
        }
        return sum
    }
}
