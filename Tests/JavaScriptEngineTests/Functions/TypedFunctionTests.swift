import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

@Suite struct TypedFunctionTests {
    struct Point: Codable, Equatable {
        var x: Double
        var y: Double
    }

    struct Lists: Codable {
        var list: [Int]
        var table: [String: Int]
    }

    struct ShapedPoint: JSShaped, Equatable {
        var x: Double
        var y: Double
    }

    private func define(_ name: String, _ function: JSFunction, in context: JSContext) throws {
        try context.globalObject.setValue(function.value, forProperty: name)
    }

    @Test("a script's function is a closure with parameters and a result of Swift types")
    func fromScript() throws {
        let context = try JSContext()
        try context.evaluate(
            """
            function add(a, b) { return a + b; }
            function three(a, b, c) { return [a, b, c].join('|'); }
            function none() { return 7; }
            function mirror(p) { return { x: p.y, y: p.x }; }
            function flip(list) { return list.map(p => ({ x: p.y, y: p.x })); }
            var seen; function note(value) { seen = value; }
            """
        )
        let add: (Int, Int) throws -> Int = try context.function("add")
        #expect(try add(2, 3) == 5)
        let join: (String, String) throws -> String = try context.function("add")
        #expect(try join("caf\u{e9}", "😀") == "café😀")
        let three: (Int, Bool, String?) throws -> String = try context.function("three")
        #expect(try three(1, true, nil) == "1|true|")
        let none: () throws -> Double = try context.function("none")
        #expect(try none() == 7)
        let mirror: (Point) throws -> Point = try context.function("mirror")
        #expect(try mirror(Point(x: 1, y: 2.5)) == Point(x: 2.5, y: 1))
        let shaped: (ShapedPoint) throws -> ShapedPoint = try context.function("mirror")
        #expect(try shaped(ShapedPoint(x: 1, y: 2.5)) == ShapedPoint(x: 2.5, y: 1))
        let mixed: (Point) throws -> ShapedPoint? = try context.function("mirror")
        #expect(try mixed(Point(x: 1, y: 2)) == ShapedPoint(x: 2, y: 1))
        let flip: ([Point]) throws -> [Point] = try context.function("flip")
        #expect(try flip([Point(x: 1, y: 2), Point(x: 3, y: 4)]) == [Point(x: 2, y: 1), Point(x: 4, y: 3)])
        let note: (Point) throws -> Void = try context.function("note")
        try note(Point(x: 8, y: 9))
        #expect(try context.evaluate("seen.x + seen.y").toValue() == 17)
        let maximum: (Double, Double) throws -> Double = try context.function("Math.max")
        #expect(try maximum(2, 3) == 3)
    }

