import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Values created and read by Apple's names: no conversion traps, or silently returns a different value.
@Suite(.noLeaks) struct ConversionTests {
    static let integers: [(script: String, int32: Int32, uInt32: UInt32, int64: Int64?, uInt64: UInt64?)] = [
        ("0", 0, 0, 0, 0), ("-0", 0, 0, 0, 0), ("1.9", 1, 1, 1, 1), ("-1.9", -1, .max, -1, nil),
        ("2147483648", .min, 2_147_483_648, 2_147_483_648, 2_147_483_648),
        ("4294967296", 0, 0, 4_294_967_296, 4_294_967_296), ("-1", -1, .max, -1, nil),
        ("1e300", 0, 0, nil, nil), ("-1e300", 0, 0, nil, nil), ("NaN", 0, 0, nil, nil),
        ("Infinity", 0, 0, nil, nil), ("-Infinity", 0, 0, nil, nil),
        ("9223372036854775808", 0, 0, nil, 1 << 63),
        ("-9223372036854775808", 0, 0, .min, nil), ("18446744073709551616", 0, 0, nil, nil),
        ("'12'", 12, 12, 12, 12), ("'x'", 0, 0, nil, nil), ("true", 1, 1, 1, 1), ("null", 0, 0, 0, 0),
        ("undefined", 0, 0, nil, nil), ("({ valueOf() { return 7 } })", 7, 7, 7, 7),
        ("new Date(5)", 5, 5, 5, 5), ("[]", 0, 0, 0, 0), ("-0.5", 0, 0, 0, 0),
    ]

    @Test("integers wrap as in JavaScript in 32 bits, and are exact or an error in 64", arguments: integers)
    func integersOf(
        script: String,
        int32: Int32,
        uInt32: UInt32,
        int64: Int64?,
        uInt64: UInt64?
    ) throws {
        let context = try JSContext()
        let value = try context.evaluate(script)
        #expect(try value.toInt32() == int32)
        #expect(try value.toUInt32() == uInt32)
        #expect(try context.evaluate("(\(script)) | 0").toDouble() == Double(int32), "JavaScript agrees")
        #expect(try context.evaluate("(\(script)) >>> 0").toDouble() == Double(uInt32), "JavaScript agrees")
        #expect((try? value.toInt64()) == int64)
        #expect((try? value.toUInt64()) == uInt64)
        if int64 == nil { #expect(throws: JSException.self) { try value.toInt64() } }
    }

    @Test("a BigInt is exact in 64 bits, an error beyond, and a number only on request")
    func bigInts() throws {
        let context = try JSContext()
        #expect(try context.evaluate("9007199254740993n").toInt64() == 9_007_199_254_740_993)
        #expect(try context.evaluate("18446744073709551615n").toUInt64() == .max)
        #expect(throws: JSException.self) { try context.evaluate("18446744073709551616n").toUInt64() }
        #expect(try context.evaluate("9007199254740993n").toDouble() == 9_007_199_254_740_992)
        #expect(throws: JSException.self) { try context.evaluate("-1n").toUInt64() }
        let made = [
            try JSValue(newBigIntFromInt64: .min, in: context),
            try JSValue(newBigIntFromUInt64: .max, in: context),
            try JSValue(newBigIntFromDouble: 1e21, in: context),
            try JSValue(newBigIntFromString: "0xff", in: context),
        ]
        #expect(
            try made.map { try $0.toString() } == [
                "-9223372036854775808", "18446744073709551615", "1000000000000000000000", "255",
            ]
        )
        #expect(made.allSatisfy { $0.isBigInt && !$0.isNumber && !$0.isObject })
        #expect(throws: JSException.self) { try JSValue(newBigIntFromDouble: 1.5, in: context) }
        #expect(throws: JSException.self) { try JSValue(newBigIntFromString: "1x", in: context) }
    }

