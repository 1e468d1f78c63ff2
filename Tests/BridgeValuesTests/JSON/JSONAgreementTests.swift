import BridgeJSON
import BridgeValues
import Foundation
import TestSupport
import Testing

/// Tests that both ways to decode a payload, through ``Value`` and directly from text, have the same result.
@Suite("JSON text: against ValueDecoder")
struct JSONAgreementTests {
    struct Inner: Codable, Equatable {
        var flag: Bool
        var score: Double?
    }
    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case named(String, Int)
    }
    struct Row: Codable, Equatable {
        var id: Int
        var small: Int8?
        var name: String
        var ratio: Double?
        var inner: Inner?
        var list: [Inner?]?
        var table: [String: [Int]]?
        var shape: Shape?
        var when: Date?
        var url: URL?
        var any: Value?
    }

    @Test("R8 both ways accept and refuse the same random members, with the same messages")
    func rows() {
        var seeds = SeededGenerator.fromEnvironment("rows")
        var fitted = 0
        let count = repetitions(2_500, underStress: 10_000)
        for _ in 0..<count {
            let seed = seeds.next()
            var rows = RowGenerator(JSONDocumentGenerator(seed: seed))
            let text = rows.row()
            // Through Value, such numbers became a Double or a BigInt before a type could request their digits.
            let numbers = text.replacing("9007199254740993", with: "")
            guard !numbers.contains(/[0-9]{14,}|[eE][-+]?[0-9]{2,}/),
                let value = try? JSONTextDecoder().decode(Value.self, from: text)
            else { continue }
            let byValue = Result { try ValueDecoder().decode([Row].self, from: value) }
            let byText = Result { try JSONTextDecoder().decode([Row].self, from: text) }
            switch (byValue, byText) {
            case (.success(let left), .success(let right)):
                fitted += 1
                #expect(left == right, "seed \(seed): \(text)")
            case (.failure(let left as BridgeError), .failure(let right as BridgeError)):
                #expect(left == right, "seed \(seed): \(text)")
            default: Issue.record("seed \(seed): \(text)\nby value \(byValue)\nby text \(byText)")
            }
        }
        #expect(fitted * 10 > count)
    }

    @Test("R8 each transport decodes the other's output, and both encode the same data")
    func crossing() throws {
        let row = Row(
            id: .max,
            small: -3,
            name: "a\0\u{2028}😀",
            ratio: 1e-7,
            inner: Inner(flag: true),
            list: [nil, Inner(flag: false, score: 2)],
            table: ["": [], "é": [1]],
            shape: .named("n", 3),
            when: Date(timeIntervalSince1970: 1.5),
            url: URL(string: "https://example.org/"),
            any: ["deep": [1, "two", .null]]
        )
        let text = try JSONTextEncoder().encode(row)
        #expect(try JSONTextDecoder().decode(Row.self, from: text) == row)
        let value = try JSONTextDecoder().decode(Value.self, from: text)
        #expect(try ValueDecoder().decode(Row.self, from: value) == row)
        let direct = try ValueEncoder().encode(row)
        #expect(try JSONTextDecoder().decode(Row.self, from: JSONTextEncoder().encode(direct)) == row)
        #expect(try JSONTextEncoder().encode(direct) == text)
    }
}

/// A generator of rows most of whose members are valid.
private struct RowGenerator {
    var documents: JSONDocumentGenerator

    init(_ documents: JSONDocumentGenerator) { self.documents = documents }

    mutating func row() -> String {
        let members: [(String, [String])] = [
            ("id", ["7", "-1", "1.0", "9007199254740993"]),
            ("small", ["null", "5", "-128", "12e1"]),
            ("name", ["\"n\"", "\"\\u00e9\\ud800\"", "\"\""]),
            ("ratio", ["0.5", "3", "null", "1e3"]),
            ("inner", ["{\"flag\":true}", "{\"score\":1.5,\"flag\":false,\"x\":[]}"]),
            ("list", ["[]", "[null,{\"flag\":true}]"]),
            ("table", ["{}", "{\"a\":[1,2],\"b\":[]}"]),
            (
                "shape",
                ["{\"point\":{}}", "{\"circle\":{\"radius\":2}}", "{\"named\":{\"_0\":\"x\",\"_1\":1}}"]
            ),
            ("when", ["\"2025-11-21T04:40:00.123Z\"", "\"2025-11-21T04:40:00Z\""]),
            ("url", ["\"https://example.org\""]),
            ("any", ["[1,{\"a\":\"\\udc00\"}]"]),
        ]
        var parts: [String] = []
        for (name, values) in members where Int.random(in: 0..<12, using: &documents.random) > 0 {
            if Int.random(in: 0..<25, using: &documents.random) == 0 {
                let odd = documents.value(depth: 2)
                parts.append("\"\(name)\":\(String(decoding: odd, as: UTF16.self))")
            } else {
                parts.append("\"\(name)\":\(values.randomElement(using: &documents.random) ?? "null")")
            }
        }
        if Bool.random(using: &documents.random) { parts.shuffle(using: &documents.random) }
        return "[{\(parts.joined(separator: ","))}]"
    }
}
