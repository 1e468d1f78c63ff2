import BridgeJSON
import BridgeValues
import Foundation
import TestSupport
import Testing

/// Tests with random texts and values, compared with Foundation, which shares no code with this package.
///
/// Every run has 20,000 texts and 10,000 values, and 25 times as many if `JSBRIDGE_STRESS` is set.
///
/// The tests of this folder were checked with mutants of the codec, one at a time. They found: a lone low surrogate
/// that counted as valid; a skipped backslash or control character; capital hexadecimal digits with an error of one; a
/// lost sign of an exponent; more than 53 bits of digits that counted as exact; a key that was compared without its
/// length; the first instead of the last of two members with the same key; a depth check with an error of one; leading
/// zeros that were accepted; zeros after a point that were not written; an unescaped U+2029; a comma left by an element
/// that failed; a key that was written twice. The control characters from U+0010 on were not covered at first: since
/// then the texts contain U+001F.
@Suite("JSON text: against Foundation")
struct JSONFuzzTests {
    private static let count =
        ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] == nil ? 20_000 : 500_000

    @Test("P63 P66 P68 R1 R8 a random text is decoded as by Foundation, or refused by both")
    func reading() {
        var seeds = SeededGenerator.fromEnvironment("JSON texts")
        let decoder = JSONTextDecoder()
        var accepted = 0
        var excused: [Set<JSONOracle.Difference>: Int] = [:]
        var faults = 0
        for _ in 0..<Self.count where faults < 5 {
            let seed = seeds.next()
            var generator = JSONDocumentGenerator(seed: seed)
            let units = generator.document()
            let ours = units.withUnsafeBufferPointer { try? decoder.decode(JSONTree.self, from: $0) }
            let theirs = JSONOracle.read(units)
            if ours != nil { accepted += 1 }
            guard ours != theirs else { continue }
            let reasons = JSONOracle.differences(units)
            excused[reasons, default: 0] += 1
            guard reasons.isEmpty else { continue }
            faults += 1
            Issue.record(
                "document seed \(seed): \(String(decoding: units, as: UTF16.self).debugDescription)\nours \(ours as Any)\nFoundation \(theirs as Any)"
            )
        }
        // A generator of nothing but invalid texts, or of nothing but known differences, would prove nothing.
        #expect(accepted > Self.count / 3, "\(seeds.origin)")
        #expect(excused.values.reduce(0, +) < Self.count / 20, "\(excused) \(seeds.origin)")
    }

    @Test("P63 P64 R8 a random value is equal after coding, also with Foundation's decoder")
    func writing() throws {
        var seeds = SeededGenerator.fromEnvironment("JSON values")
        for _ in 0..<Self.count / 2 {
            let seed = seeds.next()
            var generator = TreeGenerator(seed: seed)
            let tree = generator.tree(depth: 3)
            let units = try JSONTextEncoder().encodeUnits(of: tree)
            let back = try units.withUnsafeBufferPointer {
                try JSONTextDecoder().decode(JSONTree.self, from: $0)
            }
            let text = String(decoding: units, as: UTF16.self)
            #expect(back == tree, "value seed \(seed): \(text)")
            #expect(JSONOracle.read(units) == tree, "value seed \(seed): \(text)")
            // The direct coding of Value agrees with the coding of types.
            let value = try units.withUnsafeBufferPointer {
                try JSONTextDecoder().decode(Value.self, from: $0)
            }
            #expect(try JSONTextEncoder().encodeUnits(of: value).count > 0)
            let encoded = try ValueEncoder().encode(tree)
            #expect(encoded.isSameData(as: value), "value seed \(seed): \(text)")
        }
    }

    @Test("P68 a random number is written with the fewest digits that identify it")
    func numbers() throws {
        var seeds = SeededGenerator.fromEnvironment("JSON numbers")
        for _ in 0..<Self.count {
            var number = Double(bitPattern: seeds.next())
            if Bool.random(using: &seeds) {
                number = Double(Int.random(in: -99_999_999...99_999_999, using: &seeds)) / 1e4
            }
            guard number.isFinite else { continue }
            let text = try JSONTextEncoder().encode(number)
            #expect(Double(text) == number, "\(text)")
            #expect(try JSONTextDecoder().decode(Double.self, from: text) == number)
            let digits = text.prefix { $0 != "e" }.filter(\.isNumber)
            let fewest = number.magnitude.description.prefix { $0 != "e" }.filter(\.isNumber)
            #expect(trimmed(digits) == trimmed(fewest), "\(text)")
        }
    }

    private func trimmed(_ digits: some StringProtocol) -> String {
        String(String(digits.drop { $0 == "0" }.reversed()).drop { $0 == "0" })
    }
}

/// A generator of random values that JSON can represent.
private struct TreeGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func tree(depth: Int) -> JSONTree {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &random) {
        case 0: return .null
        case 1: return .flag(Bool.random(using: &random))
        case 2:
            return .integer(
                Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<63, using: &random)
            )
        case 3: return .unsigned(random.next() | 1 << 63)
        case 4:
            let number = Double(bitPattern: random.next())
            return .double(number.isFinite && number.magnitude < 1e15 ? number : 0.5)
        case 5, 6: return .text(text())
        case 7, 8:
            return .list((0..<Int.random(in: 0..<5, using: &random)).map { _ in tree(depth: depth - 1) })
        default:
            var table: [String: JSONTree] = [:]
            for _ in 0..<Int.random(in: 0..<20, using: &random) { table[text()] = tree(depth: depth - 1) }
            return .table(table)
        }
    }

    private mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "z", "0", " ", "/", "\"", "\\", "\u{0}", "\n", "\u{1f}", "\u{7f}", "é", "\u{2028}", "😀",
            "\u{10FFFF}", "\u{FFFF}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<10, using: &random) {
            text.append(scalars.randomElement(using: &random) ?? "a")
        }
        return String(text)
    }
}

extension Value {
    /// Returns whether two values are the same data, ignoring the kinds of numbers.
    fileprivate func isSameData(as other: Value) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSameData(as: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { $0.value.isSameData(as: right[$0.key] ?? .undefined) }
        default:
            self == other || (doubleValue != nil && doubleValue == other.doubleValue) || isJSInteger(other)
        }
    }

    // Digits that JavaScript would write for a number are parsed as that number.
    private func isJSInteger(_ other: Value) -> Bool {
        guard case .bigInt(let digits) = self, let number = other.doubleValue else { return false }
        return Double(digits) == number
    }
}
