import BridgeJSON
import BridgeValues
import Testing

@testable import BridgeProtocol

@Suite("JSON: reading")
struct JSONReaderTests {
    @Test(
        "P68 R8 scalars keep their kind and their exact value",
        arguments: [
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null), ("1", .integer(1)),
            ("0", .integer(0)),
            ("-1", .integer(-1)), ("1.5", .double(1.5)), ("1.0", .integer(1)), ("1e3", .integer(1000)),
            ("-0", .double(-0.0)),
            ("-0.0", .double(-0.0)), ("0.1", .double(0.1)), ("5e-324", .double(.leastNonzeroMagnitude)),
            ("9007199254740991", .integer(9_007_199_254_740_991)),
            ("9007199254740993", .integer(9_007_199_254_740_993)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .bigInt("9223372036854775808")),
            ("9223372036854776000", .double(9_223_372_036_854_775_808)),
            ("-9223372036854776000", .double(-9_223_372_036_854_775_808)),
            ("12345678901234567890", .bigInt("12345678901234567890")),
            ("100000000000000000000", .double(1e20)),
            ("100000000000000000001", .bigInt("100000000000000000001")),
            ("1e20", .double(1e20)), ("1E+20", .double(1e20)),
            ("1000000000000000000000", .bigInt("1000000000000000000000")),
            ("\"\"", ""), ("\"a\"", "a"), ("[]", []), ("{}", [:]), (" [ 1 , [ ] , { } ] ", [1, [], [:]]),
            ("{\"a\":1,\"b\":{\"c\":[true]}}", ["a": 1, "b": ["c": [true]]]),
        ] as [(String, Value)]
    )
    func values(text: String, expected: Value) throws {
        let value = try read(text)
        #expect(value == expected)
        // Value's own equality treats -0 as 0.
        if case .double(let number) = value, case .double(let wanted) = expected {
            #expect(number.sign == wanted.sign)
        }
    }

    @Test("R8 of several members with the same key the last counts; __proto__ is an ordinary key")
    func keys() throws {
        #expect(try read(#"{"a":1,"b":2,"a":3}"#) == ["a": 3, "b": 2])
        #expect(try read(#"{"__proto__":{"x":1}}"#)["__proto__"]["x"] == 1)
    }

    @Test("P63 every escape is decoded")
    func escapes() throws {
        #expect(
            try read(#""\"\\\/\b\f\n\r\t\u0000\u00e9\u2028\ud83d\ude00\uABCD""#)
                == "\"\\/\u{8}\u{c}\n\r\t\u{0}é\u{2028}😀\u{ABCD}"
        )
        #expect(try read("\"\u{2028}\u{7f}😀e\u{301}</script>\"") == "\u{2028}\u{7f}😀e\u{301}</script>")
    }

    @Test("P66 R8 a lone surrogate is kept, escaped or not")
    func loneSurrogates() throws {
        let quote = UInt16.quote
        #expect(
            try read(units: [quote, 0x61, 0xD800, 0x62, quote]) == .illFormedString([0x61, 0xD800, 0x62])
        )
        #expect(try read(#""a\ud800b""#) == .illFormedString([0x61, 0xD800, 0x62]))
        #expect(try read(#""\udc00\ud800""#) == .illFormedString([0xDC00, 0xD800]))
        #expect(try read(#""\ud800\ud800\udc00""#) == .illFormedString([0xD800, 0xD800, 0xDC00]))
        // A pair of which one half is escaped is a pair, as in JavaScript.
        #expect(try read(units: Array("\"\\ud83d".utf16) + [0xDE00, quote]) == "😀")
    }

    @Test(
        "R1 invalid JSON is an error with its position",
        arguments: [
            "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{1:1}", "tru", "truE", "nul",
            "undefined", "NaN", "Infinity", "-Infinity", "+1", "-", "01x", "1.", ".5", "1e", "1e+", "0x10",
            "'a'", "\"", "\"a", "\"\\",
            "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "\u{FEFF}1", "//", "]", "}", "1e400", "-1e400",
            "\u{0}",
        ]
    )
    func malformed(text: String) {
        #expect(throws: BridgeError.self) { try read(text, toEnd: true) }
    }

    @Test(
        "P67 R9 the depth has a limit of the package, on both sides of it, and five million brackets cost nothing",
        arguments: [1, 64, 512, 2000]
    )
    func depth(limit: Int) throws {
        var limits = BridgeLimits()
        limits.maximumDepth = limit
        for nested in [limit - 1, limit] where nested > 0 {
            _ = try read(
                String(repeating: "[", count: nested) + String(repeating: "]", count: nested),
                limits: limits
            )
            _ = try read(
                String(repeating: "{\"a\":", count: nested) + "1" + String(repeating: "}", count: nested),
                limits: limits
            )
        }
        for text in [
            String(repeating: "[", count: limit + 1), String(repeating: "{\"a\":", count: limit + 1) + "1",
        ] {
            let error = try #require(throws: BridgeError.self) { try read(text, limits: limits) }
            #expect(error.code == .limitExceeded)
            #expect(error.message.contains("\(limit) levels"))
        }
        let flood = try #require(throws: BridgeError.self) {
            try read(units: Array(repeating: .openBracket, count: 5_000_000), limits: limits)
        }
        #expect(flood.code == .limitExceeded)
    }

    @Test("R9 the number of values has a limit, on both sides of it")
    func nodes() throws {
        var limits = BridgeLimits()
        limits.maximumNodes = 4
        #expect(try read("[1,2,3]", limits: limits) == [1, 2, 3])
        let error = try #require(throws: BridgeError.self) { try read("[1,2,3,4]", limits: limits) }
        #expect(error.code == .limitExceeded)
        #expect(error.message.contains("4 values"))
    }

    private func read(_ text: String, limits: BridgeLimits = BridgeLimits(), toEnd: Bool = false) throws
        -> Value
    {
        try read(units: Array(text.utf16), limits: limits, toEnd: toEnd)
    }

    private func read(units: [UInt16], limits: BridgeLimits = BridgeLimits(), toEnd: Bool = false) throws
        -> Value
    {
        try units.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer, in: 0..<buffer.count, limits: limits)
            let value = try reader.readValue()
            reader.skipSpace()
            if toEnd, reader.position < reader.end { throw reader.unexpected("the end") }
            return value
        }
    }
}
