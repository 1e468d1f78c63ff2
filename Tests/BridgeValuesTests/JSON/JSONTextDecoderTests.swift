import BridgeJSON
import BridgeValues
import Foundation
import Testing

@Suite("JSON text: decoding")
struct JSONTextDecoderTests {
    struct Person: Codable, Equatable {
        var age: Int
        var tags: [String]?
    }

    @Test("P68 R8 whole numbers are exact in every type they fit, however they are written")
    func integers() throws {
        #expect(try decode(Int64.self, "9223372036854775807") == .max)
        #expect(try decode(Int64.self, "-9223372036854775808") == .min)
        #expect(try decode(UInt64.self, "18446744073709551615") == .max)
        #expect(try decode(UInt64.self, "18446744073709550000") == 18_446_744_073_709_550_000)
        #expect(try decode(Int128.self, "170141183460469231731687303715884105727") == .max)
        #expect(try decode(Int128.self, "-170141183460469231731687303715884105728") == .min)
        #expect(try decode(UInt128.self, "340282366920938463463374607431768211455") == .max)
        #expect(try decode(Int.self, "9007199254740993") == 9_007_199_254_740_993)
        #expect(try decode(Int.self, "9007199254740993.0") == 9_007_199_254_740_993)
        #expect(try decode(Int.self, "900719925474099.3E+1") == 9_007_199_254_740_993)
        for text in ["1.0", "1", "10e-1", "0.1e1", "1000000e-6", "1.000e0"] {
            #expect(try decode(Int8.self, text) == 1, "\(text)")
        }
        for text in ["0", "-0", "-0.0", "0e999", "0.000e-5"] { #expect(try decode(UInt.self, text) == 0) }
        #expect(try decode(Int8.self, "-128") == -128)
    }

    @Test(
        "P68 a number that does not fit a type is an error that names it, never rounded and never a trap",
        arguments: [
            "1.5", "128", "-129", "1e300", "0.99999999999999999999", "1e-1", "9223372036854775808",
            "1e99999999",
            "1e-99999999999999999999",
        ]
    )
    func unfitting(text: String) {
        let error = #expect(throws: BridgeError.self) { try decode([Int8].self, "[\(text)]") }
        #expect(error?.code == .decodeFailed)
        // The scan finds a number that is larger than any double, before a type requests it.
        if text != "1e99999999" {
            #expect(error?.message.hasPrefix("data[0]: ") == true, "\(error.debugDescription)")
        }
    }

    @Test("P68 doubles are the nearest ones, and a whole number that Double cannot hold is reported")
    func doubles() throws {
        let cases: [(String, Double)] = [
            ("1.5", 1.5), ("0.1", 0.1), ("-0", -0.0), ("5e-324", .leastNonzeroMagnitude), ("1e23", 1e23),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
            ("123456789.123456789123456789", 123456789.123456789), ("1e-400", 0),
            ("9007199254740992", 0x1p53),
            ("9.5367431640625e-7", 0x1p-20), ("18446744073709551616", 0x1p64),
            ("1152921504606847000", 0x1p60),
            ("100000000000000000000", 1e20), ("8.41", 8.41), ("33.33333333333333333", 33.333333333333336),
        ]
        for (text, expected) in cases {
            let number = try decode(Double.self, text)
            #expect(number == expected && number.sign == expected.sign, "\(text)")
        }
        for text in [
            "9007199254740993", "-9007199254740993", "18446744073709551615", "1e400", "true", "\"1\"",
        ] {
            #expect(throws: BridgeError.self, "\(text)") { try decode(Double.self, text) }
        }
        #expect(try decode(Float.self, "0.1") == 0.1)
        #expect(throws: BridgeError.self) { try decode(Float.self, "1e39") }
    }

    @Test("P68 true is not a number, and 1 is not a boolean")
    func booleans() throws {
        #expect(try decode([Bool].self, "[true,false]") == [true, false])
        for text in ["1", "0", "1.0", "\"true\"", "null", "[]"] {
            #expect(throws: BridgeError.self) { try decode(Bool.self, text) }
        }
        for text in ["true", "false"] {
            #expect(throws: BridgeError.self) { try decode(Int.self, text) }
            #expect(throws: BridgeError.self) { try decode(Decimal.self, text) }
        }
    }

    @Test("P63 every escape is decoded, NUL and U+2028 too")
    func escapes() throws {
        #expect(
            try decode(String.self, #""\"\\\/\b\f\n\r\t\u0000\u00e9\u2028\ud83d\ude00\uABCD""#)
                == "\"\\/\u{8}\u{c}\n\r\t\u{0}é\u{2028}😀\u{ABCD}"
        )
        #expect(
            try decode(String.self, "\"\u{2028}\u{2029}\u{7f}😀e\u{301}</script>%20+\"")
                == "\u{2028}\u{2029}\u{7f}😀e\u{301}</script>%20+"
        )
        let long = String(repeating: "añ😀x", count: 200_000)
        #expect(try decode(String.self, "\"\(long)\"") == long)
    }

