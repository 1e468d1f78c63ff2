import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

@Suite(.noLeaks) struct ValueTransferTests {
    static let equalBothWays: [(String, Value)] = [
        ("undefined", .undefined), ("null", .null), ("true", true), ("false", false),
        ("0", 0), ("-1", -1), ("1.5", 1.5), ("9007199254740991", .integer(9_007_199_254_740_991)),
        ("9007199254740993n", .integer(9_007_199_254_740_993)), ("-9223372036854775808n", .integer(.min)),
        ("5n", .bigInt("5")), ("123456789012345678901234567890n", .bigInt("123456789012345678901234567890")),
        ("1e300", .double(1e300)), ("Infinity", .double(.infinity)), ("-Infinity", .double(-.infinity)),
        ("''", ""), ("'a\\0b'", "a\0b"), ("'\\u2028\\u2029'", "\u{2028}\u{2029}"),
        ("'😀👩‍👩‍👧e\\u0301'", "😀👩‍👩‍👧e\u{301}"),
        ("'</script>\\'\"\\\\${}'", "</script>'\"\\${}"),
        ("'a\\ud800b'", .illFormedString([0x61, 0xD800, 0x62])), ("'\\udc00'", .illFormedString([0xDC00])),
        ("['\\ud83d', '\\ude00']", [.illFormedString([0xD83D]), .illFormedString([0xDE00])]),
        ("[]", []), ("({})", [:]), ("[[], [[]], {}]", [[], [[]], [:]]),
        ("({a: {b: {c: [1, 'x', null]}}})", ["a": ["b": ["c": [1, "x", .null]]]]),
        ("({'': 1, '__proto__x': 2, 'a b': 3})", ["": 1, "__proto__x": 2, "a b": 3]),
        (
            "({['__proto__']: 1, constructor: 2, toString: 3})",
            ["__proto__": 1, "constructor": 2, "toString": 3]
        ),
        ("[1, undefined, null]", [1, .undefined, .null]),
        ("new Date(1700000000123)", .date(Date(timeIntervalSince1970: 1_700_000_000.123))),
        ("new Uint8Array([0, 1, 2, 255])", .bytes(Data([0, 1, 2, 255]))),
        ("new ArrayBuffer(0)", .bytes(Data())),
        ("new Uint8Array([9, 8, 7, 6]).subarray(1, 3)", .bytes(Data([8, 7]))),
        ("[new Uint8Array([1]), 'x', new Uint8Array([2])]", [.bytes(Data([1])), "x", .bytes(Data([2]))]),
    ]

    @Test("values from a script arrive equal and return equal", arguments: equalBothWays)
    func equal(source: String, expected: Value) throws {
        let context = try JSContext()
        let value = try context.evaluate("(\(source))")
        #expect(try value.toValue() == expected)
        #expect(try JSValue(expected, in: context).toValue() == expected)
        let isSame = try context.evaluate(
            """
            (function same(a, b) {
                if (typeof a !== "object" || a === null) return Object.is(a, b);
                if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
                if (ArrayBuffer.isView(a) || a instanceof ArrayBuffer) return true;
                const keys = Reflect.ownKeys(a);
                return Array.isArray(a) === Array.isArray(b) && keys.length === Reflect.ownKeys(b).length
                    && keys.every(key => same(a[key], b[key]));
            })
            """
        )
        #expect(try isSame.call(withArguments: [value, JSValue(expected, in: context)]).toValue() == true)
    }

    @Test("a NaN arrives as a NaN and negative zero keeps its sign")
    func specialNumbers() throws {
        let context = try JSContext()
        #expect(try context.evaluate("NaN").toValue().doubleValue?.isNaN == true)
        #expect(try context.evaluate("[-0]").toValue()[0].doubleValue?.sign == .minus)
        let isNegativeZero = try context.evaluate("value => Object.is(value[0], -0)")
        #expect(try isNegativeZero.call(with: [.double(-0.0)]) == true)
    }

