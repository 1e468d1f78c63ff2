import BenchmarkHarness
import BridgeJSON
import BridgeValues
import Foundation

/// JSON text from and to Codable types, without an engine: UTF-16 units on our side, UTF-8 bytes on Foundation's.
///
/// Each side begins and ends with its native form of text. The cost of a boundary is not included.
@MainActor let jsonCases = [
    decodeCase("json.decode.rows", rows, rowsText, checksum: { $0.reduce(0) { $0 + $1.checksum } }),
    encodeCase("json.encode.rows", rows, rowsText),
    decodeCase("json.decode.small", message, messageText, checksum: \.checksum),
    encodeCase("json.encode.small", message, messageText),
]

/// A row of 125 characters as JSON.
private struct Airport: Codable, Sendable {
    var id: Int
    var name: String
    var country: String
    var latitude: Double
    var longitude: Double
    var elevation: Int?
    var isOpen: Bool
    var code: String

    init(index: Int) {
        id = index
        name = "Airport \(index * 7919 % 10_007)"
        country = ["AR", "DE", "JP", "US"][index & 3]
        latitude = Double(index % 180) - 89.375
        longitude = Double(index) * 0.37
        elevation = index.isMultiple(of: 11) ? nil : index % 4000
        isOpen = index.isMultiple(of: 3)
        code = "K\(index)"
    }

    /// A number that depends on every field.
    var checksum: Double {
        Double(id + name.utf8.count + country.utf8.count + code.utf8.count) + latitude + longitude
            + Double(elevation ?? -1) + (isOpen ? 1 : 0)
    }
}

private let rows = (0..<1000).map(Airport.init(index:))
private let rowsText = text(of: rows)
private let message = Message(index: 7)
private let messageText = text(of: message)

/// Encodes the value with Foundation, so that neither side gets its own output in a form that suits it.
private func text(of value: some Encodable) -> Data {
    do { return try JSONEncoder().encode(value) } catch {
        fatalError("the benchmark's data is not JSON: \(error)")
    }
}

@MainActor
private func decodeCase<Subject: Codable>(
    _ name: String,
    _ subject: Subject,
    _ text: Data,
    checksum: @escaping (Subject) -> Double
) -> BenchmarkCase {
    BenchmarkCase(name, baseline: "JSONDecoder, from the same text in UTF-8") {
        let plain = JSONDecoder()
        let ours = JSONTextDecoder()
        let units = Array(String(decoding: text, as: UTF8.self).utf16)
        let expected = checksum(subject)
        return Contest(
            plain: .synchronous { operations in
                var count = 0.0
                for _ in 0..<operations where try checksum(plain.decode(Subject.self, from: text)) == expected
                {
                    count += 1
                }
                return Outcome(count)
            },
            ours: .synchronous { operations in
                var count = 0.0
                for _ in 0..<operations {
                    let value = try units.withUnsafeBufferPointer { try ours.decode(Subject.self, from: $0) }
                    if checksum(value) == expected { count += 1 }
                }
                return Outcome(count)
            },
            expected: { Double($0) }
        )
    }
}

@MainActor
private func encodeCase<Subject: Codable>(_ name: String, _ subject: Subject, _ text: Data) -> BenchmarkCase {
    BenchmarkCase(name, baseline: "JSONEncoder, to the same text in UTF-8") {
        let plain = JSONEncoder()
        let ours = JSONTextEncoder()
        // The members have another order, and both write numbers with the fewest digits: the lengths are equal.
        let length = try ours.encodeUnits(of: subject).count
        guard length == text.count else { throw JSONCaseError(ours: length, plain: text.count) }
        return Contest(
            plain: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations { total += Double(try plain.encode(subject).count) }
                return Outcome(total)
            },
            ours: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations {
                    total += try ours.withEncodedUnits(of: subject) { Double($0.count) }
                }
                return Outcome(total)
            },
            expected: { Double($0 * text.count) }
        )
    }
}

private struct JSONCaseError: Error, CustomStringConvertible {
    let ours: Int
    let plain: Int
    var description: String { "our text has \(ours) characters, Foundation's \(plain)" }
}