    @Test(
        "strings keep NUL and characters beyond the basic plane; a lone surrogate is replaced; a symbol is refused"
    )
    func text() throws {
        let context = try JSContext()
        #expect(try context.evaluate("'a\\0b\\u{1F600}ä'").toString() == "a\0b😀ä")
        #expect(try context.evaluate("'a\\uD800b'").toString() == "a\u{FFFD}b")
        #expect(try context.evaluate("[1, [2]]").toString() == "1,2")
        #expect(try context.evaluate("10n").toString() == "10")
        #expect(try context.evaluate("({ toString() { return 'own' } })").toString() == "own")
        #expect(throws: JSException.self) { try context.evaluate("Symbol('x')").toString() }
        #expect(throws: JSException.self) { try context.evaluate("({ toString() { throw 1 } })").toString() }
        #expect(throws: JSException.self) { try context.evaluate("Object.create(null)").toString() }
        #expect(try context.evaluate("Symbol('x')").toBool())
    }

    @Test(
        "VE10 long strings of every width reach a script unit by unit and come back unchanged, NUL included",
        arguments: [
            "a", "\u{E9}", "\u{FF}", "\u{100}", "\u{4E2D}", "\u{1F600}", "a\0", "\u{4E2D}\0",
            "a\u{301}\u{1F600}",
        ]
    )
    func longStrings(piece: String) throws {
        let context = try JSContext()
        let units = try context.evaluate("text => text.split('').map(c => c.charCodeAt(0)).join()")
        for count in [1, 340, 341, 342, 511, 512, 1_023, 1_024, 1_025, 5_000] {
            let text = String(repeating: piece, count: count)
            let value = try JSValue(.string(text), in: context)
            #expect(try value.toString().utf8.elementsEqual(text.utf8))
            let seen = try units.call(withArguments: [value]).toString()
            #expect(seen == text.utf16.map { String($0) }.joined(separator: ","), "\(count)")
        }
    }

