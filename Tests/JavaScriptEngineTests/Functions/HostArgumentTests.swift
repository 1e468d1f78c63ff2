import BridgeValues
import JavaScriptEngine
import TestSupport
import Testing

/// The arguments of Swift functions that scripts call.
@Suite struct HostArgumentTests {
    @Test(
        "an argument that was not given is undefined, whatever the function declares",
        arguments: [0, 1, 2, 5]
    )
    func missing(parameterCount: Int) throws {
        let context = try JSContext()
        defer { context.close() }
        let seen = Box<[String]>([])
        let function = try context.makeFunction(named: "f", parameterCount: parameterCount) { arguments in
            seen.value = try [0, 1, 99, -1, .max, .min].map { try arguments[$0].toString() }
            return try JSValue(newArrayIn: arguments[0].context, of: Array(arguments))
        }
        try context.setValue(function, forProperty: "f")
        #expect(try context.evaluate("f()").toArray().allSatisfy(\.isUndefined))
        #expect(seen.value == Array(repeating: "undefined", count: 6))
        #expect(try context.evaluate("String(f('a'))").toString().hasPrefix("a"))
        #expect(seen.value == ["a"] + Array(repeating: "undefined", count: 5))
        let kept = Box<[JSValue]>([])
        let keep = try context.makeFunction(named: "keep") { arguments in
            kept.value.append(contentsOf: arguments)
            kept.value.append(arguments[3])
            return nil
        }
        try keep.call(withArguments: [context.evaluate("({ n: 1 })")])
        context.virtualMachine.collectGarbage()
        #expect(try kept.value[0]["n"].toInt32() == 1 && kept.value[1].isUndefined)
        kept.value = []
    }

    @Test("a function without parameters gets as many arguments as were given")
    func variadic() throws {
        let context = try JSContext()
        defer { context.close() }
        let count = try context.makeFunction(named: "count") { [unowned context] arguments in
            JSValue(int32: Int32(arguments.count), in: context)
        }
        try context.setValue(count, forProperty: "count")
        #expect(try context.evaluate("[count(), count(1), count(1, 2, 3, 4, 5, 6)]").toValue() == [0, 1, 6])
    }

    @Test("an asynchronous function gets undefined for a missing argument")
    func asynchronous() async throws {
        let runtime = try JavaScriptRuntime()
        try await runtime.withContext { context in
            let function = try context.makeAsyncFunction(named: "first") { arguments in
                [arguments[0], arguments[7], .integer(Int64(arguments.count))]
            }
            try context.setValue(function, forProperty: "first")
        }
        let none = try await runtime.awaitPromise { try $0.evaluate("first()") }
        #expect(none == [.undefined, .undefined, 0])
        let one = try await runtime.awaitPromise { try $0.evaluate("first('a')") }
        #expect(one == ["a", .undefined, 1])
    }
}
