import BridgeJSON
import BridgeValues
import Foundation
import TestSupport
import Testing

@testable import BridgeProtocol

@Suite("JSON: writing data")
struct PayloadWritingTests {
    @Test(
        "P64 values are written as JavaScript writes them",
        arguments: [
            (.null, "null"), (.undefined, "null"), (true, "true"), (1, "1"), (1.5, "1.5"),
            (.double(1e21), "1e+21"),
            (.double(-0.0), "0"), (.double(.nan), "null"), (.double(-.infinity), "null"), ([], "[]"),
            ([:], "{}"),
            (.integer(.max), "9223372036854775807"),
            (.bigInt("-123456789012345678901"), "-123456789012345678901"),
            (["a": .undefined, "b": [.undefined, 1]], #"{"b":[null,1]}"#),
            (.bytes(Data([1, 255])), #"{"0":1,"1":255}"#),
            (.bytes(Data()), "{}"),
            ("\"\\/\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}", #""\"\\/\b\t\n\f\r\u0000\u001f\u007f""#),
            ("\u{2028}\u{2029}é😀", #""\u2028\u2029é😀""#),
            (
                .illFormedString([0x61, 0xD800, 0x62, 0xDC00, 0xD83D, 0xDE00, 0xDBFF]),
                #""a\ud800b\udc00😀\udbff""#
            ),
            (["__proto__": 1], #"{"__proto__":1}"#),
        ] as [(Value, String)]
    )
    func values(value: Value, expected: String) throws {
        #expect(try write(value) == expected)
    }

    @Test(
        "P64 a date is its ISO string, to the ends of JavaScript's range",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_763_700_000_123, "2025-11-21T04:40:00.123Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (-62_198_755_200_000, "-000001-01-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (8_640_000_000_000_000, "+275760-09-13T00:00:00.000Z"),
            (-8_640_000_000_000_000, "-271821-04-20T00:00:00.000Z"),
        ] as [(Double, String)]
    )
    func dates(milliseconds: Double, expected: String) throws {
        #expect(try write(.date(Date(timeIntervalSince1970: milliseconds / 1000))) == "\"\(expected)\"")
    }

    @Test("P64 a date outside JavaScript's range is null")
    func impossibleDates() throws {
        for seconds in [8.64e12 + 1, -8.64e12 - 1, .nan, .infinity] {
            #expect(try write(.date(Date(timeIntervalSince1970: seconds))) == "null")
        }
    }

    @Test("P67 R9 the depth, values and length that a writer accepts have limits, on both sides of each")
    func limits() throws {
        var limits = BridgeLimits()
        limits.maximumDepth = 3
        limits.maximumNodes = 10
        limits.maximumMessageLength = 100
        #expect(try write([[[]]], limits: limits) == "[[[]]]")
        try expectLimit([[[[]]]], limits, "3 levels")
        #expect(try write(.array(Array(repeating: 1, count: 9)), limits: limits).count == 19)
        try expectLimit(.array(Array(repeating: 1, count: 10)), limits, "10 values")
        try expectLimit([.string(String(repeating: "x", count: 400)), 1], limits, "100 units")
    }

    @Test("P71 a message for a log has a line for each member")
    func pretty() throws {
        let value: Value = ["a": 1, "b": [true, [:]], "c": []]
        #expect(
            try write(value, isPretty: true)
                == "{\n  \"a\" : 1,\n  \"b\" : [\n    true,\n    {}\n  ],\n  \"c\" : []\n}"
        )
    }

    @Test("R8 encoded values are decoded as equal ones, also by Foundation")
    func roundTrip() throws {
        var generator = SeededGenerator.fromEnvironment("JSON round trip")
        for _ in 0..<2000 {
            let seed = generator.next()
            var values = ValueGenerator(seed: seed)
            let value = values.value(depth: 4)
            let text = try write(value)
            let units = Array(text.utf16)
            let back = try units.withUnsafeBufferPointer { buffer in
                var reader = JSONReader(buffer, in: 0..<buffer.count, limits: BridgeLimits())
                return try reader.readValue()
            }
            #expect(back == value, "seed \(seed): \(text.prefix(200))")
            guard !values.hasLoneSurrogate else { continue }
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(agrees(object, value), "seed \(seed): \(text.prefix(200))")
        }
    }

    private func write(_ value: Value, limits: BridgeLimits = BridgeLimits(), isPretty: Bool = false) throws
        -> String
    {
        let units = try JSONPayload(value, limits: limits).units
        return isPretty ? JSONPayload.lines(of: units) : String(decoding: units, as: UTF16.self)
    }

    private func expectLimit(_ value: Value, _ limits: BridgeLimits, _ numbers: String) throws {
        let error = try #require(throws: BridgeError.self) { try write(value, limits: limits) }
        #expect(error.code == .limitExceeded)
        #expect(error.message.contains(numbers))
    }

    /// Returns whether Foundation's result is the value, ignoring the kinds of numbers, which Foundation does not
    /// preserve on Linux.
    private func agrees(_ object: Any, _ value: Value) -> Bool {
        switch value {
        case .null: object is NSNull
        case .bool(let flag): (object as? Bool) == flag
        case .integer(let number): (object as? NSNumber)?.int64Value == number
        case .double(let number):
            // Foundation parses fractions through a decimal number, with an error in the last digits of small ones; our
            // results were compared exactly above.
            abs(number) < 1e-15
                || (object as? NSNumber).map { abs($0.doubleValue - number) <= 8 * number.ulp } ?? false
        case .string(let text): (object as? String).map { Array($0.utf16) == Array(text.utf16) } ?? false
        case .array(let elements):
            (object as? [Any]).map { $0.count == elements.count && zip($0, elements).allSatisfy(agrees) }
                ?? false
        case .object(let members):
            (object as? [String: Any]).map { found in
                found.count == members.count
                    && members.allSatisfy { member in
                        found[member.key].map { agrees($0, member.value) } ?? false
                    }
            } ?? false
        default: false
        }
    }
}

/// A generator of values that JSON can represent.
struct ValueGenerator {
    private var generator: SeededGenerator
    private(set) var hasLoneSurrogate = false

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func value(depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2:
            return .integer(
                Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<63, using: &generator)
            )
        case 3:
            let number = Double(bitPattern: generator.next())
            // Beyond 2^53 the digits of a whole double are parsed as an exact integer, which is another kind of value.
            return number.isFinite && abs(number) < 1e15 && number != 0 ? .number(number) : .double(0.5)
        case 4...6: return text()
        case 7, 8:
            return .array((0..<Int.random(in: 0..<6, using: &generator)).map { _ in value(depth: depth - 1) })
        default:
            var object = ValueObject()
            for _ in 0..<Int.random(in: 0..<12, using: &generator) { object[key()] = value(depth: depth - 1) }
            return .object(object)
        }
    }

    private mutating func key() -> String {
        guard case .string(let text) = wellFormed() else { return "" }
        return text
    }

    private mutating func text() -> Value {
        guard Int.random(in: 0..<8, using: &generator) == 0 else { return wellFormed() }
        hasLoneSurrogate = true
        let surrogate = UInt16.random(in: 0xD800...0xDFFF, using: &generator)
        return .illFormedString([0x61, surrogate, 0x62])
    }

    private mutating func wellFormed() -> Value {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "\u{0}", "\n", "\u{1f}", "\u{7f}", "é", "\u{2028}", "😀", "\u{10FFFF}",
            "\u{FFFF}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
            text.append(scalars.randomElement(using: &generator) ?? "a")
        }
        return .string(String(text))
    }
}