    @Test("P66 R8 a lone surrogate is replaced alone, is counted, and is exact as a Value")
    func loneSurrogates() throws {
        let text = #"{"k\ud800":"a\udc00b","ok":"\ud83d\ude00","two":["\ud800\ud800\udc00"]}"#
        let units = Array(text.utf16)
        var repaired = 0
        let members = try units.withUnsafeBufferPointer {
            try JSONTextDecoder().decode([String: Value].self, from: $0, repairedTexts: &repaired)
        }
        #expect(repaired == 3)
        #expect(members["k\u{FFFD}"] == .illFormedString([0x61, 0xDC00, 0x62]))
        #expect(members["ok"] == "😀")
        #expect(
            try decode([String].self, #"["a\udc00b","\ud800\ud800\udc00"]"#) == [
                "a\u{FFFD}b", "\u{FFFD}\u{10000}",
            ]
        )
        #expect(try decode(raw: [0x61, 0xD800, 0x62]) == "a\u{FFFD}b")
        // A pair of which one half is escaped is a pair, as in JavaScript.
        #expect(try decode(raw: Array(#"\ud83d"#.utf16) + [0xDE00]) == "😀")
        let strict = JSONTextDecoder(illFormedText: .fail)
        #expect(throws: BridgeError.self) { try strict.decode(String.self, from: #""\ud800""#) }
        #expect(try strict.decode(Value.self, from: #""\ud800""#) == .illFormedString([0xD800]))
    }

    @Test("R8 of several members with the same key the last counts, at any size, escaped or not")
    func duplicateKeys() throws {
        #expect(try decode([String: Int].self, #"{"a":1,"b":2,"a":3}"#) == ["a": 3, "b": 2])
        #expect(try decode(Person.self, #"{"age":1,"\u0061ge":2}"#) == Person(age: 2))
        #expect(try decode(Person.self, #"{"age":"x","tags":null,"age":7}"#) == Person(age: 7))
        #expect(try decode([String: Int].self, #"{"\ud800":1,"\ufffd":2}"#) == ["\u{FFFD}": 2])
        let many = (0..<100).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let table = try decode([String: Int].self, "{\(many),\"k50\":-1}")
        #expect(table.count == 100 && table["k50"] == -1 && table["k99"] == 99)
        // An é of one code point and one of two are two members.
        let keys = try decode(KeyList.self, "{\"\u{e9}\":1,\"e\u{301}\":2}").keys
        #expect(keys.map { Array($0.utf8) } == [Array("\u{e9}".utf8), Array("e\u{301}".utf8)])
    }

    /// The keys of an object in order.
    struct KeyList: Decodable {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(intValue: Int) { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
        }
        var keys: [String]
        init(from decoder: any Decoder) throws {
            keys = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
        }
    }

    @Test("members are found in any order, at any size, repeatedly")
    func lookups() throws {
        struct Wide: Decodable {
            var sum = 0
            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: KeyList.Key.self)
                for key in members.allKeys.reversed() + members.allKeys {
                    sum += try members.decode(Int.self, forKey: key)
                    #expect(members.contains(key))
                }
                for name in ["", "k", "k1000", "é"] {
                    guard let key = KeyList.Key(stringValue: name) else { continue }
                    #expect(!members.contains(key))
                    #expect(try members.decodeNil(forKey: key))
                    #expect(try members.decodeIfPresent(Int.self, forKey: key) == nil)
                }
            }
        }
        for count in [0, 1, 15, 16, 17, 18, 300] {
            let text = "{" + (0..<count).map { #""k\#($0)" : \#($0)"# }.joined(separator: " , ") + "}"
            #expect(try decode(Wide.self, text).sum == count * (count - 1))
        }
    }

    @Test("null and a missing member are nil, and nothing else is")
    func absence() throws {
        struct Row: Decodable, Equatable {
            var a: Int?
            var b: String?
            var c: [Int?]?
            var d: Date?
        }
        #expect(try decode(Row.self, "{}") == Row())
        #expect(try decode(Row.self, #"{"a":null,"b":null,"c":null,"d":null,"e":null}"#) == Row())
        #expect(try decode(Row.self, #"{"c":[1,null]}"#) == Row(c: [1, nil]))
        #expect(try decode(Int?.self, "null") == nil)
        #expect(throws: BridgeError.self) { try decode(Row.self, #"{"a":false}"#) }
    }

    @Test("dates, bytes, decimals, URLs and identifiers are decoded by their strategies")
    func foundationTypes() throws {
        let date = Date(timeIntervalSince1970: 1_763_700_000.123)
        #expect(try decode(Date.self, #""2025-11-21T04:40:00.123Z""#) == date)
        #expect(
            try decode(Date.self, #""2025-11-21T05:40:00+01:00""#)
                == Date(timeIntervalSince1970: 1_763_700_000)
        )
        #expect(try decode(Date.self, #""+275760-09-13T00:00:00.000Z""#).timeIntervalSince1970 == 8.64e12)
        #expect(
            try decode(Date.self, #""-000001-01-01T00:00:00.000Z""#).timeIntervalSince1970 == -62_198_755_200
        )
        for text in [#""2025-13-01T00:00:00.000Z""#, #""today""#, "5", "null"] {
            #expect(throws: BridgeError.self, "\(text)") { try decode(Date.self, text) }
        }
        let numbers = JSONTextDecoder(dateStrategy: .millisecondsSince1970)
        #expect(try numbers.decode(Date.self, from: "1763700000123") == date)
        #expect(throws: BridgeError.self) {
            try numbers.decode(Date.self, from: #""2025-11-21T04:40:00.123Z""#)
        }

        for text in [#""AQL/""#, "[1,2,255]", #"{"0":1,"1":2,"2":255}"#] {
            #expect(try decode(Data.self, text) == Data([1, 2, 255]))
        }
        for text in [#""?""#, "[256]", "[-1]", "[1.5]", #"{"1":1}"#, "1", #"{"0":1,"00":2}"#] {
            #expect(throws: BridgeError.self, "\(text)") { try decode(Data.self, text) }
        }
        let decimal = try #require(Decimal(string: "12345678901234567890.123"))
        #expect(try decode(Decimal.self, "12345678901234567890.123") == decimal)
        #expect(try decode(Decimal.self, #""12345678901234567890.123""#) == decimal)
        #expect(throws: BridgeError.self) { try decode(Decimal.self, #""12x""#) }
        #expect(
            try decode(URL.self, #""https:\/\/example.org\/?q=1""#).absoluteString
                == "https://example.org/?q=1"
        )
        let uuid = UUID()
        #expect(try decode(UUID.self, "\"\(uuid)\"") == uuid)
        #expect(throws: BridgeError.self) { try decode(UUID.self, "\"no\"") }
    }

    @Test("P67 R9 depth, values and length have limits of the package, on both sides of each")
    func limits() throws {
        var decoder = JSONTextDecoder()
        for limit in [1, 64, 512, 600] {
            decoder.limits.maximumDepth = limit
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let inside = open == "[" ? "" : "1"
                func nested(_ depth: Int) -> String {
                    String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
                }
                #expect(throws: Never.self) { try decoder.decode(Value.self, from: nested(limit)) }
                let error = #expect(throws: BridgeError.self) {
                    try decoder.decode(Value.self, from: nested(limit + 1))
                }
                #expect(error?.code == .limitExceeded && error?.message.contains("\(limit) levels") == true)
            }
        }
        decoder = JSONTextDecoder()
        decoder.limits.maximumNodes = 4
        #expect(try decoder.decode([Int].self, from: "[1,2,3]") == [1, 2, 3])
        #expect(
            try #require(throws: BridgeError.self) { try decoder.decode([Int].self, from: "[1,2,3,4]") }.code
                == .limitExceeded
        )
        decoder = JSONTextDecoder()
        decoder.limits.maximumMessageLength = 5
        #expect(try decoder.decode([Int].self, from: "[1,2]") == [1, 2])
        #expect(
            try #require(throws: BridgeError.self) { try decoder.decode([Int].self, from: "[1,2] ") }.code
                == .limitExceeded
        )
        let flood = [UInt16](repeating: UInt16(UInt8(ascii: "[")), count: 2_000_000)
        let error = #expect(throws: BridgeError.self) {
            try flood.withUnsafeBufferPointer { try JSONTextDecoder().decode(Value.self, from: $0) }
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test(
        "R1 invalid JSON is an error with its position, even where no type decodes it",
        arguments: [
            "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{1:1}",
            "tru", "truE", "nul", "undefined", "NaN", "Infinity", "-Infinity", "+1", "-", "01", "01x", "1.",
            ".5", "1e",
            "1e+", "0x10", "'a'", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"",
            "\u{FEFF}1",
            "//", "]", "}", "1e400", "-1e400", "\u{0}", "1 2", "[1]]", "{}{}", "\"a\"b", "[1 2]",
            "{\"a\":1 \"b\":2}",
            "{\"a\" 1}", "\"abc\u{1}\"", "\"abc\u{1f}\"", "\"abcd\u{10}efgh\"", "-a", "--1", "1.e1", "[1}",
            "{\"a\":1]", "\u{85}1", "\u{A0}1",
        ]
    )
    func malformed(text: String) {
        struct Indifferent: Decodable { init(from decoder: any Decoder) {} }
        let error = #expect(throws: BridgeError.self) { try decode(Indifferent.self, text) }
        #expect(error?.code == .decodeFailed)
    }

    @Test("a decoder that a type retains works after the text was released")
    func keptDecoder() throws {
        struct Kept: Decodable {
            var decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        var units = Array(#"{"age":7,"tags":["kept text that is not short"]}"#.utf16)
        let kept = try units.withUnsafeBufferPointer { try JSONTextDecoder().decode(Kept.self, from: $0) }
        for index in units.indices { units[index] = 0 }
        let person = try Person(from: kept.decoder)
        #expect(person == Person(age: 7, tags: ["kept text that is not short"]))
    }

    @Test("a subclass finds its own members and those of its superclass, nested or side by side")
    func inheritance() throws {
        class Base: Decodable {
            let name: String
            enum Keys: String, CodingKey { case name }
            required init(from decoder: any Decoder) throws {
                name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
            }
        }
        final class Derived: Base {
            let size: Int
            enum Keys: String, CodingKey { case size }
            required init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: Keys.self)
                size = try members.decode(Int.self, forKey: .size)
                try super.init(from: members.contains(.size) ? try members.superDecoder() : decoder)
            }
        }
        let derived = try decode(Derived.self, #"{"super":{"name":"n"},"size":3}"#)
        #expect(derived.name == "n" && derived.size == 3)
        let error = #expect(throws: BridgeError.self) { try decode([Derived].self, #"[{"size":3}]"#) }
        #expect(error?.message == "data[0]: null is not an object")
    }

    private func decode<Decoded: Decodable>(_ type: Decoded.Type, _ text: String) throws -> Decoded {
        try JSONTextDecoder().decode(type, from: text)
    }

    private func decode(raw units: [UInt16]) throws -> String {
        let quote = UInt16(UInt8(ascii: "\""))
        return try ([quote] + units + [quote]).withUnsafeBufferPointer {
            try JSONTextDecoder().decode(String.self, from: $0)
        }
    }
}