    @Test("dates are created from Date and from milliseconds; an invalid one is an error")
    func dates() throws {
        let context = try JSContext()
        #expect(try context.evaluate("new Date(1500)").toDate() == Date(timeIntervalSince1970: 1.5))
        #expect(try context.evaluate("1500").toDate() == Date(timeIntervalSince1970: 1.5))
        #expect(throws: JSException.self) { try context.evaluate("new Date(NaN)").toDate() }
        #expect(throws: JSException.self) { try context.evaluate("'soon'").toDate() }
        #expect(
            try context.evaluate("Date.prototype.valueOf = () => 0; new Date(2000)").toDate()
                == Date(timeIntervalSince1970: 2),
            "a script's own valueOf does not count for a Date"
        )
    }

    @Test("arrays and dictionaries are read element by element, functions included")
    func containers() throws {
        let context = try JSContext()
        let array = try context.evaluate("[1, , () => 5, Symbol.iterator]").toArray()
        #expect(array.count == 4 && array[1].isUndefined && array[2].isFunction && array[3].isSymbol)
        let members = try context.evaluate("({ f: () => 5, x: null, get g() { return 7 } })").toDictionary()
        #expect(try members["f"]?.call().toInt32() == 5)
        #expect(members["x"]?.isNull == true)
        #expect(try members["g"]?.toInt32() == 7)
        #expect(throws: JSException.self) { try context.evaluate("({ length: 2 })").toArray() }
        for length in ["1e9", "-1", "1.5", "'x'", "NaN"] {
            let list = try context.evaluate(
                "new Proxy([], { get: (t, k) => k === 'length' ? \(length) : t[k] })"
            )
            #expect(throws: (any Error).self) { try list.toArray() }
        }
    }

    @Test("toObject returns the corresponding Swift value, which init(object:) accepts")
    func objects() throws {
        let context = try JSContext()
        let source: [String: Any] = [
            "flag": true, "whole": Int64(7), "fraction": 0.5, "text": "x", "__proto__": "data",
            "list": [1.5, "y", [String: Any]()] as [Any], "date": Date(timeIntervalSince1970: 1),
            "bytes": Data([1, 2, 3]),
        ]
        let value = try JSValue(object: source, in: context)
        let back = try #require(try value.toObject() as? [String: Any?])
        #expect(Set(back.keys) == Set(source.keys))
        #expect(back["flag"] as? Bool == true)
        #expect(back["whole"] as? Int64 == 7)
        #expect(back["fraction"] as? Double == 0.5)
        #expect(back["__proto__"] as? String == "data")
        #expect(back["date"] as? Date == Date(timeIntervalSince1970: 1))
        #expect(back["bytes"] as? Data == Data([1, 2, 3]))
        #expect(try JSValue(object: nil, in: context).isUndefined)
        #expect(try JSValue(object: NSNull(), in: context).isNull)
        #expect(try JSValue(object: Optional<Int>.none as Any, in: context).isUndefined)
        #expect(try JSValue(object: UInt64.max, in: context).isBigInt)
        #expect(try JSValue(object: Value.array([1]), in: context).isArray)
        #expect(try context.evaluate("undefined").toObject() == nil)
        struct Opaque {}
        #expect(throws: JSException.self) { try JSValue(object: Opaque(), in: context) }
        var deep: [Any] = []
        for _ in 0..<2000 { deep = [deep] }
        #expect(throws: BridgeError.self) { try JSValue(object: deep, in: context) }
    }

    @Test("one object in each context represents an instance of a class, and returns it")
    func wrappers() throws {
        final class Model { var count = 0 }
        let machine = JSVirtualMachine()
        let (context, other) = (
            try JSContext(virtualMachine: machine), try JSContext(virtualMachine: machine)
        )
        let model = Model()
        let wrapper = try JSValue(object: model, in: context)
        #expect(wrapper.toObject(of: Model.self) === model)
        #expect(wrapper.toObject(of: JSContext.self) == nil)
        #expect(try wrapper.toObject() as? Model === model)
        #expect(try wrapper.isEqual(to: JSValue(object: model, in: context)))
        #expect(try !wrapper.isEqual(to: JSValue(object: model, in: other)))
        #expect(try !wrapper.isEqual(to: JSValue(object: Model(), in: context)))
        #expect(try wrapper.propertyNames().isEmpty)
        #expect(try context.evaluate("({})").toObject(of: Model.self) == nil)
        let read = try context.makeFunction(named: "read", parameterCount: 1) { arguments in
            arguments[0].toObject(of: Model.self)?.count += 1
            return nil
        }
        try read.call(withArguments: [wrapper])
        #expect(model.count == 1)
    }

    @Test("values created by Apple's names have the expected content")
    func making() throws {
        let context = try JSContext()
        #expect(JSValue(bool: false, in: context).isBoolean)
        #expect(try JSValue(double: .nan, in: context).toDouble().isNaN)
        #expect(try JSValue(int32: .min, in: context).toInt32() == .min)
        #expect(try JSValue(uInt32: .max, in: context).toUInt32() == .max)
        #expect(JSValue(nullIn: context).isNull && JSValue(undefinedIn: context).isUndefined)
        #expect(try JSValue(newObjectIn: context).isObject)
        #expect(try JSValue(newArrayIn: context).isArray)
        let error = try JSValue(newErrorFromMessage: "bad \0 thing", in: context)
        #expect(try error["message"].toString() == "bad \0 thing")
        #expect(try error.isInstance(of: context["Error"]))
        #expect(try !error.isInstance(of: context["Map"]))
        #expect(throws: JSException.self) { try error.isInstance(of: JSValue(bool: true, in: context)) }
        let pattern = try JSValue(newRegularExpressionFromPattern: "a(.)c", flags: "gi", in: context)
        #expect(try pattern.invokeMethod("test", withArguments: [JSValue("xABCx", in: context)]).toBool())
        #expect(throws: JSException.self) { try JSValue(newRegularExpressionFromPattern: "(", in: context) }
        let (one, text) = (JSValue(double: 1, in: context), try JSValue("1", in: context))
        #expect(!one.isEqual(to: text))
        #expect(try one.isEqualWithTypeCoercion(to: text))
        #expect(!JSValue(double: .nan, in: context).isEqual(to: JSValue(double: .nan, in: context)))
        let thrower = try context.evaluate("({ valueOf() { throw new Error('no') } })")
        #expect(throws: JSException.self) { try one.isEqualWithTypeCoercion(to: thrower) }
        #expect(try !one.isEqual(to: JSValue(double: 1, in: JSContext())), "another virtual machine")
    }
}