    @Test("a Swift closure is a real function of the script, with its name and length")
    func toScript() throws {
        let context = try JSContext()
        try define("add", context.makeFunction("add") { (a: Int, b: Int) in a + b }, in: context)
        try define("none", context.makeFunction("none") { () -> String in "ok" }, in: context)
        try define("one", context.makeFunction("one") { (p: Point) in Point(x: p.y, y: p.x) }, in: context)
        try define(
            "shaped",
            context.makeFunction("shaped") { (p: ShapedPoint) in ShapedPoint(x: p.y, y: p.x) },
            in: context
        )
        try define(
            "five",
            context.makeFunction("five") { (a: Int, b: String, c: Bool, d: Double?, e: [Int]) in
                "\(a)\(b)\(c)\(d ?? -1)\(e)"
            },
            in: context
        )
        try define(
            "list",
            context.makeFunction("list") { (n: Int) in (0..<n).map { Point(x: Double($0), y: 0) } },
            in: context
        )
        try define(
            "lists",
            context.makeFunction("lists") { (l: Lists) in "\(l.list.sorted())\(l.table)" },
            in: context
        )
        let checks = [
            "lists({ list: [1, 2], table: { a: 3 } }) === '[1, 2][\"a\": 3]'",
            "lists({ list: new Set([1, 2]), table: new Map([['a', 3]]) }) === '[1, 2][\"a\": 3]'",
            "add(2, 3) === 5", "add.name === 'add' && add.length === 2", "add instanceof Function",
            "add.call(null, 1, 2) === 3", "add.bind(null, 1)(2) === 3", "add.apply(null, [4, 5]) === 9",
            "[1, 2, 3].reduce((a, b) => add(a, b)) === 6", "none() === 'ok'",
            "JSON.stringify(one({x: 1, y: 2})) === '{\"x\":2,\"y\":1}'",
            "JSON.stringify(shaped({x: 1, y: 2, z: 3})) === '{\"x\":2,\"y\":1}'",
            "five(1, 'a', true, undefined, [1, 2]) === '1atrue-1.0[1, 2]'",
            "five(1, 'a', false, null, []) === '1afalse-1.0[]'",
            "list(3).length === 3 && list(3)[2].x === 2 && Array.isArray(list(0))",
            "Object.getPrototypeOf(one({x: 1, y: 2})) === Object.prototype",
        ]
        for check in checks { #expect(try context.evaluate(check).toValue() == true, "\(check)") }
    }

    @Test(
        "R8 an argument that does not fit is an error that names it, and never ends the process",
        arguments: [
            ("whole(1e300)", "1e+300 is not a whole number from -"),
            ("whole(1.5)", "1.5 is not a whole number"),
            ("whole('1')", "string '1' is not a whole number"),
            ("whole(true)", "boolean true is not a whole number"),
            ("whole()", "undefined is not a whole number"), ("whole(NaN)", "NaN is not a whole number"),
            ("whole(-Infinity)", "-Infinity is not a whole number"),
            ("whole(2n ** 64n)", "18446744073709551616 is not a whole number from -"),
            ("whole({})", "object"), ("whole(Symbol('x'))", "undefined is not a whole number"),
            ("small(300)", "300 is not a whole number from 0 to 255"),
            ("small(-1)", "-1 is not a whole number from 0 to 255"),
            ("text(1)", "number 1 is not a string"), ("flag(1)", "number 1 is not a boolean"),
            ("point(null)", "null is not an object"), ("point(5)", "number 5 is not an object"),
            ("point({x: 1})", "the member 'y' is missing"),
            ("point({x: 1, y: 'a'})", "data.y: string 'a' is not a number"),
            ("shaped(null)", "null is not an object"), ("shaped({y: 1})", "the member 'x' is missing"),
            ("shaped({x: 1, y: 'a'})", "data.y: string 'a' is not a number"),
            ("points([{x: 1, y: 2}, {x: 1}])", "data[1]: the member 'y' is missing"),
            ("points({})", "not an array"), ("two(1, 'a')", "argument 2: string 'a' is not a whole number"),
        ]
    )
    func misfits(call: String, message: String) throws {
        let context = try JSContext()
        try define("whole", context.makeFunction("whole") { (n: Int) in n }, in: context)
        try define("small", context.makeFunction("small") { (n: UInt8) in n }, in: context)
        try define("text", context.makeFunction("text") { (n: String) in n }, in: context)
        try define("flag", context.makeFunction("flag") { (n: Bool) in n }, in: context)
        try define("point", context.makeFunction("point") { (n: Point) in n }, in: context)
        try define("shaped", context.makeFunction("shaped") { (n: ShapedPoint) in n }, in: context)
        try define("points", context.makeFunction("points") { (n: [Point]) in n }, in: context)
        try define("two", context.makeFunction("two") { (a: Int, b: Int) in a + b }, in: context)
        for _ in 0..<3 {
            let found =
                try context.evaluate(
                    "(() => { try { return 'fits: ' + \(call); } catch (e) { return e.code + ': ' + e.message; } })()"
                ).toValue().stringValue ?? ""
            #expect(found.hasPrefix("decodeFailed: "), "\(found)")
            #expect(found.contains(message), "\(found)")
        }
    }

    @Test(
        "R24 a closure's error is thrown into the script, and a script's error comes out of the closure"
    )
    func errors() throws {
        let context = try JSContext()
        try define(
            "fail",
            context.makeFunction("fail") { (n: Int) -> Int in
                throw BridgeError(
                    BridgeErrorCode(rawValue: "shop.outOfStock"),
                    "none of \(n) left",
                    data: ["left": 0]
                )
            },
            in: context
        )
        let script =
            "try { fail(7) } catch (e) { e instanceof Error && [e.code, e.message, e.data.left].join() }"
        #expect(try context.evaluate(script).toValue() == "shop.outOfStock,none of 7 left,0")
        try context.evaluate(
            "function thrower() { throw { code: 42 }; } function through() { return fail(1); }"
        )
        let thrower: () throws -> Int = try context.function("thrower")
        #expect(throws: JSException.self) { try thrower() }
        do {
            _ = try thrower()
        } catch let error as JSException {
            #expect(error.thrownValue == ["code": 42])
        }
        let through: () throws -> Int = try context.function("through")
        do {
            _ = try through()
            Issue.record("nothing was thrown")
        } catch let error as JSException {
            #expect(error.code == "shop.outOfStock")
        }
    }

    @Test("a name without a function is an error")
    func missing() throws {
        let context = try JSContext()
        for name in ["nothing", "Math.nothing", "Math.PI", "", "a.b.c"] {
            #expect(throws: JSException.self) {
                let _: () throws -> Int = try context.function(name)
            }
        }
    }

