import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

@Suite(.noLeaks) struct ErrorTests {
    @Test("an exception has name, message, frames, source, line, column, cause and a code frame")
    func parts() throws {
        let context = try JSContext()
        let script = """
            function inner(x) {
                throw new RangeError("too far: " + x, { cause: new Error("root") });
            }
            function outer() { inner(7); }
            outer();
            """
        let error = try #require(throws: JSException.self) {
            try context.evaluate(script, sourceURL: "plugin.js")
        }
        #expect(error.name == "RangeError")
        #expect(error.message == "too far: 7")
        #expect(error.sourceURL == "plugin.js")
        #expect(error.line == 2)
        #expect(error.column != nil)
        #expect(error.frames.map(\.function) == ["inner", "outer", "global code"])
        #expect(error.frames.map(\.line) == [2, 4, 5])
        #expect(error.cause?.message == "root")
        #expect(error.codeFrame?.contains("> 2 |     throw new RangeError") == true)
        #expect(error.codeFrame?.contains("^") == true)
        #expect("\(error)".hasPrefix("plugin.js:2:"))
    }

    @Test("a syntax error has its line and a code frame")
    func syntaxError() throws {
        let context = try JSContext()
        let error = try #require(throws: JSException.self) {
            try context.evaluate("let a = 1;\nlet b = ;\n", sourceURL: "bad.js", startingLine: 10)
        }
        #expect(error.name == "SyntaxError")
        #expect(error.line == 11)
        #expect(error.codeFrame?.contains("> 11 | let b = ;") == true)
    }

    static let thrown: [(String, Value?, String)] = [
        ("42", 42, "42"), ("'text'", "text", "text"), ("null", .null, "null"),
        ("undefined", nil, "undefined"),
        ("({ code: 42 })", ["code": 42], "{ code: 42 }"), ("Symbol('s')", nil, "Symbol(s)"),
        ("10n", .bigInt("10"), "10"),
        ("Object.freeze({ message: 'frozen' })", nil, "frozen"),
    ]

    @Test("any value can be thrown and arrives as data", arguments: thrown)
    func anyValue(source: String, value: Value?, message: String) throws {
        let context = try JSContext()
        let error = try #require(throws: JSException.self) { try context.evaluate("throw \(source)") }
        #expect(error.thrownValue == value)
        #expect(error.message == message)
        #expect(!error.isTermination)
    }

    @Test("errors that resist being read are read all the same")
    func hostileErrors() throws {
        let context = try JSContext()
        for source in [
            "Object.defineProperty(new Error('m'), 'message', { get() { throw 1 } })",
            "Object.defineProperty(new Error('m'), 'stack', { get() { throw 1 } })",
            "new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })",
            "({ toString() { throw 1 } })",
            "(() => { const e = new Error('loop'); e.cause = e; return e })()",
            "Object.create(null)", "(() => { throw { get message() { throw 3 } } })",
        ] {
            let error = try #require(throws: JSException.self) { try context.evaluate("throw \(source)") }
            #expect(!error.isTermination)
            #expect(try context.evaluate("1").toValue() == 1)
        }
    }

    @Test("an error thrown by Swift arrives in the script with code, message and data, and returns unchanged")
    func swiftErrors() throws {
        let context = try JSContext()
        let fail = try context.makeFunction(named: "fail") { _ in
            throw BridgeError(BridgeErrorCode(rawValue: "shop.outOfStock"), "none left", data: ["id": 7])
        }
        try context.globalObject.setValue(fail, forProperty: "fail")
        let seen = try context.evaluate(
            "try { fail() } catch (e) { [e instanceof Error, e.code, e.message, e.data] }"
        )
        #expect(try seen.toValue() == [true, "shop.outOfStock", "none left", ["id": 7]])
        let back = try #require(throws: JSException.self) {
            try context.evaluate("fail()", sourceURL: "s.js")
        }
        #expect(back.code == "shop.outOfStock")
        #expect(BridgeError(back).data == ["id": 7])
    }

    @Test("an error of a timer, of a microtask and an unhandled rejection are reported once each")
    func uncaught() throws {
        let context = try JSContext()
        let clock = ManualClock()
        context.clock = clock
        let seen = Box<[String]>([])
        context.uncaughtErrorHandler = { seen.value.append($0.message) }
        try context.evaluate(
            "setTimeout(() => { throw new Error('timer') }, 5); queueMicrotask(() => { throw new Error('micro') })"
        )
        try context.evaluate(
            "Promise.reject(new Error('rejected')); (async () => { throw 'async' })(); Promise.reject(1).catch(() => {})"
        )
        clock.advance(by: .milliseconds(5))
        try context.runDueTimers()
        #expect(seen.value == ["micro", "rejected", "async", "timer"])
    }

    @Test("Swift functions are functions: instanceof, call, bind, name")
    func functionShape() throws {
        let context = try JSContext()
        let sum = try context.makeFunction(named: "sum", parameterCount: 3) { arguments in
            try JSValue(
                .number(arguments.reduce(0) { try $0 + ($1.toValue().doubleValue ?? 0) }),
                in: arguments[0].context
            )
        }
        try context.globalObject.setValue(sum, forProperty: "sum")
        #expect(
            try context.evaluate(
                "[sum instanceof Function, sum.call(null, 1, 2, 3), sum.bind(null, 10)(1), sum.name, [1, 2].map((x) => sum(x, 1)).join()]"
            ).toValue() == [true, 6, 11, "sum", "2,3"]
        )
    }
}