    @Test("a megabyte of characters of every width arrives equal", arguments: ["a", "é", "語", "😀"])
    func longText(unit: String) throws {
        let context = try JSContext()
        let text = String(repeating: unit, count: 1 << 20)
        let echo = try context.evaluate("x => ({ x, length: x.length })")
        let result = try echo.call(with: .string(text))
        #expect(result["x"] == .string(text))
        #expect(result["length"] == .integer(Int64(text.utf16.count)))
    }

    @Test("holes read as undefined, functions and symbols are left out, toJSON is called once")
    func jsonRules() throws {
        let context = try JSContext()
        #expect(try context.evaluate("[1,,2]").toValue() == [1, .undefined, 2])
        #expect(try context.evaluate("({ f() {}, s: Symbol(), x: 1 })").toValue() == ["x": 1])
        let counted = try context.evaluate("var n = 0; ({ toJSON(key) { n++; return { key, n } } })")
        #expect(try counted.toValue() == ["key": "", "n": 1])
        #expect(
            try context.evaluate("[new Map([[1, 2]]), new Map([['a', new Set([1])]]), new Set([1]), /x/]")
                .toValue()
                == [[[1, 2]], ["a": [1]], [1], [:]]
        )
        #expect(
            try context.evaluate("[new Number(1), new String('s'), new Boolean(false), Object(3n)]").toValue()
                == [1, "s", false, .bigInt("3")]
        )
        #expect(try context.evaluate("new (class { x = 1; get y() { return 2 } })").toValue() == ["x": 1])
        #expect(try context.evaluate("[new Date(NaN)]").toValue()[0].kind == "Date")
    }

    @Test("a cycle is an error with its key path, and nothing else is lost")
    func cycle() throws {
        let context = try JSContext()
        let cyclic = try context.evaluate("var c = { list: [1, {}] }; c.list[1].back = c; c")
        let error = try #require(throws: JSException.self) { try cyclic.toValue() }
        #expect(error.code == "encodeFailed")
        #expect(error.message.contains("data.list[1].back"))
        #expect(try context.evaluate("({ ok: 1 })").toValue() == ["ok": 1])
        let shared = try context.evaluate("var s = [1]; [s, s]")
        #expect(try shared.toValue() == [[1], [1]])
    }

    @Test("depth and count are limited in both directions before anything grows")
    func limits() throws {
        var limits = ExecutionLimits()
        limits.maximumDepth = 10
        limits.maximumNodes = 100
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        func nest(_ depth: Int) -> Value {
            (0..<depth).reduce(Value.integer(1)) { value, _ in .array([value]) }
        }
        #expect(try JSValue(nest(10), in: context).toValue() == nest(10))
        #expect(throws: BridgeError.self) { try JSValue(nest(11), in: context) }
        let deep = try context.evaluate(
            "depth => { let v = 1; for (let i = 0; i < depth; i++) v = [v]; return v }"
        )
        #expect(try deep.call(with: 10) == nest(10))
        for source in [
            "d => { let v = 1; for (let i = 0; i < 11; i++) v = { v }; return v }",
            "() => Array(101).fill(0)", "() => new Array(4e9)",
        ] {
            let error = try #require(throws: JSException.self) { try context.evaluate(source).call(with: 1) }
            #expect(error.code == "limitExceeded")
        }
        #expect(throws: BridgeError.self) {
            try JSValue(.array(Array(repeating: 0, count: 101)), in: context)
        }
        #expect(try context.evaluate("() => Array(99).fill(0)").call(with: 1).arrayValue?.count == 99)
    }

    @Test("a getter that takes another value while one is taken disturbs neither")
    func reentrantTake() throws {
        let context = try JSContext()
        let seen = Box<[Value]>([])
        let send = try context.makeFunction(named: "send", parameterCount: 1) { arguments in
            seen.value.append(try arguments[0].toValue())
            return nil
        }
        try context.globalObject.setValue(send, forProperty: "send")
        let outer = try context.evaluate(
            "({ a: 'before', get b() { send({ inner: ['x'.repeat(5000), 1] }); return [2, 'mid'] }, toJSON: undefined, c: 'after' })"
        )
        #expect(try outer.toValue() == ["a": "before", "b": [2, "mid"], "toJSON": .undefined, "c": "after"])
        #expect(seen.value == [["inner": [.string(String(repeating: "x", count: 5000)), 1]]])
    }

    @Test("an error of a hostile value is thrown only to its reader")
    func hostile() throws {
        let context = try JSContext()
        for source in [
            "({ get x() { throw new TypeError('no') } })", "({ toJSON() { throw new TypeError('no') } })",
            "new Proxy({}, { ownKeys() { throw new TypeError('no') } })",
            "new Proxy({}, { getPrototypeOf() { throw new TypeError('no') } })",
        ] {
            let error = try #require(throws: JSException.self) {
                try context.evaluate("(\(source))").toValue()
            }
            #expect(error.name == "TypeError")
            #expect(error.message == "no")
        }
        #expect(try context.evaluate("1").toValue() == 1)
    }

    @Test("a string with a lone surrogate has U+FFFD in a Swift String, or is an error that names the member")
    func loneSurrogatePolicy() throws {
        struct Note: Codable, Equatable { var text: String }
        let context = try JSContext()
        let value = try context.evaluate("({ text: 'a\\ud800b' })")
        #expect(try value.decode(Note.self) == Note(text: "a\u{FFFD}b"))
        let error = try #require(throws: BridgeError.self) {
            try ValueDecoder(illFormedText: .fail).decode(Note.self, from: value.toValue())
        }
        #expect(error.code == .decodeFailed)
        #expect(error.message.contains("data.text"))
    }

    @Test("random values arrive equal", arguments: [SeededGenerator.seed()])
    func randomValues(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = try JSContext()
        let echo = try context.evaluate("x => x")
        for _ in 0..<2_000 {
            let value = random.value(depth: 4)
            #expect(try echo.call(with: value) == value, "replay with JSBRIDGE_SEED=\(seed)")
        }
    }
}

