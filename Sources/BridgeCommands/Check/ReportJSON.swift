internal import BridgeConformance
internal import BridgeTestKit
internal import Foundation

/// A report as one JSON object; BridgeConformance.docc/Conformance.md describes its members.
struct ReportJSON {
    let heading: ReportHeading

    private struct Score: Encodable {
        var passed: Int
        var total: Int
    }

    private struct Vector: Encodable {
        var name: String
        var subject: String
        var mark: String
        var assertions: [String]
        var outcome: String
        var step: Int?
        var stimulus: String?
        var reason: String?
    }

    private struct Report: Encodable {
        var version: String
        var script: String
        var dialect: String
        var conforms: Bool
        var problem: String?
        var score: [String: Score]
        var failedAssertions: [String: [String]]
        var vectors: [Vector]
    }

    /// The JSON object, over several lines.
    var text: String {
        let report = heading.report
        let marks = ReportHeading.marks
        let object = Report(
            version: ProductVersion.current,
            script: heading.script,
            dialect: heading.profile.name,
            conforms: report.conforms,
            problem: report.problem,
            score: Dictionary(
                uniqueKeysWithValues: marks.map { mark, word in
                    let score = report.score(of: mark)
                    return (word, Score(passed: score.passed, total: score.total))
                }
            ),
            failedAssertions: Dictionary(
                uniqueKeysWithValues: marks.map { ($0.word, report.failedAssertions(of: $0.mark)) }
            ),
            vectors: report.results.map { result in
                let failure = result.outcome.failure
                return Vector(
                    name: result.name,
                    subject: result.subject,
                    mark: result.mark.rawValue,
                    assertions: result.assertions,
                    outcome: result.outcome.word,
                    step: failure?.step,
                    stimulus: failure?.stimulus,
                    reason: failure.map(\.reason) ?? result.outcome.explanation
                )
            }
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and arrays of them can always be encoded as JSON.
        let data = (try? encoder.encode(object)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
