public import Foundation

/// The measurements of a run as JSON: an array with an object for each case.
///
/// Its times are seconds for one operation.
public struct Report: Sendable {
    private var entries: [Entry] = []

    /// Creates an empty report.
    public init() {}

    /// Adds a case.
    public mutating func add(_ measurement: CaseMeasurement) { entries.append(Entry(measurement)) }

    /// Encodes the report as JSON.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(entries) + Data("\n".utf8)
    }

    /// Writes the report to a file atomically, and creates missing folders.
    public func write(to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try json().write(to: file, options: .atomic)
    }
}

/// One case in the report, without the members that it lacks.
private struct Entry: Encodable {
    struct Times: Encodable {
        var plain: Double?
        var ours: Double
    }

    let `case`: String
    let baseline: String
    var ratio: Double?
    var value: Double?
    var unit: String?
    var better: Figure.Better?
    var wanted: Double?
    let absolute: Times
    let rounds: Int
    var plainRounds: Int?
    var p99: Double?
    let time: TimeSource

    init(_ measurement: CaseMeasurement) {
        `case` = measurement.name
        baseline = measurement.baseline
        absolute = Times(plain: measurement.plain?.rounded, ours: measurement.ours.rounded)
        rounds = measurement.rounds
        plainRounds = [0, rounds].contains(measurement.plainRounds) ? nil : measurement.plainRounds
        p99 = measurement.percentile99?.rounded
        time = measurement.timeSource
        wanted = measurement.wanted
        switch measurement.figure {
        case .ratio: ratio = measurement.value.rounded
        case .microseconds:
            value = measurement.value.rounded
            unit = "us"
            better = .lower
        case .amount(let name):
            value = measurement.value.rounded
            unit = name
            better = .lower
        }
    }
}

extension Double {
    /// The number rounded to five digits: more would only be noise.
    fileprivate var rounded: Double { Double(String(format: "%.5g", self)) ?? self }
}
