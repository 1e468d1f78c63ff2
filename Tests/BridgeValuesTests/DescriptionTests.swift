import BridgeJSON
import BridgeValues
import Foundation
import Testing

@Suite("Values: descriptions") struct DescriptionTests {
    @Test("each kind of value has its own description")
    func kinds() {
        let texts: [(Value, String)] = [
            (.undefined, "undefined"), (.null, "null"), (true, "true"), (42, "42"), (-1.5, "-1.5"),
            (.double(.nan), "NaN"), (.double(-0.0), "-0"), (.double(-.infinity), "-Infinity"),
            (.integer(9_007_199_254_740_993), "9007199254740993n"), (.bigInt("-123"), "-123n"),
            ("a \"b\" \\", #""a \"b\" \\""#), ("two\nlines\u{1b}[31m", #""two\nlines\u{1b}[31m""#),
            (.illFormedString([0x61, 0xD800, 0xD83D, 0xDE00]), #""a\u{d800}😀""#),
            (.date(Date(timeIntervalSince1970: 0.5)), "1970-01-01T00:00:00.500Z"),
            (.bytes(Data([1, 255])), "<2 bytes: 01 ff>"), (.bytes(Data()), "<0 bytes>"),
            ([], "[]"), ([:], "{}"),
            (
                ["foo": "bar", "list": [1, .null, .undefined]],
                #"{"foo": "bar", "list": [1, null, undefined]}"#
            ),
        ]
        for (value, text) in texts {
            #expect("\(value)" == text)
            #expect(String(reflecting: value) == text)
        }
        #expect("\(ValueObject([("a", 1)]))" == #"{"a": 1}"#)
        #expect("\(ValueObject.Member(key: "a", value: 1))" == #""a": 1"#)
        #expect("\(Optional(Value.string("x")) as Any)" == #"Optional("x")"#)
    }

    @Test("a long or wide value is shortened, with the number of omitted parts")
    func width() {
        #expect("\(Value.array(Array(repeating: 1, count: 250)))".hasSuffix(", 1, ... 150 more]"))
        #expect("\(Value.string(String(repeating: "x", count: 5000)))".hasSuffix("x\"... 4000 more"))
        #expect("\(Value.bytes(Data(count: 1 << 20)))".hasPrefix("<1048576 bytes: 00 00"))
        let object = ValueObject(
            (0..<20_000).map { ("k\($0)", Value.string(String(repeating: "y", count: 900))) }
        )
        #expect("\(object)".utf8.count < 20_000)
        var wide: Value = 1
        for _ in 0..<8 { wide = .array(Array(repeating: wide, count: 100)) }
        #expect("\(wide)".utf8.count < 20_000, "100 to the power of 8 elements")
    }

    @Test("a value of any depth is printed and dumped with its first eight levels")
    func depth() {
        var deep: Value = 1
        for _ in 0..<5000 { deep = .array([deep]) }
        #expect("\(deep)" == "[[[[[[[[[...]]]]]]]]]")
        var text = ""
        dump(deep, to: &text)
        #expect(text.contains("[[[[[[[[[...]]]]]]]]]"))
    }

    @Test("R38 a secret member is not printed by description, debugDescription or dump")
    func secrets() {
        SecretMembers.shared.note("printedSecret")
        let value: Value = ["user": "ada", "list": [["printedSecret": "canary-4711"]]]
        var text =
            "\(value) \(String(reflecting: value)) \(value.objectValue.map(String.init(describing:)) ?? "")"
        dump(value, to: &text)
        #expect(text.contains(#""printedSecret": [secret]"#))
        #expect(!text.contains("canary-4711"))
    }

    @Test("invalid dates and dates beyond JavaScript's range print as such and do not trap")
    func dates() {
        for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e308, 9e12] {
            let value = Value.date(Date(timeIntervalSince1970: seconds))
            var text = "\(value) \(value.excerpt) \([value]) \(Value.array([value]))"
            dump(value, to: &text)
            #expect(text.hasPrefix("Invalid Date Invalid Date [Invalid Date] [Invalid Date]"))
        }
        #expect("\(Value.invalidDate)" == "Invalid Date")
        #expect(Value.invalidDate == Value.invalidDate)
        #expect("\(Value.date(Date(timeIntervalSince1970: 8.64e12)))" == "+275760-09-13T00:00:00Z")
    }

    @Test("the package creates no date that Foundation cannot print")
    func invalid() {
        let dates = [Double.nan, .infinity, 8.64e15 + 1, -1e308, 1e308].map(
            Date.init(javaScriptMilliseconds:)
        )
        #expect(dates.allSatisfy { $0 == .invalid && !"\($0)".isEmpty && $0.javaScriptMilliseconds == nil })
        #expect(Date(javaScriptMilliseconds: -8.64e15).javaScriptMilliseconds == -8.64e15)
        #expect(Date(timeIntervalSince1970: .nan).javaScriptMilliseconds == nil)
    }

    private struct Trip: Codable { var start: Date }

    @Test("a date that is invalid or out of range is refused where a Date is decoded, with the member's name")
    func decoding() throws {
        for seconds in [Double.nan, .infinity, 1e300, -1e300, 9e12] {
            let value: Value = ["start": .date(Date(timeIntervalSince1970: seconds))]
            let error = #expect(throws: BridgeError.self) {
                try ValueDecoder().decode(Trip.self, from: value)
            }
            #expect(error?.code == .decodeFailed)
            #expect(error?.message == "data.start: Invalid Date is not a valid date")
        }
        for text in [#"{"start":"+300000-01-01T00:00:00Z"}"#, #"{"start":"-300000-01-01T00:00:00.000Z"}"#] {
            let error = #expect(throws: BridgeError.self) {
                try JSONTextDecoder().decode(Trip.self, from: text)
            }
            #expect(error?.code == .decodeFailed && error?.message.hasPrefix("data.start: ") == true)
        }
        for number in ["1e308", "-1e308", "8640000000000001"] {
            let error = #expect(throws: BridgeError.self) {
                try JSONTextDecoder(dateStrategy: .millisecondsSince1970)
                    .decode(Trip.self, from: "{\"start\":\(number)}")
            }
            #expect(error?.code == .decodeFailed && error?.message.hasPrefix("data.start: ") == true)
        }
        let text = try JSONTextDecoder(dateStrategy: .millisecondsSince1970)
            .decode(Trip.self, from: "{\"start\":-8640000000000000}")
        #expect(text.start == Date(timeIntervalSince1970: -8.64e12))
    }

    @Test(
        "an invalid date is null in a format of Foundation, as in JSON, and other dates keep their milliseconds"
    )
    func otherFormats() throws {
        let values: [Value] = [
            .invalidDate, .date(Date(timeIntervalSince1970: .nan)), .date(Date(timeIntervalSince1970: 1.25)),
        ]
        let text = String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
        #expect(text == #"[null,null,"1970-01-01T00:00:01.250Z"]"#)
    }
}