    @Test("R17 calls nest from Swift to script to Swift until the stack is full, which is an error")
    func nesting() throws {
        let context = try JSContext()
        try context.evaluate(
            "var depth = 0; function down(n) { depth = n; return n === 0 ? 0 : 1 + swift(n - 1); }"
        )
        let down: (Int) throws -> Int = try context.function("down")
        try define("swift", context.makeFunction("swift") { (n: Int) in try down(n) }, in: context)
        #expect(try down(50) == 50)
        #expect(throws: (any Error).self) { try down(1_000_000) }
        #expect(try down(50) == 50)
        // The closure retains the context: release it.
        try context.evaluate("swift = null; down = null")
    }

    @Test("a failing call inside another one leaves nothing behind for the next")
    func failuresNest() throws {
        let context = try JSContext()
        let caught = try context.makeFunction("caught") { (n: Int) -> Int in
            if n > 0 { throw BridgeError(.invalidArgument, "level \(n)") }
            return n
        }
        try define("caught", caught, in: context)
        let script = """
            (() => {
                const seen = [];
                for (const n of [2, 0, 'x', 1, 0]) {
                    try { seen.push(caught(n)); } catch (e) { seen.push(e.message); }
                }
                return seen.join();
            })()
            """
        let expected: Value = "level 2,0,data: string 'x' is not a whole number,level 1,0"
        #expect(try context.evaluate(script).toValue() == expected)
    }

    @Test("closures are released when their functions are collected")
    func release() throws {
        final class Witness {
            let gone: Box<Int>
            init(_ gone: Box<Int>) { self.gone = gone }
            deinit { gone.value += 1 }
        }
        let context = try JSContext()
        let gone = Box(0)
        // The collector treats anything left on the stack as a value, so a few may stay.
        for _ in 0..<100 {
            let held = Witness(gone)
            let function = try context.makeFunction("held") { (n: Int) in
                withExtendedLifetime(held) { n }
            }
            #expect(try function.value.call(with: 1) == 1)
        }
        for _ in 0..<3 {
            context.virtualMachine.collectGarbage()
            try context.withTurn {}
        }
        #expect(gone.value > 90)
    }
}