/// A variable that closures share.
///
/// Tests of one context run on one thread.
final class Box<Wrapped> {
    var value: Wrapped
    init(_ value: Wrapped) { self.value = value }
}

extension SeededGenerator {
    static func seed() -> UInt64 { givenSeed ?? UInt64.random(in: 1...(.max)) }

    mutating func value(depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &self) {
        case 0: .undefined
        case 1: .null
        case 2: .bool(Bool.random(using: &self))
        case 3: .integer(Int64.random(in: -5...5, using: &self))
        case 4: .integer(Int64.random(in: .min...(.max), using: &self))
        case 5: .number(Double.random(in: -1e9...1e9, using: &self))
        case 6: text()
        case 7:
            .bytes(
                Data(
                    (0..<Int.random(in: 0..<9, using: &self)).map { _ in
                        UInt8.random(in: 0...255, using: &self)
                    }
                )
            )
        case 8:
            .date(Date(timeIntervalSince1970: Double(Int.random(in: -1_000_000...1_000_000, using: &self))))
        case 9: .array((0..<Int.random(in: 0..<5, using: &self)).map { _ in value(depth: depth - 1) })
        default:
            .object(
                ValueObject(
                    (0..<Int.random(in: 0..<12, using: &self)).map { ("k\($0)", value(depth: depth - 1)) }
                )
            )
        }
    }

    private mutating func text() -> Value {
        let units = (0..<Int.random(in: 0..<20, using: &self)).map { _ in
            [UInt16(0), 0x20, 0x7F, 0xE9, 0x2028, 0xD83D, 0xDE00, 0xFFFF, 0x8A9E][
                Int.random(in: 0..<9, using: &self)
            ]
        }
        let text = String(decoding: units, as: UTF16.self)
        return Array(text.utf16) == units ? .string(text) : .illFormedString(units)
    }
}
