import BridgeJSON
import BridgeValues
import Foundation
import Testing

@Suite("JSON text: encoding")
struct JSONTextEncoderTests {
    @Test(
        "P64 numbers are written as JavaScript writes them",
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (123_456_789_012_345_683_968, "123456789012345680000"), (1.5e300, "1.5e+300"),
            (.leastNonzeroMagnitude, "5e-324"),
            (1e-6, "0.000001"), (1e-7, "1e-7"), (1.25e-7, "1.25e-7"), (0.00012, "0.00012"),
            (1e15, "1000000000000000"),
            (1e16, "10000000000000000"), (1.7976931348623157e308, "1.7976931348623157e+308"), (8.41, "8.41"),
            (0x1p60, "1152921504606847000"), (4.35, "4.35"), (0.3, "0.3"), (0.1 + 0.2, "0.30000000000000004"),
            (100.005, "100.005"), (2.5e-3, "0.0025"), (12345.6789, "12345.6789"),
            (99999.99999, "99999.99999"),
            (-37.62, "-37.62"), (9.995, "9.995"), (1.0005, "1.0005"), (123456789.0001, "123456789.0001"),
        ] as [(Double, String)]
    )
    func numbers(number: Double, expected: String) throws {
        #expect(try JSONTextEncoder().encode([number]) == "[\(expected)]")
    }

    @Test("P68 whole numbers have all their digits")
    func integers() throws {
        struct Integers: Encodable {
            var a = Int64.min
            var b = UInt64.max
            var c = Int128.min
            var d = UInt128.max
            var e = Int8(-7)
            var f: UInt16 = 10
        }
        #expect(
            try JSONTextEncoder().encode(Integers())
                == #"{"a":-9223372036854775808,"b":18446744073709551615,"c":-170141183460469231731687303715884105728,"d":340282366920938463463374607431768211455,"e":-7,"f":10}"#
        )
    }

    @Test("P63 required escapes are written, in keys too, and no others")
    func escapes() throws {
        let text = "\"\\/\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}\u{2028}\u{2029}é😀e\u{301}\u{FFFF}</script>'%"
        let written =
            "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\\u007f\\u2028\\u2029é😀e\u{301}\u{FFFF}</script>'%\""
        #expect(try JSONTextEncoder().encode(text) == written)
        #expect(try JSONTextEncoder().encode([text: 1]) == "{\(written):1}")
        let long = String(repeating: text, count: 40_000)
        #expect(try JSONTextDecoder().decode(String.self, from: JSONTextEncoder().encode(long)) == long)
        #expect(
            try JSONTextEncoder().encode(
                Value.illFormedString([0x61, 0xD800, 0x62, 0xDC00, 0xD83D, 0xDE00, 0x22, 0xDBFF])
            )
                == #""a\ud800b\udc00😀\"\udbff""#
        )
    }

    @Test("P70 NaN or an infinity is an error that names the member, or null where that is requested")
    func nonFinite() throws {
        struct Row: Encodable { var list: [[String: Double]] }
        let row = Row(list: [["a": 1], ["b \"\\é": .nan]])
        let error = #expect(throws: BridgeError.self) { try JSONTextEncoder().encode(row) }
        #expect(error?.code == .encodeFailed)
        #expect(error?.message == "data.list[1].b \"\\é: NaN is not a JSON number")
        #expect(try JSONTextEncoder(nonFiniteStrategy: .null).encode([Double.infinity, 1]) == "[null,1]")
        let top = #expect(throws: BridgeError.self) { try JSONTextEncoder().encode(-Double.infinity) }
        #expect(top?.message == "data: -Infinity is not a JSON number")
    }

    @Test("P64 nil and undefined leave their member out, and are null in an array")
    func absence() throws {
        struct Row: Encodable {
            var a: Int?
            var b: Value = .undefined
            var c: [Int?] = [nil, 1]
            var d: Value = [.undefined, ["x": .undefined, "y": .null]]
        }
        #expect(try JSONTextEncoder().encode(Row()) == #"{"c":[null,1],"d":[null,{"y":null}]}"#)
        #expect(try JSONTextEncoder().encode(Int?.none) == "null")
        #expect(try JSONTextEncoder().encode(Value.undefined) == "null")
        struct Wrapper: Encodable {
            var value: Value
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(value)
            }
        }
        #expect(try JSONTextEncoder().encode(["a": Wrapper(value: .undefined)]) == "{}")
        #expect(try JSONTextEncoder().encode(["a": Wrapper(value: 1)]) == #"{"a":1}"#)
    }

    @Test("dates, bytes, decimals, URLs and identifiers are encoded by their strategies")
    func foundationTypes() throws {
        let date = Date(timeIntervalSince1970: -0.001)
        #expect(try JSONTextEncoder().encode(date) == #""1969-12-31T23:59:59.999Z""#)
        #expect(try JSONTextEncoder().encode(Value.date(date)) == #""1969-12-31T23:59:59.999Z""#)
        #expect(try JSONTextEncoder(dateStrategy: .millisecondsSince1970).encode([date]) == "[-1]")
        #expect(try JSONTextEncoder().encode(Date.distantFuture.addingTimeInterval(1e15)) == "null")
        let bytes = Data([1, 2, 255])
        #expect(try JSONTextEncoder().encode(bytes) == #""AQL/""#)
        #expect(try JSONTextEncoder(dataStrategy: .numbers).encode(bytes) == "[1,2,255]")
        #expect(
            try JSONTextEncoder(dataStrategy: .indexes).encode(["b": bytes])
                == #"{"b":{"0":1,"1":2,"2":255}}"#
        )
        #expect(try JSONTextEncoder(dataStrategy: .indexes).encode(Value.bytes(Data())) == "{}")
        let decimal = try #require(Decimal(string: "12345678901234567890.123"))
        #expect(try JSONTextEncoder().encode(decimal) == #""12345678901234567890.123""#)
        #expect(
            try JSONTextEncoder().encode(URL(string: "https://example.org/")) == #""https://example.org/""#
        )
        let uuid = UUID()
        #expect(try JSONTextEncoder().encode([uuid]) == "[\"\(uuid)\"]")
    }

    @Test("dates are unchanged to the millisecond, over all of JavaScript's range")
    func dates() throws {
        for milliseconds in stride(from: -8.64e15, through: 8.64e15, by: 1.234567e12) {
            let date = Date(timeIntervalSince1970: milliseconds.rounded() / 1000)
            let text = try JSONTextEncoder().encode(date)
            #expect(try JSONTextDecoder().decode(Date.self, from: text) == date, "\(text)")
        }
    }

    @Test("P67 R9 depth, values and length have limits, on both sides of each")
    func limits() throws {
        var encoder = JSONTextEncoder()
        encoder.limits.maximumDepth = 3
        #expect(try encoder.encode([[[Int]()]]) == "[[[]]]")
        expectLimit(encoder, [[[[1]]]])
        expectLimit(encoder, Value.array([[[[]]]]))
        encoder = JSONTextEncoder()
        encoder.limits.maximumNodes = 10
        #expect(try encoder.encode([Int](repeating: 1, count: 9)).count == 19)
        expectLimit(encoder, [Int](repeating: 1, count: 10))
        encoder = JSONTextEncoder()
        encoder.limits.maximumMessageLength = 10
        #expect(try encoder.encode("12345678") == "\"12345678\"")
        #expect(try encoder.encode("éé😀3456") == "\"éé😀3456\"")
        expectLimit(encoder, "éé😀34567")
        expectLimit(encoder, String(repeating: "x", count: 100_000))
        // A type that catches the error cannot hide it.
        struct Careless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try? list.encode([[[1]]])
                try? list.encode(1)
            }
        }
        encoder = JSONTextEncoder()
        encoder.limits.maximumDepth = 2
        expectLimit(encoder, Careless())
    }

    private func expectLimit(_ encoder: JSONTextEncoder, _ value: some Encodable) {
        let error = #expect(throws: BridgeError.self) { try encoder.encode(value) }
        #expect(error?.code == .limitExceeded)
    }

    // MARK: Types that do not write in one go

    /// A value that a closure encodes.
    struct Written: Encodable {
        struct Key: CodingKey, ExpressibleByStringLiteral {
            var stringValue: String
            var intValue: Int? { nil }
            init?(intValue: Int) { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init(stringLiteral: String) { stringValue = stringLiteral }
        }
        let body: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    static let odd: [(Written, String)] = [
        (Written { _ in }, "{}"),
        (
            Written {
                var first = $0.container(keyedBy: Written.Key.self)
                try first.encode(1, forKey: "a")
                var second = $0.container(keyedBy: Written.Key.self)
                try second.encode(2, forKey: "b")
                try first.encode(3, forKey: "c")
            }, #"{"a":1,"b":2,"c":3}"#
        ),
        (
            Written {
                var members = $0.container(keyedBy: Written.Key.self)
                try members.encode(1, forKey: "a")
                try members.encode(2, forKey: "b")
                try members.encode(3, forKey: "a")
            }, #"{"a":3,"b":2}"#
        ),
        (
            Written {
                var members = $0.container(keyedBy: Written.Key.self)
                var one = members.nestedUnkeyedContainer(forKey: "one")
                var two = members.nestedContainer(keyedBy: Written.Key.self, forKey: "two")
                try one.encode(1)
                try two.encode(2, forKey: "x")
                try one.encode(3)
            }, #"{"one":[1,3],"two":{"x":2}}"#
        ),
        (
            Written {
                var members = $0.container(keyedBy: Written.Key.self)
                var list = members.nestedUnkeyedContainer(forKey: "list")
                try list.encode(1)
                var inner = list.nestedContainer(keyedBy: Written.Key.self)
                try inner.encode("x", forKey: "y")
                try list.encodeNil()
                try members.encode(true, forKey: "after")
            }, #"{"list":[1,{"y":"x"},null],"after":true}"#
        ),
        (
            Written {
                var members = $0.container(keyedBy: Written.Key.self)
                try [1, 2].encode(to: members.superEncoder())
                try "x".encode(to: members.superEncoder(forKey: "mine"))
                _ = members.superEncoder(forKey: "unused")
            }, #"{"super":[1,2],"mine":"x","unused":{}}"#
        ),
        (
            Written {
                var members = $0.container(keyedBy: Written.Key.self)
                let later = members.superEncoder(forKey: "later")
                try members.encode(1, forKey: "now")
                try "x".encode(to: later)
            }, #"{"later":"x","now":1}"#
        ),
        (
            Written {
                var list = $0.unkeyedContainer()
                try? list.encode(
                    Written { encoder in
                        var inner = encoder.unkeyedContainer()
                        try inner.encode(1)
                        throw CancellationError()
                    }
                )
                try list.encode(2)
                var members = list.nestedContainer(keyedBy: Written.Key.self)
                try? members.encode(Written { _ in throw CancellationError() }, forKey: "gone")
                try members.encode(3, forKey: "gone")
                try #require(list.count == 2)
            }, #"[2,{"gone":3}]"#
        ),
        (
            Written {
                var value = $0.singleValueContainer()
                try value.encode(1)
                try value.encode(2)
            }, "2"
        ),
    ]

    @Test("output out of order, twice or not at all equals that of ValueEncoder", arguments: odd.indices)
    func oddTypes(index: Int) throws {
        let (value, expected) = Self.odd[index]
        #expect(try JSONTextEncoder().encode(value) == expected)
        let tree = try ValueEncoder().encode(value)
        #expect(try JSONTextDecoder().decode(Value.self, from: expected) == tree)
    }

    @Test("an object of many members, with one that is written again")
    func manyMembers() throws {
        let table = Dictionary(uniqueKeysWithValues: (0..<500).map { ("key \($0)", $0) })
        let text = try JSONTextEncoder().encode(table)
        #expect(try JSONTextDecoder().decode([String: Int].self, from: text) == table)
        let twice = Written {
            var members = $0.container(keyedBy: Written.Key.self)
            for number in 0..<40 { try members.encode(number, forKey: .init(stringValue: "k\(number % 30)")) }
        }
        let members = try JSONTextDecoder().decode(ValueMembers.self, from: JSONTextEncoder().encode(twice))
        #expect(members.object.count == 30 && members.object["k9"] == 39 && members.object["k10"] == 10)
    }

    struct ValueMembers: Decodable {
        var object: ValueObject
        init(from decoder: any Decoder) throws {
            object = try Value(from: decoder).objectValue ?? [:]
        }
    }
}
