import BridgeValues
import Foundation
import Testing

/// Values from data whose types are known only at run time, and back.
@Suite struct ValueAnyTests {
    struct Point: Codable, Equatable {
        var x: Int
        var y: Double
    }
    final class Window {}

    @Test("a [String: Any] becomes the value of the same literal")
    func dictionary() throws {
        let any: [String: Any] = [
            "text": "a", "flag": true, "count": 3, "big": Int64.max, "half": 0.5, "none": NSNull(),
            "list": [1, "two", [3.0]] as [Any], "nested": ["a": ["b": false]],
            "optional": Int?.none as Any, "some": Int?.some(7) as Any,
            "point": Point(x: 1, y: 2.5), "small": UInt8(1), "value": Value.undefined,
            "part": "abc".dropFirst(),
        ]
        let value = try Value(any: any)
        #expect(
            value == [
                "text": "a", "flag": true, "count": 3, "big": .integer(.max), "half": 0.5, "none": .null,
                "list": [1, "two", [3]], "nested": ["a": ["b": false]], "optional": .null, "some": 7,
                "point": ["x": 1, "y": 2.5], "small": 1, "value": .undefined, "part": "bc",
            ]
        )
        #expect(value.objectValue?.members.map(\.key) == any.keys.sorted())
        #expect(try Value(any: nil) == .null)
    }

    @Test("P68 Foundation's classes become the same values as Swift's types")
    func foundation() throws {
        let json = #"{"a": [1, 1.5, true, null, "x"], "n": 9007199254740993}"#
        let any = try JSONSerialization.jsonObject(with: Data(json.utf8))
        #expect(
            try Value(any: any) == ["a": [1, 1.5, true, .null, "x"], "n": .integer(9_007_199_254_740_993)]
        )
        #expect(try Value(any: NSNumber(value: 2.5)) == 2.5)
        #expect(try Value(any: NSNumber(value: true)) == true)
        #expect(try Value(any: NSNumber(value: UInt64.max)) == .bigInt("18446744073709551615"))
        #expect(try Value(any: NSString(string: "s")) == "s")
        #expect(try Value(any: NSArray(array: [1, "a"])) == [1, "a"])
        #expect(try Value(any: NSDictionary(dictionary: ["a": 1])) == ["a": 1])
        let date = Date(timeIntervalSince1970: 1)
        #expect(try Value(any: [date, Data([1])] as [Any]) == [.date(date), .bytes(Data([1]))])
    }

    @Test(
        "a value that is not data is an error with its type and its path",
        arguments: [
            ("data.items[1].window is a Window, which is not data", 0),
            ("data is a Window, which is not data", 1),
            ("data.a has a key that is a Int, not a string", 2),
            ("data.when is not a valid date", 3),
        ]
    )
    func refused(message: String, index: Int) throws {
        let cases: [Any] = [
            ["items": [1, ["window": Window()]] as [Any]], Window(), ["a": [1: 2]],
            ["when": Date(timeIntervalSince1970: .nan)],
        ]
        let error = #expect(throws: BridgeError.self) { try Value(any: cases[index]) }
        #expect(error?.code == .encodeFailed)
        #expect(error?.message == message)
    }

    @Test("R9 data that nests deeper than a value may is refused")
    func depth() throws {
        var any: Any = 1
        for _ in 0..<600 { any = [any] }
        let error = #expect(throws: BridgeError.self) { try Value(any: any) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("values are created from variables as from literals")
    func variables() {
        let (text, flag, count, half, list) = ("a", true, 3, 0.5, [Value(1)])
        #expect(Value(text) == "a" && Value(flag) == true && Value(count) == 3 && Value(half) == 0.5)
        #expect(Value(list) == [1])
        #expect(Value(["b": Value(text), "a": Value(count)]) == ["a": 3, "b": "a"])
        #expect(Value(UInt64.max) == .bigInt("18446744073709551615") && Value(Float(1.0)) == 1)
    }

    @Test("anyValue has the types that code for [String: Any] casts to")
    func back() throws {
        let value: Value = ["a": [1, "x", .null], "flag": true, "half": 0.5]
        let any = try #require(value.anyValue as? [String: Any])
        #expect((any["a"] as? [Any])?.count == 3)
        #expect((any["a"] as? [Any])?.last is NSNull)
        #expect(any["flag"] as? Bool == true && any["half"] as? Double == 0.5)
        #expect(try Value(any: any) == value)
        #expect(Value.undefined.anyValue == nil && Value.null.anyValue == nil)
    }
}
