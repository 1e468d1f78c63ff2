import BridgeJSON
import BridgeValues
import Foundation
import Testing

@Suite struct ValueCodingTests {
    struct Inner: Codable, Equatable {
        var flag: Bool
        var score: Double?
    }
    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case named(String, Int)
    }
    struct Everything: Codable, Equatable {
        var int: Int
        var big: Int64
        var unsigned: UInt64
        var small: Int8
        var text: String
        var date: Date
        var bytes: Data
        var url: URL
        var decimal: Decimal
        var uuid: UUID
        var list: [Inner?]
        var table: [String: [Int]]
        var shape: [Shape]
        var missing: String?
        var dynamic: Value
    }

    private func make() throws -> Everything {
        Everything(
            int: -5,
            big: .max,
            unsigned: .max,
            small: -128,
            text: "a\0b😀",
            date: Date(timeIntervalSince1970: 1.5),
            bytes: Data([1, 2]),
            url: try #require(URL(string: "https://example.org/a?b=c")),
            decimal: try #require(Decimal(string: "12345678901234567890.123")),
            uuid: UUID(),
            list: [Inner(flag: true, score: 1.5), nil],
            table: ["x": [1, 2], "": []],
            shape: [.point, .circle(radius: 2), .named("n", 3)],
            missing: nil,
            dynamic: ["any": [1, "two", .null]]
        )
    }

    @Test("Codable types are equal after coding")
    func roundTrip() throws {
        let everything = try make()
        let value = try ValueEncoder().encode(everything)
        #expect(try ValueDecoder().decode(Everything.self, from: value) == everything)
        #expect(value["missing"] == .undefined)
        #expect(value["unsigned"] == .bigInt("18446744073709551615"))
        #expect(value["big"] == .integer(.max))
        #expect(value["bytes"] == .bytes(Data([1, 2])))
    }

    @Test("scalars, optionals and arrays at the top level are equal after coding")
    func topLevel() throws {
        #expect(try ValueEncoder().encode([1, 2]) == [1, 2])
        #expect(try ValueEncoder().encode("x") == "x")
        #expect(try ValueEncoder().encode(Int?.none) == .null)
        #expect(try ValueDecoder().decode(Int?.self, from: .undefined) == nil)
        #expect(try ValueDecoder().decode([Int?].self, from: [1, .null, .undefined]) == [1, nil, nil])
        #expect(try ValueDecoder().decode([String: Double].self, from: ["a": 1]) == ["a": 1])
        #expect(try ValueDecoder().decode(Value.self, from: .undefined) == .undefined)
    }

    struct Person: Codable, Equatable {
        var age: Int
        var tags: [String]?
    }

    static let wrong: [(Value, String)] = [
        (
            ["age": .double(1e300)],
            "data.age: 1e+300 is not a whole number from -9223372036854775808 to 9223372036854775807"
        ),
        (["age": 1.5], "data.age: 1.5 is not a whole number"),
        (["age": .double(.nan)], "data.age: NaN is not a whole number"),
        (["age": .double(-.infinity)], "data.age: -Infinity is not a whole number"),
        (["age": true], "data.age: boolean true is not a whole number"),
        (["age": "7"], "data.age: string '7' is not a whole number"),
        ([:], "data: the member 'age' is missing"),
        (["age": .null], "data.age: null is not a whole number"),
        (["age": 1, "tags": ["a", 2]], "data.tags[1]: number 2 is not a string"),
        (["age": 1, "tags": [:]], "data.tags: object of 0 members is not an array"),
        ([1], "data: array of 1 element is not an object"),
        (.undefined, "data: undefined is not an object"),
    ]

    @Test("a value that does not fit is an error that names the member, never a trap", arguments: wrong)
    func failures(value: Value, message: String) throws {
        let error = try #require(throws: BridgeError.self) {
            try ValueDecoder().decode(Person.self, from: value)
        }
        #expect(error.code == .decodeFailed)
        #expect(error.message == message)
    }

    /// Numbers of each kind, of which only one is invalid.
    struct Numbers: Decodable {
        var byte: UInt8 = 0
        var single: Float = 0
        var double: Double = 0

        private enum Key: String, CodingKey { case byte, single, double }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            byte = try container.decodeIfPresent(UInt8.self, forKey: .byte) ?? 0
            single = try container.decodeIfPresent(Float.self, forKey: .single) ?? 0
            double = try container.decodeIfPresent(Double.self, forKey: .double) ?? 0
        }
    }

    @Test(
        "R39 the error of a number that does not fit has the expected numbers, without the type's name",
        arguments: [
            (#"{"byte":300}"#, "data.byte: 300 is not a whole number from 0 to 255"),
            (#"{"byte":-1}"#, "data.byte: -1 is not a whole number from 0 to 255"),
            (#"{"byte":0.5}"#, "data.byte: 0.5 is not a whole number"),
            (#"{"byte":"5"}"#, "data.byte: string '5' is not a whole number"),
            (#"{"single":1e300}"#, "data.single: 1e+300 is not a number that 32 bits of floating point hold"),
            (
                #"{"double":9007199254740993}"#,
                "data.double: bigint 9007199254740993 is not a number that 64 bits of floating point hold exactly"
            ),
        ]
    )
    func numberMessages(text: String, message: String) throws {
        let value = try JSONTextDecoder().decode(Value.self, from: text)
        for decode in [
            { try ValueDecoder().decode(Numbers.self, from: value) },
            { try JSONTextDecoder().decode(Numbers.self, from: text) },
        ] {
            let error = #expect(throws: BridgeError.self) { _ = try decode() }
            #expect(error?.message == message)
        }
    }

    @Test("the error of a member under 'super' has that path")
    func superPath() throws {
        class Base: Decodable {
            let id: Int
            private enum Key: String, CodingKey { case id }
            required init(from decoder: any Decoder) throws {
                id = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id)
            }
        }
        final class Derived: Base {
            private enum Key: String, CodingKey { case extra }
            required init(from decoder: any Decoder) throws {
                try super.init(from: decoder.container(keyedBy: Key.self).superDecoder())
            }
        }
        let value: Value = ["extra": 1, "super": ["id": "x"]]
        let error = #expect(throws: BridgeError.self) { try ValueDecoder().decode(Derived.self, from: value) }
        #expect(error?.message == "data.super.id: string 'x' is not a whole number")
        let text = #"{"extra":1,"super":{"id":"x"}}"#
        let same = #expect(throws: BridgeError.self) {
            try JSONTextDecoder().decode(Derived.self, from: text)
        }
        #expect(same?.message == error?.message)
    }

    @Test("a long string is cut in messages, whatever its characters consist of")
    func longTexts() throws {
        let marks = "e" + String(repeating: "\u{301}", count: 1000)
        for text in [marks, String(repeating: "e", count: 1000)] {
            let error = #expect(throws: BridgeError.self) {
                try ValueDecoder().decode(Int.self, from: .string(text))
            }
            #expect(error.map { $0.message.unicodeScalars.count < 100 } == true)
        }
        let short = #expect(throws: BridgeError.self) {
            try ValueDecoder().decode(Int.self, from: .string(String(repeating: "e", count: 40)))
        }
        #expect(short?.message == "data: string '\(String(repeating: "e", count: 40))' is not a whole number")
    }

    @Test("numbers that do not fit a type are errors for every integer type")
    func integerRanges() {
        for number in [
            Value.double(1e300), .double(-.infinity), .double(.nan), 300, -1,
            .bigInt("99999999999999999999999"), .double(0.5),
        ] {
            #expect(throws: BridgeError.self) { try ValueDecoder().decode(UInt8.self, from: number) }
        }
        #expect(throws: BridgeError.self) { try ValueDecoder().decode(Int32.self, from: .double(1e10)) }
        #expect(throws: BridgeError.self) {
            try ValueDecoder().decode(Double.self, from: .integer(9_007_199_254_740_993))
        }
        #expect(throws: Never.self) {
            try ValueDecoder().decode(UInt64.self, from: .bigInt("18446744073709551615"))
        }
    }

    @Test("numbers have one form: an integer if whole and safe, otherwise a double")
    func canonicalNumbers() {
        #expect(Value.number(3) == .integer(3))
        #expect(Value.number(-0.0) == .double(-0.0))
        #expect(Value.number(0) == .integer(0))
        #expect(Value.number(9_007_199_254_740_992) == .double(9_007_199_254_740_992))
        #expect(Value.bigInteger(digits: "7") == .bigInt("7"))
        #expect(Value.bigInteger(digits: "-9223372036854775808") == .integer(.min))
        #expect(Value.bool(true) != .integer(1))
    }

    @Test("R8 canonically equivalent strings are two values")
    func textByBytes() {
        #expect(Value.string("\u{E9}") != .string("e\u{301}"))
        #expect(Set<Value>([.string("\u{E9}"), .string("e\u{301}"), .string("\u{E9}")]).count == 2)
        #expect(Value.double(.nan) != .double(.nan))
        #expect(Value.array([.object(["a": 1, "b": .null])]) == .array([.object(["b": .null, "a": 1])]))
    }

    @Test("objects keep their order, find members at any size, and are equal in any order of members")
    func objects() {
        var object = ValueObject((0..<100).map { ("k\($0)", Value.integer(Int64($0))) })
        #expect(object["k57"] == 57)
        object["k57"] = nil
        object["k3"] = "new"
        #expect(object["k57"] == nil)
        #expect(object.count == 99)
        #expect(object.keys.prefix(4) == ["k0", "k1", "k2", "k3"])
        #expect(object == ValueObject(object.members.reversed().map { ($0.key, $0.value) }))
        #expect(
            object.hashValue == ValueObject(object.members.reversed().map { ($0.key, $0.value) }).hashValue
        )
    }

    @Test("an error is unchanged by its record, with its causes")
    func errorRecords() {
        let error = BridgeError(
            BridgeErrorCode(rawValue: "shop.closed"),
            "closed",
            data: ["until": 9],
            cause: BridgeError(.handlerFailed, "root"),
            frames: [
                StackFrame(function: "open", sourceURL: "shop.js", line: 3, column: 7),
                StackFrame(function: "native"),
            ]
        )
        #expect(BridgeError(record: error.record) == error)
        #expect(BridgeError(record: .null).code == .handlerFailed)
        #expect(BridgeError(record: ["code": 5, "msg": [], "cause": "x", "stack": 7]).code == .handlerFailed)
    }

    @Test("P66 an error whose strings were cut in the middle of a character keeps the rest of them")
    func cutTexts() {
        func cut(_ text: String) -> Value { .illFormedString(Array(text.utf16) + [0xD83D]) }
        let error = BridgeError(
            record: [
                "code": cut("shop.closed"), "msg": cut("closed "),
                "stack": cut("open@shop.js:3:7\nnative@[native code]\n"),
            ]
        )
        #expect(error.code.rawValue == "shop.closed\u{FFFD}")
        #expect(error.message == "closed \u{FFFD}")
        #expect(error.frames.first == StackFrame(function: "open", sourceURL: "shop.js", line: 3, column: 7))
    }
}
